/** Root may run commands for the user of the service, who must be able to open the files. */
import { lchownSync, statSync } from 'node:fs';

export const isRoot = () => process.getuid?.() === 0;

export function giveToOwnerOf(path: string, file: string): void {
  const { uid, gid } = statSync(path);
  // The folder may belong to that user, who could replace the file by a symbolic link to a file of root.
  lchownSync(file, uid, gid);
}

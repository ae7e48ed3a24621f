/** Root may run commands for the user of the service, who must be able to open the files. */
import { chownSync, statSync } from 'node:fs';

export const isRoot = () => process.getuid?.() === 0;

export function giveToOwnerOf(path: string, file: string): void {
  const { uid, gid } = statSync(path);
  chownSync(file, uid, gid);
}

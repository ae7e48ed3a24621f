/**
 * Root may run commands for the user of the service, who must be able to open the files. The folder may belong to that
 * user, who could replace a file by a symbolic link to a file of root: these functions do not follow it.
 */
import { closeSync, constants, fchmodSync, lchownSync, openSync, statSync } from 'node:fs';

export const isRoot = () => process.getuid?.() === 0;

export function giveToOwnerOf(path: string, file: string): void {
  const { uid, gid } = statSync(path);
  lchownSync(file, uid, gid);
}

/** @throws an error of the system for a symbolic link */
export function setFileMode(file: string, mode: number): void {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    fchmodSync(descriptor, mode);
  } finally {
    closeSync(descriptor);
  }
}

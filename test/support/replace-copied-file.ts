/** Preload this file to replace each copied file by a symbolic link to LINK_TO, as another process could. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { copyFile } = fs.promises;
fs.promises.copyFile = async (from, to, mode) => {
  await copyFile(from, to, mode);
  fs.rmSync(to);
  fs.symlinkSync(process.env.LINK_TO as string, to);
};
syncBuiltinESMExports();

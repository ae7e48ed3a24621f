/** Preload this file to write a line to standard error for each password hash of the process. */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const { argon2 } = crypto;

crypto.argon2 = ((...args: Parameters<typeof argon2>) => {
  process.stderr.write('{"msg":"password hash"}\n');
  argon2(...args);
}) as typeof argon2;
syncBuiltinESMExports();

import { createRequire } from 'node:module';
import { join } from 'node:path';

/** `src` of a checkout, `dist` of the published package. */
const programFolder = join(import.meta.dirname, '..');

/**
 * @param name path in a checkout
 * @returns path in the file system
 */
export function findProgramFile(name: string): string {
  const [first = '', ...rest] = name.split('/');
  if (first === 'src') return join(programFolder, ...rest);
  // npm may install a dependency beside the published package.
  if (first === 'node_modules') return createRequire(import.meta.url).resolve(rest.join('/'));
  return join(programFolder, '..', name);
}

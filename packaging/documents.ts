import { cpSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from './package-folder.ts';

/** @returns the pages that messages of the program refer to, and those that they link to: paths in the checkout, sorted */
export function listDocuments(): string[] {
  const { files } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { files: string[] };
  const patterns = files.filter((pattern) => pattern.startsWith('docs/'));
  return globSync(patterns, { cwd: checkout }).toSorted();
}

/** Copies them into a folder `docs`, and the changelog that they link to beside it. */
export function copyDocuments(folder: string): void {
  for (const document of [...listDocuments(), 'CHANGELOG.md'])
    cpSync(join(checkout, document), join(folder, document));
}

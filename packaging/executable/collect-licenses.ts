import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from '../package-folder.ts';

/**
 * The licences of everything inside the executable, which its recipients must receive with it.
 *
 * @param files paths in the checkout; those below node_modules belong to a dependency
 * @param runtimeFolder folder of the package of Node.js
 * @throws if a dependency names no licence
 */
export function collectLicenses(files: readonly string[], runtimeFolder: string): string {
  const folders = new Set(
    files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []).sort(),
  );
  const parts = [...folders].map((folder) => describe(join(checkout, folder)));
  return [...parts, describe(runtimeFolder)].join(`\n${'-'.repeat(80)}\n\n`);
}

function describe(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (typeof license !== 'string') throw new Error(`${folder} names no licence.`);
  const texts = globSync('{LICEN[CS]E,licen[cs]e}*', { cwd: folder })
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return [`${name} ${version} (${license})`, ...texts].join('\n\n').concat('\n');
}

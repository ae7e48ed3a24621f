/** The files that the program reads with `src/platform/assets.ts`. */
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { listAssets } from '../../src/platform/assets.ts';
import { mapLibrary, pageFrameFiles, pageFrameStyles } from '../../src/platform/http/static-files.ts';
import { articleFiles } from '../../src/web/api/docs-page/article-files.ts';
import { checkout } from '../package-folder.ts';

/** @returns their names, which are paths in the checkout */
export const listProgramAssets = (): string[] => [
  'package.json',
  ...listAssets('src').filter((name) => extname(name) !== '.ts'),
  ...listAssets('migrations').filter((name) => extname(name) === '.sql'),
  ...[...articleFiles.values()].map((file) => `docs/${file}`),
  ...listAssets('examples/api').filter((name) => !name.includes('__pycache__')),
  // The others are in `src`.
  ...[...pageFrameStyles, ...Object.values(pageFrameFiles), ...Object.values(mapLibrary)].filter((name) =>
    name.startsWith('node_modules/'),
  ),
  'node_modules/@github/combobox-nav/dist/index.js',
];

/** @returns the modules that run in threads of their own: paths in the checkout, without extension */
export const listThreads = (): string[] =>
  listAssets('src')
    .filter((name) => extname(name) === '.ts')
    .flatMap((name) => [
      ...readFileSync(join(checkout, name), 'utf8').matchAll(/\bstartThread\('(?<module>[^']+)'/g),
    ])
    .map(({ groups }) => groups?.module as string);

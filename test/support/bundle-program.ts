/** Bundles the program into a few files: its processes then start in half of the processor time. */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { readBuild } from '../../src/platform/build-info.ts';

/** The bundle reads assets and starts threads from the sources, as the program does. */
const keepLocations: Plugin = {
  name: 'keep-locations',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/src\/platform\/(?:assets|build)\.ts$/ }, ({ path }) => ({
      loader: 'ts',
      contents: readFileSync(path, 'utf8')
        // The log of each server names the commit. Git takes a tenth of a second for it.
        .replaceAll('...askGit()', `...${JSON.stringify(readBuild())}`)
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
        .replaceAll('import.meta.filename', JSON.stringify(path))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
    })),
};

/** The chunk of a CommonJS package has no named exports, which Node.js finds. */
const keepPackagesOfDynamicImports: Plugin = {
  name: 'keep-packages-of-dynamic-imports',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    ),
};

/** Writes `main.mjs` and the command `rostra`, which runs it, to a folder inside the checkout. */
export async function bundleProgram(checkout: string, folder: string): Promise<void> {
  const manifest = JSON.stringify(join(checkout, 'package.json'));
  await build({
    absWorkingDir: checkout,
    entryPoints: ['src/main.ts'],
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node26',
    // Messages contain names of functions and classes.
    keepNames: true,
    // It has a native module.
    external: ['better-sqlite3'],
    outExtension: { '.js': '.mjs' },
    // CommonJS dependencies call it for modules of Node.js.
    banner: {
      js: `import { createRequire as $createRequire } from 'node:module'; const require = $createRequire(${manifest});`,
    },
    logLevel: 'warning',
    plugins: [keepLocations, keepPackagesOfDynamicImports],
  });
  const command = join(folder, 'rostra');
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${join(folder, 'main.mjs')}' "$@"\n`);
  chmodSync(command, 0o755);
}

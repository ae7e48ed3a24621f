/** Bundles the program and its dependencies, so that the executable needs no other module. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { checkout } from '../package-folder.ts';

/** Name of the asset with the native module. */
export const addonName = 'better-sqlite3.node';

const require = createRequire(import.meta.url);

/** The entry for one platform has no code that searches for the native module. It is the same code on all platforms. */
const loadAddonFromAsset: Plugin = {
  name: 'load-addon-from-asset',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^better-sqlite3$/ }, () => ({ path: require.resolve('better-sqlite3/linux-x64') }));
    onLoad({ filter: /\.node$/ }, () => ({
      contents: `module.exports = require('./load-addon.ts').loadAddon('${addonName}')`,
      resolveDir: import.meta.dirname,
    }));
  },
};

/** An `import` of `node:http` would load its WebSocket client: see src/platform/http/node-http.ts. */
const requireNodeHttp: Plugin = {
  name: 'require-node-http',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^(node:)?http$/ }, () => ({ path: 'http', namespace: 'require' }));
    onLoad({ filter: /^http$/, namespace: 'require' }, () => ({
      contents: "module.exports = process.getBuiltinModule('node:http')",
    }));
  },
};

const options = {
  absWorkingDir: checkout,
  bundle: true,
  platform: 'node',
  target: 'node26',
  // Template literals become strings, which esbuild writes in ASCII.
  supported: { 'template-literal': false },
  // Messages and stack traces contain names of functions and classes.
  keepNames: true,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
  plugins: [loadAddonFromAsset, requireNodeHttp],
} satisfies BuildOptions;

/**
 * Bundles a program.
 *
 * @param entry path in the checkout
 * @returns the bundled files
 */
export async function bundleProgram(entry: string, outfile: string): Promise<string[]> {
  const { metafile } = await build({
    ...options,
    entryPoints: [entry],
    outfile,
    format: 'esm',
    // CommonJS dependencies call it for modules of Node.js.
    banner: {
      js: "import { createRequire as $createRequire } from 'node:module'; const require = $createRequire(process.execPath);",
    },
  });
  writeFileSync(outfile, escapeNonAscii(readFileSync(outfile, 'utf8')));
  return Object.keys(metafile.inputs);
}

/**
 * V8 keeps the program in memory, with one byte for each character only if all are in Latin-1. esbuild leaves other
 * characters in comments and in regular expressions only, and there an escape has the same meaning.
 */
const escapeNonAscii = (program: string) =>
  program.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Bundles the program of a thread. Node.js runs such a source as CommonJS. @param entry path in the checkout */
export async function bundleThread(entry: string, outfile: string): Promise<void> {
  await build({ ...options, entryPoints: [entry], outfile, format: 'cjs' });
}

/**
 * Builds `dist/`, the content of the published package. Node.js strips no types below node_modules, so the package
 * contains JavaScript at the paths of the checkout, and the assets of `src/`.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { readBuild } from './src/platform/build-info.ts';

const require = createRequire(import.meta.url);
const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');

for (const name of ['src', 'packages/client', 'packages/mirror'])
  rmSync(join('dist', name), { recursive: true, force: true });
execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
cpSync('src', 'dist/src', {
  recursive: true,
  filter: (file) => statSync(file).isDirectory() || !file.endsWith('.ts'),
});
writeFileSync('dist/src/platform/build.json', JSON.stringify({ ...readBuild(), form: 'npm package' }));
chmodSync('dist/src/bin.js', 0o755);

/**
 * Builds `dist/`, the content of the published package. Node.js strips no types below node_modules, so the package
 * contains JavaScript, and the assets of `src/` at the same paths.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');

for (const name of existsSync('dist') ? readdirSync('dist') : [])
  if (name !== 'packages') rmSync(join('dist', name), { recursive: true });
execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
cpSync('src', 'dist', {
  recursive: true,
  filter: (file) => statSync(file).isDirectory() || !file.endsWith('.ts'),
});
chmodSync('dist/bin.js', 0o755);

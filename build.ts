/**
 * Makes `dist/`, what the published package runs: Node strips no types below node_modules, so the package
 * carries JavaScript, and with it the two files of the reference's library.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const library = dirname(require.resolve('swagger-ui-dist/package.json'));
const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');

rmSync('dist', { recursive: true, force: true });
execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
mkdirSync('dist/http/reference');
for (const file of ['index.html', 'reference.js']) {
  copyFileSync(join('src/http/reference', file), join('dist/http/reference', file));
}
for (const file of ['swagger-ui-bundle.js', 'swagger-ui.css', 'LICENSE', 'NOTICE']) {
  copyFileSync(join(library, file), join('dist/http/reference', file));
}
chmodSync('dist/rostra.js', 0o755);

/**
 * Builds `dist/`, the content of the published package. Node.js strips no types below node_modules, so the package
 * contains JavaScript, and the assets of the pages with those of the design system.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');

const designSystemFonts = ['Regular', 'Medium', 'SemiBold'].map(
  (weight) => `fonts/fira-sans/FiraSans-${weight}.woff2`,
);

rmSync('dist', { recursive: true, force: true });
execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
for (const file of ['docs.css', 'docs.js']) {
  copyFileSync(join('src/api/docs-page', file), join('dist/api/docs-page', file));
}
for (const folder of ['http/assets', 'admin/assets'])
  cpSync(join('src', folder), join('dist', folder), { recursive: true });
cpSync('src/import/vocabulary', 'dist/import/vocabulary', {
  recursive: true,
  filter: (file) => !file.endsWith('.ts'),
});
const designSystem = dirname(require.resolve('@kern-ux/native/package.json'));
mkdirSync('dist/http/kern/fonts/fira-sans', { recursive: true });
copyFileSync(join(designSystem, 'LICENSE.md'), 'dist/http/kern/LICENSE.md');
for (const file of ['kern.min.css', ...designSystemFonts]) {
  copyFileSync(join(designSystem, 'dist', file), join('dist/http/kern', file));
}
chmodSync('dist/bin.js', 0o755);

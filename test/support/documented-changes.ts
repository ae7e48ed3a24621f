/** Applies the changes that a page of the documentation shows to a copy of the project. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from './checkout.ts';
import { copyCheckout, type Scope } from './files.ts';

/** @returns the folder of the copy, and the changed files */
export function applyDocumentedChanges(scope: Scope, page: string): { copy: string; files: string[] } {
  const copy = copyCheckout(scope, [
    'src',
    'packages',
    'migrations',
    'docs',
    'examples',
    'package.json',
    'tsconfig.json',
    'tsconfig.build.json',
  ]);
  const text = readFileSync(join(checkout, page), 'utf8');
  const changes = [...text.matchAll(/^```diff (\S+)\n([\s\S]*?)^```$/gm)];
  assert.ok(changes.length > 1, `${page} shows changes`);
  for (const [, file = '', diff = ''] of changes) applyDiff(join(copy, file), diff);
  return { copy, files: [...new Set(changes.map(([, file = '']) => file))] };
}

/** Replaces the context and removed lines of a diff by its context and added lines. Without the former, the file is new. */
function applyDiff(path: string, diff: string): void {
  const linesOf = (signs: string) =>
    diff
      .split('\n')
      .filter((line) => line !== '' && signs.includes(line[0] as string))
      .map((line) => `${line.slice(1)}\n`)
      .join('');
  const before = linesOf(' -');
  assert.equal(existsSync(path), before !== '', path);
  const parts = before === '' ? ['', ''] : readFileSync(path, 'utf8').split(before);
  assert.equal(parts.length, 2, `${path} must contain the unchanged lines of the diff exactly once`);
  writeFileSync(path, parts.join(linesOf(' +')));
}

/** Applies the changes that a page of the documentation shows to a copy of the project. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkout } from './checkout.ts';
import { copyCheckout, type Scope } from './files.ts';
import { nextMigrationNumber } from './migration-names.ts';

/** @returns the folder of the copy, and the changed files */
export function applyDocumentedChanges(scope: Scope, page: string): { copy: string; files: string[] } {
  const changed = composeDocumentedChanges(page);
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
  for (const [file, text] of changed) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    writeFileSync(join(copy, file), text);
  }
  return { copy, files: [...changed.keys()] };
}

/** @returns the new text of each file that the page changes. Fails if an unchanged line of the page is not in the project */
export function composeDocumentedChanges(page: string): Map<string, string> {
  const shown = readFileSync(join(checkout, page), 'utf8');
  const changes = [...shown.matchAll(/^```diff (\S+)\n([\s\S]*?)^```$/gm)];
  assert.ok(changes.length > 1, `${page} shows changes`);
  const changed = new Map<string, string>();
  for (const [, shownFile = '', diff = ''] of changes) {
    const file = shownFile.replace('/NNNN_', `/${nextMigrationNumber}_`);
    const path = join(checkout, file);
    const text = changed.get(file) ?? (existsSync(path) ? readFileSync(path, 'utf8') : undefined);
    changed.set(file, applyDiff(text, diff, `${page}: ${file}`));
  }
  return changed;
}

/** Replaces the context and removed lines of a diff by its context and added lines. Without the former, the file is new. */
function applyDiff(text: string | undefined, diff: string, name: string): string {
  const linesOf = (signs: string) =>
    diff
      .split('\n')
      .filter((line) => line !== '' && signs.includes(line[0] as string))
      .map((line) => `${line.slice(1)}\n`)
      .join('');
  const before = linesOf(' -');
  assert.equal(text === undefined, before === '', `${name} must be new if all lines are added`);
  const parts = text?.split(before) ?? ['', ''];
  assert.equal(parts.length, 2, `${name} must contain the unchanged lines of the diff exactly once`);
  return parts.join(linesOf(' +'));
}

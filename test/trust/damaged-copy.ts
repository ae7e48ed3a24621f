/** Copies of the program with a mistake, which show that a measurement can fail. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyCheckout, type Scope } from '../support/files.ts';

export interface SourceEdit {
  /** Relative to the checkout. */
  file: string;
  from: string | RegExp;
  to: string;
}

const parts = ['src', 'migrations', 'docs', 'examples', 'packages', 'test', 'package.json', 'rostra'];

/** @returns the changed source @throws if the edit changes nothing */
export function applyEdit({ file, from, to }: SourceEdit, source: string): string {
  const damaged = source.replaceAll(from, () => to);
  assert.ok(damaged !== source, `${file} does not contain ${from}`);
  return damaged;
}

/** Copies the program, applies the edits and returns the folder. @throws if an edit changes nothing */
export function createDamagedCopy(scope: Scope, edits: readonly SourceEdit[]): string {
  const copy = copyCheckout(scope, parts);
  for (const edit of edits) {
    const path = join(copy, edit.file);
    writeFileSync(path, applyEdit(edit, readFileSync(path, 'utf8')));
  }
  return copy;
}

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from './checkout.ts';

/** @returns the lines of the first shell block of a page after a text, such as a heading */
export function readCommands(page: string, after: string): string[] {
  const text = readFileSync(join(checkout, page), 'utf8');
  const start = text.indexOf(after);
  assert.ok(start >= 0, `${page} lacks ${after}`);
  const [, block = ''] = /```sh\n([\s\S]*?)```/.exec(text.slice(start)) ?? [];
  return block.trimEnd().split('\n');
}

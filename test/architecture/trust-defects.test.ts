/** The defects of the trust report, which only the nightly suite measures, fit the program. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkout } from '../support/checkout.ts';
import { applyEdit } from '../trust/damaged-copy.ts';
import { figures } from '../trust/figures.ts';

for (const { number, defect } of figures) {
  if (defect === undefined) continue;
  test(`the defect of figure ${number} changes the program: ${defect.description}`, () => {
    const sources = new Map<string, string>();
    for (const edit of defect.edits) {
      const source = sources.get(edit.file) ?? readFileSync(join(checkout, edit.file), 'utf8');
      sources.set(edit.file, applyEdit(edit, source));
    }
  });
}

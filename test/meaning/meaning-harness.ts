/** Publishes entries, and imports what their source says of them later. */
import assert from 'node:assert/strict';
import { assertCounts, type ImportContentOptions, type ImportHarness } from '../support/import-harness.ts';

export interface MeaningCase<Mark> {
  options: ImportContentOptions;
  /** @returns an input with an entry for each mark; undefined: an entry that is public */
  toInput(marks: readonly (Mark | undefined)[]): string;
  marks: readonly Mark[];
  /** Default: submissions. */
  list?: 'submissions' | 'sessions';
}

/**
 * Asserts that each mark removes its published record, that the report says why, and that the record is not published in the
 * first place. A public record beside them stays.
 */
export async function assertRetracted<Mark>(
  harness: ImportHarness,
  { options, toInput, marks, list = 'submissions', reason }: MeaningCase<Mark> & { reason: RegExp },
): Promise<void> {
  const [town, other] = [await harness.createMunicipality(), await harness.createMunicipality()];
  const first = await harness.importContent(
    town,
    toInput([undefined, ...marks.map(() => undefined)]),
    options,
  );
  assertCounts(first, { inserted: marks.length + 1 });
  const marked = toInput([undefined, ...marks]);
  const second = await harness.importContent(town, marked, options);
  assertCounts(second, { unchanged: 1, removed: marks.length });
  assert.match(String(second.counts.notes), reason);
  assert.equal((await harness.listAll(town, `/${list}`)).length, 1);
  assertCounts(await harness.importContent(other, marked, options), { inserted: 1, ignored: marks.length });
}

/** Asserts that these values say nothing against the publication. */
export async function assertPublished<Mark>(
  harness: ImportHarness,
  { options, toInput, marks, list = 'submissions' }: MeaningCase<Mark>,
): Promise<void> {
  const town = await harness.createMunicipality();
  assertCounts(await harness.importContent(town, toInput(marks), options), { inserted: marks.length });
  assert.equal((await harness.listAll(town, `/${list}`)).length, marks.length);
}

/** Asserts which state of an entry counts that an input repeats, in both orders; undefined: none is published. */
export async function assertCountingState(
  harness: ImportHarness,
  options: ImportContentOptions,
  toInput: (entries: readonly unknown[]) => string,
  states: readonly unknown[],
  expected: object | undefined,
): Promise<void> {
  for (const entries of [states, states.toReversed()]) {
    const town = await harness.createMunicipality();
    await harness.importContent(town, toInput(entries), options);
    const published = [
      ...(await harness.listAll(town, '/submissions')),
      ...(await harness.listAll(town, '/sessions')),
    ];
    if (expected === undefined) assert.deepEqual(published, []);
    else assert.partialDeepStrictEqual(published, [expected]);
  }
}

/** What a proposal of CONSUL Democracy says about its publication, from its models: `hidden_at`, `published_at`, `retired_at`. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { toCsv } from '../support/files.ts';
import { assertCounts, createImportHarness } from '../support/import-harness.ts';
import { assertPublished, assertRetracted } from './meaning-harness.ts';

const harness = await createImportHarness({ after });

type Fields = Record<string, unknown> | undefined;
const proposal = { title: 'Bänke', summary: 'Mehr', created_at: '2026-03-01T10:00:00Z', retired_at: null };
const toList = (marks: readonly Fields[]) =>
  JSON.stringify(marks.map((fields, index) => ({ id: index + 1, ...proposal, ...fields })));
const ofJson = { options: { format: 'consul', name: 'proposals.json' }, toInput: toList };
/** A table with one column beside the usual ones. */
const ofTable = (column: string, published = '') => ({
  options: { format: 'consul', name: 'proposals.csv' },
  toInput: (marks: readonly (string | undefined)[]) =>
    toCsv(',', [
      ['id', 'title', 'summary', 'created_at', column],
      ...marks.map((mark, index) => [String(index + 1), 'Bänke', 'Mehr', '2026-03-01', mark ?? published]),
    ]),
});

suite('CONSUL:', { concurrency: 2 }, () => {
  test('private: hidden proposals are removed, also if nothing else of them is readable', async () => {
    const marks = [
      ...['2026-03-02 10:00:00 UTC', true, 'true', 1, 'sí'].map((hidden_at) => ({ hidden_at })),
      ...[{ hiddenAt: '2026-03-02T10:00:00Z' }, { confirmed_hide_at: '2026-03-03T10:00:00Z' }],
      { hidden_at: '2026-03-02', title: '', created_at: null },
    ];
    await assertRetracted(harness, { ...ofJson, marks, reason: /the proposal is hidden/ });
    await assertRetracted(harness, {
      ...ofTable('Ausgeblendet am'),
      marks: ['02.03.2026'],
      reason: /is hidden/,
    });
    // A moderator who ignores the flags of a proposal leaves it public.
    const kept = [
      { hidden_at: null },
      { hidden_at: 'false' },
      { hidden_at: '-' },
      { ignored_flag_at: '2026-03-02' },
      // What the town does, not what it publishes.
      { status: 'geplant' },
    ];
    await assertPublished(harness, { ...ofJson, marks: kept });
  });

  // Neither the admin area nor the API says when a proposal was published, and both have drafts.
  test('draft: a file that does not say which proposals are drafts is noted once', async () => {
    for (const [fields, noted] of [
      [{}, true],
      [{ published_at: '2026-03-01T10:00:00Z' }, false],
      [{ status: 'published' }, false],
    ] as const) {
      const town = await harness.createMunicipality();
      const { counts } = await harness.importContent(town, toList([fields, fields]), ofJson.options);
      const notes = counts.notes as unknown as string[];
      const found = notes.filter((note) => /does not say which proposals are published/.test(note));
      assert.equal(found.length, noted ? 1 : 0, JSON.stringify(fields));
    }
  });

  // cancelled: a proposal takes place at no time. The standard has no such mark.
  test('withdrawn: a proposal that its author retired stays public, with this status', async () => {
    const town = await harness.createMunicipality();
    await harness.importContent(town, toList([undefined]), ofJson.options);
    const retired = await harness.importContent(
      town,
      toList([{ retired_at: '2026-03-02T10:00:00Z' }]),
      ofJson.options,
    );
    assertCounts(retired, { changed: 1 });
    assert.equal((await harness.listAll(town, '/submissions'))[0].status, 'withdrawn');
  });

  // Deletion is `hidden_at` in CONSUL. Open data of towns add columns of their own.
  test('deleted and unpublished rows are removed', async () => {
    const marks = [{ deleted: 'true' }, { deleted_at: '2026-03-02' }];
    await assertRetracted(harness, { ...ofJson, marks, reason: /records marked as deleted/ });
    await assertRetracted(harness, {
      ...ofJson,
      marks: [{ status: 'hidden' }, { public: 'no' }],
      reason: /not public/,
    });
  });

  test('draft: a proposal without the time of its publication is removed, in each language of the headings', async () => {
    const reason = /the proposal is not published/;
    const marks = [null, '', '  ', '-', 'null', '\u200B', '2060-03-01 10:00:00'].map((published_at) => ({
      published_at,
    }));
    await assertRetracted(harness, {
      options: ofJson.options,
      toInput: (entries) =>
        toList(entries.map((fields) => fields ?? { published_at: '2026-03-01T10:00:00Z' })),
      marks,
      reason,
    });
    for (const column of ['Published at', 'Veröffentlicht am', 'Fecha de publicación'])
      await assertRetracted(harness, { ...ofTable(column, '2026-03-01'), marks: ['', '01.03.2060'], reason });
    await assertRetracted(harness, {
      ...ofTable('Status', 'Veröffentlicht'),
      marks: ['Entwurf', 'BORRADOR', 'dra\u00ADft'],
      reason: /drafts/,
    });
  });

  test('responses of the GraphQL API are read in the same way', async () => {
    const publicTime = { publishedAt: '2026-03-01T10:00:00Z', hiddenAt: null };
    const toResponse = (shape: (nodes: unknown[]) => unknown) => (marks: readonly Fields[]) =>
      JSON.stringify({
        data: {
          proposals: shape(
            marks.map((fields, index) => ({ id: index + 1, ...proposal, ...publicTime, ...fields })),
          ),
        },
      });
    for (const shape of [
      (nodes: unknown[]) => ({ edges: nodes.map((node) => ({ node })) }),
      (nodes: unknown[]) => ({ nodes }),
      (nodes: unknown[]) => nodes,
    ]) {
      const of = { options: ofJson.options, toInput: toResponse(shape) };
      await assertRetracted(harness, { ...of, marks: [{ publishedAt: null }], reason: /is not published/ });
      await assertRetracted(harness, { ...of, marks: [{ hiddenAt: '2026-03-02' }], reason: /is hidden/ });
    }
  });

  // The admin area exports Proposal.all, with drafts, and without the time of their publication.
  test('draft: a table that cannot mark drafts says so', async () => {
    const note = /The file does not say which proposals are published/;
    for (const [column, expected] of [
      ['Author', true],
      ['Published at', false],
      ['Estado', false],
    ] as const) {
      const town = await harness.createMunicipality();
      const { options, toInput } = ofTable(column, 'x');
      const { counts } = await harness.importContent(town, toInput([undefined]), options);
      assert.equal(note.test(String(counts.notes)), expected, column);
    }
  });

  test('repeated: of a public and a hidden state of a proposal, the hidden one counts, in each order', async () => {
    const states = [proposal, { ...proposal, hidden_at: '2026-03-02' }].map((fields) => ({
      id: 1,
      ...fields,
    }));
    for (const entries of [states, states.toReversed()]) {
      const town = await harness.createMunicipality();
      await harness.importContent(town, JSON.stringify(entries), ofJson.options);
      assert.deepEqual(await harness.listAll(town, '/submissions'), []);
    }
  });

  // Invisible characters are among the cases above. Personal data: authors and email addresses are never read (consul.test.ts).
});

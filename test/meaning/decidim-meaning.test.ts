/** What a proposal of Decidim says about its publication, from its exports and its GraphQL types. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { toCsv } from '../support/files.ts';
import { assertCounts, createImportHarness } from '../support/import-harness.ts';
import { assertCountingState, assertPublished, assertRetracted } from './meaning-harness.ts';

const harness = await createImportHarness({ after });
const options = { format: 'decidim', name: 'proposals.csv' };

type Fields = Record<string, string> | undefined;
const columns = [
  ...[
    'id',
    'title/en',
    'body/en',
    'state',
    'state_published_at',
    'answered_at',
    'votes',
    'published_at',
    'created_at',
  ],
  ...['updated_at', 'withdrawn', 'withdrawn_at', 'hidden_at', 'deleted_at', 'moderation/hidden_at', 'public'],
];
const proposal = { 'title/en': 'Benches', 'body/en': 'More', published_at: '2026-03-01T10:00:00Z' };
const toRows = (entries: readonly Record<string, string>[]) =>
  toCsv(';', [columns, ...entries.map((entry) => columns.map((column) => entry[column] ?? ''))]);
const toInput = (marks: readonly Fields[]) =>
  toRows(marks.map((fields, index) => ({ id: String(index + 1), ...proposal, ...fields })));

suite('Decidim:', { concurrency: 2 }, () => {
  test('private: proposals that a moderator has hidden are removed, also if the row is incomplete', async () => {
    const at = '2026-03-02T10:00:00Z';
    await assertRetracted(harness, {
      options,
      toInput,
      marks: [{ hidden_at: at }, { hidden_at: at, 'title/en': '' }, { public: 'false' }],
      reason: /records marked as not public/,
    });
    await assertRetracted(harness, {
      options,
      toInput,
      marks: [{ 'moderation/hidden_at': at }],
      reason: /is hidden/,
    });
    await assertPublished(harness, {
      options,
      toInput,
      marks: [{ public: 'true' }, { hidden_at: 'false' }, { state: 'planned' }],
    });
  });

  // cancelled: a proposal takes place at no time. Decidim cancels meetings only, which are not imported.
  test('withdrawn: such a proposal stays public, and an answer that is not published gives no status', async () => {
    const town = await harness.createMunicipality();
    const answered = '2026-03-03T10:00:00Z';
    const rows = [
      ...[{ withdrawn: 'TRUE' }, { withdrawn_at: '2026-03-02T10:00:00Z' }, { state: 'withdrawn' }],
      { state: 'accepted', answered_at: answered },
      { state: 'accepted', answered_at: answered, state_published_at: answered },
    ];
    await harness.importContent(town, toInput(rows), options);
    const statuses = (await harness.listAll(town, '/submissions')).map(({ status }) => status).sort();
    assert.deepEqual(statuses, ['accepted', 'submitted', 'withdrawn', 'withdrawn', 'withdrawn']);
  });

  // Proposal#state is nil until the answer is published, and releases before 0.30 export no `state_published_at`.
  test('draft: an answer that is not published is not read, whatever the release', async () => {
    const answered = '2026-03-03T10:00:00Z';
    const answer = 'Confidential so far';
    const tables: Record<string, [columns: string[], withheld: string[], published: string[]]> = {
      '0.24': [
        ['state', 'answer/en'],
        ['', answer],
        ['rejected', 'No'],
      ],
      '0.29': [
        ['state', 'answer/en', 'answered_at'],
        ['', answer, answered],
        ['rejected', 'No', answered],
      ],
      '0.30': [
        ['state', 'answer/en', 'state_published_at'],
        ['', answer, ''],
        ['rejected', 'No', answered],
      ],
    };
    const base = ['id', 'title/en', 'body/en', 'published_at'];
    const inputs = Object.values(tables).map(([header, ...rows]) => [
      'proposals.csv',
      toCsv(';', [
        [...base, ...header],
        ...rows.map((cells, index) => [String(index), 'Benches', 'More', '2026-03-01T10:00:00Z', ...cells]),
      ]),
    ]);
    const toText = (text: string) => ({ translations: [{ locale: 'en', text }] });
    const nodes = [
      { state: null, answer: toText(answer), answeredAt: answered },
      { state: 'rejected', answer: toText('No'), answeredAt: answered },
    ].map((node, index) => ({
      id: String(index),
      title: toText('Benches'),
      body: toText('More'),
      publishedAt: '2026-03-01T10:00:00Z',
      ...node,
    }));
    for (const [name = '', content = ''] of [...inputs, ['proposals.json', JSON.stringify(nodes)]]) {
      const town = await harness.createMunicipality();
      await harness.importContent(town, content, { format: 'decidim', name });
      const published = await harness.listAll(town, '/search/submissions');
      assert.deepEqual(
        published.map(({ status, answer }) => [status, answer]).sort(),
        [
          ['rejected', 'No'],
          ['submitted', null],
        ],
        content,
      );
    }
  });

  test('amendments are published, and noted', async () => {
    const town = await harness.createMunicipality();
    const rows = toCsv(';', [
      ['id', 'title/en', 'body/en', 'state', 'published_at', 'is_amend'],
      ...['true', 'false', ''].map((mark, index) => [
        ...[String(index), 'Benches', 'More', '', '2026-03-01T10:00:00Z'],
        mark,
      ]),
    ]);
    const result = await harness.importContent(town, rows, options);
    assertCounts(result, { inserted: 3 });
    assert.match(String(result.counts.notes), /1 amendment is published like proposals/);
  });

  // The settings of a component hide the votes; exports and the API then have no number.
  test('hidden votes are published as 0, and noted beside those of other components', async () => {
    const town = await harness.createMunicipality();
    const rows = [{ votes: '' }, { votes: '7' }, { votes: '0' }];
    const { counts } = await harness.importContent(town, toInput(rows), options);
    const votes = (await harness.listAll(town, '/submissions')).map(({ supportCount }) => supportCount);
    assert.deepEqual(votes.toSorted(), [0, 0, 7]);
    assert.match(String(counts.notes), /1 proposal has no number of votes, because the platform hides it/);
    const other = await harness.createMunicipality();
    const shown = await harness.importContent(other, toInput(rows.slice(1)), options);
    assert.doesNotMatch(String(shown.counts.notes), /hides it/);
  });

  test('deleted: proposals in the trash are removed', async () => {
    const marks = [{ deleted_at: '2026-03-02T10:00:00Z' }, { state: 'Deleted' }];
    await assertRetracted(harness, { options, toInput, marks, reason: /records marked as deleted/ });
  });

  test('draft: proposals and amendments without the time of their publication are removed', async () => {
    const marks = [
      { published_at: '' },
      { published_at: 'null' },
      { published_at: '', created_at: '2026-03-01' },
      { published_at: '2060-03-01 10:00:00 +0100', created_at: '2026-03-01' },
    ];
    await assertRetracted(harness, { options, toInput, marks, reason: /the proposal is not published/ });
    await assertRetracted(harness, {
      options,
      toInput,
      marks: [{ state: 'draft' }, { state: 'Dra\u200Bft' }],
      reason: /drafts/,
    });
    await assertRetracted(harness, {
      options: { format: 'decidim', name: 'proposals.json' },
      toInput: (entries: readonly (null | undefined)[]) =>
        JSON.stringify(
          entries.map((mark, index) => ({
            id: String(index + 1),
            title: { translations: [{ locale: 'en', text: 'Benches' }] },
            body: { translations: [{ locale: 'en', text: 'More' }] },
            state: null,
            publishedAt: mark === null ? null : '2026-03-01T10:00:00Z',
          })),
        ),
      marks: [null],
      reason: /the proposal is not published/,
    });
  });

  test('repeated: the state that was updated last counts; without a time, a retraction', async () => {
    const createState = (updated_at: string): Record<string, string> => ({
      id: '1',
      ...proposal,
      updated_at,
    });
    const [early, late] = [createState('2026-03-01T10:00:00Z'), createState('2026-03-02T10:00:00Z')];
    const toContent = (entries: readonly unknown[]) => toRows(entries as Record<string, string>[]);
    const cases: [Record<string, string>[], object | undefined][] = [
      [[early, { ...late, state: 'rejected' }], { status: 'rejected' }],
      [[early, { ...late, hidden_at: '2026-03-02' }], undefined],
      [[{ ...early, hidden_at: '2026-03-01' }, late], { status: 'submitted' }],
      [
        [
          { ...early, updated_at: '' },
          { ...late, updated_at: '', deleted_at: '2026-03-02' },
        ],
        undefined,
      ],
    ];
    for (const [states, expected] of cases)
      await assertCountingState(harness, options, toContent, states, expected);
  });

  // Invisible characters are among the cases above. Personal data: authors are never read (decidim.test.ts).
});

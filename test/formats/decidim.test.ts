import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { assertFails, assertSucceeds, runCli } from '../support/cli-workspace.ts';
import { toCsv } from '../support/files.ts';
import { assertCounts, createImportHarness, type ImportContentOptions } from '../support/import-harness.ts';

const harness = await createImportHarness({ after });

/** A table with a row for each proposal, and empty cells for missing values. */
function createTable(columns: readonly string[], proposals: readonly Record<string, string>[]): string {
  return toCsv(';', [
    columns,
    ...proposals.map((proposal) => columns.map((column) => proposal[column] ?? '')),
  ]);
}

const createOptions = (others: ImportContentOptions = {}): ImportContentOptions => ({
  format: 'decidim',
  name: 'proposals.csv',
  ...others,
});

/** A release of 2018: times in Ruby's format, texts as HTML. */
const older = createTable(
  [
    ...['id', 'category/id', 'category/name/ca', 'category/name/es', 'scope/id', 'scope/name/ca'],
    ...['participatory_space/id', 'participatory_space/url', 'component/id', 'title/ca', 'title/es'],
    ...['body/ca', 'body/es', 'state', 'reference', 'answer/ca', 'supports', 'endorsements/total_count'],
    ...['endorsements/user_endorsements', 'comments', 'attachments', 'followers', 'published_at', 'url'],
  ],
  [
    {
      id: '311',
      'category/name/ca': 'Mobilitat',
      'category/name/es': 'Movilidad',
      'title/ca': 'Carril bici',
      'body/ca':
        '<p>Al carrer\n  &amp; a&nbsp;la pla&#231;a; sense &quot;cotxes&quot;.</p>\n<p>&nbsp;</p>\n<ul><li>Un</li><li>Dos</li></ul>',
      state: 'accepted',
      reference: 'BCN-PROP-2018-03-311',
      'answer/ca': 'Endavant',
      supports: '42',
      'endorsements/total_count': '7',
      'endorsements/user_endorsements': 'Maria Secreta, Pere Ocult',
      attachments: '2',
      published_at: '2018-03-04 10:11:12 UTC',
    },
    {
      id: '312',
      'category/name/es': 'Movilidad',
      'title/es': 'Más árboles',
      'body/es': 'Uno<br>dos<script>alert(1)</script>',
      state: 'evaluating',
      published_at: '2018-03-05 10:11:12 +0100',
    },
    {
      id: '313',
      'title/ca': "'+ bancs",
      'body/ca': 'a < b',
      state: 'withdrawn',
      published_at: '2018-03-06 00:00:00 UTC',
    },
  ],
);

/** A release of 2025. */
const newer = createTable(
  [
    ...[
      'id',
      'author/id',
      'author/name',
      'author/url',
      'taxonomies/ids',
      'taxonomies/31/en',
      'taxonomies/31/de',
    ],
    ...[
      'taxonomies/7/en',
      'taxonomies/7/de',
      'participatory_space/id',
      'component/id',
      'title/en',
      'title/de',
    ],
    ...['title/machine_translations/fr', 'body/en', 'body/de', 'address', 'latitude', 'longitude', 'state'],
    ...[
      'state_published_at',
      'reference',
      'answered_at',
      'votes',
      'likes/total_count',
      'likes/user_endorsements',
    ],
    ...[
      'comments',
      'attachments',
      'follows_count',
      'published_at',
      'withdrawn',
      'withdrawn_at',
      'created_at',
    ],
  ],
  [
    {
      id: '1',
      'author/id': '99',
      'author/name': 'Erika Mustermann',
      'author/url': 'https://d.example/profiles/erika',
      'taxonomies/ids': '31, 7',
      'taxonomies/31/en': 'North',
      'taxonomies/7/en': 'Health',
      'taxonomies/7/de': 'Gesundheit',
      'title/en': 'Clean air',
      'title/de': 'Saubere Luft',
      'body/en': 'First.\n\nSecond.',
      address: 'Geheimweg 1',
      latitude: '50.1',
      longitude: '8.6',
      state: 'rejected',
      state_published_at: '2025-02-01T08:00:00Z',
      answered_at: '2025-01-20T08:00:00Z',
      'likes/total_count': '12',
      attachments: '0',
      published_at: '2025-01-10T09:00:00.123Z',
      withdrawn: 'false',
      created_at: '2025-01-09T09:00:00Z',
    },
    {
      id: '2',
      'title/de': 'Nur deutsch',
      'body/en': 'Another text',
      'body/de': 'Text',
      state: 'not_answered',
      answered_at: '2025-01-20T08:00:00Z',
      votes: '3',
      withdrawn: 'true',
      withdrawn_at: '2025-01-15T08:00:00Z',
      published_at: '2025-01-09T09:00:00Z',
      created_at: '2025-01-08T09:00:00Z',
    },
    {
      id: '3',
      'title/fr': 'x',
      'title/en': 'Draft of an answer',
      'body/en': 'Text',
      answered_at: '2025-01-20T08:00:00Z',
      votes: '0',
      published_at: '2025-01-12T09:00:00Z',
    },
  ],
);

const compareDescriptions = (a: { description: string }, b: { description: string }) =>
  a.description < b.description ? -1 : 1;

suite('proposals of Decidim are imported', { concurrency: 2 }, () => {
  test('from an older release', async () => {
    const town = await harness.createMunicipality();
    const result = await harness.importContent(town, older, createOptions());
    assert.equal(result.code, 0, result.stderr);
    assertCounts(result, { inserted: 3 });
    const got = (await harness.listAll(town, '/submissions')).toSorted(compareDescriptions);
    const [benches, bikes, trees] = got.map(({ id, ...fields }) => fields);
    assert.deepEqual(bikes, {
      referenceNumber: 'BCN-PROP-2018-03-311',
      description: 'Carril bici\n\nAl carrer & a la plaça; sense "cotxes".\n\n- Un\n- Dos',
      status: 'accepted',
      topicCategoryName: 'Mobilitat',
      priorityLevel: 'normal',
      supportCount: 42,
      hasAttachments: true,
      protocolUrl: null,
      createdAt: '2018-03-04T10:11:12.000Z',
      statusChangedAt: '2018-03-04T10:11:12.000Z',
    });
    assert.deepEqual(
      [trees?.description, trees?.status, trees?.topicCategoryName, trees?.createdAt, trees?.supportCount],
      ['Más árboles\n\nUno\ndos', 'in_review', 'Movilidad', '2018-03-05T09:11:12.000Z', 0],
    );
    assert.deepEqual([benches?.description, benches?.status], ['+ bancs\n\na < b', 'withdrawn']);
  });

  test('from a newer release', async () => {
    const town = await harness.createMunicipality();
    const result = await harness.importContent(town, newer, createOptions());
    assertCounts(result, { inserted: 3 });
    const got = (await harness.listAll(town, '/submissions')).toSorted(compareDescriptions);
    const output = got.map((each) => [
      ...[each.description, each.status, each.topicCategoryName, each.supportCount, each.hasAttachments],
      ...[each.createdAt, each.statusChangedAt],
    ]);
    const [created, published] = ['2025-01-09T09:00:00.000Z', '2025-01-12T09:00:00.000Z'];
    assert.deepEqual(output, [
      [
        ...['Clean air\n\nFirst.\n\nSecond.', 'rejected', 'Health', 0, false],
        ...['2025-01-10T09:00:00.123Z', '2025-02-01T08:00:00.000Z'],
      ],
      ['Draft of an answer\n\nText', 'submitted', null, 0, false, published, published],
      ['Nur deutsch\n\nText', 'withdrawn', null, 3, false, created, '2025-01-15T08:00:00.000Z'],
    ]);
    assert.doesNotMatch(JSON.stringify(got), /Mustermann|erika|Geheimweg|50\.1/);
  });

  test('in the preferred language, else in another one', async () => {
    const town = await harness.createMunicipality();
    const result = await harness.importContent(town, newer, createOptions({ flags: ['--locale', 'de'] }));
    assertCounts(result, { inserted: 3 });
    const got = (await harness.listAll(town, '/submissions')).toSorted(compareDescriptions);
    assert.deepEqual(
      got.map(({ description, topicCategoryName }) => [description, topicCategoryName]),
      [
        ['Draft of an answer\n\nText', null],
        ['Nur deutsch\n\nText', null],
        ['Saubere Luft\n\nFirst.\n\nSecond.', 'Gesundheit'],
      ],
    );
    const again = await harness.importContent(town, newer, createOptions());
    assertCounts(again, { changed: 1, unchanged: 2 });
  });

  test('from a release without translations, with taxonomies as Ruby hashes', async () => {
    const town = await harness.createMunicipality();
    const columns = ['id', 'taxonomies/name', 'title', 'body', 'votes', 'created_at', 'component/id'];
    const result = await harness.importContent(
      town,
      createTable(columns, [
        {
          id: '5',
          title: 'Title',
          body: 'Body',
          votes: '4',
          created_at: '2017-05-04',
          'taxonomies/name': '{"en"=>"Parks \\"and\\" more", "ca"=>"Parcs"}, {"en"=>"North"}',
        },
      ]),
      createOptions({ flags: ['--time-zone', 'Europe/Madrid', '--locale', 'ca'] }),
    );
    assertCounts(result, { inserted: 1 });
    const [only] = await harness.listAll(town, '/submissions');
    assert.deepEqual(
      [only.description, only.topicCategoryName, only.supportCount, only.createdAt],
      ['Title\n\nBody', 'Parcs', 4, '2017-05-03T22:00:00.000Z'],
    );
  });

  test('a second time without changes', async () => {
    const town = await harness.createMunicipality();
    await harness.importContent(town, older, createOptions());
    const again = await harness.importContent(town, older, createOptions());
    assertCounts(again, { unchanged: 3 });
    const decided = await harness.importContent(
      town,
      older.replace(';evaluating;', ';rejected;'),
      createOptions(),
    );
    assertCounts(decided, { changed: 1, unchanged: 2 });
  });
});

const columns = ['id', 'title/en', 'body/en', 'state', 'votes', 'attachments', 'published_at', 'answered_at'];
const good = { 'title/en': 'A title', 'body/en': 'A text', published_at: '2024-05-04 10:11:12 UTC' };

suite('an invalid Decidim', { concurrency: 2 }, () => {
  test('proposal is rejected with the reason', async () => {
    const town = await harness.createMunicipality();
    const bad: [Record<string, string>, RegExp][] = [
      [{ 'title/en': '' }, /^title is missing$/],
      [{ 'title/en': '<p> </p>' }, /^title is missing$/],
      [{ id: '' }, /^id is missing$/],
      [{ votes: 'many' }, /^votes must be a whole number$/],
      [{ votes: '-1' }, /^votes must be a whole number$/],
      [{ votes: '99999999999' }, /^votes must be a whole number$/],
      [{ published_at: 'yesterday' }, /^published_at must be a time such as/],
      [{ published_at: '2024-02-30 10:00:00 UTC' }, /^published_at is not a valid time/],
      [{ state: 'accepted', answered_at: 'soon' }, /^answered_at must be a time such as/],
      [{ 'body/en': 'x'.repeat(100_001) }, /^description must not have more than 100000 characters$/],
      [{ 'body/en': 'a\0b' }, /^description must not contain U\+0000$/],
    ];
    const proposals = bad.map(([fields], index) => ({ ...good, id: String(index + 1), ...fields }));
    const result = await harness.importContent(
      town,
      createTable(columns, [
        ...proposals,
        { ...good, id: '100' },
        { ...good, id: '100', 'body/en': 'Other' },
      ]),
      createOptions(),
    );
    assert.equal(result.code, 3);
    assertCounts(result, { inserted: 1, rejected: bad.length + 1 });
    for (const [index, [, reason]] of bad.entries())
      assert.match(result.rejections[index]?.reason ?? '', reason);
    assert.deepEqual([result.rejections[0]?.line, result.rejections[0]?.id], [2, '1']);
    const withoutTimes = columns.filter((column) => column !== 'published_at');
    const undated = await harness.importContent(
      town,
      createTable(withoutTimes, [{ id: '1', 'title/en': 'A title', 'body/en': 'A text' }]),
      createOptions(),
    );
    assert.match(undated.rejections[0]?.reason ?? '', /^published_at and created_at are missing$/);
    assert.match(
      result.rejections.at(-1)?.reason ?? '',
      /an earlier record in the same input has the same id/,
    );
  });

  test('row is rejected, while semicolons, quotes and line breaks in cells are valid', async () => {
    const town = await harness.createMunicipality();
    const lines = [
      'id;component/id;title/en;body/en;state;published_at',
      '1;9;"A; ""quoted"" title";"one\ntwo; three";;2024-05-04 10:11:12 UTC',
      '2;9;too short',
      '3;9;one;too;many;2024-05-04 10:11:12 UTC;cells',
      '4;9;Last;;;2024-05-04 10:11:12 UTC',
    ];
    const result = await harness.importContent(town, lines.join('\n'), createOptions());
    assertCounts(result, { inserted: 2, rejected: 2 });
    assert.deepEqual(
      result.rejections.map(({ line }) => line),
      [4, 5],
    );
    for (const { reason } of result.rejections) assert.match(reason, /^is not a row of this table/);
    const texts = (await harness.listAll(town, '/submissions')).map(({ description }) => description).sort();
    assert.deepEqual(texts, ['A; "quoted" title\n\none\ntwo; three', 'Last']);
  });

  test('state is published as in_review, and the summary shows its count', async () => {
    const town = await harness.createMunicipality();
    const states = ['on hold', 'Accepted', 'on hold', '', 'not_answered'];
    const proposals = states.map((state, index) => ({ ...good, id: String(index), state }));
    const result = await harness.importContent(town, createTable(columns, proposals), createOptions());
    assertCounts(result, { inserted: 5 });
    assert.deepEqual(result.counts.unmappedValues, { 'on hold': { count: 2, publishedAs: 'in_review' } });
    const found = (await harness.listAll(town, '/submissions')).map(({ status }) => status).sort();
    assert.deepEqual(found, ['accepted', 'in_review', 'in_review', 'submitted', 'submitted']);
  });

  test('encoding is no problem for Windows-1252 and UTF-16', async () => {
    const texts = createTable(columns, [{ ...good, id: '1', 'title/en': 'Straße für Bürger' }]);
    for (const bytes of [Buffer.from(texts, 'latin1'), Buffer.from(`\ufeff${texts}`, 'utf16le')]) {
      const town = await harness.createMunicipality();
      assertCounts(await harness.importContent(town, bytes, createOptions()), { inserted: 1 });
      const [only] = await harness.listAll(town, '/submissions');
      assert.equal(only.description, 'Straße für Bürger\n\nA text');
    }
  });

  const unreadable: Record<string, [string, RegExp, string[]?]> = {
    'a column twice': [
      'id;title/en;title/en;body/en;state;votes\n1;a;b;c;d;1\n',
      /has the same name over columns \d+ and \d+: rename one of them/,
    ],
    'no column "id"': ['title/en;body/en\na;b\n', /has no column "id"\. "rostra import detect" shows/],
    'no column for titles': ['id;description/en\n1;b\n', /has no column "title"/],
    'no column for texts, as of meetings': ['id;title/en;description/en\n1;a;b\n', /has no column "body"/],
    'neither states nor votes, as of posts': ['id;title/en;body/en\n1;a;b\n', /has no column "state"/],
    JSON: ['[{"id": 1}]', /has no column "title"/],
    'other languages than the one asked for': [
      older,
      /has no titles in "de": its locales are ca, es\./,
      ['--locale', 'de'],
    ],
  };
  for (const [what, [content, sentence, flags = []]] of Object.entries(unreadable)) {
    test(`table ends the import with exit code 1: ${what}`, async () => {
      const town = await harness.createMunicipality();
      const { code, stderr } = await harness.importContent(town, content, createOptions({ flags }));
      assert.match(stderr, sentence);
      assert.equal(code, 1);
    });
  }

  test('--locale is a usage error', async () => {
    await assertFails(
      harness.workspace.withDatabase('import', 'decidim', 'x.csv', '--locale', '../x'),
      2,
      /such as ca or pt-BR/,
    );
  });
});

test('detect recognizes proposals of old and new releases, and no other tables', async () => {
  const paths = [
    harness.workspace.writeFile('older.csv', older),
    harness.workspace.writeFile('newer.csv', newer),
    harness.workspace.writeFile('first.csv', 'id;title;body;votes;feature/id\n1;a;b;2;3\n'),
  ];
  const output = await assertSucceeds(['import', 'detect', ...paths]);
  assert.equal(output.match(/^ {2}decidim: it has the columns of Decidim proposals/gm)?.length, 3, output);
  assert.doesNotMatch(output, /^ {2}(rostra|oparl|consul):/m);
  const comments = harness.workspace.writeFile(
    'comments.csv',
    'id;body;locale;author/id;participatory_space/id\n1;a;en;2;3\n',
  );
  const others = await runCli(['import', 'detect', comments]);
  assert.match(others.stdout, /^ {2}table: /m);
  assert.doesNotMatch(others.stdout, /decidim:/);
});

test('--explain prints the source of each field, and the omitted data', async () => {
  const output = await assertSucceeds(harness.workspace.withDatabase('import', 'decidim', '--explain'));
  for (const line of [
    /^description +`title`, blank line, `body`, as plain text/m,
    /^supportCount +`votes`, else `supports`, else `endorsements\/total_count`/m,
    /^createdAt +`published_at`, else `created_at`$/m,
    /Authors, .+addresses/,
  ]) {
    assert.match(output, line);
  }
});

import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { assertSucceeds, runCli } from '../support/cli-workspace.ts';
import { toCsv, toNdjson } from '../support/files.ts';
import { assertCounts, createImportHarness, type ImportContentOptions } from '../support/import-harness.ts';

const harness = await createImportHarness({ after });

const createOptions = (name: string, ...flags: string[]): ImportContentOptions => ({
  format: 'consul',
  name,
  flags,
});

/** The possible fields of a CONSUL proposal, by description. */
// biome-ignore lint/suspicious/noExplicitAny: the answers are checked against the OpenAPI document
const summarize = (submissions: any[]) =>
  submissions
    .toSorted((a, b) => (a.description < b.description ? -1 : 1))
    .map((each) => [
      ...[each.description, each.referenceNumber, each.status, each.topicCategoryName, each.supportCount],
      ...[each.createdAt, each.statusChangedAt],
    ]);

const openData = toCsv(',', [
  [
    ...['id', 'code', 'title', 'summary', 'description', 'author', 'cached_votes_up', 'comments_count'],
    ...['hot_score', 'public_created_at', 'retired_at', 'geozone', 'tags'],
  ],
  [
    ...[
      '1',
      'MAD-2017-05-1',
      'Billete único',
      'Un billete, para todo.',
      '<p>Largo</p>',
      'Ana Secreta',
      '53',
      '8',
    ],
    ...['1', '2017-05-31 10', '', 'Centro', 'Movilidad,Medios'],
  ],
  [
    ...['2', '', 'Más árboles', '', '<p>&Aacute;rboles<br>y sombra</p>', 'x@example.org', '', '0'],
    ...['1', '2017-06-01 08:30:00 UTC', '2018-01-02 03:04:05 +0100', '', 'Medio ambiente, Agua'],
  ],
]);

const openDataSummary = [
  [
    ...['Billete único\n\nUn billete, para todo.', 'MAD-2017-05-1', 'submitted', 'Movilidad', 53],
    ...['2017-05-31T08:00:00.000Z', '2017-05-31T08:00:00.000Z'],
  ],
  [
    ...['Más árboles\n\nÁrboles\ny sombra', null, 'withdrawn', 'Medio ambiente', 0],
    ...['2017-06-01T08:30:00.000Z', '2018-01-02T02:04:05.000Z'],
  ],
];

const nodes = [
  {
    id: '7',
    title: 'Fahrradstraße',
    summary: 'Eine Straße für Räder',
    description: '<p>Mehr</p>',
    cachedVotesUp: 12,
    publicCreatedAt: '2023-05-04 10:00:00 +0200',
    retiredAt: null,
    geozone: { id: '3', name: 'Nord' },
    publicAuthor: { id: '5', username: 'Erika Mustermann' },
    mapLocation: { latitude: 50.1 },
    tags: { edges: [{ node: { name: 'Verkehr' } }] },
  },
  {
    id: '8',
    title: 'Brunnen',
    summary: 'Wasser',
    cachedVotesUp: 0,
    publicCreatedAt: '2023-05-05T10:00:00Z',
    retiredAt: '2023-06-01T00:00:00Z',
    geozone: null,
    tags: { nodes: [{ name: 'Wasser' }, { name: 'Plätze' }] },
  },
];

const nodesSummary = [
  [
    ...['Brunnen\n\nWasser', null, 'withdrawn', 'Wasser', 0],
    ...['2023-05-05T10:00:00.000Z', '2023-06-01T00:00:00.000Z'],
  ],
  [
    ...['Fahrradstraße\n\nEine Straße für Räder', null, 'submitted', 'Verkehr', 12],
    ...['2023-05-04T08:00:00.000Z', '2023-05-04T08:00:00.000Z'],
  ],
];

const createPage = (of: unknown[]) => ({ data: { proposals: { edges: of.map((node) => ({ node })) } } });

suite('proposals of CONSUL are imported', { concurrency: 2 }, () => {
  test('from open data in CSV', async () => {
    const town = await harness.createMunicipality();
    const madrid = createOptions('proposals.csv', '--time-zone', 'Europe/Madrid');
    const result = await harness.importContent(town, openData, madrid);
    assert.equal(result.code, 0, result.stderr);
    assertCounts(result, { inserted: 2 });
    const got = await harness.listAll(town, '/submissions');
    assert.deepEqual(summarize(got), openDataSummary);
    assert.doesNotMatch(JSON.stringify(got), /Secreta|example\.org|Largo/);
    assertCounts(await harness.importContent(town, openData, madrid), { unchanged: 2 });
  });

  const admin: Record<string, [header: string[], date: string]> = {
    English: [['ID', 'Title', 'Author', 'Summary', 'Created at'], '2024-03-02 09:15:00'],
    German: [['ID', 'Titel', 'Autor', 'Zusammenfassung', 'Erstellt am'], '2024-03-02 09:15:00'],
    Spanish: [['ID', 'Título', 'Autor', 'Resumen', 'Fecha de creación'], '02/03/2024 09:15:00'],
  };
  const comments: Record<string, string> = { English: 'Comment', German: 'Kommentar', Spanish: 'Comentario' };
  for (const [language, [header, date]] of Object.entries(admin)) {
    test(`from an admin area in ${language} with a row for each comment`, async () => {
      const town = await harness.createMunicipality();
      const first = ['41', 'Größe', 'erika@example.org', 'Für Nähe', date];
      const result = await harness.importContent(
        town,
        toCsv(',', [
          [
            ...header,
            ...['ID', 'Author', 'Content', 'Created at'].map((each) => `${comments[language]} ${each}`),
          ],
          [...first, '1', 'max@example.org', 'Nein!', date],
          [...first, '2', 'eva@example.org', 'Doch!', date],
          ['42', 'Zwei', 'erika@example.org', 'Text', date, '', '', '', ''],
        ]),
        createOptions('admin.csv', '--time-zone', 'Europe/Berlin'),
      );
      assertCounts(result, { inserted: 2, ignored: 1 });
      const got = await harness.listAll(town, '/submissions');
      assert.deepEqual(
        summarize(got).map(([description, , , , , createdAt]) => [description, createdAt]),
        [
          ['Größe\n\nFür Nähe', '2024-03-02T08:15:00.000Z'],
          ['Zwei\n\nText', '2024-03-02T08:15:00.000Z'],
        ],
      );
      assert.doesNotMatch(JSON.stringify(got), /example\.org|Doch|Nein/);
    });
  }

  test('with slash dates in the order of the country of the municipality, which a rejection names', async () => {
    const town = await harness.createMunicipality();
    const table = toCsv(',', [
      ['id', 'title', 'summary', 'date'],
      ['1', 'One', 'Text', '03/04/2026'],
      ['2', 'Two', 'Text', '31/04/2026'],
    ]);
    const read = async () => {
      const { rejections } = await harness.importContent(town, table, createOptions('dates.csv'));
      const got = await harness.listAll(town, '/submissions');
      return [got[0].createdAt.slice(0, 10), rejections[0]?.reason];
    };
    const rule = 'as the country of the municipality writes it';
    assert.deepEqual(await read(), ['2026-04-02', `date must be a date in the form DD/MM/YYYY, ${rule}`]);
    await assertSucceeds(harness.workspace.withDatabase('organization', 'edit', town.id, '--country', 'US'));
    assert.deepEqual(await read(), ['2026-03-03', `date must be a date in the form MM/DD/YYYY, ${rule}`]);
  });

  test('with the statuses of an admin area in German', async () => {
    const town = await harness.createMunicipality();
    const words = ['Angenommen', 'Abgelehnt', 'Veröffentlicht'];
    const table = toCsv(',', [
      ['ID', 'Titel', 'Zusammenfassung', 'Erstellt am', 'Status'],
      ...words.map((word, index) => [String(index), word, 'Text', '2026-04-03', word]),
    ]);
    await harness.importContent(town, table, createOptions('german.csv'));
    const got = await harness.listAll(town, '/submissions');
    assert.deepEqual(Object.fromEntries(got.map((each) => [each.description.split('\n')[0], each.status])), {
      Angenommen: 'accepted',
      Abgelehnt: 'rejected',
      Veröffentlicht: 'submitted',
    });
  });

  const shapes: Record<string, [content: string, name?: string]> = {
    'an answer of the API': [JSON.stringify(createPage(nodes), null, 2)],
    'an answer of the API with nodes': [JSON.stringify({ data: { proposals: { nodes } } })],
    'answers of the API, one a line': [toNdjson(nodes.map((node) => createPage([node])))],
    'answers of the API for one each': [toNdjson(nodes.map((proposal) => ({ data: { proposal } })))],
    'an array of answers': [JSON.stringify([createPage(nodes.slice(0, 1)), createPage(nodes.slice(1))])],
    'an array': [JSON.stringify(nodes)],
    'one a line': [toNdjson(nodes)],
    'an array with underscores': [
      JSON.stringify(nodes)
        .replaceAll('cachedVotesUp', 'cached_votes_up')
        .replaceAll('publicCreatedAt', 'public_created_at')
        .replaceAll('retiredAt', 'retired_at'),
    ],
  };
  test('from JSON in all its shapes', async () => {
    for (const [shape, [content]] of Object.entries(shapes)) {
      const town = await harness.createMunicipality();
      const result = await harness.importContent(town, content, createOptions('proposals.json'));
      assertCounts(result, { inserted: 2 });
      const got = await harness.listAll(town, '/submissions');
      assert.deepEqual(summarize(got), nodesSummary, shape);
      assert.doesNotMatch(JSON.stringify(got), /Mustermann|50\.1/);
    }
  });

  test('with the column names and semicolons of a portal, and with published words for a status', async () => {
    const town = await harness.createMunicipality();
    const rows = [
      ['id', 'code', 'title', 'summary', 'numSupports', 'date', 'status', 'tags'],
      ['1', 'A-1', 'One; "quoted"', 'a;b', '3', '2020-01-02', 'accepted', '-'],
      ['2', 'A-2', 'Two', 'c', '4', '2020-01-02', 'Archived', 'Parks;Trees'],
      ['3', 'A-3', 'Three', 'd', '5', '2020-01-02', 'published', ''],
    ];
    const result = await harness.importContent(
      town,
      Buffer.from(toCsv(';', rows), 'latin1'),
      createOptions('portal.csv', '--time-zone', 'UTC'),
    );
    assertCounts(result, { inserted: 3 });
    assert.deepEqual(result.counts.unmappedValues, { Archived: { count: 1, publishedAs: 'submitted' } });
    const at = '2020-01-02T00:00:00.000Z';
    assert.deepEqual(summarize(await harness.listAll(town, '/submissions')), [
      ['One; "quoted"\n\na;b', 'A-1', 'accepted', null, 3, at, at],
      ['Three\n\nd', 'A-3', 'submitted', null, 5, at, at],
      ['Two\n\nc', 'A-2', 'submitted', 'Parks', 4, at, at],
    ]);
  });

  test('with retired ones withdrawn, hidden ones removed and drafts ignored', async () => {
    const town = await harness.createMunicipality();
    const header = ['id', 'title', 'summary', 'supports', 'created_at', 'hidden_at', 'published_at'];
    const at = '2024-01-01 10:00:00 UTC';
    const one = ['1', 'One', 'Text', '3', at, '', at];
    const draft = ['2', 'Draft', 'Text', '0', at, '', ''];
    const first = await harness.importContent(town, toCsv(';', [header, one, draft]), createOptions('a.csv'));
    assertCounts(first, { inserted: 1, ignored: 1 });
    const hidden = ['1', 'One', 'Text', '3', at, '2024-02-01 10:00:00 UTC', at];
    const second = await harness.importContent(
      town,
      toCsv(';', [header, hidden, draft]),
      createOptions('b.csv'),
    );
    assertCounts(second, { removed: 1, ignored: 1 });
    assert.deepEqual(await harness.listAll(town, '/submissions'), []);
  });
});

suite('an invalid CONSUL', { concurrency: 2 }, () => {
  const good = { title: 'A title', summary: 'A text', public_created_at: '2024-05-04T10:11:12Z' };

  test('proposal is rejected with the reason', async () => {
    const town = await harness.createMunicipality();
    const bad: [unknown, RegExp][] = [
      [{ ...good, id: 1, title: ' ' }, /^title is missing$/],
      [{ ...good, id: 2, title: null }, /^title is missing$/],
      [good, /^id is missing$/],
      [{ ...good, id: 2 ** 53 }, /^id must be a text or a whole number of at most 15 digits: write a longer/],
      [{ ...good, id: 4, cachedVotesUp: 'many' }, /^cachedVotesUp must be a whole number$/],
      [{ ...good, id: 5, cachedVotesUp: 1.5 }, /^cachedVotesUp must be a whole number$/],
      [{ ...good, id: 6, public_created_at: undefined }, /^the date is missing, such as created_at$/],
      [{ ...good, id: 7, public_created_at: '31/31/2024' }, /^public_created_at .+/],
      [{ ...good, id: 9, retired_at: 'soon' }, /^retired_at must be a time such as/],
      [
        { ...good, id: 10, tags: '-', geozone: { name: 'x'.repeat(201) } },
        /^topicCategoryName must not have more than 200/,
      ],
      [17, /^must be an object$/],
      [null, /^must be an object$/],
      [['x'], /^must be an object$/],
      [
        { errors: [{ message: 'Query has complexity of 3000' }] },
        /^is a response of the API without proposals/,
      ],
      [{ data: { proposals: null } }, /^is a response of the API without proposals/],
      [createPage([null]), /^must be an object$/],
    ];
    const lines = [...bad.map(([value]) => value), { ...good, id: 100 }];
    const result = await harness.importContent(town, toNdjson(lines), createOptions('lines.ndjson'));
    assert.equal(result.code, 3);
    assertCounts(result, { inserted: 1, rejected: bad.length });
    for (const [index, [, reason]] of bad.entries())
      assert.match(result.rejections[index]?.reason ?? '', reason);
    assert.deepEqual([result.rejections[0]?.line, result.rejections[0]?.id], [1, '1']);
    const inPage = await harness.importContent(
      town,
      JSON.stringify(createPage(nodes.concat({} as never))),
      createOptions('page.json'),
    );
    assertCounts(inPage, { inserted: 2, rejected: 1 });
    assert.equal(inPage.rejections[0]?.entry, 3);
  });

  test('row is rejected', async () => {
    const town = await harness.createMunicipality();
    const lines = [
      'id,title,summary,created_at',
      '1,short',
      '2,a,b,2024-05-04 10:11:12 UTC,more',
      '3,a,b,2024-05-04 10:11:12 UTC',
    ];
    const result = await harness.importContent(town, lines.join('\n'), createOptions('x.csv'));
    assertCounts(result, { inserted: 1, rejected: 2 });
    for (const { reason } of result.rejections) assert.match(reason, /^is not a row of this table/);
  });

  const unreadable: Record<string, [content: string | Buffer, sentence: RegExp]> = {
    'JSON in UTF-16': [
      Buffer.from(`\ufeff${JSON.stringify(nodes)}`, 'utf16le'),
      /x is UTF-16: save it as UTF-8/,
    ],
    'an array that ends early': [
      JSON.stringify(nodes).slice(0, -20),
      /not valid JSON after entry \d; it may be truncated/,
    ],
    'an answer that ends early': [
      JSON.stringify(createPage(nodes), null, 1).slice(0, -20),
      /is not valid JSON after entry \d; it may be truncated/,
    ],
    'a column twice': [
      'id,title,summary,date,title\n1,a,b,2024-01-01,c\n',
      /has the same name over columns \d+ and \d+: rename/,
    ],
    'a table without dates': ['ID,Title,Author,Summary\n1,a,b,c\n', /has no column for the date, in English/],
    'a table in another language': ['ID,Titre,Auteur,Résumé\n1,a,b,c\n', /has no column for the title/],
    HTML: ['<!DOCTYPE html>\n<html><body>Sign in</body></html>\n', /is a web page \(HTML\)/],
  };
  for (const [what, [content, sentence]] of Object.entries(unreadable)) {
    test(`file ends the import with exit code 1: ${what}`, async () => {
      const town = await harness.createMunicipality();
      const { code, stderr } = await harness.importContent(town, content, createOptions('x'));
      assert.match(stderr, sentence);
      assert.equal(code, 1);
    });
  }
});

test('detect recognizes CONSUL tables and JSON, and no other tables', async () => {
  const german = 'ID,Titel,Autor,Zusammenfassung,Erstellt am\n1,a,b,c,2024-01-01\n';
  const contents = {
    'a.csv': openData,
    'b.csv': german,
    'c.json': JSON.stringify(nodes),
    'd.ndjson': toNdjson(nodes),
  };
  const paths = Object.entries(contents).map(([name, content]) => harness.workspace.writeFile(name, content));
  const long = createPage(Array.from({ length: 1_000 }, () => nodes[0]));
  paths.push(harness.workspace.writeFile('long.json', JSON.stringify(long, null, 2)));
  const said = await assertSucceeds(['import', 'detect', ...paths]);
  assert.equal(said.match(/^ {2}consul: /gm)?.length, 5, said);
  assert.doesNotMatch(said, /^ {2}(rostra|oparl|decidim):/m);
  const other = harness.workspace.writeFile('other.csv', 'id;title;body;votes;component/id\n1;a;b;2;3\n');
  const { stdout } = await runCli(['import', 'detect', other]);
  assert.doesNotMatch(stdout, /consul:/);
});

test('--explain prints the source of each field, and the omitted data', async () => {
  const said = await assertSucceeds(harness.workspace.withDatabase('import', 'consul', '--explain'));
  for (const line of [
    /^referenceNumber +`code`$/m,
    /^description +`title`, blank line, `summary`/m,
    /^status +withdrawn if `retired_at` is filled/m,
    /hidden_at.+Authors, email addresses, comments/,
  ]) {
    assert.match(said, line);
  }
});

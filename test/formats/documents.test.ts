/** Documents of submissions and sessions, from each format that has them, with the addresses that can be published. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { parse } from 'yaml';
import { runCli } from '../support/cli-workspace.ts';
import { toCsv, toNdjson } from '../support/files.ts';
import { assertCounts, createImportHarness, type ImportContentOptions } from '../support/import-harness.ts';
import {
  composeType,
  composeUrl,
  createFile,
  createMeeting,
  createPaper,
} from '../support/oparl-builders.ts';
import { createRequest, toRequestsCsv, toXml } from './open311-requests.ts';

const harness = await createImportHarness({ after });

type Town = Awaited<ReturnType<typeof harness.createMunicipality>>;

interface DocumentLink {
  title: string;
  url: string;
  mediaType: string | null;
}

/** @returns documents of submissions by the first word of their text, and of sessions by date */
async function read(town: Town): Promise<Record<string, DocumentLink[]>> {
  const submissions = await harness.listAll(town, '/search/submissions');
  const sessions = await harness.listAll(town, '/search/sessions');
  return Object.fromEntries([
    ...submissions.map(({ description, documents }) => [/^\S+/.exec(description)?.[0], documents]),
    ...sessions.map(({ date, documents }) => [date, documents]),
  ]);
}

async function publish(content: string, options: ImportContentOptions = {}, town?: Town) {
  const into = town ?? (await harness.createMunicipality());
  const result = await harness.importContent(into, content, options);
  assert.equal(result.code, 0, result.stderr);
  assert.equal(result.counts.rejected, 0);
  const notes = (JSON.parse(result.stdout).notes as string[]).filter((note) =>
    note.startsWith('Left out of'),
  );
  return { town: into, found: await read(into), notes: notes.toSorted(), output: result.stdout };
}

const toPairs = (documents: readonly DocumentLink[] = []) => documents.map(({ title, url }) => [title, url]);

const at = 'https://rat.example.org/files';

const secretNote =
  'Left out of 1 record: the address of a document or page contains a user name, a password, a key or a signature that expires.';
const internalNote = 'Left out of 1 record: the address of a document or page leads to an internal network.';
const invalidNote =
  'Left out of 1 record: the address of a document is not a valid web address (https:// or http://).';

const submission = {
  kind: 'submission',
  id: '1',
  description: 'One',
  createdAt: '2026-03-01T10:00:00Z',
} as const;
const session = { kind: 'session', id: '2', committeeName: 'Council', date: '2026-03-17' } as const;

suite('OParl', () => {
  const file = (name: string, fields = {}) =>
    createFile(`${at}/${name}`, { name: `Title ${name}`, mimeType: 'application/pdf', ...fields });
  const toLink = (name: string, title = `Title ${name}`) => ({
    title,
    url: `${at}/${name}`,
    mediaType: 'application/pdf',
  });

  test('papers have their main file and attachments, meetings their invitation, minutes and attachments', async () => {
    const { found } = await publish(
      toNdjson([
        createPaper(1, { name: 'Radweg', auxiliaryFile: [file('b'), file('a')], mainFile: file('m') }),
        createPaper(2, { name: 'Schulweg' }),
        createMeeting(1, {
          auxiliaryFile: [file('x')],
          verbatimProtocol: file('v'),
          resultsProtocol: file('r'),
          invitation: file('i'),
        }),
      ]),
      { format: 'oparl' },
    );
    assert.deepEqual(found, {
      Radweg: [toLink('m'), toLink('b'), toLink('a')],
      Schulweg: [],
      '2026-03-17': [toLink('i'), toLink('r'), toLink('v'), toLink('x')],
    });
  });

  test('a file without a name is called after its kind in the language of the municipality, never after its file', async () => {
    const unnamed = (name: string, fields = {}) =>
      file(name, { name: undefined, fileName: 'Erika-M.pdf', ...fields });
    const objects = toNdjson([
      createPaper(1, {
        name: 'Radweg',
        mainFile: unnamed('m'),
        auxiliaryFile: [unnamed('a', { name: ' \n ' }), unnamed('b', { name: 'Erika-M.pdf' })],
      }),
      createMeeting(1, {
        invitation: unnamed('i', { name: {} }),
        resultsProtocol: unnamed('r', { name: '' }),
        verbatimProtocol: unnamed('v', { name: null }),
        auxiliaryFile: [unnamed('x', { name: '<b>Plan &amp;\nKarte</b>' })],
      }),
    ]);
    const town = await harness.createMunicipality();
    const listTitles = async () =>
      Object.values((await publish(objects, { format: 'oparl' }, town)).found).map((documents) =>
        documents.map(({ title }) => title),
      );
    assert.deepEqual(await listTitles(), [
      ['Dokument', 'Anlage', 'Anlage'],
      ['Einladung', 'Protokoll', 'Wortprotokoll', 'Plan & Karte'],
    ]);
    await harness.store.editOrganization(town.id, { language: 'en' });
    assert.deepEqual(await listTitles(), [
      ['Document', 'Attachment', 'Attachment'],
      ['Invitation', 'Minutes', 'Verbatim minutes', 'Plan & Karte'],
    ]);
  });

  test('deleted and private files are no documents, no attachments and no minutes', async () => {
    const { town, found } = await publish(
      toNdjson([
        createPaper(1, { name: 'Radweg', mainFile: file('m', { deleted: true }) }),
        createPaper(2, { name: 'Schulweg', auxiliaryFile: [file('a', { private: true }), file('b')] }),
        createMeeting(1, {
          resultsProtocol: file('r', { deleted: 'true' }),
          agendaItem: [{ id: 'i', consultation: composeUrl('consultations', 1) }],
        }),
      ]),
      { format: 'oparl' },
    );
    assert.deepEqual(found, { Radweg: [], Schulweg: [toLink('b')], '2026-03-17': [] });
    const submissions = await harness.listAll(town, '/submissions');
    assert.deepEqual(
      submissions.map(({ hasAttachments, protocolUrl }) => [hasAttachments, protocolUrl]).toSorted(),
      [
        [false, null],
        [true, null],
      ],
    );
  });

  test('files can be objects of their own, before or after; the newest state of a file counts', async () => {
    const separate = (name: string, fields = {}) => ({
      ...file(name, fields),
      id: composeUrl('files', name),
      type: composeType('File'),
    });
    const refer = (name: string) => composeUrl('files', name);
    const { found, notes } = await publish(
      toNdjson([
        separate('before'),
        createPaper(1, {
          name: 'Radweg',
          mainFile: refer('before'),
          auxiliaryFile: [
            refer('after'),
            refer('gone'),
            refer('missing'),
            separate('old', { modified: '2026-01-01T00:00:00Z' }),
            separate('withdrawn', { modified: '2026-01-01T00:00:00Z' }),
            separate('new', { modified: '2026-03-01T00:00:00Z' }),
          ],
        }),
        createMeeting(1, { invitation: refer('after') }),
        separate('after'),
        separate('gone', { deleted: true }),
        separate('old', { modified: '2026-02-01T00:00:00Z', name: 'Renamed' }),
        separate('withdrawn', { modified: '2026-02-01T00:00:00Z', deleted: true }),
        separate('new', { modified: '2026-02-01T00:00:00Z', name: 'Former name' }),
        separate('unused'),
      ]),
      { format: 'oparl' },
    );
    assert.deepEqual(found, {
      Radweg: [toLink('before'), toLink('after'), toLink('old', 'Renamed'), toLink('new')],
      '2026-03-17': [toLink('after')],
    });
    assert.deepEqual(notes, [
      'Left out of 1 record: a document is only referenced, and its file is missing.',
    ]);
  });

  test('the address to download is published if the other one cannot be', async () => {
    const { found, notes } = await publish(
      toNdjson([
        createPaper(1, {
          name: 'Radweg',
          mainFile: file('m?token=SECRET', { downloadUrl: `${at}/download/m` }),
          auxiliaryFile: [
            file('', { accessUrl: undefined, downloadUrl: `${at}/download/a` }),
            { name: 'None' },
          ],
        }),
      ]),
      { format: 'oparl' },
    );
    assert.deepEqual(toPairs(found.Radweg), [
      ['Title m?token=SECRET', `${at}/download/m`],
      ['Title', `${at}/download/a`],
    ]);
    assert.deepEqual(notes, []);
  });
});

suite('Open311', () => {
  const media = 'https://311.example.org/photos';
  const requests = [
    createRequest(1, { description: 'One', media_url: `${media}/1.jpg` }),
    createRequest(2, { description: 'Two', media_url: '' }),
  ];
  const expected = { One: [{ title: 'Anlage', url: `${media}/1.jpg`, mediaType: null }], Two: [] };

  for (const [name, content] of [
    ['r.json', JSON.stringify(requests)],
    ['r.xml', toXml(requests)],
    ['r.csv', toRequestsCsv(requests)],
  ] as const)
    test(`${name}: requests have the address of their media`, async () => {
      assert.deepEqual((await publish(content, { format: 'open311', name })).found, expected);
    });

  test('media can be lists and objects; words for a missing address are left out', async () => {
    const { found } = await publish(
      JSON.stringify([
        createRequest(1, { description: 'One', media_url: [`${media}/1`, `${media}/2`, 'null', 7] }),
        createRequest(2, {
          description: 'Two',
          media_url: { thumbnail: `${media}/small`, url: `${media}/full` },
          extended_attributes: { media_urls: [`${media}/3`, `${media}/full`] },
        }),
        createRequest(3, { description: 'Three', media_url: 'n/a' }),
        createRequest(4, { description: 'Four', media_url: `${media}/4 ${media}/5` }),
      ]),
      { format: 'open311', name: 'r.json' },
    );
    const urls = Object.entries(found).map(([name, documents]) => [
      name,
      documents.map(({ url }) => url.slice(media.length + 1)),
    ]);
    assert.deepEqual(Object.fromEntries(urls), {
      One: ['1', '2'],
      Two: ['full', '3'],
      Three: [],
      Four: ['4', '5'],
    });
  });
});

test('Decidim: proposals of the API have their attachments, with the titles in the language of the text', async () => {
  const translate = (de: string, ca: string) => ({
    translations: [
      { locale: 'ca', text: ca, machineTranslated: false },
      { locale: 'de', text: de, machineTranslated: false },
    ],
  });
  const node = {
    ...{ id: '1', state: 'accepted', voteCount: 3, publishedAt: '2026-03-01T10:00:00Z' },
    ...{ title: translate('Bank', 'Banc'), body: translate('Text', 'Text') },
    attachments: [
      { url: `${at}/1`, title: translate('Lageplan', 'Plànol') },
      { url: `${at}/2`, title: null },
      { url: 'https://mitmachen.example.org/rails/active_storage/disk/eyJf--1/plan.pdf', title: null },
      null,
    ],
  };
  const content = JSON.stringify([node]);
  const { found, notes } = await publish(content, {
    format: 'decidim',
    name: 'p.json',
    flags: ['--locale', 'de'],
  });
  assert.deepEqual(toPairs(found.Bank), [
    ['Lageplan', `${at}/1`],
    ['Anlage', `${at}/2`],
  ]);
  assert.deepEqual(notes, [secretNote]);
});

suite('a table', () => {
  const fields = { id: 'id', description: 'text', createdAt: 'day' };
  const importRows = async (documents: unknown, header: readonly string[], cells: readonly string[]) => {
    const mapping = { empty: ['-'], submission: { ...fields, documents } };
    const flags = ['--mapping', harness.workspace.writeFile('documents.yaml', JSON.stringify(mapping))];
    const rows = [
      ['id', 'text', 'day', ...header],
      ['1', 'One', '2026-03-01', ...cells],
    ];
    return publish(toCsv(',', rows), { format: 'table', name: 't.csv', flags });
  };

  test('has documents with the name of the column, several in a cell and in several columns', async () => {
    const { found, town } = await importRows(
      { columns: ['Foto', 'Lageplan', 'Gutachten'] },
      ['Foto', 'Lageplan', 'Gutachten'],
      [`${at}/1|${at}/2\n${at}/3 ; ${at}/4;${at}/5, ${at}/6`, '-', `${at}/a;b,c.pdf`],
    );
    assert.deepEqual(toPairs(found.One), [
      ...[1, 2, 3, 4, 5, 6].map((n) => ['Foto', `${at}/${n}`]),
      ['Gutachten', `${at}/a;b,c.pdf`],
    ]);
    const [one] = await harness.listAll(town, '/submissions');
    assert.equal(one.hasAttachments, true);
  });

  test('without a document has no attachments, unless another column says so', async () => {
    for (const [cell, expected] of [
      ['-', false],
      ['here', true],
    ] as const) {
      const town = await harness.createMunicipality();
      const mapping = {
        empty: ['-'],
        submission: { ...fields, documents: 'link', hasAttachments: 'attached' },
      };
      const flags = ['--mapping', harness.workspace.writeFile('attached.yaml', JSON.stringify(mapping))];
      const rows = [
        ['id', 'text', 'day', 'link', 'attached'],
        ['1', 'One', '2026-03-01', cell === '-' ? `${at}/1` : '-', cell],
      ];
      await publish(toCsv(',', rows), { format: 'table', name: 't.csv', flags }, town);
      const [one] = await harness.listAll(town, '/submissions');
      assert.equal(one.hasAttachments, expected);
    }
  });

  test('of sessions has documents, too, and texts that are no addresses are left out', async () => {
    const mapping = { session: { id: 'id', committeeName: 'body', date: 'day', documents: 'Einladung' } };
    const flags = ['--mapping', harness.workspace.writeFile('sessions.yaml', JSON.stringify(mapping))];
    const rows = [
      ['id', 'body', 'day', 'Einladung'],
      ['1', 'Council', '2026-03-17', `${at}/i siehe Anlage`],
    ];
    const { found, notes } = await publish(toCsv(',', rows), { format: 'table', name: 't.csv', flags });
    assert.deepEqual(toPairs(found['2026-03-17']), [['Einladung', `${at}/i`]]);
    assert.deepEqual(notes, [invalidNote]);
  });

  test('of a portal in JSON has lists of addresses', async () => {
    const mapping = { submission: { ...fields, documents: { columns: ['photos', 'plan.url'] } } };
    const flags = ['--mapping', harness.workspace.writeFile('json.yaml', JSON.stringify(mapping))];
    const record = {
      id: 1,
      text: 'One',
      day: '2026-03-01',
      photos: [`${at}/1`, `${at}/2`],
      plan: { url: `${at}/3` },
    };
    const options = { format: 'table', name: 't.json', flags };
    const { found } = await publish(JSON.stringify([record, { ...record, id: 2, text: 'Two' }]), options);
    assert.deepEqual(toPairs(found.One), [
      ['photos', `${at}/1`],
      ['photos', `${at}/2`],
      ['plan', `${at}/3`],
    ]);
  });

  test('gets suggestions of its columns of links, without those of pages and minutes', async () => {
    const header = [
      'id',
      'Titel',
      'Beschreibung',
      'eingereicht',
      'Webseite',
      'Anlage',
      'Lageplan',
      'Niederschrift',
    ];
    const rows = Array.from({ length: 20 }, (_, n) => [
      ...[`A-${n}`, `Titel ${n}`, `Eine lange Beschreibung mit der Nummer ${n}.`, '2026-03-01'],
      ...[`https://stadt.example.org/a/${n}`, n % 3 === 0 ? `${at}/${n} ${at}/x` : ''],
      ...[`${at}/plan-${n}.pdf`, `${at}/niederschrift-${n}.pdf`],
    ]);
    const file = harness.workspace.writeFile('suggest.csv', toCsv(';', [header, ...rows]));
    const { stdout } = await runCli(['import', 'table', file, '--suggest']);
    const { submission: drafted } = parse(stdout);
    assert.deepEqual(drafted.documents, { columns: ['Anlage', 'Lageplan'] });
    assert.equal(drafted.sourceUrl, 'Webseite');
  });
});

suite('Rostra’s own format', () => {
  const documents = [
    { title: 'Plan "A"; B', url: `${at}/1`, mediaType: 'Application/PDF; charset=x' },
    { title: 'Karte', url: `${at}/2` },
  ];
  const expected = [
    { title: 'Plan "A"; B', url: `${at}/1`, mediaType: 'application/pdf' },
    { title: 'Karte', url: `${at}/2`, mediaType: null },
  ];

  test('has documents as a list, and in CSV as JSON in a cell', async () => {
    const json = toNdjson([
      { ...submission, documents },
      { ...session, documents },
    ]);
    assert.deepEqual((await publish(json)).found, { One: expected, '2026-03-17': expected });
    const csv = toCsv(';', [
      ['id', 'description', 'createdAt', 'documents'],
      ['1', 'One', submission.createdAt, JSON.stringify(documents)],
      ['2', 'Two', submission.createdAt, ''],
    ]);
    const { found, town } = await publish(csv, { name: 'x.csv' });
    assert.deepEqual(found, { One: expected, Two: [] });
    const submissions = await harness.listAll(town, '/submissions');
    assert.deepEqual(submissions.map(({ hasAttachments }) => hasAttachments).toSorted(), [false, true]);
  });

  test('takes the documents that the API returns', async () => {
    const { town } = await publish(
      toNdjson([
        { ...submission, documents },
        { ...session, documents },
      ]),
    );
    const strip = ({ createdOn, ...record }: Record<string, unknown>) => record;
    const records = [
      ...(await harness.listAll(town, '/search/submissions')).map((each) => ({
        kind: 'submission',
        ...strip(each),
      })),
      ...(await harness.listAll(town, '/search/sessions')).map((each) => ({
        kind: 'session',
        ...strip(each),
      })),
    ];
    const result = await harness.importContent(town, toNdjson(records));
    assertCounts(result, { unchanged: 2 });
  });

  test('rejects records whose documents have another form, and leaves out addresses as other formats do', async () => {
    const town = await harness.createMunicipality();
    const given = [
      'text',
      { title: 'A', url: `${at}/1` },
      ['text'],
      [{ title: 'A' }],
      [{ url: `${at}/1` }],
      [{ title: '', url: `${at}/1` }],
      [{ title: ' ', url: `${at}/1` }],
      [{ title: 'x'.repeat(1_001), url: `${at}/1` }],
      [{ title: 'two\nlines', url: `${at}/1` }],
      [{ title: 'A', url: 7 }],
      [{ title: 'A', url: `${at}/1`, size: 7 }],
    ];
    const records = given.map((each, n) => ({ ...submission, id: `${n}`, documents: each }));
    assertCounts(await harness.importContent(town, toNdjson(records)), { rejected: given.length });
    const { found, notes } = await publish(
      toNdjson([
        {
          ...submission,
          documents: [
            { title: 'A', url: `${at}/1?token=SECRET` },
            { title: 'B', url: `${at}/2` },
          ],
        },
      ]),
    );
    assert.deepEqual(toPairs(found.One), [['B', `${at}/2`]]);
    assert.deepEqual(notes, [secretNote]);
  });
});

suite('the address of a document', () => {
  const importAddresses = (addresses: readonly string[]) =>
    publish(
      toNdjson([
        createPaper(1, {
          name: 'Radweg',
          auxiliaryFile: addresses.map((accessUrl, n) => createFile(accessUrl, { name: `File ${n}` })),
        }),
      ]),
      { format: 'oparl' },
    );

  const secrets = [
    'https://anna@rat.example.org/a',
    'https://anna:SECRET@rat.example.org/a',
    'https://:SECRET@rat.example.org/a',
    'https://b.s3.amazonaws.com/a?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=SECRET&X-Amz-Expires=900&X-Amz-Signature=SECRET',
    'https://b.s3.amazonaws.com/a?x-amz-security-token=SECRET',
    'https://b.s3.amazonaws.com/a?AWSAccessKeyId=A&Expires=1&Signature=SECRET',
    'https://storage.googleapis.com/a?GoogleAccessId=a&Expires=1&Signature=SECRET',
    'https://storage.googleapis.com/a?X-Goog-Signature=SECRET',
    'https://a.blob.core.windows.net/a?sv=2022-11-02&se=2026-01-01&sr=b&sp=r&sig=SECRET',
    'https://d1.cloudfront.net/a?Expires=1&Signature=SECRET&Key-Pair-Id=K',
    'https://cdn.example.org/a?hdnea=exp=1~acl=/*~hmac=SECRET',
    'https://rat.example.org/a?accesskey=SECRET',
    'https://rat.example.org/a?user=a&pass=SECRET',
    'https://rat.example.org/a?b=1;token=SECRET',
    'https://rat.example.org/a;JSESSIONID%3DSECRET',
    'https://rat.example.org/(S(abcdefghijklmnopqrstuvwx))/a',
    'https://rat.example.org/a?session=SECRETSECRETSECRET',
    'https://rat.example.org/a?ticket=ST-12-SECRET',
    'https://rat.example.org/a?st=SECRET&e=1700000000',
    'https://rat.example.org/a?u=//u:SECRET@b.example',
    'https://rat.example.org/a?token=SECRET',
    'https://rat.example.org/a?id=7&ACCESS_TOKEN=SECRET',
    'https://rat.example.org/a?%74oken=SECRET',
    'https://rat.example.org/a?id=7&amp;jwt=SECRET',
    'https://rat.example.org/a?api_key=SECRET',
    'https://rat.example.org/a?apiKey=SECRET',
    'https://rat.example.org/a?x=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.SECRET',
    'https://rat.example.org/a#access_token=SECRET',
    'https://rat.example.org/#/file?token=SECRET',
    'https://rat.example.org/a;jsessionid=SECRET?id=7',
    'https://rat.example.org/a?PHPSESSID=SECRET',
    'https://rat.example.org/go?to=https%3A%2F%2Fanna%3ASECRET%40rat.example.org%2Fa',
    'https://rat.example.org/go?to=https%3A%2F%2Frat.example.org%2Fa%3Ftoken%3DSECRET',
    'https://rat.example.org/rails/active_storage/disk/SECRET/a.pdf',
    'https://rat.example.org/a?md5=SECRET&expires=1',
  ];

  for (const address of secrets)
    test(`${address} is left out, and the note does not print it`, async () => {
      const { found, notes, output } = await importAddresses([address, `${at}/1`]);
      assert.deepEqual(toPairs(found.Radweg), [['File 1', `${at}/1`]]);
      assert.deepEqual(notes, [secretNote]);
      assert.doesNotMatch(output, /SECRET/);
    });

  const internal = [
    'http://localhost/a',
    'http://localhost:8080/a',
    'http://localhost./a',
    'https://ratsserver/a',
    'https://rat.local/a',
    'https://rat.intern.internal/a',
    'https://files.stadt.lan/a',
    'http://10.1.2.3/a',
    'http://127.0.0.1/a',
    'http://2130706433/a',
    'http://0x7f.1/a',
    'http://172.16.0.1/a',
    'http://192.168.1.1/a',
    'http://169.254.169.254/a',
    'http://[::1]/a',
    'http://[fe80::1]/a',
    'http://[fd00::1]/a',
    'http://[::ffff:10.0.0.1]/a',
  ];

  test('is left out if it leads to an internal network', async () => {
    for (const address of internal) {
      const { found, notes } = await importAddresses([address]);
      assert.deepEqual(found.Radweg, [], address);
      assert.deepEqual(notes, [internalNote], address);
    }
  });

  test('is left out if it is not a web address', async () => {
    const invalid = [
      'javascript:alert(1)',
      ' JavaScript:alert(1)',
      'data:text/html,<script>alert(1)</script>',
      'vbscript:x',
      'file:///etc/passwd',
      'ftp://rat.example.org/a',
      '//rat.example.org/a',
      '/files/a.pdf',
      'www.example.org/a',
      'https://',
      'https://rat.example.org/a b',
      `https://rat.example.org/${'x'.repeat(2_048)}`,
    ];
    for (const address of invalid) {
      const { found, notes } = await importAddresses([address]);
      assert.deepEqual(found.Radweg, [], address);
      assert.deepEqual(notes, [invalidNote], address);
    }
  });

  test('stays with parameters that are no credentials', async () => {
    const addresses = [
      'https://rat.example.org/getfile.asp?id=4711&type=do',
      'https://rat.example.org/vo0050.php?__kvonr=1234&key=abc&sort=se',
      'https://rat.example.org/a?session=12&sessionid=345&ticket=311-7',
      'https://rat.example.org/a?signature=council',
      'https://rat.example.org/sites/default/files/styles/large/a.jpg?itok=xYz',
      'https://rat.example.org/a?expires=never',
      'https://rat.example.org/token/a?tokens=3&author=7&passage=2',
      'https://rat.example.org/a?q=user@example.org',
      'https://rat.example.org:8443/@council/a',
      'https://rat.example.org/rails/active_storage/blobs/redirect/eyJfcmFpbHMi--ab/a.pdf',
      'https://cloud.example.org/s/AbCdEf/download?path=%2F&files=a.pdf',
      'https://bücher.example.org/ä.pdf',
      'http://93.184.216.34/a',
      'https://rat.example.org/a?to=https%3A%2F%2Fstadt.example.org%2Fb',
    ];
    const { found, notes } = await importAddresses(addresses);
    assert.deepEqual(notes, []);
    assert.deepEqual(
      found.Radweg?.map(({ url }) => url),
      addresses.map((address) => (address.includes('ü') ? new URL(address).href : address)),
    );
  });
});

suite('hostile lists of documents', () => {
  const importFiles = (auxiliaryFile: readonly unknown[]) =>
    publish(toNdjson([createPaper(1, { name: 'Radweg', auxiliaryFile })]), { format: 'oparl' });

  test('the first fifty of 5,000 documents are published', async () => {
    const files = Array.from({ length: 5_000 }, (_, n) => createFile(`${at}/${n}`, { name: `File ${n}` }));
    const { found, notes } = await importFiles(files);
    assert.deepEqual(
      toPairs(found.Radweg),
      Array.from({ length: 50 }, (_, n) => [`File ${n}`, `${at}/${n}`]),
    );
    assert.deepEqual(notes, ['Left out of 1 record: documents must not have more than 50 entries.']);
  });

  test('addresses that are left out do not count, and a record counts once in each note', async () => {
    const files = [
      ...Array.from({ length: 200 }, (_, n) => createFile(`http://10.0.0.1/${n}`)),
      ...Array.from({ length: 200 }, (_, n) => createFile(`${at}/s?token=${n}`)),
      ...Array.from({ length: 50 }, (_, n) => createFile(`${at}/${n}`)),
    ];
    const { found, notes } = await importFiles(files);
    assert.equal(found.Radweg?.length, 50);
    assert.deepEqual(notes, [secretNote, internalNote].toSorted());
  });

  test('an address that a record repeats is published once', async () => {
    const { found, notes } = await importFiles([
      createFile(`${at}/ä`, { name: 'First' }),
      createFile(`${at}/%C3%A4`, { name: 'Second' }),
      createFile(` ${at}/ä `, { name: 'Third' }),
    ]);
    assert.deepEqual(toPairs(found.Radweg), [['First', `${at}/%C3%A4`]]);
    assert.deepEqual(notes, []);
  });

  test('a document whose title is too long is called after its kind, so that no cut hides a name from redaction', async () => {
    const { found, notes } = await importFiles([
      createFile(`${at}/1`, { name: 'x'.repeat(1_000) }),
      createFile(`${at}/2`, { name: '🚲'.repeat(1_000) }),
      createFile(`${at}/3`, { name: 'x'.repeat(1_001) }),
      createFile(`${at}/4`, { name: 'Erika '.repeat(20_000) }),
    ]);
    assert.deepEqual(
      found.Radweg?.map(({ title }) => title),
      ['x'.repeat(1_000), '🚲'.repeat(1_000), 'Anlage', 'Anlage'],
    );
    assert.deepEqual(notes, ['Left out of 1 record: the title of a document has more than 1000 characters.']);
  });

  test('media types are in lower case and without parameters, and invalid ones are unknown', async () => {
    const types = [
      'Text/HTML; charset=utf-8',
      ' image/svg+xml ',
      'pdf',
      '',
      'a/b/c',
      7,
      'x'.repeat(5_000),
      null,
    ];
    const files = types.map((mimeType, n) => createFile(`${at}/${n}`, { mimeType }));
    const { found } = await importFiles(files);
    assert.deepEqual(
      found.Radweg?.map(({ mediaType }) => mediaType),
      ['text/html', 'image/svg+xml', null, null, null, null, null, null],
    );
  });

  test('values of other types are no documents, and the record is published', async () => {
    for (const value of [null, 7, true, 'x', {}, [null, 7, [], {}, { accessUrl: 7 }, { accessUrl: '' }]]) {
      const objects = toNdjson([
        createPaper(1, { name: 'Radweg', mainFile: value, auxiliaryFile: value }),
        createMeeting(1, { invitation: value, resultsProtocol: value }),
      ]);
      const { found } = await publish(objects, { format: 'oparl' });
      assert.deepEqual(found, { Radweg: [], '2026-03-17': [] });
    }
  });
});

test('redaction replaces personal data and listed names in titles, and leaves out a document whose address has them', async () => {
  const town = await harness.createMunicipality();
  await harness.store.editOrganization(town.id, { redactionTerms: 'Erika Muster' });
  const documents = [
    { title: 'Antrag von Erika Muster', url: `${at}/1` },
    { title: 'Ruf: 0221 5678 1234 oder a@b.example', url: `${at}/2` },
    { title: 'Plan', url: `${at}/Erika-Muster.pdf` },
    { title: 'Karte', url: `${at}/4` },
  ];
  const content = toNdjson([
    { ...submission, documents },
    { ...session, documents },
  ]);
  const { found } = await publish(content, { flags: ['--redact', 'email,phone'] }, town);
  for (const list of [found.One, found['2026-03-17']])
    assert.deepEqual(toPairs(list), [
      ['Antrag von [entfernt]', `${at}/1`],
      ['Ruf: [Telefon] oder [E-Mail]', `${at}/2`],
      ['Karte', `${at}/4`],
    ]);
  for (const table of ['submission', 'session']) {
    const stored = JSON.stringify(await harness.workspace.sql(`SELECT documents FROM ${table}`));
    assert.doesNotMatch(stored, /Erika|0221 5678|a@b/, table);
  }
});

test('a document that the source no longer has disappears with the next import', async () => {
  const document = (n: number) => ({ title: `File ${n}`, url: `${at}/${n}` });
  const { town } = await publish(toNdjson([{ ...submission, documents: [document(1), document(2)] }]));
  const list = async (documents: object[] | undefined) =>
    toPairs((await publish(toNdjson([{ ...submission, documents }]), {}, town)).found.One).map(
      ([title]) => title,
    );
  assert.deepEqual(await list([document(2)]), ['File 2']);
  assert.deepEqual(await list([document(2), document(1)]), ['File 2', 'File 1']);
  assert.deepEqual(await list(undefined), []);
});

/** The import history of a municipality in the admin area: the list, and each import with its rejected records. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { type Reason, serializeReason } from '../../src/domain/reasons/reason.ts';
import { emptyDetection } from '../../src/domain/runs/run-queue.ts';
import { emptySourceDefinition } from '../../src/domain/sources/import-source.ts';
import { assertSucceeds, runCli } from '../support/cli-workspace.ts';
import { createTemporaryFolder, toNdjson } from '../support/files.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import {
  createFormClient,
  createSignedInClient,
  decodeHtml,
  type FormClient,
  type InvitedAccount,
  signIn,
} from '../support/form-client.ts';
import { detection, insertQueuedRun } from '../support/import-page-states.ts';
import { beginRun } from '../support/recorded-runs.ts';
import { createSubmission, surveys } from '../support/records.ts';

const fixture = await createFixtureWithServer({ after });
const { server, store } = fixture;
const anna = await createSignedInClient(server, store, fixture.a);
const bert = await createSignedInClient(server, store, fixture.b);
const olga = await createSignedInClient(server, store);
const folder = createTemporaryFolder({ after });

const at = (organizationId: string, runId = '') =>
  `/admin/organizations/${organizationId}/imports${runId && `/${runId}`}`;

/** Imports content with the command line. @returns the id of the run */
async function imported(organizationId: string, content: string, ...flags: string[]): Promise<string> {
  const file = join(folder, `${randomUUID()}.ndjson`);
  writeFileSync(file, content);
  const database = ['--database', fixture.database];
  await runCli(['import', 'rostra', file, '--organization', organizationId, ...flags, ...database]);
  const listed = await assertSucceeds([
    'import',
    'history',
    '--json',
    '--organization',
    organizationId,
    ...database,
  ]);
  return JSON.parse(listed)[0].id;
}

const good = (n: number) => ({ kind: 'submission', ...createSubmission(n) });
const bad = (n: number) => ({
  kind: 'submission',
  ...createSubmission(n),
  id: `<b>${n}</b>`,
  supportCount: -1,
});

/** The same account in a German browser. */
async function inGerman({ email }: InvitedAccount): Promise<FormClient> {
  const german = createFormClient(server.address, 'de');
  await signIn(german, email);
  return german;
}

/** The rows of the tables of a page, as texts of their cells. */
const rowsOf = (page: string) =>
  [...page.matchAll(/<tr class="kern-table__row"[^>]*>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) =>
      decodeHtml(cell.replaceAll(/<[^>]+>/g, '')),
    ),
  );

const counts = (page: string) => Object.fromEntries(rowsOf(page).filter(({ length }) => length === 2));

suite('the imports of a municipality', () => {
  test('begin with an empty list, and a link to import a file', async () => {
    const { id } = await store.addOrganization('Neustadt', randomUUID());
    const { status, body } = await olga.get(at(id));
    assert.equal(status, 200);
    assert.match(decodeHtml(body), /Nothing has been imported yet/);
    assert.match(body, /imports\/new">.*Import a file/);
    assert.deepEqual(rowsOf(body), []);
  });

  test('are listed newest first, with links to their details and an entry in the navigation', async () => {
    const first = await imported(fixture.a, toNdjson([good(701), good(702), bad(703)]));
    const second = await imported(
      fixture.a,
      toNdjson([{ ...good(701), deleted: true }, bad(704)]),
      '--strict',
    );
    const overviews = [`/admin/organizations/${fixture.a}`, '/admin/organizations'];
    for (const overview of overviews)
      assert.ok((await olga.get(overview)).body.includes(at(fixture.a, second)));
    const { body } = await anna.get(at(fixture.a));
    const [headings, ...rows] = rowsOf(body);
    const names = [
      'Started',
      'Status',
      'File or address',
      'Source',
      'Read',
      'New',
      'Changed',
      'Unchanged',
      'Removed',
      'Left out',
      'Rejected',
    ];
    assert.deepEqual(headings, names);
    assert.deepEqual(
      rows.map(([, outcome, file, , ...figures]) => [outcome, file?.endsWith('.ndjson'), ...figures]),
      [
        ['failed', true, '0', '0', '0', '0', '0', '0', '0'],
        ['completed, 1\u00a0record rejected', true, '3', '2', '0', '0', '0', '0', '1'],
      ],
    );
    const links = [...body.matchAll(/href="(\/admin\/organizations\/[^"]+\/imports\/[\da-f-]{36})"/g)].map(
      ([, to]) => to,
    );
    assert.deepEqual(links, [at(fixture.a, second), at(fixture.a, first)]);
    assert.match(
      body,
      new RegExp(`<a class="kern-link" href="${at(fixture.a)}" aria-current="page"><bdi>Imports</bdi></a>`),
    );
  });

  test('each have a page with counts and rejected records', async () => {
    const id = await imported(
      fixture.a,
      toNdjson([good(711), { ...good(711), status: 'received' }, bad(712), good(713)]),
    );
    const { status, body } = await anna.get(at(fixture.a, id));
    assert.equal(status, 200);
    assert.deepEqual(counts(body), {
      Records: 'Number',
      Read: '4',
      New: '2',
      Changed: '0',
      Unchanged: '0',
      Removed: '0',
      'Left out': '0',
      Rejected: '2',
    });
    const rejected = rowsOf(body).filter(({ length }) => length === 5);
    assert.deepEqual(
      rejected.map(([, ...cells]) => cells),
      [
        ['Line', 'Entry', 'ID', 'Reason'],
        [
          '2',
          '–',
          createSubmission(711).id,
          'an earlier record of the same file has the same id; the first one counts',
        ],
        ['3', '–', '<b>712</b>', '“Supporters” must be at least 0'],
      ],
    );
    assert.ok(!body.includes('<b>712'));
    assert.match(decodeHtml(body), /Command line/);
    assert.doesNotMatch(decodeHtml(body), /Only the first/);
  });

  test('report how many rejected records are listed and why an import failed, also in German', async () => {
    const many = await imported(fixture.a, toNdjson(Array.from({ length: 120 }, (_, n) => bad(n))));
    const { body } = await anna.get(at(fixture.a, many));
    assert.equal(rowsOf(body).filter(({ length }) => length === 5).length, 101);
    assert.match(decodeHtml(body), /Only the first 100 of 120 records are listed\./);
    const failed = await imported(fixture.a, `${toNdjson([good(721)])}${toNdjson([bad(722)])}`, '--strict');
    assert.match(
      decodeHtml((await anna.get(at(fixture.a, failed))).body),
      /line 2 .+ No record may be rejected, so nothing was imported\./,
    );
    const german = await inGerman(anna);
    const page = decodeHtml((await german.get(at(fixture.a, many))).body);
    assert.match(page, /Aufgeführt sind nur die ersten 100 von 120 Datensätzen\./);
    assert.match((await german.get(at(fixture.a))).body, />fehlgeschlagen</);
  });

  test('are listed as unchanged when nothing changed', async () => {
    const { id } = await store.addOrganization('Gleichstadt', randomUUID());
    for (let run = 0; run < 2; run += 1) await imported(id, toNdjson([good(751), good(752)]));
    const [, again, first] = rowsOf((await olga.get(at(id))).body);
    assert.deepEqual(again?.slice(4), ['2', '0', '0', '2', '0', '0', '0']);
    assert.deepEqual(first?.slice(4), ['2', '2', '0', '0', '0', '0', '0']);
  });

  test('that completed with rejected records are shown as warnings, in words and in colour', async () => {
    const { id } = await store.addOrganization('Widerstadt', randomUUID());
    await imported(id, toNdjson([good(761)]));
    const rejecting = await imported(id, toNdjson(Array.from({ length: 1_200 }, (_, n) => bad(n))));
    const german = await inGerman(olga);
    const badges = (body: string) =>
      [...body.matchAll(/kern-badge--(success|warning) [^>]+><span[^>]+>([^<]+)</g)].map(
        ([, tone, words]) => [tone, words],
      );
    assert.deepEqual(badges((await german.get(at(id))).body), [
      ['warning', 'abgeschlossen, 1.200\u00a0Datensätze nicht übernommen'],
      ['success', 'abgeschlossen'],
    ]);
    assert.deepEqual(badges((await olga.get(at(id, rejecting))).body), [
      ['warning', 'completed, 1,200\u00a0records rejected'],
    ]);
  });

  test('say in the language of the reader why a row was rejected, and on the command line in English', async () => {
    const header = 'id,description,createdAt,topicCategoryName,supportCount';
    const id = await imported(
      fixture.a,
      `${header}\nx1,Tree,2026-03-01,Roads\nx2,Bench,2026-03-01,${'x'.repeat(206)},1\nx3,Lamp,1 March,Roads,1\n`,
    );
    const stored = await fixture.sql<{ reason: string }>(
      'SELECT reason FROM import_rejection WHERE run_id = $1 ORDER BY position',
      [id],
    );
    assert.deepEqual(
      stored.map(({ reason }) => JSON.parse(reason)),
      [
        { code: 'row-malformed', fault: { code: 'cell-count-wrong', cells: 4, expected: 5 } },
        { code: 'text-too-long', field: 'topicCategoryName', max: 200, length: 206 },
        { code: 'time-invalid-form', field: 'createdAt' },
      ],
    );
    const listReasons = (page: string) =>
      rowsOf(page).flatMap(({ length, 4: reason = '' }) => (length === 5 ? [reason] : []));
    const german = (await (await inGerman(anna)).get(at(fixture.a, id))).body;
    assert.deepEqual(listReasons(german), [
      'Grund',
      'Die Zeile passt nicht zur Tabelle: Sie hat 4 Zellen, die erste Zeile 5. Möglicherweise fehlt ein Trennzeichen, oder eine Zelle mit Trennzeichen steht nicht in Anführungszeichen.',
      '„Thema“ hat 206 Zeichen, erlaubt sind höchstens 200',
      '„Eingereicht“ muss ein Zeitpunkt wie 2026-03-01T09:15:00Z sein',
    ]);
    assert.equal(
      listReasons((await anna.get(at(fixture.a, id))).body)[2],
      '“Topic” has 206 characters; at most 200 are allowed',
    );
    const printed = await assertSucceeds(['import', 'history', id, '--database', fixture.database]);
    assert.match(printed, /topicCategoryName must not have more than 200 characters/);
    assert.match(printed, /it has 4 cells, and the first line 5: look for a missing delimiter/);
  });

  test('show the name of their source, and many files as a count that unfolds', async () => {
    // No other test waits for the lease of its runs.
    const { id } = await store.addOrganization('Quellstadt', randomUUID());
    const source = { format: 'open311', name: 'Mängelmelder' };
    await store.addSource(id, { ...emptySourceDefinition, ...source });
    const sources = ['a', 'b', 'c'].map((name) => `/srv/${name}.csv`).join(', ');
    await beginRun(store, { organizationId: id, format: 'open311', sources, source });
    await beginRun(store, { organizationId: id, format: 'table', sources });
    const { body } = await olga.get(at(id));
    assert.match(body, /<summary[^>]*>3 files<\/summary><bdi>\/srv\/a\.csv, \/srv\/b\.csv, \/srv\/c\.csv</);
    const named = rowsOf(body).find((cells) => cells.includes('Mängelmelder'));
    assert.ok(named !== undefined, body);
  });

  test('name standard input in the page’s language', async () => {
    const { id: organizationId } = await store.addOrganization('Rohrstadt', randomUUID());
    const database = ['--database', fixture.database];
    await runCli(['import', 'rostra', '-', '--organization', organizationId, ...database], {
      input: toNdjson([bad(781)]),
    });
    const german = await inGerman(olga);
    const list = (await german.get(at(organizationId))).body;
    assert.deepEqual(rowsOf(list)[1]?.slice(2, 4), ['Standardeingabe', '–']);
    const [, path = ''] = /href="([^"]+\/imports\/[\da-f-]{36})"/.exec(list) ?? [];
    const page = decodeHtml((await german.get(path)).body);
    assert.match(page, /<bdi>Standardeingabe<\/bdi>/);
    assert.doesNotMatch(page, /standard input/);
    assert.match((await olga.get(path)).body, /<bdi>standard input<\/bdi>/);
  });

  test('from an endpoint are called synchronisations, and show its address', async () => {
    const url = 'https://ris.stadt.example/oparl/system';
    const { id: organizationId } = await store.addOrganization('Taktstadt', randomUUID());
    const files = await beginRun(store, { organizationId, format: 'oparl', sources: 'oparl/https' });
    const fetched = await beginRun(store, { organizationId, format: 'oparl', sources: url });
    const [, ...rows] = rowsOf((await olga.get(at(organizationId))).body);
    assert.deepEqual(
      new Set(rows.map(([, , file]) => file)),
      new Set([`Synchronised from ${url}`, 'oparl/https']),
    );
    const title = async (id: string) =>
      /<h1[^>]*>(\S+)/.exec((await olga.get(at(organizationId, id))).body)?.[1];
    assert.deepEqual([await title(files.id), await title(fetched.id)], ['Import', 'Synchronisation']);
    const german = await inGerman(olga);
    assert.match(
      decodeHtml((await german.get(at(organizationId))).body),
      new RegExp(`Synchronisiert von <bdi>${url}<`),
    );
  });

  test('that were killed are first shown as running, then as stalled', async () => {
    const { id } = await beginRun(store, {
      organizationId: fixture.a,
      format: 'rostra',
      sources: 'killed.ndjson',
    });
    assert.match((await anna.get(at(fixture.a))).body, />running</);
    assert.match((await anna.get(at(fixture.a, id))).body, /Last activity/);
    const seen = new Date(Date.now() - 301_000).toISOString();
    await fixture.sql('UPDATE import_run SET heartbeat_at = $2 WHERE id = $1', [id, seen]);
    assert.match((await anna.get(at(fixture.a))).body, />stalled</);
    assert.match(decodeHtml((await anna.get(at(fixture.a, id))).body), /inactive for at least a minute/);
  });

  test('are shown fifty per page, and paging to the oldest shows each once', async () => {
    const { id: organizationId } = await store.addOrganization('Altstadt', randomUUID());
    for (let n = 0; n < 120; n += 1) {
      const { id } = await beginRun(store, { organizationId, format: 'rostra', sources: `${n}.csv` });
      // Many begin at the same time and are ordered by id.
      const startedAt = `2026-03-01T00:00:0${Math.floor(n / 30)}.000Z`;
      await fixture.sql('UPDATE import_run SET started_at = $2 WHERE id = $1', [id, startedAt]);
    }
    const met: string[] = [];
    let path: string | undefined = at(organizationId);
    for (let pages = 0; path !== undefined; pages += 1) {
      const { body } = await olga.get(path);
      const [, ...rows] = rowsOf(body);
      assert.equal(rows.length, [50, 50, 20][pages]);
      met.push(...rows.map(([, , file]) => file as string));
      assert.equal(body.includes('>Newest entries<'), pages > 0);
      path = decodeHtml(/href="([^"]+)">Older entries</.exec(body)?.[1] ?? '') || undefined;
    }
    assert.equal(new Set(met).size, 120);
    assert.deepEqual(
      new Set(met.slice(0, 30)),
      new Set(Array.from({ length: 30 }, (_, n) => `${n + 90}.csv`)),
      'the newest come first',
    );
    for (const wrong of ['x', `${'9'.repeat(24)} ${randomUUID()}`, "' OR 1=1", '%00'])
      assert.equal(
        (await olga.get(`${at(organizationId)}?after=${encodeURIComponent(wrong)}`)).status,
        200,
        wrong,
      );
  });
});

suite('the imports of another municipality', () => {
  test('are not listed, and return the same 404 as unknown imports', async () => {
    const ofA = await imported(fixture.a, toNdjson([bad(731)]));
    const ofB = await imported(fixture.b, toNdjson([bad(732)]));
    const page = (await bert.get(at(fixture.b))).body;
    assert.ok(page.includes(ofB) && !page.includes(ofA));
    assert.equal((await bert.get(at(fixture.b, ofB.toUpperCase()))).status, 200);
    const comparable = (body: string) =>
      body.replaceAll(/(name="token" value|href|action)="[^"]*"/g, '$1=""');
    const nowhere = randomUUID();
    for (const path of [
      at(fixture.a),
      at(fixture.a, ofA),
      at(fixture.a, ofB),
      at(fixture.b, ofA),
      at(randomUUID(), ofA),
      at(fixture.b, 'x'),
      at(fixture.b, '%00'),
    ]) {
      const response = await bert.get(path);
      const missing = await bert.get(
        path.replaceAll(/[\da-f-]{36}/g, (id) => (id === fixture.b ? id : nowhere)),
      );
      assert.deepEqual([response.status, missing.status], [404, 404], path);
      assert.equal(comparable(response.body), comparable(missing.body), path);
    }
  });

  test('are visible to operators, under their municipality', async () => {
    const id = await imported(fixture.b, toNdjson([good(741)]));
    assert.equal((await olga.get(at(fixture.b, id))).status, 200);
    assert.equal((await olga.get(at(fixture.a))).status, 200);
    assert.equal((await olga.get(at(fixture.a, id))).status, 404);
  });

  test('are not visible without a login session', async () => {
    const { status, location } = await createFormClient(server.address).get(at(fixture.a));
    assert.equal(status, 303);
    assert.match(location ?? '', /^\/admin\/sign-in\?/);
  });
});

test('the page of a source says that its last import did not finish, until it was undone or completed', async () => {
  const { a } = fixture;
  const name = 'Unfinished';
  const definition = { name, format: 'rostra', url: null, intervalMs: null, timeZone: null };
  const options = {
    options: {},
    redaction: { kinds: null, patterns: {}, country: null },
    maxDeletedPercent: null,
    locations: null,
  };
  await store.addSource(a, { ...definition, ...options });
  const page = `/admin/organizations/${a}/sources/${name}`;
  const run = await beginRun(store, {
    organizationId: a,
    format: 'rostra',
    source: definition,
    sources: 'x',
  });
  const counts = { read: 2, inserted: 2, changed: 0, unchanged: 0, removed: 0, ignored: 0, rejected: 0 };
  await store.updateRun(run, counts, [], 0);
  assert.doesNotMatch((await anna.get(page)).body, /did not finish/);
  await store.endRun(run, 'interrupted', undefined);
  assert.match((await anna.get(page)).body, /The last import did not finish/);
  await store.endRun(run, 'done', undefined);
  assert.doesNotMatch((await anna.get(page)).body, /did not finish/);
});

test('the progress of an import counts published records, and is complete only when the import is', async () => {
  const { id } = await store.addOrganization('Langstadt', randomUUID());
  const half = { read: 40, written: null, bytesRead: 50, totalBytes: 100 };
  for (const [progress, shown] of [
    [half, ['Part 1 of 2: reading the data', '40 records read', '50%']],
    [{ ...half, bytesRead: 100 }, ['Part 1 of 2: reading the data', '40 records read', undefined]],
    [
      { ...half, bytesRead: 200, written: 8 },
      ['Part 2 of 2: publishing', '8 of 40 records processed', '20%'],
    ],
    [
      { ...half, bytesRead: 200, written: 40 },
      ['Part 2 of 2: publishing', '40 of 40 records processed', undefined],
    ],
  ] as const) {
    const run = await insertQueuedRun(fixture, id, { step: 'import', state: 'running', progress });
    const { body } = await olga.get(`${at(id, run)}/steps`);
    const find = (pattern: RegExp) => pattern.exec(body)?.[1];
    const percent = find(/data-run-percent>(\d+%)/);
    assert.deepEqual([find(/for="progress">([^<]+)/), find(/data-run-records>([^<]+)/), percent], shown);
    assert.equal(find(/<progress [^>]*value="(\d+)"/), percent?.slice(0, -1));
    await fixture.sql('DELETE FROM import_run WHERE id = $1', [run]);
  }
});

test('the mapping of columns names one without a heading in the language of the page', async () => {
  const { id } = await store.addOrganization('Zuordnungshausen', randomUUID());
  const input = { kind: 'upload', fileName: 'anliegen.csv', bytes: 10 } as const;
  const run = await insertQueuedRun(fixture, id, { input, step: 'detection', state: 'done', detection });
  const german = await inGerman(olga);
  const { body } = await german.get(`${at(id, run)}/steps`);
  assert.match(body, /<option value="column:column 8">Spalte 8</);
  assert.doesNotMatch(body, /column 8(?!")/);
  assert.match((await german.get(`${at(id)}/new`)).body, /536,8\sMB/);
});

test('positions in a file have the words of the page, also those that version 1.0 stored as texts', async () => {
  const { id } = await store.addOrganization('Fundstelle', randomUUID());
  const found = { kind: 'invalid_counts', field: 'supportCount', column: 'column 8', count: 2 } as const;
  const positions = [
    { source: 'x.xlsx', sheet: 'Daten, row 1', line: 3 },
    { source: 'x.csv', line: 7 },
    { source: 'x.json', entry: 2 },
    'x.csv, line 9',
  ];
  const suggestion = detection.suggestion && {
    ...detection.suggestion,
    problems: positions.map((first) => ({ ...found, first })),
  };
  const run = await insertQueuedRun(fixture, id, {
    input: { kind: 'upload', fileName: 'anliegen.csv', bytes: 10 },
    step: 'detection',
    state: 'done',
    detection: { ...detection, suggestion },
  });
  const read = async (client: Pick<typeof olga, 'get'>) =>
    [
      ...decodeHtml((await client.get(`${at(id, run)}/steps`)).body).matchAll(
        /ganze Zahl\..+?Fundstelle: ([^<]+)|rejected\. The first one: ([^<]+)/g,
      ),
    ].map(([, german, english]) => german ?? english);
  assert.deepEqual(await read(await inGerman(olga)), [
    'x.xlsx, Tabellenblatt „Daten, row 1“, Zeile 3',
    'x.csv, Zeile 7',
    'x.json, Eintrag 2',
    'x.csv, line 9',
  ]);
  assert.deepEqual(await read(olga), [
    'x.xlsx, sheet "Daten, row 1", row 3',
    'x.csv, line 7',
    'x.json, entry 2',
    'x.csv, line 9',
  ]);
});

test('a step says that it waits only while another import of the municipality is under way', async () => {
  const { id } = await store.addOrganization('Warteburg', randomUUID());
  const run = await insertQueuedRun(fixture, id, { step: 'detection', state: 'queued' });
  const read = async () => decodeHtml((await olga.get(`${at(id, run)}/steps`)).body);
  assert.match(await read(), /Rostra is examining the file/);
  const other = await insertQueuedRun(fixture, id, { step: 'detection', state: 'done' });
  assert.doesNotMatch(await read(), /waiting to start/, 'the other waits for its settings');
  await fixture.sql("UPDATE import_run SET state = 'running' WHERE id = $1", [other]);
  assert.match(await read(), /The import is waiting to start[\s\S]+run one after the other/);
});

test('the title and the question of surveys are corrected on a page before they are published', async () => {
  const { id } = await store.addOrganization('Umfragestadt', randomUUID());
  const options = { metadata: '[{"tsv": "tsv/10036.tsv", "id": 10036, "subtitle": "«Alt?», Stadt"}]' };
  const described = { title: '10036', isUntitled: true, question: 'Alt?', surveys: 2 };
  const run = await insertQueuedRun(fixture, id, {
    input: { kind: 'upload', fileName: 'umfragen.zip', bytes: 1 },
    step: 'dry_run',
    state: 'done',
    definition: { ...emptySourceDefinition, name: 'Umfragen', format: 'survey-table', options },
    detection: emptyDetection,
    dryRun: {
      counts: { read: 2, inserted: 2, changed: 0, unchanged: 0, removed: 0, ignored: 0, rejected: 0 },
      statistics: { statuses: [], otherStatuses: 0, support: null, dateRanges: [] },
      ...{
        samples: [],
        rejections: [],
        listed: { changed: 0, removed: 0, missing: 0, rejected: 0 },
        ignored: [],
        personalData: [],
        similarSurvey: null,
        notes: [],
      },
      surveyTables: [{ ...described, file: '10036.tsv' }],
      statusWords: [],
      missing: { count: 0, isDeleted: false },
    },
  });
  const steps = `${at(id, run)}/steps`;
  const { body } = await olga.get(steps);
  assert.match(body, /A table has the name of its file as title/);
  assert.equal((await olga.get(`${steps}/removed`)).status, 404, 'nothing would be removed');
  const path = `${steps}/titles?table=10036.tsv`;
  assert.ok(body.includes(`href="${path}"`));
  const rejected = await olga.submitForm(path, { title: ' ', question: 'Neu?' });
  assert.equal(rejected.status, 422);
  assert.match(rejected.body, /href="#title">Enter a text of at most 1,000 characters/);
  assert.match(rejected.body, />\s*Neu\?<\/textarea>/);
  const saved = await olga.submitForm(path, { title: 'Chancen', question: 'Neu?' });
  assert.equal(saved.location, steps);
  const changed = await store.findQueuedRun(id, run);
  assert.deepEqual([changed?.step, changed?.state], ['dry_run', 'queued']);
  assert.deepEqual(JSON.parse(changed?.definition?.options.metadata ?? ''), {
    '10036.tsv': {
      tsv: 'tsv/10036.tsv',
      id: 10036,
      subtitle: '«Alt?», Stadt',
      title: 'Chancen',
      question: 'Neu?',
    },
  });
  assert.equal((await olga.get(path)).status, 404, 'the dry run is repeated');
});

suite('an undo', () => {
  const begin = async (name: string) => {
    const { id } = await store.addOrganization(`${name}hausen`, randomUUID());
    await store.addSource(id, { ...emptySourceDefinition, name, format: 'rostra' });
    return { id, source: `/admin/organizations/${id}/sources/${name}` };
  };
  const survey = toNdjson([{ kind: 'survey', ...surveys[0] }]);

  test('is offered only if the last import of a source can be undone, and else its pages say why', async () => {
    const { id, source } = await begin('Bürger');
    const run = await imported(id, survey, '--source', 'Bürger');
    const steps = `${at(id, run)}/steps`;
    await fixture.sql("UPDATE import_run SET state = 'done', source_name = $2 WHERE id = $1", [
      run,
      'Bürger',
    ]);
    const pages = [source, `${source}/undo`, steps];
    for (const path of pages) {
      const { body } = await olga.get(path);
      assert.match(decodeHtml(body), /Surveys cannot be undone: later results are compared/, path);
      assert.doesNotMatch(body, /\/undo"|name="run"/, path);
    }
    const german = await inGerman(olga);
    assert.match(
      (await german.get(source)).body,
      /Der Import von Umfragen kann nicht rückgängig gemacht werden: Spätere/,
    );

    const mixed = await imported(id, `${toNdjson([good(801)])}${survey}`, '--source', 'Bürger');
    assert.match((await olga.get(source)).body, /\/undo"/);
    assert.match((await olga.get(`${source}/undo`)).body, /name="run"/);
    await fixture.sql("UPDATE import_run SET state = 'done' WHERE id = $1", [mixed]);
    assert.match((await olga.get(`${at(id, mixed)}/steps`)).body, /\/undo"/);
    assert.doesNotMatch((await olga.get(steps)).body, /\/undo"/, 'it is no longer the last import');
    await store.undoImport({ organizationId: id, id: mixed }, async (records) => [...records], false);
    assert.doesNotMatch((await olga.get(source)).body, /\/undo"/);
    assert.match((await olga.get(source)).body, /This import has already been undone/);
  });

  test('is shown with its own counts on every page of the import, and the import needs no attention', async () => {
    const { id } = await begin('Lampen');
    await imported(id, toNdjson([good(811), good(812)]), '--source', 'Lampen');
    const second = await imported(
      id,
      `${survey}${toNdjson([{ ...good(811), status: 'received' }, good(813), good(814)])}`,
      '--source',
      'Lampen',
    );
    const key = { organizationId: id, id: second };
    await store.undoImport(key, async (records) => [...records], false);
    await fixture.sql("UPDATE import_run SET outcome = 'failed' WHERE id = $1", [second]);
    await store.queueUndo(key, 'Lampen');
    await fixture.sql("UPDATE import_run SET state = 'done' WHERE id = $1", [second]);
    const { body } = await olga.get(at(id, second));
    assert.match(decodeHtml(body), /This import was undone on/);
    assert.match(body, />Result of the undo</);
    assert.deepEqual(
      rowsOf(body).filter(([name = '']) => /^(Removed|Restored|Surveys|New$)/.test(name)),
      [
        ['Removed', '2'],
        ['Restored', '1'],
        ['Surveys that stay published', '1'],
        ['New', '3'],
        ['Removed', '0'],
      ],
    );
    const result = (await olga.get(`${at(id, second)}/steps`)).body;
    assert.match(result, /<title>The last import of Lampen was undone –/);
    assert.doesNotMatch(result, />undone</);
    assert.deepEqual(rowsOf(result).slice(1, 3), [
      ['Removed', '2'],
      ['Restored', '1'],
    ]);
    const home = `/admin/organizations/${id}`;
    for (const path of [
      home,
      '/admin/organizations',
      at(id),
      '/admin/imports',
      `${home}/sources`,
      `${home}/sources/Lampen`,
    ])
      assert.match((await olga.get(path)).body, />undone</, path);
    assert.doesNotMatch((await olga.get(home)).body, /The import failed/);
  });

  test('that waits is not called an import, and says so when it is cancelled', async () => {
    const { id } = await begin('Parks');
    const run = await imported(id, toNdjson([good(821)]), '--source', 'Parks');
    await store.queueUndo({ organizationId: id, id: run }, 'Parks');
    const steps = `${at(id, run)}/steps`;
    const waiting = decodeHtml((await olga.get(steps)).body);
    assert.match(waiting, /The import is being undone/);
    assert.match(decodeHtml((await olga.get(at(id))).body), />waiting to be undone</);
    assert.doesNotMatch(waiting, /waiting to start|Cancel import/);
    const [, token = ''] = /name="token" value="([^"]+)"/.exec(waiting) ?? [];
    await olga.post(`${steps}/cancel`, { token });
    const cancelled = (await olga.get(steps)).body;
    assert.match(cancelled, /The import is not undone/);
    assert.doesNotMatch(cancelled, /Nothing was published|has been deleted/);
    assert.match(cancelled, /\/undo"/);
    const [event] = await store.listAuditEvents(id, undefined, 1);
    assert.equal(event?.action, 'import.undo_cancelled');
  });
});

test('a failing source says what to do on its page, without commands', async () => {
  const name = 'Personal data';
  await store.addSource(fixture.a, { ...emptySourceDefinition, name, format: 'rostra' });
  const german = await inGerman(anna);
  const readPage = async (client: FormClient, error: Reason) => {
    const change =
      'UPDATE import_source SET failing_since = $1, error = $2 WHERE organization_id = $3 AND name = $4';
    await fixture.sql(change, [new Date().toISOString(), serializeReason(error), fixture.a, name]);
    return (await client.get(`/admin/organizations/${fixture.a}/sources/${encodeURIComponent(name)}`)).body;
  };
  const undecided: Reason = {
    code: 'personal-data-undecided',
    counts: [{ kind: 'email', count: 3 }],
    replace: ['email'],
    accept: ['email'],
  };
  const english = await readPage(anna, undecided);
  assert.match(english, /3 email addresses\. Decide in the settings of the source whether it is replaced/);
  assert.doesNotMatch(english, /--redact|rostra source/);
  assert.match(await readPage(german, undecided), /veröffentlichen darf: E-Mail-Adressen \(3\)\. Legen Sie/);
  const failing = { code: 'address-fails', url: 'https://daten.example/x', status: 503 } as const;
  assert.match(await readPage(german, failing), /x antwortet mit dem Fehler 503\./);
});

test('a failed import from an address advises to check the address, and one of a file to check the file', async () => {
  const german = await inGerman(anna);
  for (const [input, hint, other] of [
    [{ kind: 'address', url: 'https://daten.example/' }, /Prüfen Sie die Internetadresse/, /richtige Datei/],
    [{ kind: 'upload', fileName: 'a.csv', bytes: 1 }, /richtige Datei/, /Prüfen Sie die Internetadresse/],
  ] as const) {
    const failed = {
      input,
      step: 'detection',
      state: 'failed',
      failure: { code: 'file-without-records' },
    } as const;
    const run = await insertQueuedRun(fixture, fixture.a, failed);
    const { body } = await german.get(`${at(fixture.a)}/${run}/steps`);
    assert.match(body, hint);
    assert.doesNotMatch(body, other);
  }
});

/** The pages of an import on which a person decides: settings and dry run. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { parse } from 'yaml';
import {
  createSignedInClient,
  decodeHtml,
  fetchCsrfToken,
  getFieldValue,
} from '../../support/form-client.ts';
import { composeTable, createRunBench, definition, lisa } from '../../support/run-bench.ts';

const { fixture, upload, find, runQueue } = await createRunBench({ after });
const { store, a } = fixture;
const server = await fixture.startServer();

/** The visible text of a page. */
const readText = (body: string) =>
  decodeHtml(body.replace(/<option.*?<\/option>/gs, '').replace(/<[^>]+>/g, ' ')).replace(/\s+/g, ' ');

const listOpened = (body: string) =>
  [...body.matchAll(/<details[^>]* open><summary[^>]*>(.*?)<\/summary>/gs)].map(([, summary = '']) =>
    readText(summary).trim(),
  );

test('the settings of a table show its first rows without personal data, and what each optional field gets', async () => {
  const anna = await createSignedInClient(server, store, a);
  const composeRows = (status: string) =>
    [1, 2, 3, 4].map(
      (number) => `${number},Pothole ${number},${status},2026-03-0${number},erika${number}@mail.example`,
    );
  const openSettings = async (status: string) => {
    const run = await upload(['Number,Title,Status,Date,E-mail', ...composeRows(status)].join('\n'));
    await runQueue();
    return (await anna.get(`/admin/organizations/${a}/imports/${run.id}/steps`)).body;
  };

  const body = await openSettings('closed');
  const text = readText(body);
  assert.match(
    text,
    / Please check Probably personal data: “E-mail” \(email addresses\)\. .* Row Number Title Status Date E-mail Please check Publish as also: Reference number also: Title 1 Number Title Status Date E-mail 2 1 Pothole 1 closed 2026-03-01 not shown 3 2 Pothole 2 closed 2026-03-02 not shown 4 3 Pothole 3 closed 2026-03-03 not shown 5 4 Pothole 4 closed 2026-03-04 not shown All columns of the file /,
  );
  assert.doesNotMatch(body, /mail\.example/);
  assert.match(text, / Status : Status \( closed \) .* Status in the source : Status \( closed \) /);
  assert.match(text, / Does each record keep this value in later files\? /);
  assert.match(text, / Priority : No column: normal .* Minutes : not published /);
  assert.match(text, / Status changed : No column: same as “Submitted” /);
  assert.deepEqual(listOpened(body), []);

  const unknown = await openSettings('almost');
  assert.deepEqual(listOpened(unknown), ['Status : Status ( almost )'], 'a word without a status is shown');
});

test('a choice above a column says what it is published as, and a field of two columns takes it as the second', async () => {
  const anna = await createSignedInClient(server, store, a);
  const run = await upload('Nr,Was,Wo,Wann\n1,Loch,Markt,01.03.2026\n2,Lampe,Hafen,02.03.2026\n');
  await runQueue();
  const path = `/admin/organizations/${a}/imports/${run.id}/steps`;
  const choose = async (uses: Record<number, [shown: string, chosen: string]>, entered: object = {}) => {
    const form = new FormData();
    const choices = Object.entries(uses).flatMap(([index, [shown, chosen]]) => [
      [`use.${index}`, chosen],
      [`use.${index}.shown`, shown],
    ]);
    const values = { token: await fetchCsrfToken(anna), action: 'update', name: 'Reports', ...entered };
    for (const [name, value] of [...Object.entries(values), ...choices])
      form.set(String(name), String(value));
    const { body } = await anna.send(`${path}?settings=1&format=table`, form);
    return Object.fromEntries(
      ['column.id', 'column.description', 'second.description', 'column.createdAt', 'column.status'].map(
        (name) => [name, getFieldValue(body, name)],
      ),
    );
  };
  const base = {
    'column.id': 'column:Nr',
    'column.description': 'column:Was',
    'column.createdAt': 'column:Wann',
  };
  const chosen = await choose(
    {
      0: ['id', 'id'],
      1: ['description', 'description'],
      2: ['', 'description'],
      3: ['createdAt', 'createdAt'],
    },
    base,
  );
  assert.deepEqual(chosen, { ...base, 'second.description': 'column:Wo', 'column.status': '' });
  const moved = await choose({ 1: ['description', 'status'], 2: ['', 'description'] }, base);
  assert.deepEqual(
    [moved['column.description'], moved['second.description'], moved['column.status']],
    ['column:Wo', '', 'column:Was'],
  );
  const left = await choose({ 1: ['description', ''], 2: ['', 'id'] }, base);
  assert.deepEqual([left['column.description'], left['column.id']], ['', 'column:Wo']);
});

test('a column of locations that are not published says so, and leads to their setting', async () => {
  const anna = await createSignedInClient(server, store, a);
  const run = await upload(
    'Nr,Was,Wann,Position\n1,Loch,01.03.2026,"49.01,8.40"\n2,Lampe,02.03.2026,"49.02,8.41"\n',
  );
  await runQueue();
  const open = async (locations: object) => {
    const form = new FormData();
    const values = {
      token: await fetchCsrfToken(anna),
      action: 'update',
      name: 'Reports',
      'column.id': 'column:Nr',
      'column.description': 'column:Was',
      'column.createdAt': 'column:Wann',
      'column.location': 'column:Position',
      ...locations,
    };
    for (const [name, value] of Object.entries(values)) form.set(name, value);
    const path = `/admin/organizations/${a}/imports/${run.id}/steps?settings=1&format=table`;
    return (await anna.send(path, form)).body;
  };
  const warning =
    /first-rows__note">Not published while locations are switched off: <a[^>]* href="#locations"/;
  await store.editOrganization(a, { locationDecimals: null });
  const off = await open({});
  assert.match(off, warning);
  assert.match(off, /<input[^>]* id="locations"/);
  assert.match(await open({ locations: '1' }), warning, 'the municipality publishes none');
  await store.editOrganization(a, { locationDecimals: '3' });
  assert.match(await open({}), warning);
  assert.doesNotMatch(await open({ locations: '1' }), /Not published while locations/);
});

test('rows whose status says that they are not public are left out, and a person decides on each word', async () => {
  const anna = await createSignedInClient(server, store, a);
  const statuses = ['offen', 'offen', 'gelöscht', 'nichtöffentlich', 'Wiedervorlage'];
  const rows = statuses.map((status, n) => `${n},Loch ${n},${status},0${n + 1}.03.2026`);
  const run = await upload(['Nr,Titel,Status,Datum', ...rows].join('\n'));
  await runQueue();
  const path = `/admin/organizations/${a}/imports/${run.id}/steps`;
  const page = await anna.get(path);
  const words = ['offen', 'gelöscht', 'nichtöffentlich', 'Wiedervorlage'];
  const readChoices = (body: string) => words.map((_, n) => getFieldValue(body, `status.${n}`));
  assert.deepEqual(readChoices(page.body), ['received', '-', '-', '']);
  assert.match(
    readText(page.body),
    / Rows with these words in “Status” are not published: gelöscht, nichtöffentlich .* This column decides which rows are not published: Status /,
  );
  const names = [
    ...['column.id', 'column.description', 'column.createdAt', 'date.createdAt', 'column.status'],
    ...['token', 'shown.createdAt', 'shown.status'],
  ];
  const entries = names.map((name) => [name, getFieldValue(page.body, name)] as const);
  const send = (action: string, choices: string[]) => {
    const form = new FormData();
    const chosen = choices.map((choice, n) => [`status.${n}`, choice] as const);
    for (const [name, value = ''] of [
      ...entries,
      ...chosen,
      ['name', 'Meldungen'],
      ['action', action],
    ] as const)
      form.set(name, value);
    return anna.send(`${path}?settings=1&format=table`, form);
  };
  const unchanged = await send('update', ['received', '-', 'rejected', '-']);
  assert.deepEqual(readChoices(unchanged.body), ['received', '-', 'rejected', '-']);
  await send('', ['received', '-', 'rejected', '-']);
  await runQueue();
  const { definition: tried, dryRun } = await find(run);
  const mapping = parse(tried?.options.mapping ?? '');
  assert.deepEqual(mapping.skip, { Status: ['gelöscht', 'Wiedervorlage'] });
  assert.deepEqual(mapping.submission.status.values, { offen: 'received', nichtöffentlich: 'rejected' });
  assert.deepEqual([dryRun?.counts.inserted, dryRun?.counts.ignored, dryRun?.counts.rejected], [3, 2, 0]);
  await anna.post(`${path}/cancel`, { token: await fetchCsrfToken(anna) });
});

test('a choice above a column says which rows it leaves out, and stays through previews', async () => {
  const anna = await createSignedInClient(server, store, a);
  const run = await upload(
    'Nr,Titel,Datum,Vertraulich,Netz\n1,Loch,01.03.2026,ja,A\n2,Lampe,02.03.2026,nein,\n3,Baum,03.03.2026,nein,B\n',
  );
  await runQueue();
  const path = `/admin/organizations/${a}/imports/${run.id}/steps`;
  const first = await anna.get(path);
  const names = [
    ...['column.id', 'column.description', 'column.createdAt', 'date.createdAt', 'token', 'shown.createdAt'],
    ...[0, 1, 2, 3, 4].flatMap((index) => ['', '.shown'].map((end) => `use.${index}${end}`)),
  ];
  const readUses = (body: string) => [3, 4].map((index) => getFieldValue(body, `use.${index}`));
  assert.deepEqual(readUses(first.body), ['skip:filled', '']);
  assert.match(readText(first.body), /1 row is left out\. Check the choice above this column\./);
  let { body } = first;
  const send = async (action: string, choices: Record<string, string>) => {
    const form = new FormData();
    for (const name of names) form.set(name, getFieldValue(body, name) ?? '');
    for (const [name, value] of Object.entries({ name: 'Meldungen', action, ...choices }))
      form.set(name, value);
    ({ body } = await anna.send(`${path}?settings=1&format=table`, form));
  };
  assert.match(first.body, /first-rows__note">Leave out rows with an entry other than “no”</);
  await send('update', { 'use.3': '', 'use.4': 'skip:not yes' });
  assert.deepEqual(readUses(body), ['', 'skip:not yes']);
  assert.match(readText(body), /This column decides which rows are not published: Netz /);
  await send('update', { 'use.4': 'topicCategoryName' });
  assert.deepEqual(readUses(body), ['', 'topicCategoryName']);
  await send('update', { 'use.4': 'skip:made up' });
  assert.deepEqual(readUses(body), ['', '']);
  await send('update', { 'use.3': 'skip:words' });
  assert.deepEqual(readUses(body), ['skip:filled', ''], 'words that the mapping lacks change nothing');
  await send('update', { 'use.3': 'skip:no', 'use.4': 'skip:filled' });
  await send('update', {});
  await send('', {});
  await runQueue();
  const { definition: tried, dryRun } = await find(run);
  const mapping = parse(tried?.options.mapping ?? '');
  assert.deepEqual(mapping.skip, { Vertraulich: 'no', Netz: 'filled' });
  assert.equal(mapping.submission.topicCategoryName, undefined);
  assert.deepEqual([dryRun?.counts.inserted, dryRun?.counts.ignored], [0, 3]);
  await anna.post(`${path}/cancel`, { token: await fetchCsrfToken(anna) });
});

test('decisions on words stay when the file is examined again', async () => {
  const anna = await createSignedInClient(server, store, a);
  const rows = ['offen', 'gelöscht', 'Spam', 'Wiedervorlage'].map(
    (status, n) => `${n},Loch ${n},${status},0${n + 1}.03.2026,${n === 0 ? 'ja' : 'nein'}`,
  );
  const run = await upload(
    ['Nr,Titel,Status,Datum,Spalte', 'Nr,Titel,Status,Datum,Vertraulich', ...rows].join('\n'),
  );
  await runQueue();
  const path = `/admin/organizations/${a}/imports/${run.id}/steps`;
  const page = await anna.get(path);
  const { detection } = await find(run);
  const words = detection?.suggestion?.columns.find(({ name }) => name === 'Status')?.words ?? [];
  const decisions: Record<string, string> = {
    offen: 'received',
    gelöscht: 'rejected',
    Spam: '-',
    Wiedervorlage: '-',
  };
  const names = ['column.id', 'column.description', 'column.status', 'token', 'shown.status'];
  const form = new FormData();
  for (const name of names) form.set(name, getFieldValue(page.body, name) ?? '');
  for (const [n, { word }] of words.entries()) form.set(`status.${n}`, decisions[word] ?? '*');
  const chosen = { name: 'Meldungen', action: 'update', headings: '2', 'headings.shown': '1' };
  for (const [name, value] of Object.entries(chosen)) form.set(name, value);
  await anna.send(`${path}?settings=1&format=table`, form);
  await runQueue();
  const { detection: again } = await find(run);
  assert.deepEqual(again?.suggestion?.mapping.skip, { Status: ['gelöscht', 'Spam'], Vertraulich: 'filled' });
  const body = (await anna.get(path)).body;
  const shown = again?.suggestion?.columns.find(({ name }) => name === 'Status')?.words ?? [];
  assert.deepEqual(
    Object.fromEntries(shown.map(({ word }, n) => [word, getFieldValue(body, `status.${n}`)])),
    decisions,
  );
  await anna.post(`${path}/cancel`, { token: await fetchCsrfToken(anna) });
});

test('a cut cell ends with an ellipsis', async () => {
  const run = await upload(`Nr,Was,Wann\n1,${'Bitte kümmern Sie sich. '.repeat(9)},01.03.2026\n`);
  await runQueue();
  const { detection } = (await find(run)) ?? {};
  const [cell = ''] = detection?.suggestion?.firstRows[0]?.slice(1) ?? [];
  assert.match(cell, /^Bitte kümmern .{80,}…$/);
  assert.equal(cell.length, 100);
});

test('a dry run without a publishable record does not ask whether to publish', async () => {
  const anna = await createSignedInClient(server, store, a);
  for (const [rows, isAsked] of [
    [1, true],
    [0, false],
  ] as const) {
    const run = await upload(rows === 1 ? composeTable(1) : composeTable(1).replace('.03.2026', '.03.bald'));
    await runQueue();
    await store.queueImportStep({ organizationId: a, id: run.id }, 'dry_run', {
      definition: { ...definition, name: `Fragen ${rows}` },
    });
    await runQueue();
    const { body } = await anna.get(`/admin/organizations/${a}/imports/${run.id}/steps`);
    assert.equal(body.includes('Publish this data?'), isAsked, body);
    assert.equal(body.includes('There is nothing to import'), !isAsked);
  }
});

test('a choice beside the first rows says where the names of the columns are, and warnings name rows in the language of the page', async () => {
  const anna = await createSignedInClient(server, store, a);
  const german = { 'accept-language': 'de' };
  const dates = Array.from({ length: 12 }, (_, index) => (index === 4 ? 'bald' : `${10 + index}.03.2026`));
  const run = await upload(
    [
      'Nr,Was,Wann',
      'Nummer,Text,Datum',
      ...dates.map((date, index) => `${index},Loch ${index},${date}`),
    ].join('\n'),
  );
  await runQueue();
  const path = `/admin/organizations/${a}/imports/${run.id}/steps`;
  const { body } = await anna.get(path);
  const rows = [...body.matchAll(/<input[^>]* name="headings" value="(\d+)"[^>]*?( checked)?>/g)];
  assert.deepEqual(
    rows.map(([, row, checked]) => `${row}${checked ?? ''}`),
    ['1 checked', ...Array.from({ length: 10 }, (_, index) => String(index + 2))],
  );
  const form = new FormData();
  const chosen = { token: await fetchCsrfToken(anna), action: 'update', name: 'Reports', headings: '2' };
  for (const [name, value] of Object.entries({ ...chosen, 'headings.shown': '1' })) form.set(name, value);
  await anna.send(`${path}?settings=1&format=table`, form);
  await runQueue();
  const { detection } = await find(run);
  assert.equal(detection?.headerRow, 2);
  assert.deepEqual(
    detection?.suggestion?.columns.map(({ name }) => name),
    ['Nummer', 'Text', 'Datum'],
  );
  const page = readText((await anna.get(path, german)).body);
  assert.match(
    page,
    / Eine von 12 Datumsangaben .* sieht nicht aus wie 17\.03\.2026\. .*Export\.csv, Zeile 7 /,
  );
});

test('unknown letters of a date pattern are refused, and unknown priorities are a question, in both languages', async () => {
  const run = await upload('Number,Title,Date,Urgency\n1,Pothole,01.03.2026,minor\n2,Lamp,02.03.2026,high\n');
  await runQueue();
  const path = `/admin/organizations/${a}/imports/${run.id}/steps`;
  for (const [language, sentence, question] of [
    [
      'en',
      / The date pattern has "TT", which is unknown\. .*, as in DD\.MM\.YYYY\. /,
      / other words than the recommended priorities \(low, [^)]+\), such as minor\. /,
    ],
    [
      'de',
      / Das Datumsformat enthält „TT“\. Bekannt sind .*, zum Beispiel DD\.MM\.YYYY\. /,
      / andere Wörter als die empfohlenen Prioritäten \([^)]+\), zum Beispiel minor\. /,
    ],
  ] as const) {
    const anna = await createSignedInClient(server, store, a);
    const form = new FormData();
    for (const [name, value] of Object.entries({
      token: await fetchCsrfToken(anna),
      action: 'dry-run',
      name: 'Reports',
      'column.id': 'column:Number',
      'column.description': 'column:Title',
      'column.createdAt': 'column:Date',
      'shown.createdAt': '["Date"]',
      'date.createdAt': 'TT.MM.JJJJ',
    }))
      form.set(name, value);
    const headers = { 'accept-language': language };
    const refused = await anna.send(`${path}?settings=1&format=table`, form, headers);
    assert.equal(refused.status, 422);
    assert.match(readText(refused.body), sentence);
    assert.match(readText(refused.body), question);
  }
  assert.equal((await find(run)).step, 'detection');
});

test('words of the source get other statuses in a form with their counts, and words that contain them keep theirs', async () => {
  const anna = await createSignedInClient(server, store, a);
  const results = ['beschlossen', 'beschlossen', 'nicht beschlossen', 'in Ordnung'];
  const type = (name: string) => `https://schema.oparl.org/1.1/${name}`;
  const url = (path: string) => `https://rat.example/${path}`;
  const papers = results.map((_, number) => ({
    id: url(`paper/${number}`),
    type: type('Paper'),
    name: `Antrag ${number}`,
    paperType: 'Antrag',
    date: '2026-03-01',
    consultation: [{ id: url(`consultation/${number}`), type: type('Consultation') }],
  }));
  const meeting = {
    id: url('meeting/1'),
    type: type('Meeting'),
    name: 'Rat',
    start: '2026-03-17T16:00:00+01:00',
    agendaItem: results.map((result, number) => ({
      id: url(`item/${number}`),
      type: type('AgendaItem'),
      consultation: url(`consultation/${number}`),
      result,
    })),
  };
  const run = await upload([...papers, meeting].map((object) => JSON.stringify(object)).join('\n'));
  await runQueue();
  await store.queueImportStep(
    run,
    'dry_run',
    { definition: { ...definition, name: 'Rat', format: 'oparl', options: {} } },
    lisa,
  );
  await runQueue();
  const path = `/admin/organizations/${a}/imports/${run.id}/steps`;
  const { body } = await anna.get(path);
  assert.match(
    readText(body),
    / Status of each word of the source : 3 .* beschlossen 2 in Ordnung 1 nicht beschlossen 1 /,
  );
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(body) ?? [];
  await anna.post(`${path}/statuses`, {
    token,
    'status.0': 'completed',
    'status.1': 'accepted',
    'status.2': 'rejected',
  });
  await runQueue();
  const { definition: changed, dryRun } = await find(run);
  assert.deepEqual(Object.entries(JSON.parse(changed?.options.statuses ?? '')), [
    ['nicht beschlossen', 'rejected'],
    ['beschlossen', 'completed'],
    ['in Ordnung', 'accepted'],
  ]);
  assert.deepEqual(
    dryRun?.statusWords.map(({ word, publishedAs }) => [word, publishedAs]),
    [
      ['beschlossen', 'completed'],
      ['in Ordnung', 'accepted'],
      ['nicht beschlossen', 'rejected'],
    ],
  );
});

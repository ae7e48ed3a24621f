/** Decisions of the user between the dry run and the publication of an import. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { QueuedRun } from '../../../src/domain/runs/run-queue.ts';
import { failureText } from '../../support/failure-text.ts';
import { createFormClient, createSignedInClient, type FormClient } from '../../support/form-client.ts';
import { byNight } from '../../support/nightly.ts';
import { composeTable, createRunBench, definition, lisa } from '../../support/run-bench.ts';

/** Sends one of the forms of a page. */
const createSubmit =
  (client: FormClient) =>
  async (path: string, action: string, fields: Record<string, string> = {}) => {
    const { body } = await client.get(path);
    const [, token = ''] = /name="token" value="([^"]+)"/.exec(body) ?? [];
    return client.post(`${path}/${action}`, { token, ...fields });
  };

test('a file with the questions of a published survey is published when the user has said which survey it is', {
  skip: byNight('a browser imports files, as the next test does'),
}, async (t) => {
  const { fixture, upload, find, runQueue } = await createRunBench(t);
  const { store, a } = fixture;
  const server = await fixture.startServer();
  const anna = await createSignedInClient(server, store, a);
  const submit = createSubmit(anna);
  const responses = (yes: number) => `Timestamp,Trees?\n${'1,Yes\n'.repeat(yes)}${'1,No\n'.repeat(20)}`;
  const survey = { ...definition, format: 'survey-rows', options: { status: 'active' } };
  const startDryRun = async (name: string, yes: number) => {
    const run = await upload(responses(yes));
    await runQueue();
    await store.queueImportStep(run, 'dry_run', { definition: { ...survey, name } }, lisa);
    await runQueue();
    return { run, path: `/admin/organizations/${a}/imports/${run.id}/steps` };
  };
  const publish = async ({ run, path }: Awaited<ReturnType<typeof startDryRun>>) => {
    await submit(path, 'confirm');
    await runQueue();
    const { state, failure } = await find(run);
    assert.equal(state, 'done', failureText({ failure }));
    const imported = (await store.listSurveys(a)).filter(({ title }) => title === 'Export');
    return imported.map(({ totalResponses }) => totalResponses);
  };
  const question = /This file may ask the same questions as the published survey/;

  const first = await startDryRun('Trees', 30);
  assert.doesNotMatch((await anna.get(first.path)).body, question);
  assert.deepEqual(await publish(first), [50]);

  const next = await startDryRun('Other', 50);
  assert.match((await anna.get(next.path)).body, question);
  await submit(next.path, 'survey', { survey: 'continues' });
  await runQueue();
  assert.doesNotMatch((await anna.get(next.path)).body, question);
  assert.deepEqual(await publish(next), [70]);

  const other = await startDryRun('2027', 60);
  await submit(other.path, 'survey', { survey: 'new' });
  await runQueue();
  assert.deepEqual((await publish(other)).sort(), [70, 80]);
});

test('a survey of Rostra’s own format is published beside a similar one when the user has decided so, which the audit log names', {
  skip: byNight('it imports several files, each in a process'),
}, async (t) => {
  const { fixture, upload, find, runQueue } = await createRunBench(t);
  const { store, a } = fixture;
  const server = await fixture.startServer();
  const anna = await createSignedInClient(server, store, a);
  const submit = createSubmit(anna);
  const question = /This file may ask the same questions as the published survey “april”/;
  const createSurvey = (surveyId: string) => ({
    ...{ kind: 'survey', surveyId, title: surveyId, status: 'closed', totalResponses: 50 },
    questions: [
      {
        questionText: 'Shall the pool be heated?',
        questionType: 'single_choice',
        options: [
          { optionText: 'Yes', responseCount: 30 },
          { optionText: 'No', responseCount: 20 },
        ],
      },
    ],
  });
  const startDryRun = async (surveyId: string) => {
    const run = await upload(JSON.stringify([createSurvey(surveyId)]));
    await runQueue();
    const survey = { ...definition, name: surveyId, format: 'rostra', options: {} };
    await store.queueImportStep(run, 'dry_run', { definition: survey }, lisa);
    await runQueue();
    return { run, path: `/admin/organizations/${a}/imports/${run.id}/steps` };
  };
  const publish = async ({ run, path }: Awaited<ReturnType<typeof startDryRun>>) => {
    await submit(path, 'confirm');
    await runQueue();
    assert.equal((await find(run)).state, 'done');
  };
  const findSurvey = async (wanted: string) =>
    (await store.listSurveys(a)).find(({ title }) => title === wanted)?.id;
  await publish(await startDryRun('april'));
  const april = await findSurvey('april');
  const may = await startDryRun('may');
  assert.match((await anna.get(may.path)).body, question);
  await submit(may.path, 'survey', { survey: 'new' });
  await runQueue();
  assert.doesNotMatch((await anna.get(may.path)).body, question);
  await publish(may);
  const events = await store.listAuditEvents(a, undefined, 100);
  const [decision] = events.filter(({ action }) => action === 'record.distinguished');
  assert.deepEqual(
    [decision?.actor, decision?.subjectId, decision?.changes],
    [anna.email, await findSurvey('may'), [{ field: 'similarSurvey', before: null, after: april }]],
  );
  const { body } = await anna.get(`/admin/organizations/${a}/audit`);
  assert.match(
    body,
    new RegExp(`Survey published beside a similar one[^]+Compared with the survey: .*${april}`),
  );
  const stored = await store.findSource({ organizationId: a, name: 'may' });
  assert.deepEqual(stored?.options, {}, 'the next new survey of the source is asked about again');
});

test('personal data that is found is published only after a decision: it is replaced, or its publication is accepted', async (t) => {
  const { fixture, upload, find, runQueue } = await createRunBench(t);
  const { store, a } = fixture;
  const server = await fixture.startServer();
  const anna = await createSignedInClient(server, store, a);
  const pathOf = ({ id }: QueuedRun) => `/admin/organizations/${a}/imports/${id}/steps`;
  const startDryRun = async (name = definition.name) => {
    const run = await upload(composeTable(3));
    await runQueue();
    const redaction = { ...definition.redaction, kinds: [] };
    await store.queueImportStep(run, 'dry_run', { definition: { ...definition, name, redaction } }, lisa);
    await runQueue();
    return { run, path: pathOf(run) };
  };
  /** Numbers of texts with the placeholder, and with the address. */
  const listTexts = async (placeholder: string) => {
    const rows = await fixture.sql<{ text: string }>(
      "SELECT description AS text FROM submission WHERE organization_id = $1 AND description LIKE 'Laterne%'",
      [a],
    );
    const count = (part: string) => rows.filter(({ text }) => text.includes(part)).length;
    return [count(`[${placeholder}]`), count('max@stadt.example')];
  };
  const submit = createSubmit(anna);

  const replaced = await startDryRun();
  const question = (await anna.get(replaced.path)).body;
  assert.match(question, /possible personal data that would be published/);
  assert.match(
    question,
    />Publish 3 submissions with email addresses</,
    'the button names what stays in the texts',
  );
  assert.equal(question.match(/personal data that would be published|possible personal data</g)?.length, 1);
  await submit(replaced.path, 'confirm');
  assert.equal((await find(replaced.run)).step, 'dry_run', 'nothing is published without a decision');
  await submit(replaced.path, 'replace');
  await runQueue();
  assert.doesNotMatch((await anna.get(replaced.path)).body, /possible personal data that would be published/);
  await submit(replaced.path, 'confirm');
  await runQueue();
  assert.equal((await find(replaced.run)).state, 'done');
  assert.deepEqual(await listTexts('E-Mail'), [3, 0]);

  const accepted = await startDryRun('Other');
  await submit(accepted.path, 'confirm', { personalData: 'publish' });
  await runQueue();
  const { state, failure } = await find(accepted.run);
  assert.equal(state, 'done', failureText({ failure }));
  assert.deepEqual(await listTexts('E-Mail'), [3, 3]);
  // The next file of the source needs no decision.
  const next = await upload(composeTable(4), a, await store.findSource({ organizationId: a, name: 'Other' }));
  await runQueue();
  assert.doesNotMatch((await anna.get(pathOf(next))).body, /possible personal data that would be published/);
});

test('an import whose mapping skips many published records waits until the user confirms their removal', async (t) => {
  const { fixture, upload, find, runQueue, importFile } = await createRunBench(t);
  const { store, a } = fixture;
  const server = await fixture.startServer();
  const anna = await createSignedInClient(server, store, a);
  const submit = createSubmit(anna);
  await importFile(composeTable(9));
  const mapping = `${definition.options.mapping}\nskip: { Stand: [offen] }`;
  const run = await upload(composeTable(9));
  await runQueue();
  await store.queueImportStep(run, 'dry_run', { definition: { ...definition, options: { mapping } } }, lisa);
  await runQueue();
  const path = `/admin/organizations/${a}/imports/${run.id}/steps`;
  const countPublished = async () => {
    const [row] = await fixture.sql<{ count: number }>(
      "SELECT count(*) AS count FROM submission WHERE organization_id = $1 AND description LIKE 'Laterne%'",
      [a],
    );
    return Number(row?.count);
  };

  const { body } = await anna.get(path);
  assert.match(body, /The import would remove many published records/);
  assert.match(body, /leave out 3 of the 9 published submissions of this source/);
  await submit(path, 'confirm');
  assert.equal((await find(run)).step, 'dry_run', 'nothing is removed without a confirmation');
  await submit(path, 'confirm', { confirmed: 'removes-many' });
  await runQueue();
  const { state, failure } = await find(run);
  assert.equal(state, 'done', failureText({ failure }));
  assert.equal(await countPublished(), 6);
});

test('personal data in the labels of a survey is replaced, and the next page asks for nothing more', {
  skip: byNight('it imports several files, each in a process'),
}, async (t) => {
  const { fixture, upload, find, runQueue } = await createRunBench(t);
  const { store, a } = fixture;
  const server = await fixture.startServer();
  const anna = await createSignedInClient(server, store, a);
  const submit = createSubmit(anna);
  const answers = (phone: string) => `1,"My number is ${phone}"\n`.repeat(15);
  const run = await upload(
    `Timestamp,Trees?\n${'1,Yes\n'.repeat(30)}${answers('0721 1331234')}${answers('0721\u200b 133\u20111235')}`,
  );
  await runQueue();
  const redaction = { kinds: [], country: 'DE', patterns: {} };
  const survey = {
    ...definition,
    name: 'Trees',
    format: 'survey-rows',
    options: { status: 'active' },
    redaction,
  };
  await store.queueImportStep(run, 'dry_run', { definition: survey }, lisa);
  await runQueue();
  const path = `/admin/organizations/${a}/imports/${run.id}/steps`;
  const question = /possible personal data that would be published/;
  assert.match((await anna.get(path)).body, question);
  await submit(path, 'replace');
  await runQueue();
  assert.doesNotMatch((await anna.get(path)).body, question);
  await submit(path, 'confirm');
  await runQueue();
  const { state, failure } = await find(run);
  assert.equal(state, 'done', failureText({ failure }));
  const { id = '' } = (await store.listSurveys(a)).find(({ title }) => title === 'Export') ?? {};
  const released = await store.findReleasedSurvey(a, id);
  assert.deepEqual(released?.survey.questions[0]?.options, [
    { optionText: 'My number is [Telefon]', responseCount: 30 },
    { optionText: 'Yes', responseCount: 30 },
  ]);
});

test('wherever personal data is decided about, the page says that names of people are not detected', async (t) => {
  const { fixture, upload, runQueue } = await createRunBench(t);
  const { store, a } = fixture;
  const server = await fixture.startServer();
  const anna = await createSignedInClient(server, store, a);
  const german = createFormClient(server.address, 'de');
  for (const [name, value] of anna.cookies) german.cookies.set(name, value);
  const run = await upload(composeTable(3));
  await runQueue();
  const path = `/admin/organizations/${a}/imports/${run.id}/steps`;
  const assertSaid = async (address: string) => {
    assert.match((await anna.get(address)).body, /Names of people are not detected\./);
    assert.match((await german.get(address)).body, /Namen von Personen werden nicht erkannt\./);
  };
  // The mapping, and the dry run with and without undecided findings.
  await assertSaid(path);
  for (const kinds of [[], ['email']] as const) {
    const redaction = { ...definition.redaction, kinds };
    await store.queueImportStep(run, 'dry_run', { definition: { ...definition, redaction } }, lisa);
    await runQueue();
    await assertSaid(path);
  }
  await assertSaid(`${path}?settings=1`);
  await assertSaid(`/admin/organizations/${a}/settings/redaction`);
});

test('a dry run says in a sentence and on its button what the import does, and shows likely names and rows of the file first', async (t) => {
  const { fixture, upload, runQueue } = await createRunBench(t);
  const { store, a } = fixture;
  const server = await fixture.startServer();
  const anna = await createSignedInClient(server, store, a);
  const german = createFormClient(server.address, 'de');
  for (const [name, value] of anna.cookies) german.cookies.set(name, value);
  const texts = [
    'Frau Weber parkt auf dem Gehweg',
    'Bank fehlt.\nViele Grüße\nErika Muster',
    'Kontakt: max@stadt.example',
  ];
  const faulty = [1, 2, 3].map((number) => `9${number},Lampe,offen,März ${number}`);
  const rows = texts.map((text, index) => `${index},"${text}",offen,0${index + 1}.03.2026`);
  const run = await upload(['Nummer,Text,Stand,Datum', ...rows, ...faulty].join('\n'));
  await runQueue();
  await store.queueImportStep(run, 'dry_run', { definition }, lisa);
  await runQueue();
  const path = `/admin/organizations/${a}/imports/${run.id}/steps`;
  const { body } = await anna.get(path);
  assert.match(body, />3 submissions will be added and 3 rows will be rejected\.</);
  assert.match(body, />Publish 3 submissions</);
  assert.deepEqual(
    [...body.matchAll(/<mark>(.*?)<\/mark>/g)].map(([, marked]) => marked),
    ['Erika Muster', 'Frau Weber', '[E-Mail]'],
  );
  assert.equal(
    body.match(/<strong>3 records, first in line 7:<\/strong>/g)?.length,
    1,
    'one line for three equal reasons',
  );
  assert.match(body, new RegExp(`href="${path}\\?settings=1"[^>]*><span[^>]*>Change the mapping<`));
  const page = (await german.get(path)).body;
  assert.match(page, />3 Anliegen kommen hinzu, 3 Zeilen werden nicht übernommen\.</);
  assert.match(page, />3 Anliegen veröffentlichen</);
});

test('tables that are rejected because the number of participants is missing are one line, and let through by one checkbox', async (t) => {
  const { fixture, upload, find, runQueue } = await createRunBench(t);
  const { store, a } = fixture;
  const server = await fixture.startServer();
  const anna = await createSignedInClient(server, store, a);
  const submit = createSubmit(anna);
  const run = await upload('Antwort\t2019\t2020\nJa\t60\t70\nNein\t40\t50\n');
  await runQueue();
  const tables = { ...definition, name: 'Tables', format: 'survey-table', options: {} };
  await store.queueImportStep(run, 'dry_run', { definition: tables }, lisa);
  await runQueue();
  const path = `/admin/organizations/${a}/imports/${run.id}/steps`;
  const { dryRun } = await find(run);
  assert.deepEqual(dryRun?.rejectionReasons, [{ reason: { code: 'survey-total-missing' }, count: 1 }]);
  await submit(path, 'option', { publishUnanimous: 'true' });
  assert.equal((await find(run)).definition?.options.totalFromRows, undefined);
  await submit(path, 'option', { totalFromRows: 'true' });
  await runQueue();
  const { body } = await anna.get(path);
  assert.doesNotMatch(body, /totalFromRows/);
  assert.match(body, /An import of surveys cannot be undone/);
});

test('the dry run of a survey shows its end as a day, and says which question has no published answers', async (t) => {
  const { fixture, upload, runQueue } = await createRunBench(t);
  const server = await fixture.startServer();
  const anna = await createSignedInClient(server, fixture.store, fixture.a);
  const run = await upload(
    `Timestamp,Bus?,Trees?\n${'1,No,Yes\n1,Yes,No\n'.repeat(6)}1,Yes,Maybe\n1,No,Maybe\n`,
  );
  await runQueue();
  const survey = { ...definition, format: 'survey-rows', options: { ended: '2026-03-31' } };
  await fixture.store.queueImportStep(run, 'dry_run', { definition: survey }, lisa);
  await runQueue();
  const { body } = await anna.get(`/admin/organizations/${fixture.a}/imports/${run.id}/steps`);
  const [, end = ''] = /<dt[^>]*>Ended on<\/dt>\s*<dd[^>]*>([^<]*)</.exec(body) ?? [];
  assert.equal(end, '31 Mar 2026');
  assert.match(body, /Trees\?<.*No answers to this question are published/s);
});

/** Another person approves what is published: each action, who may decide, and what happens meanwhile. */
import '../support/clock-offset.ts';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, suite, test } from 'node:test';
import {
  ApprovalConflictError,
  type ApprovalKind,
  type ApprovalRequest,
} from '../../src/domain/approvals/approval-request.ts';
import { maxOpenRuns } from '../../src/domain/runs/run-queue.ts';
import { emptySourceDefinition, pickDefinition } from '../../src/domain/sources/import-source.ts';
import { maxListedApprovals } from '../../src/web/admin/pages/approvals/approval-list.ts';
import { setClockOffset } from '../support/clock-offset.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import {
  createSignedInClient,
  decodeHtml,
  type FormClient,
  fetchCsrfToken,
  type PageResponse,
} from '../support/form-client.ts';
import { detection, insertQueuedRun } from '../support/import-page-states.ts';
import { isNightly } from '../support/nightly.ts';
import {
  createSession,
  createSubmission,
  formatSessionId,
  formatSubmissionId,
  formatSurveyId,
} from '../support/records.ts';
import { definition } from '../support/run-bench.ts';

const dayMs = 86_400_000;

const fixture = await createFixtureWithServer({ after });
const { store, server, sql, a: organizationId, b } = fixture;
const anna = await createSignedInClient(server, store, organizationId);
const bernd = await createSignedInClient(server, store, organizationId);
const importer = await createSignedInClient(server, store, organizationId, ['import']);
const publisher = await createSignedInClient(server, store, organizationId, ['publish']);
const reader = await createSignedInClient(server, store, organizationId, 'reader');
const stranger = await createSignedInClient(server, store, b);
const operator = await createSignedInClient(server, store);
const base = `/admin/organizations/${organizationId}`;
await store.editOrganization(organizationId, {
  approval: 'on',
  licenseName: 'CC-BY-4.0',
  slug: 'musterstadt',
});

const post = async (client: FormClient, path: string, fields: Record<string, string> = {}) =>
  client.post(path, { token: await fetchCsrfToken(client), ...fields });

/** The request to which the response of a form leads. */
async function findRequest({ location = '', status }: PageResponse): Promise<ApprovalRequest> {
  assert.equal(status, 303);
  const [, id = ''] = /\/approvals\/([0-9a-f-]{36})/.exec(location) ?? [];
  const request = await store.findApprovalRequest({ organizationId, id });
  assert.ok(request, location);
  return request;
}

const toPath = ({ id }: ApprovalRequest) => `${base}/approvals/${id}`;
const read = async ({ id }: ApprovalRequest) =>
  (await store.findApprovalRequest({ organizationId, id })) as ApprovalRequest;
const countEvents = async (action: string) =>
  (await store.listAuditEvents(organizationId, undefined, 1_000)).filter((event) => event.action === action);

const emptyStatistics = { statuses: [], otherStatuses: 0, support: null, dateRanges: [] };
const counts = { read: 3, inserted: 3, changed: 0, unchanged: 0, removed: 0, ignored: 0, rejected: 0 };

async function addDryRun(): Promise<string> {
  return insertQueuedRun(fixture, organizationId, {
    step: 'dry_run',
    state: 'done',
    input: { kind: 'upload', fileName: 'Anliegen.csv', bytes: 10 },
    definition,
    detection,
    dryRun: {
      ...{ counts, statistics: emptyStatistics, samples: [], rejections: [], statusWords: [], ignored: [] },
      ...{ personalData: [], surveyTables: [], similarSurvey: null, notes: [] },
      listed: { changed: 0, removed: 0, missing: 0, rejected: 0 },
      missing: { count: 0, isDeleted: false },
      publishedVersion: await store.findDatasetVersion(organizationId),
    },
  });
}

let records = 2_000;

async function addSubmission(): Promise<string> {
  records += 1;
  await fixture.putRecords(organizationId, [
    { kind: 'submission', ...createSubmission(records, { description: `Text ${records}` }) },
  ]);
  return formatSubmissionId(records);
}

const readDescription = async (id: string) => {
  const document = await store.findSubmission(organizationId, id);
  return document === undefined ? undefined : JSON.parse(document).description;
};

const submitCorrection = async (client: FormClient, id: string, description = 'Berichtigt') =>
  client.submitForm(`${base}/data/submissions/${id}/correct`, { description, reason: 'Wrong street' });

interface Asked {
  response: PageResponse;
  /** Whether it was published. */
  isDone(): Promise<boolean>;
}

/** Asks for each kind, about a subject of its own. */
const ask: Record<ApprovalKind, (client: FormClient) => Promise<Asked>> = {
  import: async (client) => {
    const id = await addDryRun();
    return {
      response: await post(client, `${base}/imports/${id}/steps/confirm`),
      isDone: async () => (await store.findQueuedRun(organizationId, id))?.step === 'import',
    };
  },
  source_run: async (client) => {
    const name = `Rat ${randomUUID()}`;
    const url = 'https://oparl.stadt.example/system';
    await store.addSource(organizationId, { ...emptySourceDefinition, name, format: 'oparl', url });
    const path = `${base}/sources/${encodeURIComponent(name)}/run`;
    return {
      response: await post(client, path),
      isDone: async () =>
        (await store.listOpenRuns(organizationId)).some(({ sourceName }) => sourceName === name),
    };
  },
  undo: async (client) => {
    const name = `Undone ${randomUUID()}`;
    await store.addSource(organizationId, {
      ...emptySourceDefinition,
      name,
      format: 'rostra',
    });
    const lease = await store.acquireRun({
      organizationId,
      source: { format: 'rostra', name },
      sources: 'x',
    });
    assert.ok(lease);
    await store.startRun(lease);
    records += 1;
    await store.write(
      organizationId,
      (writer) => writer.put([{ kind: 'submission', ...createSubmission(records) }]),
      {
        source: {
          format: 'rostra',
          name,
          redaction: { kinds: [], country: 'DE', patterns: {} },
          follows: undefined,
        },
        lease,
        runId: lease.id,
      },
    );
    await store.endRun(lease, 'done', undefined);
    await store.releaseRun(lease);
    return {
      response: await client.submitForm(`${base}/sources/${encodeURIComponent(name)}/undo`),
      isDone: async () => (await store.findQueuedRun(organizationId, lease.id))?.step === 'undo',
    };
  },
  correction: async (client) => {
    const id = await addSubmission();
    return {
      response: await submitCorrection(client, id),
      isDone: async () => (await readDescription(id)) === 'Berichtigt',
    };
  },
  reversal: async (client) => {
    const id = await addSubmission();
    await store.unpublishRecord({ organizationId, kind: 'submission', id }, 'Names a person');
    return {
      response: await client.submitForm(`${base}/data/submissions/${id}/revert`),
      isDone: async () => (await readDescription(id)) !== undefined,
    };
  },
  match: async (client) => {
    const decided = await addSubmission();
    const [kind, id] = ['submission' as const, randomUUID()];
    await store.unpublishRecord({ organizationId, kind, id: decided }, 'Names a person');
    await sql(
      `INSERT INTO record_match (organization_id, kind, id, decided_id, matched_at)
      VALUES ($1, $2, $3, $4, '2026-07-01T10:00:00.000Z')`,
      [organizationId, kind, id, decided],
    );
    return {
      response: await client.submitForm(`${base}/data/submissions/${id}/allow`),
      isDone: async () => {
        const match = await store.findRecordMatch({ organizationId, kind, id });
        return match?.allowedAt !== null;
      },
    };
  },
  open_data: async (client) => {
    await store.editOrganization(organizationId, { openData: 'off', openDataIndex: 'off' });
    return {
      response: await post(client, `${base}/open-data`, { action: 'on', slug: 'musterstadt', index: 'on' }),
      isDone: async () => (await store.findOrganization(organizationId))?.openData === 'on',
    };
  },
  approval_off: async (client) => {
    await store.editOrganization(organizationId, { approval: 'on' });
    return {
      response: await client.submitForm(`${base}/settings/approval`),
      isDone: async () => (await store.findOrganization(organizationId))?.approval === 'off',
    };
  },
};

suite('what one person asks', { concurrency: 1 }, () => {
  for (const [kind, askFor] of Object.entries(ask)) {
    test(`${kind} is published once another person approves it, and both are in the audit log`, async () => {
      const { response, isDone } = await askFor(anna);
      const request = await findRequest(response);
      assert.deepEqual([request.kind, request.state, request.askedBy], [kind, 'open', anna.email]);
      assert.equal(await isDone(), false);
      const page = toPath(request);
      assert.match((await anna.get(`${page}?asked`)).body, /Nothing has been published yet/);
      assert.doesNotMatch((await anna.get(page)).body, /\/approve"/);
      assert.match((await bernd.get(page)).body, /\/approve"/);

      const own = await post(anna, `${page}/approve`);
      assert.deepEqual([own.status, own.location], [303, page]);
      assert.deepEqual([(await read(request)).state, await isDone()], ['open', false]);

      const approved = await post(bernd, `${page}/approve`);
      assert.deepEqual([approved.status, approved.location], [303, `${page}?approved`]);
      assert.equal(await isDone(), true);
      const ended = await read(request);
      assert.deepEqual([ended.state, ended.decidedBy, ended.payload], ['approved', bernd.email, null]);
      const shown = decodeHtml((await reader.get(`${base}/audit`)).body);
      assert.ok(shown.includes(`At the request of: <bdi>${anna.email}</bdi>`), shown);
      const [event] = await store.listAuditEvents(organizationId, undefined, 1);
      assert.equal(event?.actor, bernd.email);
      assert.ok(event.changes.some(({ field, after: by }) => field === 'askedBy' && by === anna.email));
      await store.editOrganization(organizationId, { approval: 'on' });
    });

    test(`${kind} is not published if it is returned, withdrawn or too old`, async () => {
      const returned = await askFor(anna);
      const first = await findRequest(returned.response);
      assert.equal((await post(bernd, `${toPath(first)}/return`, { comment: ' ' })).status, 422);
      assert.equal(
        (await post(bernd, `${toPath(first)}/return`, { comment: 'x'.repeat(1_001) })).status,
        422,
      );
      await post(anna, `${toPath(first)}/return`, { comment: 'My own' });
      assert.equal((await read(first)).state, 'open');
      const comment = 'Please check the <b>dates</b> again.';
      const answer = await post(bernd, `${toPath(first)}/return`, { comment });
      assert.equal(answer.location, `${toPath(first)}?returned`);
      const { state, payload, decidedBy } = await read(first);
      assert.deepEqual([state, payload, decidedBy], ['returned', null, bernd.email]);
      assert.ok(decodeHtml((await anna.get(toPath(first))).body).includes(comment));

      const withdrawn = await askFor(anna);
      const second = await findRequest(withdrawn.response);
      await post(anna, `${toPath(second)}/withdraw`);
      assert.deepEqual([(await read(second)).state, (await read(second)).payload], ['withdrawn', null]);

      const late = await askFor(anna);
      const third = await findRequest(late.response);
      await sql('UPDATE approval_request SET asked_at = $2 WHERE id = $1', [
        third.id,
        new Date(Date.now() - 31 * dayMs).toISOString(),
      ]);
      assert.equal((await read(third)).state, 'expired');
      for (const request of [first, second, third]) {
        await post(bernd, `${toPath(request)}/approve`);
        await post(bernd, `${toPath(request)}/return`, { comment: 'Late' });
        assert.notEqual((await read(request)).state, 'approved');
      }
      await store.expireApprovals();
      assert.deepEqual([(await read(third)).state, (await read(third)).payload], ['expired', null]);
      for (const { isDone } of [returned, withdrawn, late]) assert.equal(await isDone(), false);
      await store.editOrganization(organizationId, { approval: 'on' });
    });
  }
});

suite('a request', { concurrency: 1 }, () => {
  test('is approved by one of two people who approve at the same time, so that it publishes once', async () => {
    for (let round = 0; round < (isNightly ? 100 : 3); round += 1) {
      const { response } = await ask.source_run(anna);
      const request = await findRequest(response);
      const before = (await countEvents('import.started')).length;
      const clients = [bernd, operator, bernd, publisher];
      const tokens = await Promise.all(clients.map(fetchCsrfToken));
      await Promise.all(
        clients.map((client, index) =>
          client.post(`${toPath(request)}/approve`, { token: tokens[index] ?? '' }),
        ),
      );
      assert.equal((await read(request)).state, 'approved');
      assert.equal((await countEvents('import.started')).length - before, 1);
      assert.equal(
        (await store.listOpenRuns(organizationId)).filter(({ sourceName }) => sourceName === request.subject)
          .length,
        1,
      );
      for (const run of await store.listOpenRuns(organizationId)) await store.cancelRun(run);
    }
  });

  test('is approved by one of two transactions that began while it was open', async () => {
    const request = await findRequest((await ask.source_run(anna)).response);
    const source = await store.findSource({ organizationId, name: request.subject });
    assert.ok(source?.url);
    const input = { kind: 'endpoint' as const, url: source.url };
    const run = { organizationId, sourceName: source.name, input, definition: pickDefinition(source) };
    const { id, askedBy } = request;
    const results = await Promise.allSettled(
      [bernd, operator].map(({ email, account }) =>
        store.queueRun(
          { ...run, id: randomUUID() },
          { name: email, address: '', approves: { id, askedBy, accountId: account.id } },
        ),
      ),
    );
    assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    const failed = results.find((result) => result.status === 'rejected');
    assert.ok(failed?.reason instanceof ApprovalConflictError);
    const open = await store.listOpenRuns(organizationId);
    assert.equal(open.filter(({ sourceName }) => sourceName === source.name).length, 1);
    for (const each of open) await store.cancelRun(each);
  });

  test('that has ended no longer says that nothing is published', async () => {
    const request = await findRequest((await ask.correction(anna)).response);
    const page = `${toPath(request)}?asked`;
    assert.match((await anna.get(page)).body, /Nothing has been published yet/);
    await post(bernd, `${toPath(request)}/approve`);
    assert.doesNotMatch((await anna.get(page)).body, /Nothing has been published yet/);
    assert.match((await anna.get(`${toPath(request)}?approved`)).body, /has been approved/);
  });

  test('is withdrawn by the person who asked and by colleagues who may not approve: others return it', async () => {
    const request = await findRequest((await ask.correction(anna)).response);
    const page = toPath(request);
    assert.match((await anna.get(page)).body, />Withdraw request</);
    assert.match((await importer.get(page)).body, />Withdraw the request of the other person</);
    assert.doesNotMatch((await bernd.get(page)).body, /\/withdraw"/);
  });

  test('names the file, the source, or the beginning of the record', async () => {
    const ofImport = await findRequest((await ask.import(anna)).response);
    const ofSource = await findRequest((await ask.source_run(anna)).response);
    const id = await addSubmission();
    const ofRecord = await findRequest(await submitCorrection(anna, id));
    const listed = decodeHtml((await bernd.get(`${base}/approvals`)).body);
    const words = `Text ${records}`;
    for (const [request, name] of [
      [ofImport, 'Anliegen.csv'],
      [ofSource, ofSource.subject],
      [ofRecord, words],
    ] as const) {
      assert.ok(listed.includes(`<bdi>${name}</bdi>`), name);
      const { body } = await bernd.get(toPath(request));
      assert.match(decodeHtml(body), new RegExp(`<h1[^>]*>[^<]*\\(${name}\\)</h1>`));
    }
    assert.ok(!listed.includes(`<bdi>${id}</bdi>`));
    await store.unpublishRecord({ organizationId, kind: 'submission', id }, 'Names a person');
    const unpublished = decodeHtml((await bernd.get(toPath(ofRecord))).body);
    assert.ok(unpublished.includes(`(${id})</h1>`));
    assert.ok(!unpublished.includes(`(${words})`));
    for (const request of [ofImport, ofSource]) await post(anna, `${toPath(request)}/withdraw`);
    for (const run of await store.listOpenRuns(organizationId)) await store.cancelRun(run);
  });

  test('about a session or a survey names it', async () => {
    const [surveyId, sessionId] = [formatSurveyId(2_002), formatSessionId(2_002)];
    await fixture.putRecords(organizationId, [
      {
        ...{ kind: 'survey', surveyId, title: 'Wünsche für den Park', status: 'closed', totalResponses: 0 },
        questions: [],
      } as never,
      { kind: 'session', ...createSession(2_002, { committeeName: 'Bauausschuss', submissions: [] }) },
    ]);
    for (const [kind, id, name] of [
      ['survey', surveyId, 'Wünsche für den Park'],
      ['session', sessionId, 'Bauausschuss 20'],
    ] as const) {
      const request = await store.askForApproval(
        {
          ...{ organizationId, kind: 'reversal', subject: `${kind}/${id}`, payload: '{}' },
          accountId: anna.account.id,
        },
        { name: anna.email, address: '' },
      );
      const { subjectName } = await read(request);
      assert.ok(subjectName?.startsWith(name), String(subjectName));
    }
  });

  test('cannot be approved by another account with the same address', async () => {
    const { response } = await ask.correction(anna);
    const request = await findRequest(response);
    await sql('UPDATE approval_request SET asked_account_id = $2 WHERE id = $1', [request.id, randomUUID()]);
    await post(anna, `${toPath(request)}/approve`);
    assert.equal((await read(request)).state, 'open');
    await sql('UPDATE approval_request SET asked_account_id = $2, asked_by = $3 WHERE id = $1', [
      request.id,
      anna.account.id,
      'former@stadt.example',
    ]);
    await post(anna, `${toPath(request)}/approve`);
    assert.equal((await read(request)).state, 'open');
  });

  test('is a missing page in another municipality, and forbidden to readers', async () => {
    const { response } = await ask.correction(anna);
    const { id } = await findRequest(response);
    for (const action of ['', '/approve', '/return', '/withdraw']) {
      const here = `${base}/approvals/${id}${action}`;
      const elsewhere = `/admin/organizations/${b}/approvals/${id}${action}`;
      assert.equal((await stranger.get(here)).status, 404);
      assert.equal((await stranger.get(elsewhere)).status, 404);
      assert.equal((await reader.get(here)).status, 403);
      assert.equal((await anna.get(`${base}/approvals/${randomUUID()}${action}`)).status, 404);
      if (action === '') continue;
      const fields = { comment: 'No' };
      assert.equal((await post(stranger, here, fields)).status, 404);
      assert.equal((await post(stranger, elsewhere, fields)).status, 404);
      assert.equal((await post(reader, here, fields)).status, 403);
    }
    assert.equal((await store.findApprovalRequest({ organizationId, id }))?.state, 'open');
  });

  test('needs the permission at the time of the decision', async () => {
    const former = await createSignedInClient(server, store, organizationId, ['import', 'publish']);
    const { response } = await ask.correction(anna);
    const request = await findRequest(response);
    assert.match((await former.get(toPath(request))).body, /\/approve"/);
    await store.changeRole(former.account.id, organizationId, ['import']);
    assert.doesNotMatch((await former.get(toPath(request))).body, /\/approve"/);
    assert.equal((await post(former, `${toPath(request)}/approve`)).status, 403);
    assert.equal((await post(former, `${toPath(request)}/return`, { comment: 'No' })).status, 403);
    assert.equal((await read(request)).state, 'open');
    const { response: off } = await ask.approval_off(anna);
    assert.equal((await post(publisher, `${toPath(await findRequest(off))}/approve`)).status, 403);
    assert.equal((await store.findOrganization(organizationId))?.approval, 'on');
  });

  test('stays when the account of its author is removed, and says so', async () => {
    const former = await createSignedInClient(server, store, organizationId);
    const { response, isDone } = await ask.correction(former);
    const request = await findRequest(response);
    await store.removeAccount(former.account.id);
    assert.match((await bernd.get(toPath(request))).body, /The account has been removed/);
    assert.equal((await post(bernd, `${toPath(request)}/approve`)).location, `${toPath(request)}?approved`);
    assert.equal(await isDone(), true);
  });

  test('about the same subject is not added twice', async () => {
    const id = await addSubmission();
    const first = await findRequest(await submitCorrection(anna, id));
    const again = await submitCorrection(anna, id, 'Other');
    assert.deepEqual(again.location, `${toPath(first)}?askedBefore`);
    assert.match((await anna.get(`${base}/data/submissions/${id}`)).body, /asked for approval/);
  });

  test('about a record goes with the record when it is removed for good', async () => {
    const id = await addSubmission();
    const request = await findRequest(await submitCorrection(anna, id, 'Secret of Max'));
    assert.match(request.payload ?? '', /Secret of Max/);
    await store.removeRecord({ organizationId, kind: 'submission', id }, 'Erasure');
    assert.equal(await store.findApprovalRequest({ organizationId, id: request.id }), undefined);
    assert.equal((await anna.get(toPath(request))).status, 404);
  });

  test('about something that no longer exists says so, and publishes nothing', async () => {
    const { response: run } = await ask.source_run(anna);
    const ofSource = await findRequest(run);
    await store.removeSource({ organizationId, name: ofSource.subject });
    assert.match((await bernd.get(toPath(ofSource))).body, /no longer exists/);
    assert.equal((await post(bernd, `${toPath(ofSource)}/approve`)).location, `${toPath(ofSource)}?nothing`);
    assert.match((await bernd.get(`${toPath(ofSource)}?nothing`)).body, /Nothing was published/);

    const id = await addSubmission();
    await store.unpublishRecord({ organizationId, kind: 'submission', id }, 'Names a person');
    const reversal = await findRequest(await anna.submitForm(`${base}/data/submissions/${id}/revert`));
    await store.revertRecordDecision({ organizationId, kind: 'submission', id });
    await store.unpublishRecord({ organizationId, kind: 'submission', id }, 'Names a person, again');
    assert.match((await bernd.get(toPath(reversal))).body, /has changed since the request/);
    await post(bernd, `${toPath(reversal)}/approve`);
    assert.equal(await readDescription(id), undefined);
    assert.equal((await read(reversal)).state, 'open');
  });

  test('that is not possible at the moment says so, and can be approved later', async () => {
    const request = await findRequest((await ask.source_run(anna)).response);
    const waiting = { input: { kind: 'upload', fileName: 'x.csv', bytes: 1 }, state: 'done' } as const;
    const others = [];
    for (let run = 0; run < maxOpenRuns; run += 1)
      others.push(await insertQueuedRun(fixture, organizationId, waiting));
    const page = toPath(request);
    assert.equal((await post(bernd, `${page}/approve`)).location, `${page}?conflict`);
    assert.match((await bernd.get(`${page}?conflict`)).body, /not possible at the moment/);
    assert.equal((await read(request)).state, 'open');
    for (const id of others) await store.cancelRun({ organizationId, id });
    assert.equal((await post(bernd, `${page}/approve`)).location, `${page}?approved`);
    assert.doesNotMatch((await bernd.get(`${page}?conflict`)).body, /not possible at the moment/);
    for (const run of await store.listOpenRuns(organizationId)) await store.cancelRun(run);
  });

  test('to run a source cannot be approved once the source is a file with the same address', async () => {
    const request = await findRequest((await ask.source_run(anna)).response);
    const name = request.subject;
    const url = (await store.findSource({ organizationId, name }))?.url ?? '';
    await store.removeSource({ organizationId, name });
    await store.addSource(organizationId, { ...emptySourceDefinition, name, format: 'rostra', url });
    const page = toPath(request);
    const { body } = await bernd.get(page);
    assert.match(body, /has changed since the request/);
    assert.doesNotMatch(body, /\/approve"/);
    assert.equal((await post(bernd, `${page}/approve`)).location, `${page}?nothing`);
    assert.ok((await store.listOpenRuns(organizationId)).every(({ sourceName }) => sourceName !== name));
  });

  test('to correct a record shows what has changed since, and publishes only the fields that were asked for', async () => {
    const id = await addSubmission();
    const request = await findRequest(await submitCorrection(anna, id));
    const record = { organizationId, kind: 'submission' as const, id };
    const { fields } = (await store.findCorrectableRecord(record)) ?? {};
    await store.correctRecord(
      record,
      { ...fields, description: 'Meanwhile', referenceNumber: 'R-1' },
      'Other',
    );
    const shown = decodeHtml((await bernd.get(toPath(request))).body);
    for (const text of ['Meanwhile', 'Berichtigt', 'changed since the request', 'Wrong street'])
      assert.ok(shown.includes(text), text);
    await post(bernd, `${toPath(request)}/approve`);
    const published = JSON.parse((await store.findSubmission(organizationId, id)) ?? '{}');
    assert.deepEqual([published.description, published.referenceNumber], ['Berichtigt', 'R-1']);
  });

  test('to correct a survey is approved as well', async () => {
    const surveyId = formatSurveyId(2_001);
    const question = { questionText: 'How?', questionType: 'single_choice' } as const;
    await fixture.putRecords(organizationId, [
      {
        ...{ kind: 'survey', surveyId, title: 'Traffic', status: 'closed', totalResponses: 40 },
        questions: [{ ...question, options: [{ optionText: 'Bus', responseCount: 40 }] }],
      } as never,
    ]);
    const request = await findRequest(
      await anna.submitForm(`${base}/data/surveys/${surveyId}/correct`, {
        title: 'Traffic 2026',
        reason: 'Year was missing',
      }),
    );
    await post(bernd, `${toPath(request)}/approve`);
    const texts = await store.findSurveyTexts(organizationId, surveyId);
    assert.deepEqual(texts, { title: 'Traffic 2026', questionTexts: ['How?'] });
  });
});

suite('an import that waits for an approval', { concurrency: 1 }, () => {
  const confirm = async (client: FormClient, id: string) =>
    findRequest(await post(client, `${base}/imports/${id}/steps/confirm`));
  const find = (id: string) => store.findQueuedRun(organizationId, id);

  test('keeps its dry run and its file, and nobody changes or starts it', async () => {
    const id = await addDryRun();
    const steps = `${base}/imports/${id}/steps`;
    const request = await confirm(anna, id);
    const waiting = await find(id);
    const leftMs = Date.parse(waiting?.fileExpiresAt ?? '') - Date.now();
    assert.ok(Math.abs(leftMs - 30 * dayMs) < dayMs, String(leftMs));
    const { body } = await bernd.get(`${steps}?settings=1`);
    assert.match(body, /asked for approval/);
    assert.doesNotMatch(body, /\/confirm"|name="mapping/);
    const page = (await publisher.get(toPath(request))).body;
    assert.match(page, /3 records will be added/);
    assert.doesNotMatch(page, /has changed since the dry run/);
    for (const action of ['confirm', 'replace', 'retry', 'statuses']) await post(bernd, `${steps}/${action}`);
    assert.deepEqual([(await find(id))?.step, (await find(id))?.state], ['dry_run', 'done']);
    assert.equal(await store.queueImportStep({ organizationId, id }, 'import'), false);

    await addSubmission();
    assert.match((await bernd.get(toPath(request))).body, /has changed since the dry run/);
    await post(importer, `${toPath(request)}/withdraw`);
    const released = Date.parse((await find(id))?.fileExpiresAt ?? '') - Date.now();
    assert.ok(released <= dayMs && released > dayMs / 2, String(released));
    assert.match((await bernd.get(steps)).body, /\/confirm"/);
  });

  test('that was returned says so with the reason, on the home page and its own, until it is asked again', async () => {
    for (const run of await store.listOpenRuns(organizationId)) await store.cancelRun(run);
    const id = await addDryRun();
    const steps = `${base}/imports/${id}/steps`;
    const request = await confirm(anna, id);
    const comment = 'Please leave <b>drafts</b> out.';
    await post(bernd, `${toPath(request)}/return`, { comment });
    for (const address of [steps, `${steps}?settings=1`]) {
      const shown = decodeHtml((await importer.get(address)).body);
      assert.ok(shown.includes(`${bernd.email} returned the import on `), shown);
      assert.ok(shown.includes(comment), shown);
    }
    assert.doesNotMatch((await importer.get(steps)).body, /<b>drafts/);
    const home = decodeHtml((await importer.get(base)).body);
    assert.ok(home.includes(`${bernd.email} returned the import of “Anliegen.csv”`), home);
    assert.doesNotMatch(home, /waits for you/);
    const later = Array.from({ length: maxListedApprovals }, (_, number) => ({
      ...({ organizationId, kind: 'reversal', subject: `session/${number}`, payload: '{}' } as const),
      accountId: anna.account.id,
    }));
    const by = { name: anna.email, address: '' };
    for (const about of later) await store.withdrawApprovalRequest(await store.askForApproval(about, by), by);
    assert.ok((await importer.get(steps)).body.includes('returned the import on'));
    await confirm(anna, id);
    assert.doesNotMatch((await importer.get(steps)).body, /returned the import/);
    await store.cancelRun({ organizationId, id });
    assert.doesNotMatch((await importer.get(steps)).body, /returned the import/);
  });

  test('ends its request when it is cancelled, or its file expires', async () => {
    const cancelled = await addDryRun();
    const first = await confirm(anna, cancelled);
    await post(bernd, `${base}/imports/${cancelled}/steps/cancel`);
    assert.deepEqual([(await read(first)).state, (await read(first)).payload], ['withdrawn', null]);
    assert.match((await bernd.get(toPath(first))).body, /withdrawn/);

    const forgotten = await addDryRun();
    const second = await confirm(anna, forgotten);
    const now = Date.now();
    await sql('UPDATE import_run SET file_expires_at_ms = $2 WHERE id = $1', [forgotten, now - 1]);
    const files = await store.listExpiredFiles();
    assert.ok(files.some(({ id }) => id === forgotten));
    assert.deepEqual([(await read(second)).state, (await find(forgotten))?.state], ['expired', 'cancelled']);
  });

  test('is asked by people who may import but not publish, also while approvals are off', async () => {
    await store.editOrganization(organizationId, { approval: 'off' });
    const id = await addDryRun();
    assert.match(
      (await importer.get(`${base}/imports/${id}/steps`)).body,
      /Ask for approval: Publish 3 records/,
    );
    const request = await confirm(importer, id);
    assert.equal((await post(importer, `${toPath(request)}/approve`)).status, 403);
    await post(publisher, `${toPath(request)}/approve`);
    assert.equal((await find(id))?.step, 'import');
    const alone = await addDryRun();
    await post(anna, `${base}/imports/${alone}/steps/confirm`);
    assert.equal((await find(alone))?.step, 'import');
    for (const run of await store.listOpenRuns(organizationId)) await store.cancelRun(run);
    await store.editOrganization(organizationId, { approval: 'on' });
  });

  test('needs another approval when it has failed', async () => {
    const id = await addDryRun();
    await post(bernd, `${toPath(await confirm(anna, id))}/approve`);
    await sql("UPDATE import_run SET state = 'failed' WHERE id = $1", [id]);
    const again = await findRequest(await post(bernd, `${base}/imports/${id}/steps/retry`));
    assert.equal((await find(id))?.state, 'failed');
    await post(anna, `${toPath(again)}/approve`);
    assert.equal((await find(id))?.state, 'queued');
    await store.cancelRun({ organizationId, id });
  });
});

suite('approvals', { concurrency: 1 }, () => {
  test('are listed for those who may ask or decide, with what waits for them on the home page', async () => {
    const { id } = await store.addOrganization(`Ort ${randomUUID()}`, randomUUID());
    const lena = await createSignedInClient(server, store, id);
    const home = `/admin/organizations/${id}`;
    assert.doesNotMatch((await lena.get(home)).body, /\/approvals"/);
    const readSetting = async () => (await lena.get(`${home}/settings/approval`)).body;
    assert.match(await readSetting(), /Nobody else in this municipality may approve publications/);
    await createSignedInClient(server, store, id, ['publish']);
    assert.doesNotMatch(await readSetting(), /may approve publications/);
    assert.match(await readSetting(), /may approve switching approvals off/);
    await createSignedInClient(server, store, id, ['accounts']);
    assert.doesNotMatch(await readSetting(), /Nobody else/);
    await lena.submitForm(`${home}/settings/approval`);
    assert.match((await lena.get(home)).body, /\/approvals"/);
    assert.match((await lena.get(`${home}/approvals`)).body, /No request is waiting/);

    const { response } = await ask.correction(anna);
    const request = await findRequest(response);
    assert.ok((await store.listApprovalRequests(organizationId, 9)).every((each) => !('payload' in each)));
    const listed = (await bernd.get(`${base}/approvals`)).body;
    assert.ok(listed.includes(toPath(request)));
    assert.match((await bernd.get(base)).body, /waiting? for your approval/);
    assert.equal((await reader.get(`${base}/approvals`)).status, 403);
    assert.equal((await stranger.get(`${base}/approvals`)).status, 404);
  });

  test('are not switched off by one person, nor by a forged field of the settings', async () => {
    await store.editOrganization(organizationId, { approval: 'on' });
    await post(anna, `${base}/settings/approval`, { approval: 'off' });
    await anna.submitForm(`${base}/settings`, { approval: 'off' });
    assert.equal((await store.findOrganization(organizationId))?.approval, 'on');
    await post(importer, `${base}/settings/approval`, { approval: 'off' });
    assert.equal((await store.findOrganization(organizationId))?.approval, 'on');
  });

  test('are announced on the page of open data only for what they cover', async () => {
    const read = async () => decodeHtml((await anna.get(`${base}/open-data`)).body);
    const all = /Until then, nothing is published/;
    const onlySaved = /another person with the task “Publish” has to approve it when you save/;
    await store.editOrganization(organizationId, { openData: 'off', openDataIndex: 'off' });
    assert.match(await read(), all);
    await store.editOrganization(organizationId, { openData: 'on' });
    assert.match(await read(), onlySaved);
    assert.doesNotMatch(await read(), all);
    await store.editOrganization(organizationId, { openDataIndex: 'on' });
    assert.doesNotMatch(await read(), onlySaved);
    assert.doesNotMatch(await read(), all);
  });

  test('leave unpublishing, removing and switching open data off to one person', async () => {
    const id = await addSubmission();
    await anna.submitForm(`${base}/data/submissions/${id}/unpublish`, { reason: 'Names a person' });
    assert.equal(await readDescription(id), undefined);
    await store.editOrganization(organizationId, { openData: 'on' });
    await post(anna, `${base}/open-data`, { action: 'off' });
    assert.equal((await store.findOrganization(organizationId))?.openData, 'off');
  });

  test('that ended 90 days ago are deleted', async () => {
    const { response } = await ask.correction(anna);
    const request = await findRequest(response);
    await post(bernd, `${toPath(request)}/approve`);
    await store.expireApprovals();
    assert.equal((await read(request)).state, 'approved');
    setClockOffset(0);
    await sql('UPDATE approval_request SET decided_at = $2 WHERE id = $1', [
      request.id,
      new Date(Date.now() - 91 * dayMs).toISOString(),
    ]);
    await store.expireApprovals();
    assert.equal(await store.findApprovalRequest({ organizationId, id: request.id }), undefined);
  });
});

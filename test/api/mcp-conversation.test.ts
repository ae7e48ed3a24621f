/** What the official client of the Model Context Protocol does with the tools, in both eras of the protocol. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createFixtureWithServer } from '../support/fixture.ts';
import { connectClient, type Era } from '../support/mcp-client.ts';
import { formatSessionId, formatSubmissionId, formatSurveyId } from '../support/records.ts';

const { server, alice, charlie, a, issueKey, store } = await createFixtureWithServer({ after });

const openings: Record<Era, string[]> = {
  legacy: ['POST initialize 200', 'POST notifications/initialized 202', 'GET 405'],
  auto: ['POST server/discover 200'],
};

type Client = Awaited<ReturnType<typeof connectClient>>;

async function ask(client: Client, name: string, given: Record<string, unknown> = {}) {
  const { content, isError } = await client.callTool({ name, arguments: given });
  const [first] = content as { type: string; text: string }[];
  assert.equal(first?.type, 'text');
  return { isError: isError === true, text: first.text, data: isError ? undefined : JSON.parse(first.text) };
}

for (const [era, opening] of Object.entries(openings) as [Era, string[]][]) {
  test(`the official client (${era}) finds, reads and counts records in one request for each step`, async (t) => {
    const recorded: string[] = [];
    const client = await connectClient(t, server, alice, era, recorded);
    assert.match(client.getInstructions() ?? '', /submissions, council sessions and survey results/);
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]),
      [
        'get_municipality',
        'find_submissions',
        'get_submission',
        'find_sessions',
        'get_session',
        'list_surveys',
        'get_survey_results',
        'count_records',
        'list_filter_values',
      ].map((name) => [name, true]),
    );

    const { data: town } = await ask(client, 'get_municipality');
    assert.equal(town.name, 'Musterstadt');
    assert.match(town.today, /^\d{4}-\d\d-\d\d$/);
    const { data: values } = await ask(client, 'list_filter_values', { kind: 'committee' });
    assert.ok(values.values.some(({ value }: { value: string }) => value === 'Committee 1'));
    const { data: found } = await ask(client, 'find_submissions', {
      status: ['in_review'],
      topic: ['Mobility'],
      limit: 1,
    });
    assert.deepEqual([found.submissions[0].id, found.has_more], [formatSubmissionId(5), true]);
    const { data: next } = await ask(client, 'find_submissions', {
      status: ['in_review'],
      topic: ['Mobility'],
      cursor: found.next_cursor,
    });
    assert.deepEqual([next.submissions[0].id, next.has_more], [formatSubmissionId(6), false]);
    const { data: one } = await ask(client, 'get_submission', { id: formatSubmissionId(1) });
    assert.deepEqual(
      one.sessions.map(({ id }: { id: string }) => id),
      [formatSessionId(1), formatSessionId(3)],
    );
    const { data: sessions } = await ask(client, 'find_sessions', { date_from: '2026-04-01' });
    assert.deepEqual([sessions.total, sessions.sessions[0].id], [1, formatSessionId(3)]);
    const { data: session } = await ask(client, 'get_session', { id: formatSessionId(1) });
    assert.deepEqual(
      session.agenda.map(({ id }: { id: string }) => id),
      [3, 1, 10].map(formatSubmissionId),
    );
    const { data: surveys } = await ask(client, 'list_surveys');
    assert.ok(surveys.surveys.some(({ id }: { id: string }) => id === formatSurveyId(1)));
    const { data: results } = await ask(client, 'get_survey_results', { id: formatSurveyId(1) });
    assert.deepEqual(results.questions[1].options[1], { optionText: 'Antwort 2', responseCount: 411 });
    const { data: counts } = await ask(client, 'count_records', { group_by: ['status'] });
    assert.deepEqual([counts.total, counts.groups[0]], [10, { status: 'in_review', count: 4 }]);

    assert.deepEqual(recorded, [
      ...opening,
      'POST tools/list 200',
      ...Array.from({ length: 10 }, () => 'POST tools/call 200'),
    ]);
  });

  test(`the official client (${era}) shows the model what was wrong with a call`, async (t) => {
    const client = await connectClient(t, server, alice, era);
    const { isError, text } = await ask(client, 'find_submissions', { created_from: '2026-02-30' });
    assert.ok(isError);
    assert.equal(text, 'The parameter "created_from" must be a date of the calendar, such as 2026-03-17.');
    await assert.rejects(client.callTool({ name: 'delete_everything', arguments: {} }), /Unknown tool/);
  });

  test(`the official client (${era}) shows the seconds of an exhausted window`, async (t) => {
    const { secret } = await issueKey(a, { requestLimit: opening.length + 1 });
    const client = await connectClient(t, server, secret, era);
    await assert.rejects(
      async () => {
        for (let turn = 0; turn < 3; turn += 1) await ask(client, 'get_municipality');
      },
      (error: Error) => /try again in \d+ seconds/.test(`${error.message} ${JSON.stringify(error)}`),
    );
  });

  test(`the official client (${era}) is rejected with a revoked key`, async (t) => {
    const { secret, id } = await issueKey(a);
    await connectClient(t, server, secret, era);
    for (const key of await store.findKeys(id)) await store.revokeKey(key);
    await assert.rejects(connectClient(t, server, secret, era));
  });

  test(`the official client (${era}) reads its own municipality only`, async (t) => {
    const client = await connectClient(t, server, charlie, era);
    const { data: town } = await ask(client, 'get_municipality');
    assert.equal(town.name, 'Beispielburg');
    const { isError, text } = await ask(client, 'get_submission', { id: formatSubmissionId(4) });
    assert.ok(isError);
    assert.match(text, /^No published record has this id/);
  });
}

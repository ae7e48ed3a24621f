/** Carries out docs/add-a-filter.md on a database of the last release, and reads pages with the new filter. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { DatabaseSettings, FixtureEngine } from '../upgrades/fixture.ts';
import { type Scope, toNdjson } from './files.ts';
import { composeRequest, sendMessage } from './mcp-client.ts';
import { carryOutRecipe } from './recipe.ts';

const priorities = ['high', 'high', 'normal', 'low'];
const records = priorities.map((priorityLevel, index) => ({
  kind: 'submission',
  id: String(index),
  description: `Submission ${index}`,
  status: 'in_review',
  topicCategoryName: 'Mobility',
  priorityLevel,
  createdAt: `2026-03-0${index + 1}T09:15:00Z`,
}));

/** @param explain returns the query plan of a statement, in which only indexes are read */
export async function checkAddedFilter(
  scope: Scope,
  fixtures: FixtureEngine,
  explain: (database: DatabaseSettings, statement: string) => string | Promise<string>,
): Promise<void> {
  const recipe = await carryOutRecipe(scope, 'docs/add-a-filter.md', fixtures);
  const { copy, database, organization, run, write } = recipe;
  const file = write('records.ndjson', toNdjson(records));
  await run('import', 'rostra', file, ...organization, '--redact', 'off');

  const { get, origin } = await recipe.serve();
  const listTexts = async (query: string) => {
    const { status, body } = await get(`/search/submissions?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.data.map(({ description }: { description: string }) => description);
  };
  assert.deepEqual(await listTexts('priority=high'), ['Submission 1', 'Submission 0']);
  assert.deepEqual(await listTexts('priority=low&status=in_review&topic=Mobility'), ['Submission 3']);
  assert.deepEqual(await listTexts('priority=low&priority=normal'), ['Submission 3', 'Submission 2']);
  assert.deepEqual(await listTexts('priority=low&status=rejected'), []);

  const repeat = (name: string, count: number) =>
    Array.from({ length: count }, (_, n) => `${name}=${n}`).join('&');
  const most = [repeat('status', 20), repeat('topic', 20), 'priority=high&priority=high'].join('&');
  assert.deepEqual(await listTexts(most), []);
  const { status, body } = await get(`/search/submissions?${most}&priority=low`);
  assert.deepEqual(
    [status, body.error],
    [
      400,
      'The values of the parameters "status", "topic", "priority" have 800 combinations, of which a request may have 400: send several requests with fewer values.',
    ],
  );

  const cursor = (await get('/search/submissions?priority=high&limit=1')).body.pagination.next_cursor;
  assert.deepEqual(await listTexts(`priority=high&limit=1&cursor=${cursor}`), ['Submission 0']);
  assert.equal((await get(`/search/submissions?priority=low&limit=1&cursor=${cursor}`)).status, 400);

  const { json } = await sendMessage(
    { port: Number(new URL(origin as string).port) },
    composeRequest('tools/list'),
    {
      key: recipe.key,
    },
  );
  const tool = json.result.tools.find(({ name }: { name: string }) => name === 'find_submissions');
  assert.equal(tool.inputSchema.properties.priority.type, 'array');

  const { parameters } = (await get('/openapi.json')).body.paths['/search/submissions'].get;
  const described = parameters.find(({ name }: { name: string }) => name === 'priority');
  assert.match(
    described.description,
    /^Only submissions with exactly this `priorityLevel`, for example `normal`\./,
  );

  const queries: typeof import('../../src/store/queries/published-lists.ts') = await import(
    join(copy, 'src/store/queries/published-lists.ts')
  );
  const columns = { status: 'status', topic: 'topic_category_name', priority: 'priority_level' };
  const toField = (name: string) => ({ topic: 'topicCategoryName', priority: 'priorityLevel' })[name] ?? name;
  for (const names of [['priority'], ['status', 'priority'], ['topic', 'priority'], Object.keys(columns)]) {
    const filters = names.map((name) => columns[name as keyof typeof columns]);
    for (const list of [queries.publishedLists.submissions, queries.publishedLists.statusChanges]) {
      const { afterRow } = queries.getPageParts(fixtures.name, list, filters);
      for (const statement of afterRow.queries)
        assert.match(
          await explain(
            database,
            `${statement.replaceAll(/\$\d\b/g, "'x'")} ORDER BY ${list.at} DESC, id LIMIT 2`,
          ),
          new RegExp(`\\b${queries.nameIndex(list, names.map(toField))}\\b`),
        );
    }
  }
}

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import fc from 'fast-check';
import { errorCodes } from '../../../src/contract/error-codes.ts';
import { createFixture } from '../../support/fixture.ts';
import { lintOpenapi } from '../../support/openapi-lint.ts';

const fixture = await createFixture({ after });
const server = await fixture.startServer();

let text: string;
let headers: Record<string, string>;
// biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
let document: any;
// biome-ignore lint/suspicious/noExplicitAny: as above
let operations: any[];
before(async () => {
  ({ text, headers, json: document } = await server.get('/openapi.json'));
  // biome-ignore lint/suspicious/noExplicitAny: as above
  operations = Object.entries<any>(document.paths).map(([path, { get }]) => ({ path, ...get }));
});

// biome-ignore lint/suspicious/noExplicitAny: as above
const resolveResponse = (response: any) =>
  response.$ref === undefined ? response : document.components.responses[response.$ref.split('/').pop()];

test('the OpenAPI 3.1 document is public and identical in every process', async () => {
  assert.match(document.openapi, /^3\.1\./);
  assert.equal(headers['content-type'], 'application/json; charset=utf-8');
  const other = await fixture.startServer({ ROSTRA_RATE_LIMIT: '7' });
  assert.equal((await other.get('/openapi.json')).text, text);
});

test('the document passes the linter with general and OWASP rules', async () => {
  assert.deepEqual(await lintOpenapi(text), []);
});

test('every example in the document matches its schema', () => {
  const ajv = new Ajv2020({ strict: false });
  formats.default(ajv);
  const inDocument = (schema: object) => ({ components: document.components, ...schema });
  let checked = 0;
  const meets = (schema: object, example: unknown, what: string) => {
    const check = ajv.compile(inDocument(schema));
    assert.ok(check(example), `${what}: ${JSON.stringify(check.errors)}`);
    checked += 1;
  };
  for (const { operationId, responses, parameters } of operations) {
    // biome-ignore lint/suspicious/noExplicitAny: as above
    for (const [status, response] of Object.entries<any>(responses)) {
      const { schema, example } = resolveResponse(response).content['application/json'];
      meets(schema, example, `${operationId} ${status}`);
    }
    for (const { name, schema, example } of parameters) {
      if (example !== undefined) meets(schema, example, `${operationId} ${name}`);
    }
  }
  assert.ok(checked > 60);
});

test('the document lists all error codes, and for each operation the errors of the specification', () => {
  assert.deepEqual(
    document.components.schemas.Error.properties.code.enum.toSorted(),
    Object.keys(errorCodes).toSorted(),
  );
  const listed: Record<string, string[]> = {
    getHealth: [],
    getMe: ['400', '401', '429'],
    listSubmissions: ['400', '401', '429'],
    getSubmission: ['400', '401', '404', '429'],
    listSessions: ['400', '401', '429'],
    getSession: ['400', '401', '404', '429'],
    listSupport: ['400', '401', '429'],
    getSurveyResults: ['400', '401', '404', '429'],
    listSurveys: ['400', '401', '429'],
    getOrganization: ['400', '401', '404', '429'],
    listChanges: ['400', '401', '410', '429'],
    getStatistics: ['400', '401', '429'],
    searchSubmissions: ['400', '401', '429'],
    searchSessions: ['400', '401', '429'],
    listFacets: ['400', '401', '429'],
  };
  for (const { operationId, responses } of operations) {
    for (const status of ['200', ...(listed[operationId] as string[])])
      assert.ok(responses[status], `${operationId} ${status}`);
    for (const status of ['401', '404', '410', '429']) {
      assert.equal(
        status in responses,
        (listed[operationId] as string[]).includes(status),
        `${operationId} ${status}`,
      );
    }
  }
});

test('the parameters are those of the specification', () => {
  const names = Object.fromEntries(
    operations.map(({ operationId, parameters }) => [
      operationId,
      parameters.map(({ name, in: where }: { name: string; in: string }) => `${where} ${name}`).toSorted(),
    ]),
  );
  assert.deepEqual(names, {
    getHealth: [],
    getMe: [],
    listSubmissions: ['query cursor', 'query limit', 'query status', 'query topic'],
    getSubmission: ['path id'],
    listSessions: ['query cursor', 'query limit'],
    getSession: ['path id'],
    listSupport: ['query cursor', 'query limit', 'query submission_id'],
    getSurveyResults: ['path id'],
    listSurveys: ['query cursor', 'query limit'],
    getOrganization: [],
    listChanges: ['query cursor', 'query kind', 'query limit', 'query start'],
    getStatistics: ['query from', 'query to'],
    listFacets: ['query cursor', 'query kind', 'query limit'],
    searchSubmissions: [
      'query created_from',
      'query created_to',
      'query cursor',
      'query limit',
      'query status',
      'query status_changed_from',
      'query status_changed_to',
      'query topic',
      'query words',
    ],
    searchSessions: [
      'query committee',
      'query cursor',
      'query date_from',
      'query date_to',
      'query direction',
      'query limit',
      'query words',
    ],
  });
  for (const { operationId, parameters } of operations) {
    const limit = parameters.find(({ name }: { name: string }) => name === 'limit')?.schema;
    const expected = operationId === 'listChanges' ? [1, 1_000, 100] : [1, 100, 20];
    if (limit) assert.deepEqual([limit.minimum, limit.maximum, limit.default], expected);
  }
});

test('servers and the guide have the public URL of the installation; without it, servers are relative', async () => {
  assert.deepEqual([document.servers[0].url, document.externalDocs], ['/api/v1', undefined]);
  const other = await fixture.startServer({ ROSTRA_PUBLIC_URL: 'https://api.stadt.example/' });
  const { json } = await other.get('/openapi.json');
  assert.deepEqual(
    [json.servers, json.externalDocs.url],
    [
      [{ url: 'https://api.stadt.example/api/v1', description: 'This installation' }],
      'https://api.stadt.example/docs',
    ],
  );
});

test('the constant `deleted` tells deletions, which have no data, from the other changes', () => {
  const { schemas } = document.components;
  const alternatives: string[] = schemas.Change.oneOf.map(({ $ref }: { $ref: string }) =>
    $ref.split('/').pop(),
  );
  const facts = alternatives.map((name) => {
    const { deleted, data } = schemas[name].properties;
    return [name, deleted.const, data.type ?? data.$ref];
  });
  assert.deepEqual(facts, [
    ['SubmissionChange', false, '#/components/schemas/Submission'],
    ['SessionChange', false, '#/components/schemas/SessionWithSubmissionIds'],
    ['SurveyChange', false, '#/components/schemas/SurveyResults'],
    ['Deletion', true, 'null'],
  ]);
});

test('the document says which limit /health sends', () => {
  const { headers: components } = document.components;
  assert.match(components['X-RateLimit-Limit'].description, /For `\/health`, .+ the default limit/);
  assert.match(components['X-RateLimit-Remaining'].description, /For `\/health`, .+ the same as the limit/);
});

test('operations beyond the specification have the tag Extensions, and only they', () => {
  const extensions = operations.filter(({ tags }) => tags.includes('Extensions'));
  assert.deepEqual(extensions.map(({ path, tags }) => [path, tags.length]).toSorted(), [
    ['/changes', 1],
    ['/facets', 1],
    ['/organization', 1],
    ['/search/sessions', 1],
    ['/search/submissions', 1],
    ['/statistics', 1],
    ['/surveys', 1],
  ]);
});

test('each error response and each header is described once', () => {
  const described = [...text.matchAll(/"The rate limit of the API key is exhausted\./g)];
  assert.equal(described.length, 1);
  for (const { operationId, responses } of operations) {
    for (const [status, response] of Object.entries<{ $ref?: string; headers: object }>(responses)) {
      if (status !== '200') assert.match(response.$ref ?? '', /^#\/components\/responses\//, operationId);
      else
        for (const header of Object.values<{ $ref?: string }>(response.headers as never))
          assert.match(header.$ref ?? '', /^#\/components\/headers\//, operationId);
    }
  }
});

const listPatterns = () =>
  new Set<string>(
    [...text.matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(([, json = '']) => JSON.parse(json)),
  );

test('patterns have the same meaning in the regular expressions of every language', () => {
  const patterns = listPatterns();
  assert.ok(patterns.size > 10);
  for (const pattern of patterns) {
    assert.doesNotMatch(pattern, /\\u|\\p|\\x00|\0|\(\?/i, pattern);
    assert.match(pattern, /^[\x20-\x7e]+$/, pattern);
    new RegExp(pattern);
    new RegExp(pattern, 'u');
  }
});

test('generators can build values from every pattern', () => {
  for (const pattern of listPatterns())
    fc.assert(
      fc.property(fc.stringMatching(new RegExp(pattern)), (value) => new RegExp(pattern, 'u').test(value)),
      { seed: 1 },
    );
});

/** Parameters with a pattern, except cursors, whose descriptions forbid to construct them. */
const listPatternParameters = () =>
  operations.flatMap(({ path, parameters }) =>
    parameters
      // biome-ignore lint/suspicious/noExplicitAny: as above
      .map(({ schema, ...parameter }: any) => ({ path, ...parameter, schema: schema.items ?? schema }))
      // biome-ignore lint/suspicious/noExplicitAny: as above
      .filter(({ name, schema }: any) => schema.pattern !== undefined && name !== 'cursor'),
  );

const sendParameter = (path: string, name: string, value: string) =>
  server.get(`${path}?${new URLSearchParams({ [name]: value })}`, { key: fixture.alice });

test('the service accepts values that are built from the pattern and the format of a parameter', async () => {
  const parameters = listPatternParameters();
  assert.ok(parameters.length >= 12);
  for (const { path, name, schema } of parameters) {
    const values = fc
      .stringMatching(new RegExp(schema.pattern))
      .filter(({ length }) => length >= schema.minLength && length <= schema.maxLength)
      .filter((value) => schema.format !== 'date' || isCalendarDate(value))
      .filter((value) => name !== 'words' || areSearchWords(value));
    for (const value of fc.sample(values, { numRuns: 25, seed: 1 })) {
      const { status, json } = await sendParameter(path, name, value);
      assert.equal(status, 200, `${path} ${name} ${JSON.stringify(value)}: ${json.error}`);
    }
  }
});

/** No pattern says that a query has a letter or digit, and words of a limited length. */
const areSearchWords = (value: string) => /[\p{L}\p{N}]/u.test(value) && !/\S{101}/.test(value);

const isCalendarDate = (value: string) => new Date(`${value}T00:00:00Z`).toJSON()?.startsWith(value) ?? false;

test('the description of a filter names the characters that its pattern admits and the service rejects', async () => {
  const characters = [...Array(0xa1).keys(), 0x2028, 0xfffd, 0x1f333].map((code) =>
    String.fromCodePoint(code),
  );
  for (const { path, name, description, schema } of listPatternParameters()) {
    if (schema.format !== undefined) continue;
    for (const character of characters) {
      const value = name === 'words' ? `a${character}` : character;
      const { status, json } = await sendParameter(path, name, value);
      const isControl = /\p{Cc}/u.test(character);
      assert.equal(
        status,
        isControl ? 400 : 200,
        `${path} ${name} U+${character.codePointAt(0)?.toString(16)}: ${json.error}`,
      );
      if (!isControl) assert.match(character, new RegExp(schema.pattern, 'u'));
    }
    assert.match(description, /Control characters, U\+0000 to U\+001F and U\+007F to U\+009F, are an error/);
  }
});

test('the patterns of dates and times admit exactly what the API can send', () => {
  const { components, paths } = document;
  const patterns = {
    day: paths['/search/sessions'].get.parameters.find(({ name }: { name: string }) => name === 'date_from')
      .schema.pattern,
    month: components.schemas.SubmissionCount.properties.month.pattern,
    time: components.schemas.Submission.properties.createdAt.pattern,
  };
  const days = ['0001-01-01', '0010-12-31', '2026-10-20', '9999-12-31'];
  const noDays = ['0000-01-01', '2026-00-01', '2026-13-01', '2026-01-00', '2026-01-32', '20260-1-01'];
  const check = (pattern: string, text: string, isAdmitted: boolean) =>
    assert.equal(new RegExp(pattern).test(text), isAdmitted, `${pattern}: ${text}`);
  for (const [texts, isAdmitted] of [
    [days, true],
    [noDays, false],
  ] as const)
    for (const text of texts) {
      check(patterns.day, text, isAdmitted);
      check(patterns.time, `${text}T23:59:59.999Z`, isAdmitted);
    }
  for (const [time, isAdmitted] of [
    ['T00:00:00.000Z', true],
    ['T24:00:00.000Z', false],
    ['T23:60:00.000Z', false],
    ['T23:59:60.000Z', false],
  ] as const)
    check(patterns.time, `2026-10-20${time}`, isAdmitted);
  check(patterns.month, '2026-12', true);
  for (const noMonth of ['0000-12', '2026-13', '2026-00']) check(patterns.month, noMonth, false);
});

test('the document has no vendor extensions and does not claim to describe a production server', () => {
  assert.ok(!text.includes('"x-') && !/production/i.test(text));
});

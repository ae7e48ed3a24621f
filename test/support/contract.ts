/**
 * Holds answers against the OpenAPI document that the server itself publishes, and against the headers that
 * every answer carries (specification, sections 1 and 8; decisions, "Transport").
 */
import assert from 'node:assert/strict';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { type Answer, plainExchange } from './http-client.ts';

/** @returns what is wrong, undefined when nothing is */
type Check = (value: unknown) => ErrorObject[] | undefined;

interface Documented {
  headers: Map<string, { required: boolean; check: Check; numeric: boolean }>;
  body: Check;
}

interface DocumentedOperation {
  path: RegExp;
  authenticated: boolean;
  responses: Map<number, Documented>;
}

export interface Contract {
  operations: DocumentedOperation[];
  error: Check;
  /** The OpenAPI document as it was served. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever corner of the document it is about
  document: any;
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
type Json = any;

const basePath = '/api/v1';

let loading: Promise<Contract> | undefined;

/** The document is the same for every server of a version, so one server is asked, once for each file of tests. */
export function loadContract(port: number): Promise<Contract> {
  loading ??= plainExchange(port, `${basePath}/openapi.json`).then((answer) => {
    assert.equal(answer.status, 200);
    checkContractHeaders(answer);
    return compile(JSON.parse(answer.text));
  });
  return loading;
}

function compile(document: Json): Contract {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
  formats.default(ajv);
  const root = closed(document);
  // Ajv knows the keywords of JSON Schema only, so the components move to where that keeps definitions.
  ajv.addSchema(withAbsoluteReferences({ $id: 'document', $defs: root.components.schemas }));
  // Most tests meet few of the answers: a schema is compiled when it is first needed.
  const check = (schema: Json): Check => {
    const absolute = withAbsoluteReferences(schema);
    return (value) => (ajv.validate(absolute, value) ? undefined : (ajv.errors ?? []));
  };
  const header = (reference: Json) => {
    const { required, schema } = root.components.headers[reference.$ref.split('/').pop()];
    return { required, check: check(schema), numeric: schema.type === 'integer' };
  };
  const operations = Object.entries<Json>(root.paths).map(([path, { get }]) => ({
    path: new RegExp(`^${basePath}${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
    authenticated: get.security.length > 0,
    responses: new Map(
      Object.entries<Json>(get.responses).map(([status, { headers, content }]) => [
        Number(status),
        {
          headers: new Map(
            Object.entries(headers).map(([name, reference]) => [name.toLowerCase(), header(reference)]),
          ),
          body: check(content['application/json'].schema),
        },
      ]),
    ),
  }));
  return { operations, document, error: check({ $ref: '#/components/schemas/Error' }) };
}

/** A copy in which an object has the properties that are described and no others. */
function closed(node: Json): Json {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, closed(value)]));
  // An `allOf` only narrows what its first, referenced part has closed already.
  if (Array.isArray(copy.allOf)) for (const part of copy.allOf) delete part.additionalProperties;
  if (copy.type === 'object' && copy.properties !== undefined) copy.additionalProperties = false;
  return copy;
}

function withAbsoluteReferences(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"document#/$defs/'));
}

export interface Asked {
  method: string;
  /** Path and query. */
  target: string;
  /** Whether a key was presented, valid or not. */
  keyed: boolean;
}

export function checkAnswer(contract: Contract, asked: Asked, answer: Answer): void {
  const told = `${asked.method} ${asked.target.slice(0, 200)} → ${answer.status} ${answer.text.slice(0, 300)}`;
  checkContractHeaders(answer, told);
  const path = decoded(asked.target.replace(/[?#].*$/s, ''));
  const operation = contract.operations.find((candidate) => candidate.path.test(path ?? ''));
  const read = asked.method === 'GET' || asked.method === 'HEAD';
  const body = bodyOf(answer, asked.method, told);

  if (operation === undefined || !read) {
    // What is not an operation of the document can only be refused, or be the document.
    if (path !== `${basePath}/openapi.json`) assert.ok(answer.status >= 204, told);
    if (answer.status >= 400 && body !== undefined) validate(contract.error, body, told);
    // A key that is presented is admitted first, whatever the address and the method.
    if (asked.keyed && [400, 404, 405, 414, 429].includes(answer.status)) {
      checkInteger(answer, 'x-ratelimit-reset', told);
    }
    return;
  }
  const documented = operation.responses.get(answer.status);
  assert.ok(documented, `a status that is not documented: ${told}`);
  if (body !== undefined) validate(documented.body, body, told);
  for (const [name, { required, check, numeric }] of documented.headers) {
    const value = answer.headers[name];
    if (value === undefined) assert.ok(!required, `the documented header ${name} is missing: ${told}`);
    else validate(check, numeric ? Number(value) : value, `${name}: ${value}: ${told}`);
  }
  const admitted = asked.keyed && operation.authenticated && [200, 400, 404, 429].includes(answer.status);
  if (admitted) checkInteger(answer, 'x-ratelimit-reset', told);
  if (!operation.authenticated || answer.status === 401) {
    assert.equal(answer.headers['x-ratelimit-reset'], undefined, told);
  }
}

/** What HTTP itself adds, and what belongs to one status. */
const transport = ['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding', 'content-type'];
const contractNames = [
  'x-content-type-options',
  'cache-control',
  'x-request-id',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
];
const byStatus: Record<number, string[]> = {
  401: ['www-authenticate'],
  405: ['allow'],
  429: ['retry-after'],
  503: ['retry-after'],
};
const uuidText = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const seenRequestIds = new Set<string>();

/** The headers of every answer, whoever wrote it and whether or not there was a request to speak of. */
export function checkContractHeaders(
  answer: Answer,
  told = `${answer.status} ${answer.text.slice(0, 300)}`,
): void {
  const { headers, status } = answer;
  assert.equal(headers['content-type'], 'application/json; charset=utf-8', told);
  assert.equal(headers['x-content-type-options'], 'nosniff', told);
  assert.equal(headers['cache-control'], 'no-store', told);
  // RFC 9110, 6.6.1: whoever has a clock says the time. Clients measure Reset and Retry-After against it.
  assert.ok(!Number.isNaN(Date.parse(headers.date ?? '')), told);
  const limit = checkInteger(answer, 'x-ratelimit-limit', told);
  const remaining = checkInteger(answer, 'x-ratelimit-remaining', told);
  assert.ok(remaining <= limit, told);
  assert.match(headers['x-request-id'] ?? '', uuidText, told);
  assert.ok(!seenRequestIds.has(headers['x-request-id'] as string), `a request id came twice: ${told}`);
  seenRequestIds.add(headers['x-request-id'] as string);
  if (status === 401) assert.equal(headers['www-authenticate'], 'Bearer', told);
  if (status === 405) assert.equal(headers.allow, 'GET, HEAD', told);
  if (status === 429 || status === 503) assert.ok(checkInteger(answer, 'retry-after', told) >= 1, told);

  const crossOrigin = Object.keys(headers).filter(
    (name) => name === 'vary' || name.startsWith('access-control-'),
  );
  const expected = [...transport, ...contractNames, ...(byStatus[status] ?? []), ...crossOrigin];
  const others = Object.keys(headers).filter((name) => !expected.includes(name));
  assert.deepEqual(others, [], `headers that nobody documented: ${told}`);
}

function checkInteger({ headers }: Answer, name: string, told: string): number {
  assert.match(headers[name] ?? '', /^(0|[1-9]\d*)$/, `${name}: ${headers[name]}: ${told}`);
  return Number(headers[name]);
}

function bodyOf(answer: Answer, method: string, told: string): Json {
  if (method === 'HEAD' || answer.status === 204) {
    assert.equal(answer.text, '', told);
    return undefined;
  }
  assert.equal(answer.headers['content-length'], String(Buffer.byteLength(answer.text)), told);
  return JSON.parse(answer.text);
}

function validate(check: Check, value: unknown, told: string): void {
  const errors = check(value);
  if (errors !== undefined) assert.fail(`${JSON.stringify(errors.slice(0, 3))}: ${told}`);
}

/** undefined for a path that is not percent-encoded UTF-8: such a request is refused before its key is read. */
function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

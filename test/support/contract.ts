/**
 * Checks responses against the OpenAPI document that the server publishes, and against the headers of every response
 * (specification, sections 1 and 8; decisions, "Transport").
 */
import assert from 'node:assert/strict';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { type HttpResponse, sendRequest } from './http-client.ts';

/** @returns the errors of a value, undefined if it is valid */
type Check = (value: unknown) => ErrorObject[] | undefined;

interface DocumentedResponse {
  headers: Map<string, { required: boolean; check: Check; numeric: boolean }>;
  body: Check;
}

interface DocumentedOperation {
  path: RegExp;
  authenticated: boolean;
  responses: Map<number, DocumentedResponse>;
}

export interface Contract {
  operations: DocumentedOperation[];
  error: Check;
  /** The OpenAPI document as served. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary parts of the document
  document: any;
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
type Json = any;

const basePath = '/api/v1';

let loading: Promise<Contract> | undefined;
let loaded: Contract | undefined;

/** Loads the document once per process, because all servers of a version publish the same one. */
export async function loadContract(port: number): Promise<Contract> {
  if (loaded === undefined) {
    loading ??= fetchContract(port);
    loaded = await loading;
  }
  return loaded;
}

/** For a test whose servers publish another document. */
export function forgetContract(): void {
  loading = undefined;
  loaded = undefined;
}

async function fetchContract(port: number): Promise<Contract> {
  const response = await sendRequest(port, `${basePath}/openapi.json`);
  assert.equal(response.status, 200);
  checkContractHeaders(response);
  return compile(JSON.parse(response.text));
}

function compile(document: Json): Contract {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
  formats.default(ajv);
  // Of OpenAPI. `oneOf` checks the same.
  ajv.addKeyword('discriminator');
  const root = forbidOtherProperties(document);
  // Ajv finds definitions in `$defs` of JSON Schema, not in OpenAPI's `components`.
  ajv.addSchema(makeReferencesAbsolute({ $id: 'document', $defs: root.components.schemas }));
  // Ajv compiles a schema on first use, because most tests need only a few.
  const check = (schema: Json): Check => {
    const absolute = makeReferencesAbsolute(schema);
    return (value) => (ajv.validate(absolute, value) ? undefined : (ajv.errors ?? []));
  };
  const component = ({ $ref }: Json): Json => {
    const [, , kind, name] = $ref.split('/');
    return root.components[kind][name];
  };
  const header = (reference: Json) => {
    const { required, schema } = component(reference);
    return { required, check: check(schema), numeric: schema.type === 'integer' };
  };
  const operations = Object.entries<Json>(root.paths).map(([path, { get }]) => ({
    path: new RegExp(`^${basePath}${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
    authenticated: get.security.length > 0,
    responses: new Map(
      Object.entries<Json>(get.responses).map(([status, response]) => {
        const { headers, content } = response.$ref === undefined ? response : component(response);
        return [
          Number(status),
          {
            headers: new Map(
              Object.entries(headers).map(([name, reference]) => [name.toLowerCase(), header(reference)]),
            ),
            body: check(content['application/json'].schema),
          },
        ];
      }),
    ),
  }));
  return { operations, document, error: check({ $ref: '#/components/schemas/Error' }) };
}

/** Returns a copy of a schema whose objects allow only the documented properties. */
function forbidOtherProperties(node: Json): Json {
  if (Array.isArray(node)) return node.map(forbidOtherProperties);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(
    Object.entries(node).map(([name, value]) => [name, forbidOtherProperties(value)]),
  );
  // The first, referenced part of an `allOf` already forbids other properties.
  if (Array.isArray(copy.allOf)) for (const part of copy.allOf) delete part.additionalProperties;
  if (copy.type === 'object' && copy.properties !== undefined) copy.additionalProperties = false;
  return copy;
}

function makeReferencesAbsolute(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"document#/$defs/'));
}

export interface SentRequest {
  method: string;
  /** Path and query. */
  target: string;
  /** Whether the request has a key, valid or not. */
  hasKey: boolean;
}

export function checkResponse(contract: Contract, request: SentRequest, response: HttpResponse): void {
  const context = `${request.method} ${request.target.slice(0, 200)} → ${response.status} ${response.text.slice(0, 300)}`;
  checkContractHeaders(response, context);
  const path = decodePath(request.target.replace(/[?#].*$/s, ''));
  const operation = contract.operations.find((candidate) => candidate.path.test(path ?? ''));
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const body = parseBody(response, request.method, context);

  if (operation === undefined || !isRead) {
    // Requests other than documented operations are rejected. The document itself is an exception.
    const isDocument = path === `${basePath}/openapi.json`;
    if (!isDocument) assert.ok(response.status >= 204, context);
    if (response.status >= 400 && body !== undefined) validate(contract.error, body, context);
    // The server checks the key before URL and method, except of the document.
    if (request.hasKey && !(isDocument && isRead) && [400, 404, 405, 414, 429].includes(response.status)) {
      checkInteger(response, 'x-ratelimit-reset', context);
    }
    return;
  }
  const documented = operation.responses.get(response.status);
  assert.ok(documented, `undocumented status: ${context}`);
  if (body !== undefined) validate(documented.body, body, context);
  for (const [name, { required, check, numeric }] of documented.headers) {
    const value = response.headers[name];
    if (value === undefined) assert.ok(!required, `the documented header ${name} is missing: ${context}`);
    else validate(check, numeric ? Number(value) : value, `${name}: ${value}: ${context}`);
  }
  const declared = [...documented.headers.keys(), ...transportHeaders];
  const undeclared = Object.keys(response.headers).filter(
    (name) => !declared.includes(name) && !isNegotiated(name),
  );
  assert.deepEqual(undeclared, [], `headers that the document does not declare: ${context}`);
  if (body !== undefined && Buffer.byteLength(response.text) >= 1_024)
    assert.match(response.headers.vary ?? '', /Accept-Encoding/, context);
  const isCounted =
    request.hasKey && operation.authenticated && [200, 400, 404, 429].includes(response.status);
  if (isCounted) checkInteger(response, 'x-ratelimit-reset', context);
  if (!operation.authenticated || response.status === 401) {
    assert.equal(response.headers['x-ratelimit-reset'], undefined, context);
  }
}

const transportHeaders = [
  'date',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'content-type',
  'content-encoding',
];
/** Depends on settings, and on what the client accepts. */
const isNegotiated = (name: string) => name === 'vary' || name.startsWith('access-control-');

const contractHeaders = [
  'x-content-type-options',
  'cache-control',
  'x-request-id',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
];
const headersByStatus: Record<number, string[]> = {
  302: ['location'],
  401: ['www-authenticate'],
  405: ['allow'],
  429: ['retry-after'],
  503: ['retry-after'],
};
const uuidText = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const seenRequestIds = new Set<string>();

/** Checks the headers of every response, including those to malformed HTTP. */
export function checkContractHeaders(
  response: HttpResponse,
  context = `${response.status} ${response.text.slice(0, 300)}`,
): void {
  const { headers, status } = response;
  assert.equal(headers['content-type'], 'application/json; charset=utf-8', context);
  assert.equal(headers['x-content-type-options'], 'nosniff', context);
  assert.equal(headers['cache-control'], 'no-store', context);
  // RFC 9110, 6.6.1: a server with a clock sends Date. Clients compare it with Reset and Retry-After.
  assert.ok(!Number.isNaN(Date.parse(headers.date ?? '')), context);
  const limit = checkInteger(response, 'x-ratelimit-limit', context);
  const remaining = checkInteger(response, 'x-ratelimit-remaining', context);
  assert.ok(remaining <= limit, context);
  assert.match(headers['x-request-id'] ?? '', uuidText, context);
  assert.ok(!seenRequestIds.has(headers['x-request-id'] as string), `repeated request ID: ${context}`);
  seenRequestIds.add(headers['x-request-id'] as string);
  if (status === 401) assert.equal(headers['www-authenticate'], 'Bearer realm="rostra"', context);
  if (status === 405) assert.equal(headers.allow, 'GET, HEAD', context);
  // Without the store, it is unknown what a key has left.
  if (status === 503 && headers['x-ratelimit-reset'] === undefined) assert.equal(remaining, 0, context);
  if (status === 429 || status === 503)
    assert.ok(checkInteger(response, 'retry-after', context) >= 1, context);

  const optional = Object.keys(headers).filter(isNegotiated);
  const expected = [...transportHeaders, ...contractHeaders, ...(headersByStatus[status] ?? []), ...optional];
  const others = Object.keys(headers).filter((name) => !expected.includes(name));
  assert.deepEqual(others, [], `undocumented headers: ${context}`);
}

function checkInteger({ headers }: HttpResponse, name: string, context: string): number {
  assert.match(headers[name] ?? '', /^(0|[1-9]\d*)$/, `${name}: ${headers[name]}: ${context}`);
  return Number(headers[name]);
}

function parseBody(response: HttpResponse, method: string, context: string): Json {
  if (method === 'HEAD' || response.status === 204) {
    assert.equal(response.text, '', context);
    return undefined;
  }
  // A stream that is compressed while it is sent has no length.
  if (response.headers['transfer-encoding'] === undefined)
    assert.equal(response.headers['content-length'], String(response.body.length), context);
  return JSON.parse(response.text);
}

function validate(check: Check, value: unknown, context: string): void {
  const errors = check(value);
  if (errors !== undefined) assert.fail(`${JSON.stringify(errors.slice(0, 3))}: ${context}`);
}

/** @returns undefined for a path that is not percent-encoded UTF-8; the server rejects it before it reads the key */
function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** The operations as an OpenAPI 3.1 document. Pure: the same contract gives the same document. */
import type { TSchema } from 'typebox';
import { type ErrorCode, type ErrorStatus, errorCodeFor } from './error-codes.ts';
import { apiVersion, basePath, namedSchemas, type Operation, operations } from './operations.ts';

type Json = Record<string, unknown>;

/** TypeBox's schema type leaves the annotations out; all of ours have them. */
type Annotated = TSchema & { title: string; description: string };

/** What can meet any request, whatever the operation: malformed HTTP, a fault of ours, a store out of reach. */
const everywhere: readonly ErrorStatus[] = [400, 408, 414, 431, 500, 503];

const tags = [
  { name: 'Service', description: 'The service itself and the key in use.' },
  { name: 'Sessions', description: 'Meetings of the council and its committees.' },
  { name: 'Submissions', description: 'What citizens and council groups ask for.' },
  { name: 'Support', description: 'How many people support each submission.' },
  { name: 'Surveys', description: 'Aggregated, anonymous results.' },
];

const conditions: Record<ErrorStatus, { description: string; example: string }> = {
  400: {
    description: 'A query parameter or the cursor is invalid, or the request is not well-formed HTTP.',
    example: 'The parameter "limit" must be an integer from 1 to 100.',
  },
  401: {
    description:
      'The key is missing, malformed, unknown, expired or revoked. Which of these is not said, and nothing is consumed.',
    example: 'A valid API key is required: send it as "Authorization: Bearer <API_KEY>".',
  },
  404: {
    description: 'The resource does not exist or belongs to another municipality; the two look the same.',
    example: 'Resource not found.',
  },
  405: {
    description: 'Only GET and HEAD are answered.',
    example: 'This URL supports only GET and HEAD.',
  },
  408: {
    description: 'The request did not arrive completely in time.',
    example: 'The request did not arrive completely in time.',
  },
  414: {
    description: 'The URL is too long.',
    example: 'The URL of the request is longer than 8192 bytes.',
  },
  429: {
    description:
      "The key's rate window is exhausted. Nothing is consumed; try again after `Retry-After` seconds.",
    example: 'The rate limit of this key is exhausted: try again in 1260 seconds.',
  },
  431: {
    description: 'The header of the request is too large.',
    example: 'The header of the request is too large.',
  },
  500: {
    description: 'A fault of the service. `X-Request-Id` names the entry in its log.',
    example: 'Internal error: quote the request ID to the operator.',
  },
  503: {
    description: 'The service is stopping, or its database cannot be reached.',
    example: 'The service is temporarily unavailable: try again in 5 seconds.',
  },
};

const reset = header(
  'When the current window ends, in Unix seconds. On every response to a valid key.',
  { type: 'integer', format: 'int64', minimum: 0, maximum: 253_402_300_799 },
  1_772_359_200,
);

const headerComponents: Record<string, Json> = {
  'X-Content-Type-Options': header('Always `nosniff`.', { type: 'string', const: 'nosniff' }, 'nosniff'),
  'Cache-Control': header(
    'Always `no-store`: responses must not be cached.',
    { type: 'string', const: 'no-store' },
    'no-store',
  ),
  'X-Request-Id': header(
    'Names this request in the log of the installation. Quote it when you ask for help.',
    { type: 'string', format: 'uuid', maxLength: 36 },
    '5f0f6c8e-3c1f-4b57-a3ae-0d1a4b0c7f11',
  ),
  'X-RateLimit-Limit': header(
    'Requests the key may make in one window. Without a valid key: the default of the installation.',
    { type: 'integer', format: 'int32', minimum: 1, maximum: 2_147_483_647 },
    1000,
  ),
  'X-RateLimit-Remaining': header(
    'Requests left in the current window. Without a valid key: the same as the limit.',
    { type: 'integer', format: 'int32', minimum: 0, maximum: 2_147_483_647 },
    994,
  ),
  'X-RateLimit-Reset': reset,
  'X-RateLimit-Reset-Of-Valid-Key': { ...reset, required: false },
  'Retry-After': header(
    'Seconds to wait before the next try.',
    { type: 'integer', format: 'int32', minimum: 1, maximum: 2_147_483_647 },
    1260,
  ),
  'WWW-Authenticate': header('Always `Bearer`.', { type: 'string', const: 'Bearer' }, 'Bearer'),
  'Access-Control-Allow-Origin': {
    ...header(
      'Only where the installation lets pages of other origins read it, and only for those origins.',
      { type: 'string', maxLength: 2_048, pattern: '^\\S+$' },
      'https://data.example.org',
    ),
    required: false,
  },
};

/** The complete document (RFC 8259 JSON value), to be served at `basePath` + `openapiPath`. */
export function openapiDocument(): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Rostra: civic participation read API',
      version: apiVersion,
      description: [
        'What citizens ask their municipality for, the council sessions that deal with it, how many people support it, and what surveys found: read-only, one municipality per key.',
        'Send the key as `Authorization: Bearer <API_KEY>`. An administrator of the municipality issues keys.',
        'Lists are paged with cursors: repeat the request with `cursor` set to the last `next_cursor` until `has_more` is false. Whatever is added or removed meanwhile, every item that stays is given exactly once.',
        'Each key has a number of requests per hour; every response says how many are left.',
      ].join('\n\n'),
      license: { name: 'European Union Public Licence 1.2', identifier: 'EUPL-1.2' },
      contact: { name: 'The municipality that runs this installation' },
    },
    servers: [{ url: basePath, description: 'This installation (production)', 'x-internal': false }],
    security: [{ apiKey: [] }],
    tags,
    paths: Object.fromEntries(
      Object.entries(operations).map(([id, operation]) => [operation.path, { get: describe(id, operation) }]),
    ),
    components: {
      schemas: Object.fromEntries(
        Object.entries({ ...namedSchemas, ...envelopes() }).map(([name, schema]) => [
          name,
          withReferences(schema),
        ]),
      ),
      headers: headerComponents,
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'sk_rostra_…',
          description:
            'An API key. It belongs to one municipality and reads the data of that municipality only.',
        },
      },
    },
  };
}

function describe(operationId: string, operation: Operation): Json {
  const statuses = [...new Set([...operation.errors, ...everywhere])].sort((a, b) => a - b);
  const response = operation.response as Annotated;
  return {
    operationId,
    summary: operation.summary,
    description: operation.description,
    tags: [operation.tag],
    security: operation.authenticated ? [{ apiKey: [] }] : [],
    parameters: parametersOf(operation),
    responses: {
      200: {
        description: response.description,
        headers: headersOf(200, operation.authenticated),
        content: {
          'application/json': {
            schema: reference(response.title),
            example: exampleOf(response),
          },
        },
      },
      ...Object.fromEntries(
        statuses.map((status) => [String(status), problem(status, operation.authenticated)]),
      ),
    },
  };
}

/** Without examples: the reference would fill them in, and a stranger's first page would be empty. */
function parametersOf({ pathId, query }: Operation): Json[] {
  const path = pathId ? [parameter('id', 'path', true, pathId)] : [];
  const named = Object.entries((query ?? {}) as Record<string, TSchema>);
  return [...path, ...named.map(([name, schema]) => parameter(name, 'query', false, schema))];
}

function parameter(name: string, where: 'path' | 'query', required: boolean, schema: TSchema): Json {
  const { description, ...bare } = schema as Annotated;
  return { name, in: where, required, description, schema: bare };
}

function problem(status: ErrorStatus, authenticated: boolean): Json {
  const { description, example } = conditions[status];
  const code: ErrorCode = errorCodeFor(status);
  return {
    description,
    headers: headersOf(status, authenticated),
    content: {
      'application/json': {
        schema: {
          allOf: [
            reference('Error'),
            { type: 'object', properties: { code: { type: 'string', const: code } }, required: ['code'] },
          ],
        },
        example: { error: example, code },
      },
    },
  };
}

/** The contract headers of a response. The rate window's end is known wherever a valid key was presented. */
function headersOf(status: number, authenticated: boolean): Json {
  const keyed = authenticated && [200, 404, 429].includes(status);
  const names = [
    'X-Content-Type-Options',
    'Cache-Control',
    'X-Request-Id',
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    ...(keyed ? ['X-RateLimit-Reset'] : []),
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
    ...(status === 401 ? ['WWW-Authenticate'] : []),
    'Access-Control-Allow-Origin',
  ];
  const references = names.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  // These can meet a request before its key was checked, and after.
  const perhapsKeyed = authenticated && [400, 500, 503].includes(status);
  const window = ['X-RateLimit-Reset', { $ref: '#/components/headers/X-RateLimit-Reset-Of-Valid-Key' }];
  return Object.fromEntries(perhapsKeyed ? [...references, window] : references);
}

function header(description: string, schema: Json, example: unknown): Json {
  return { description, required: true, schema, example };
}

function envelopes(): Record<string, TSchema> {
  const responses = Object.values(operations).map(({ response }) => response as Annotated);
  return Object.fromEntries(
    responses
      .filter(({ title }) => !Object.hasOwn(namedSchemas, title))
      .map((response) => [response.title, response]),
  );
}

function reference(title: string): Json {
  return { $ref: `#/components/schemas/${title}` };
}

/** A copy in which a reference to a named schema is a JSON pointer into the document. */
function withReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withReferences);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      key === '$ref' ? ['$ref', `#/components/schemas/${inner}`] : [key, withReferences(inner)],
    ),
  );
}

/** A whole example, put together from the examples of the parts. */
function exampleOf(schema: TSchema): unknown {
  const node = schema as TSchema & {
    $ref?: string;
    examples?: unknown[];
    properties?: Record<string, TSchema>;
    items?: TSchema;
  };
  if (node.$ref !== undefined) return exampleOf(namedSchemas[node.$ref as keyof typeof namedSchemas]);
  if (node.examples) return node.examples[0];
  if (node.items) return [exampleOf(node.items)];
  return Object.fromEntries(
    Object.entries(node.properties ?? {}).map(([name, property]) => [name, exampleOf(property)]),
  );
}

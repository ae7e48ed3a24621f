/** Generates the OpenAPI 3.1 document from the operations. */
import type { TSchema } from 'typebox';
import { type ErrorCode, type ErrorStatus, findErrorCode } from './error-codes.ts';
import { apiVersion, basePath, type Operation, operations } from './operations.ts';
import { namedSchemas } from './resource-schemas.ts';

type Json = Record<string, unknown>;

/** The schema type of TypeBox lacks annotations; all schemas of the contract have them. */
type Annotated = TSchema & { title: string; description: string };

/** Errors of every operation: malformed HTTP, internal errors, an unavailable database. */
const commonErrors: readonly ErrorStatus[] = [400, 408, 414, 431, 500, 503];

const tags = [
  { name: 'Service', description: 'Status of the service and of the API key.' },
  { name: 'Sessions', description: 'Meetings of the council and its committees.' },
  { name: 'Submissions', description: 'Requests and proposals of citizens and council groups.' },
  { name: 'Support', description: 'Number of supporters of each submission.' },
  { name: 'Surveys', description: 'Aggregated, anonymous survey results.' },
  { name: 'Extensions', description: 'Operations beyond the specification of the API.' },
];

const conditions: Record<ErrorStatus, { description: string; example: string }> = {
  400: {
    description: 'A query parameter or the cursor is invalid, or the request is malformed.',
    example: 'The parameter "limit" must be an integer from 1 to 100.',
  },
  401: {
    description:
      'The API key is missing, malformed, unknown, expired or revoked. The response is the same in all these cases. The request is not counted.',
    example: 'A valid API key is required: send it as "Authorization: Bearer <API_KEY>".',
  },
  404: {
    description:
      'The resource does not exist or belongs to another municipality. The response is the same in both cases.',
    example: 'Resource not found.',
  },
  405: {
    description: 'The API supports only GET and HEAD.',
    example: 'This URL supports only GET and HEAD.',
  },
  408: {
    description: 'The client took too long to send the request.',
    example: 'The request did not arrive completely in time.',
  },
  410: {
    description:
      'The cursor is from another history of the data, for example from before the restore of a backup. Start again without a cursor, and replace the copy.',
    example:
      'The cursor is from another history of the data: start again without a cursor, and replace your copy.',
  },
  414: {
    description: 'The URL is too long.',
    example: 'The URL of the request is longer than 8192 bytes.',
  },
  429: {
    description:
      'The rate limit of the API key is exhausted. Wait `Retry-After` seconds. The request is not counted.',
    example: 'The rate limit of this key is exhausted: try again in 1260 seconds.',
  },
  431: {
    description: 'The URL and the header together are larger than 16 kB.',
    example: 'The header of the request is too large.',
  },
  500: {
    description: 'Internal error. Quote `X-Request-Id` to the operator, who can find the cause in the log.',
    example: 'Internal error: quote the request ID to the operator.',
  },
  503: {
    description: 'The service is shutting down, or its database is unavailable. Wait `Retry-After` seconds.',
    example: 'The service is temporarily unavailable: try again in 5 seconds.',
  },
};

const reset = createHeader(
  'End of the current rate-limit window, in Unix seconds. Present if the API key is valid.',
  { type: 'integer', format: 'int64', minimum: 0, maximum: 253_402_300_799 },
  1_772_359_200,
);

const headerComponents: Record<string, Json> = {
  'X-Content-Type-Options': createHeader(
    'Always `nosniff`.',
    { type: 'string', const: 'nosniff' },
    'nosniff',
  ),
  'Cache-Control': createHeader(
    'Always `no-store`: do not cache responses.',
    { type: 'string', const: 'no-store' },
    'no-store',
  ),
  'X-Request-Id': createHeader(
    'Identifies the request in the log of the service. Quote it in support requests.',
    { type: 'string', format: 'uuid', maxLength: 36 },
    '5f0f6c8e-3c1f-4b57-a3ae-0d1a4b0c7f11',
  ),
  'X-RateLimit-Limit': createHeader(
    'Requests per rate-limit window of the API key. Without a valid key: the default limit.',
    { type: 'integer', format: 'int32', minimum: 1, maximum: 2_147_483_647 },
    1000,
  ),
  'X-RateLimit-Remaining': createHeader(
    'Remaining requests in the current window. Without a valid key: the same as the limit.',
    { type: 'integer', format: 'int32', minimum: 0, maximum: 2_147_483_647 },
    994,
  ),
  'X-RateLimit-Reset': reset,
  'X-RateLimit-Reset-Of-Valid-Key': { ...reset, required: false },
  'Retry-After': createHeader(
    'Seconds to wait before the next request.',
    { type: 'integer', format: 'int32', minimum: 1, maximum: 2_147_483_647 },
    1260,
  ),
  'WWW-Authenticate': createHeader('Always `Bearer`.', { type: 'string', const: 'Bearer' }, 'Bearer'),
  'Access-Control-Allow-Origin': {
    ...createHeader(
      'Present if the operator has allowed the origin of the request (CORS).',
      { type: 'string', maxLength: 2_048, pattern: '^\\S+$' },
      'https://data.example.org',
    ),
    required: false,
  },
};

export function createOpenapiDocument(): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Rostra: civic participation read API',
      version: apiVersion,
      description: [
        'Read access to the civic participation data of a municipality: submissions of citizens, council sessions that discuss them, support tallies, and survey results. Each API key reads the data of one municipality.',
        'Send the API key as `Authorization: Bearer <API_KEY>`. Administrators of the municipality issue API keys.',
        'Lists use cursor pagination: repeat the request with `cursor` set to the `next_cursor` of the previous page until `has_more` is false. Each item that exists throughout appears exactly once, even if other items are added or removed meanwhile.',
        'Each API key has a rate limit. Every response includes the number of remaining requests.',
      ].join('\n\n'),
      license: { name: 'European Union Public Licence 1.2', identifier: 'EUPL-1.2' },
      contact: { name: 'The municipality that runs this installation' },
    },
    servers: [{ url: basePath, description: 'This server (production)', 'x-internal': false }],
    security: [{ apiKey: [] }],
    tags,
    paths: Object.fromEntries(
      Object.entries(operations).map(([id, operation]) => [
        operation.path,
        { get: createOperation(id, operation) },
      ]),
    ),
    components: {
      schemas: Object.fromEntries(
        Object.entries({ ...namedSchemas, ...listEnvelopes() }).map(([name, schema]) => [
          name,
          resolveReferences(schema),
        ]),
      ),
      headers: headerComponents,
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'sk_rostra_…',
          description: 'An API key reads the data of one municipality.',
        },
      },
    },
  };
}

function createOperation(operationId: string, operation: Operation): Json {
  const statuses = [...new Set([...operation.errors, ...commonErrors])].sort((a, b) => a - b);
  const response = operation.response as Annotated;
  return {
    operationId,
    summary: operation.summary,
    description: operation.description,
    tags: [operation.tag],
    security: operation.authenticated ? [{ apiKey: [] }] : [],
    parameters: listParameters(operation),
    responses: {
      200: {
        description: response.description,
        headers: listHeaders(200, operation.authenticated),
        content: {
          'application/json': {
            schema: createReference(response.title),
            example: createExample(response),
          },
        },
      },
      ...Object.fromEntries(
        statuses.map((status) => [String(status), createErrorResponse(status, operation.authenticated)]),
      ),
    },
  };
}

/** Parameters have no examples: the reference at /docs would send them as filters, and the first page would be empty. */
function listParameters({ pathId, query }: Operation): Json[] {
  const path = pathId ? [createParameter('id', 'path', true, pathId)] : [];
  const named = Object.entries((query ?? {}) as Record<string, TSchema>);
  return [...path, ...named.map(([name, schema]) => createParameter(name, 'query', false, schema))];
}

function createParameter(name: string, where: 'path' | 'query', required: boolean, schema: TSchema): Json {
  const { description, ...bare } = schema as Annotated;
  return { name, in: where, required, description, schema: bare };
}

function createErrorResponse(status: ErrorStatus, authenticated: boolean): Json {
  const { description, example } = conditions[status];
  const code: ErrorCode = findErrorCode(status);
  return {
    description,
    headers: listHeaders(status, authenticated),
    content: {
      'application/json': {
        schema: {
          allOf: [
            createReference('Error'),
            { type: 'object', properties: { code: { type: 'string', const: code } }, required: ['code'] },
          ],
        },
        example: { error: example, code },
      },
    },
  };
}

/** `X-RateLimit-Reset` is present on responses to requests with a valid key. */
function listHeaders(status: number, authenticated: boolean): Json {
  const hasValidKey = authenticated && [200, 404, 410, 429].includes(status);
  const names = [
    'X-Content-Type-Options',
    'Cache-Control',
    'X-Request-Id',
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    ...(hasValidKey ? ['X-RateLimit-Reset'] : []),
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
    ...(status === 401 ? ['WWW-Authenticate'] : []),
    'Access-Control-Allow-Origin',
  ];
  const references = names.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  // These errors can occur before and after authentication.
  const mayHaveValidKey = authenticated && [400, 500, 503].includes(status);
  const window = ['X-RateLimit-Reset', { $ref: '#/components/headers/X-RateLimit-Reset-Of-Valid-Key' }];
  return Object.fromEntries(mayHaveValidKey ? [...references, window] : references);
}

function createHeader(description: string, schema: Json, example: unknown): Json {
  return { description, required: true, schema, example };
}

function listEnvelopes(): Record<string, TSchema> {
  const responses = Object.values(operations).map(({ response }) => response as Annotated);
  return Object.fromEntries(
    responses
      .filter(({ title }) => !Object.hasOwn(namedSchemas, title))
      .map((response) => [response.title, response]),
  );
}

function createReference(title: string): Json {
  return { $ref: `#/components/schemas/${title}` };
}

/** Copies a schema and turns references to named schemas into JSON pointers. */
function resolveReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resolveReferences);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      key === '$ref' ? ['$ref', `#/components/schemas/${inner}`] : [key, resolveReferences(inner)],
    ),
  );
}

/** Builds an example from the examples of the properties. */
function createExample(schema: TSchema): unknown {
  const node = schema as TSchema & {
    $ref?: string;
    examples?: unknown[];
    properties?: Record<string, TSchema>;
    items?: TSchema;
    anyOf?: [TSchema];
    oneOf?: [TSchema];
  };
  if (node.$ref !== undefined) return createExample(namedSchemas[node.$ref as keyof typeof namedSchemas]);
  if (node.examples) return node.examples[0];
  if (node.items) return [createExample(node.items)];
  const [alternative] = node.oneOf ?? node.anyOf ?? [];
  if (alternative) return createExample(alternative);
  return Object.fromEntries(
    Object.entries(node.properties ?? {}).map(([name, property]) => [name, createExample(property)]),
  );
}

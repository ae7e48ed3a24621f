/** The headers and the error responses of the OpenAPI document. Operations refer to these components. */
import { type ErrorStatus, findErrorCode } from './error-codes.ts';
import type { Operation } from './operations.ts';

type Json = Record<string, unknown>;

const errors: Record<ErrorStatus, { component: string; description: string; example: string }> = {
  400: {
    component: 'BadRequest',
    description: 'A query parameter or the cursor is invalid, or the request is malformed.',
    example: 'The parameter "limit" must be an integer from 1 to 100.',
  },
  401: {
    component: 'Unauthorized',
    description:
      'The API key is missing, malformed, unknown, expired or revoked. The response is the same in all these cases. The request is not counted.',
    example: 'A valid API key is required: send it as "Authorization: Bearer <API_KEY>".',
  },
  404: {
    component: 'NotFound',
    description:
      'The resource does not exist or belongs to another municipality. The response is the same in both cases.',
    example: 'Resource not found.',
  },
  405: {
    component: 'MethodNotAllowed',
    description: 'The API supports only GET and HEAD.',
    example: 'This URL supports only GET and HEAD.',
  },
  408: {
    component: 'RequestTimeout',
    description: 'The client took too long to send the request.',
    example: 'The request did not arrive completely in time.',
  },
  410: {
    component: 'ResyncRequired',
    description:
      'The cursor is from another history of the data, for example from before the restore of a backup, or older than the removals that are listed. Start again without a cursor, and replace the copy.',
    example:
      'The cursor is from another history of the data, or older than the removals that are listed: start again without a cursor, and replace your copy.',
  },
  414: {
    component: 'UriTooLong',
    description: 'The URL is too long.',
    example: 'The URL of the request is longer than 8192 bytes.',
  },
  429: {
    component: 'RateLimited',
    description:
      'The rate limit of the API key is exhausted. Wait `Retry-After` seconds. The request is not counted.',
    example: 'The rate limit of this key is exhausted: try again in 1260 seconds.',
  },
  431: {
    component: 'HeaderTooLarge',
    description: 'The URL and the header together are larger than 16 kB.',
    example: 'The URL and the header of the request together are larger than 16 kB.',
  },
  500: {
    component: 'InternalError',
    description: 'Internal error. Quote `X-Request-Id` to the operator, who can find the cause in the log.',
    example: 'Internal error: quote the request ID to the operator.',
  },
  503: {
    component: 'Unavailable',
    description: 'The service is shutting down, or its database is unavailable. Wait `Retry-After` seconds.',
    example: 'The service is temporarily unavailable: try again in 5 seconds.',
  },
};

const createHeader = (description: string, schema: Json, example: unknown, required = true): Json => ({
  description,
  required,
  schema,
  example,
});

const createConstantHeader = (description: string, value: string): Json =>
  createHeader(description, { type: 'string', const: value }, value);

/** Value of `WWW-Authenticate`. A challenge has at least one parameter (RFC 6750, section 3). */
export const bearerChallenge = 'Bearer realm="rostra"';

const baseHeaders: Record<string, Json> = {
  'X-Content-Type-Options': createConstantHeader('Always `nosniff`.', 'nosniff'),
  'Cache-Control': createConstantHeader('Always `no-store`: do not cache responses.', 'no-store'),
  'X-Request-Id': createHeader(
    'Identifies the request in the log of the service. Quote it in support requests.',
    { type: 'string', format: 'uuid', maxLength: 36 },
    '5f0f6c8e-3c1f-4b57-a3ae-0d1a4b0c7f11',
  ),
  'X-RateLimit-Limit': createHeader(
    'Requests per rate-limit window of the API key. For `/health`, and without a valid key: the default limit of the installation.',
    { type: 'integer', format: 'int32', minimum: 1, maximum: 2_147_483_647 },
    1000,
  ),
  'X-RateLimit-Remaining': createHeader(
    'Remaining requests in the current window. For `/health`, and without a valid key: the same as the limit. In a 503 response before the key was found valid: 0, because the number is unknown.',
    { type: 'integer', format: 'int32', minimum: 0, maximum: 2_147_483_647 },
    994,
  ),
  'X-RateLimit-Reset': createHeader(
    'End of the current rate-limit window, in Unix seconds. Present if the API key is valid, except in responses of `/health`.',
    { type: 'integer', format: 'int64', minimum: 0, maximum: 253_402_300_799 },
    1_772_359_200,
    false,
  ),
  'Retry-After': createHeader(
    'Seconds to wait before the next request.',
    { type: 'integer', format: 'int32', minimum: 1, maximum: 2_147_483_647 },
    1260,
  ),
  'WWW-Authenticate': createConstantHeader(
    `Always \`${bearerChallenge}\` (RFC 6750, section 3).`,
    bearerChallenge,
  ),
  'Access-Control-Allow-Origin': createHeader(
    'Present if the operator has allowed the origin of the request (CORS).',
    { type: 'string', maxLength: 2_048, pattern: '^\\S+$' },
    'https://data.example.org',
    false,
  ),
};

/** Headers of a deprecated operation. */
const deprecationHeaders: Record<string, Json> = {
  Deprecation: createHeader(
    'Time since which the operation is deprecated, as `@` and Unix seconds (RFC 9745).',
    { type: 'string', maxLength: 20, pattern: '^@\\d+$' },
    '@1767225600',
  ),
  Sunset: createHeader(
    'Time after which the operation may be gone, as an HTTP date (RFC 8594).',
    {
      type: 'string',
      maxLength: 29,
      pattern: '^[A-Z][a-z]{2}, \\d{2} [A-Z][a-z]{2} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT$',
    },
    'Fri, 01 Jan 2027 00:00:00 GMT',
  ),
  Link: createHeader(
    'Page with the reason and the replacement, with the relation `deprecation`.',
    { type: 'string', maxLength: 2_048, pattern: '^<' },
    '<https://api.example.org/docs>; rel="deprecation"; type="text/html"',
  ),
};

export const createHeaderComponents = (operations: readonly Operation[]): Json =>
  operations.some(({ deprecated }) => deprecated) ? { ...baseHeaders, ...deprecationHeaders } : baseHeaders;

const refer = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const standardHeaders = [
  'X-Content-Type-Options',
  'Cache-Control',
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'Access-Control-Allow-Origin',
];

/** The headers of a response with the status 200. */
export const referToHeaders = ({ isPublic, deprecated }: Operation): Json =>
  refer([
    ...standardHeaders,
    ...(isPublic ? [] : ['X-RateLimit-Reset']),
    ...(deprecated ? Object.keys(deprecationHeaders) : []),
  ]);

/** A key was found invalid, or not looked up. All other errors can occur after it was found valid. */
const errorsWithoutWindow: readonly ErrorStatus[] = [401, 408];

function createErrorResponse(status: ErrorStatus): Json {
  const { description, example } = errors[status];
  const code = findErrorCode(status);
  return {
    description,
    headers: refer([
      ...standardHeaders,
      ...(errorsWithoutWindow.includes(status) ? [] : ['X-RateLimit-Reset']),
      ...(status === 429 || status === 503 ? ['Retry-After'] : []),
      ...(status === 401 ? ['WWW-Authenticate'] : []),
    ]),
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Error' },
            { type: 'object', properties: { code: { type: 'string', const: code } }, required: ['code'] },
          ],
        },
        example: { error: example, code },
      },
    },
  };
}

export const createErrorComponents = (statuses: Iterable<ErrorStatus>): Json =>
  Object.fromEntries([...statuses].map((status) => [errors[status].component, createErrorResponse(status)]));

export const referToError = (status: ErrorStatus): Json => ({
  $ref: `#/components/responses/${errors[status].component}`,
});

/** Generates the OpenAPI 3.1 document from the operations. */

import type { TSchema } from 'typebox';
import { caveats } from './caveats.ts';
import type { ErrorStatus } from './error-codes.ts';
import { toPortablePattern } from './field-schemas.ts';
import {
  createErrorComponents,
  createHeaderComponents,
  referToError,
  referToHeaders,
} from './openapi-headers-and-errors.ts';
import { apiVersion, basePath, type Operation, operations } from './operations.ts';
import { namedSchemas } from './resources/resource-schemas.ts';

type Json = Record<string, unknown>;

/** The schema type of TypeBox lacks annotations; all schemas of the contract have them. */
type Annotated = TSchema & { title: string; description: string };

/** Errors of every operation: malformed HTTP, internal errors, an unavailable database. */
const commonErrors: readonly ErrorStatus[] = [400, 408, 414, 431, 500, 503];

/** Errors of every operation with a key. */
const keyErrors: readonly ErrorStatus[] = [401, 429];

const listErrors = ({ errors = [], isPublic }: Operation): ErrorStatus[] =>
  [...errors, ...commonErrors, ...(isPublic ? [] : keyErrors)].sort((a, b) => a - b);

const tags = [
  { name: 'Service', description: 'Status of the service and of the API key.' },
  { name: 'Sessions', description: 'Meetings of the council and its committees.' },
  { name: 'Submissions', description: 'Requests and proposals of citizens and council groups.' },
  { name: 'Support', description: 'Number of supporters of each submission.' },
  { name: 'Surveys', description: 'Aggregated, anonymous survey results.' },
  {
    name: 'Extensions',
    description:
      'Operations beyond the specification of the civic participation read API. Other implementations of the specification may lack them.',
  },
];

/** @param publicUrl origin at which clients reach the installation; undefined: the origin of the document */
export function createOpenapiDocument(publicUrl = ''): Json {
  const all = Object.values(operations);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Rostra: civic participation read API',
      version: apiVersion,
      description: [
        'Read access to the civic participation data of a municipality: submissions of citizens and council groups, council sessions that discuss them, support tallies, and survey results. Each API key reads the data of one municipality.',
        'Send the API key as `Authorization: Bearer <API_KEY>`. Administrators of the municipality issue API keys in the admin area, under "Integrations / API keys".',
        'Lists use cursor pagination: repeat the request with `cursor` set to the `next_cursor` of the previous page until `has_more` is false. Each item that exists throughout appears exactly once, even if other items are added or removed meanwhile.',
        'Each API key has a rate limit. Every response includes the number of remaining requests.',
        '## What a value may not mean',
        caveats
          .map(({ part, text, advice }) => [`- **${part}**: ${text}`, advice].filter(Boolean).join(' '))
          .join('\n'),
      ].join('\n\n'),
      license: { name: 'European Union Public Licence 1.2', identifier: 'EUPL-1.2' },
      contact: { name: 'The municipality that runs this installation' },
    },
    // OpenAPI requires an absolute URL here.
    ...(publicUrl !== '' && {
      externalDocs: { description: 'Guide and reference', url: `${publicUrl}/docs` },
    }),
    servers: [{ url: publicUrl + basePath, description: 'This installation' }],
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
          publishSchema(schema),
        ]),
      ),
      responses: createErrorComponents(new Set(all.flatMap(listErrors))),
      headers: createHeaderComponents(all),
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
  const response = operation.response as Annotated;
  return {
    operationId,
    summary: operation.summary,
    description: operation.description,
    ...(operation.deprecated && { deprecated: true }),
    tags: [operation.tag],
    security: operation.isPublic ? [] : [{ apiKey: [] }],
    parameters: listParameters(operation),
    responses: {
      200: {
        description: response.description,
        headers: referToHeaders(operation),
        content: {
          'application/json': {
            schema: createReference(response.title),
            example: createExample(response),
          },
        },
      },
      ...Object.fromEntries(listErrors(operation).map((status) => [String(status), referToError(status)])),
    },
  };
}

/** Parameters have no examples: interactive references would send them as filters, and the first page would be empty. */
function listParameters({ pathId, query }: Operation): Json[] {
  const path = pathId ? [createParameter('id', 'path', true, pathId)] : [];
  const named = Object.entries((query ?? {}) as Record<string, TSchema>);
  return [...path, ...named.map(([name, schema]) => createParameter(name, 'query', false, schema))];
}

function createParameter(name: string, where: 'path' | 'query', required: boolean, schema: TSchema): Json {
  const { description, ...bare } = schema as Annotated;
  return { name, in: where, required, description, schema: publishSchema(bare) };
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

/** Copies a schema. References to named schemas become JSON pointers, and patterns portable. */
function publishSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(publishSchema);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (key === '$ref') return ['$ref', `#/components/schemas/${inner}`];
      if (key === 'pattern') return ['pattern', toPortablePattern(inner as string)];
      return [key, publishSchema(inner)];
    }),
  );
}

/** Builds an example from the examples of the properties. */
function createExample(schema: TSchema): unknown {
  const node = schema as TSchema & {
    $ref?: string;
    examples?: unknown[];
    properties?: Record<string, TSchema>;
    items?: TSchema;
    anyOf?: TSchema[];
    oneOf?: TSchema[];
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

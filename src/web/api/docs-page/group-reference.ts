/** Groups operations and schemas by tag. */
import type { OpenapiDocument, OperationObject, SchemaObject } from './openapi-types.ts';

interface ReferenceGroup {
  tag: { name: string; description: string };
  operations: [path: string, operation: OperationObject][];
  /** Names of the schemas that the data of these operations consists of. */
  schemas: string[];
}

export const readReference = ({ $ref = '' }: SchemaObject) => $ref.slice($ref.lastIndexOf('/') + 1);

export function readSuccess({ responses }: OperationObject): SchemaObject {
  const content = responses['200']?.content;
  if (content === undefined) throw new Error('Every operation documents its response.');
  return content['application/json'].schema;
}

export function groupByTag(document: OpenapiDocument): ReferenceGroup[] {
  const all = Object.entries(document.paths).map(
    ([path, { get }]) => [path, get] as [string, OperationObject],
  );
  const tagBySchema = assignSchemas(document);
  return document.tags.map((tag) => ({
    tag,
    operations: all.filter(([, { tags }]) => tags[0] === tag.name),
    schemas: [...tagBySchema].filter(([, name]) => name === tag.name).map(([schema]) => schema),
  }));
}

/** A schema belongs to the tag of the first operation whose data has it. */
function assignSchemas({ paths, components: { schemas } }: OpenapiDocument): Map<string, string> {
  const tagBySchema = new Map<string, string>();
  for (const { get } of Object.values(paths)) {
    const { data } = schemas[readReference(readSuccess(get))]?.properties ?? {};
    for (const name of data === undefined ? [] : listReferences(data, schemas))
      if (!tagBySchema.has(name)) tagBySchema.set(name, get.tags[0]);
  }
  return tagBySchema;
}

/** @returns the names of the schemas to which a schema refers, also indirectly */
function listReferences(
  schema: SchemaObject,
  schemas: Record<string, SchemaObject>,
  found = new Set<string>(),
): Set<string> {
  const name = readReference(schema);
  const named = schemas[name];
  if (named !== undefined && !found.has(name)) listReferences(named, schemas, found.add(name));
  const { items, anyOf = [], oneOf = [], properties = {} } = schema;
  for (const part of [...(items ? [items] : []), ...anyOf, ...oneOf, ...Object.values(properties)])
    listReferences(part, schemas, found);
  return found;
}

/** Schemas besides those of groups and those that only one operation returns, which are described there. */
export function listCommonSchemas(document: OpenapiDocument, groups: readonly ReferenceGroup[]): string[] {
  const described = new Set([
    ...Object.values(document.paths).map(({ get }) => readReference(readSuccess(get))),
    ...groups.flatMap(({ schemas }) => schemas),
  ]);
  return Object.keys(document.components.schemas).filter((name) => !described.has(name));
}

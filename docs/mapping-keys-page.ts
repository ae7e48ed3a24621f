/** The generated page of all keys of a mapping file. */
import type { TSchema } from 'typebox';
import { type ColumnKind, type Fields, isOptional } from '../src/contract/field.ts';
import { sessionFields } from '../src/contract/resources/session.ts';
import { submissionFields } from '../src/contract/resources/submission.ts';
import { fieldKeys, fileKeys, tableMappingSchema } from '../src/domain/sources/table-mapping.ts';

interface DescribedSchema {
  description?: string;
  examples?: readonly string[];
}

/** With its examples, unless they are in the description. */
function describeKey(schema: object): string {
  const { description = '', examples = [] } = schema as DescribedSchema;
  const added = examples
    .map((example) => `\`${example}\``)
    .filter((example) => !description.includes(example));
  return `${description}${added.length > 0 ? ` Examples: ${added.join(', ')}` : ''}`.replaceAll('|', '\\|');
}

const describeKeys = (schemas: Readonly<Record<string, TSchema>>): string =>
  Object.entries(schemas)
    .map(([name, schema]) => `| \`${name}\` | ${describeKey(schema)} |`)
    .join('\n');

const describeFields = (fields: Fields): string =>
  Object.entries(fields)
    .flatMap(([name, field]) =>
      field.fromColumn === undefined
        ? []
        : [`| \`${name}\` | ${isOptional(field) ? '' : 'yes'} | ${field.fromColumn.description} |`],
    )
    .join('\n');

const mappedFields = [submissionFields, sessionFields].flatMap((fields: Fields) =>
  Object.entries(fields).flatMap(([name, { fromColumn }]) =>
    fromColumn === undefined || name === 'id' ? [] : [{ name, kind: fromColumn.kind }],
  ),
);

/** Names of the fields to which a key applies. */
function listFields(kinds: readonly ColumnKind[]): string {
  const list = (applies: boolean) =>
    [...new Set(mappedFields.filter(({ kind }) => kinds.includes(kind) === applies).map(({ name }) => name))]
      .map((name) => `\`${name}\``)
      .join(', ');
  const [names, others] = [list(true), list(false)];
  if (others === '') return 'all';
  return names.length > others.length ? `all but ${others}` : names;
}

const describeFieldKeys = (): string =>
  Object.entries(fieldKeys)
    .map(([name, { schema, kinds }]) => `| \`${name}\` | ${listFields(kinds)} | ${describeKey(schema)} |`)
    .join('\n');

export function generateMappingKeysPage(note: string): string {
  const { agenda } = tableMappingSchema.properties;
  return `${note}

# Keys of a mapping

[Any table](tables.md) shows how to write a mapping file, and what the values of a field mean. A mapping has \`submission\`, \`session\`
or both; \`agenda\` needs \`session\`.

## File

| key | meaning |
| --- | --- |
${describeKeys(fileKeys)}

## Fields of \`submission\`

| field | required | meaning |
| --- | --- | --- |
${describeFields(submissionFields)}

## Fields of \`session\`

| field | required | meaning |
| --- | --- | --- |
${describeFields(sessionFields)}

## Keys of \`agenda\`

${describeKey(agenda)}

| key | meaning |
| --- | --- |
${describeKeys(agenda.properties)}

## Keys of a field

A field is the name of a column, or a table with one of ${Object.entries(fieldKeys)
    .flatMap(([name, key]) => ('isSource' in key ? [`\`${name}\``] : []))
    .join(', ')}, and with these keys.
\`id\` has none: it is a column or a list of columns. [Date patterns](tables.md#reference-date-patterns) have rules of their own.

| key | fields | meaning |
| --- | --- | --- |
${describeFieldKeys()}
`;
}

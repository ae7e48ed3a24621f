/** Writes the OpenAPI document as Markdown: what `render-reference.ts` renders as HTML. */
import { composeCurlCommand } from '../../../platform/http/code-samples.ts';
import { exampleBaseUrl } from './article-files.ts';
import { groupByTag, listCommonSchemas, readReference, readSuccess } from './group-reference.ts';
import type { OpenapiDocument, OperationObject, ParameterObject, SchemaObject } from './openapi-types.ts';
import { describeTypeInParts } from './render-schema.ts';
import { composeSampleRequest } from './sample-requests.ts';

export function writeReference(document: OpenapiDocument): string {
  const { schemas } = document.components;

  function writeOperation([path, operation]: [string, OperationObject]): string {
    const { summary, description, deprecated, parameters, responses, security } = operation;
    const success = readSuccess(operation);
    const errors = Object.keys(responses).filter((status) => status !== '200');
    const url = exampleBaseUrl + composeSampleRequest(path, operation);
    return [
      `#### ${summary}`,
      `\`GET ${path}\`${deprecated ? ' **Deprecated**' : ''}`,
      description,
      `\`\`\`sh\n${composeCurlCommand(url, security.length > 0 ? 'environment' : 'none')}\n\`\`\``,
      ...(parameters.length > 0 ? ['Parameters:', parameters.map(writeParameter).join('\n')] : []),
      'Response:',
      writeFields(schemas[readReference(success)] ?? success),
      `Errors: ${errors.join(', ')}.`,
    ].join('\n\n');
  }

  const writeSchema = (name: string): string => {
    const schema = schemas[name] as SchemaObject;
    return [`#### ${name}`, schema.description ?? '', writeFields(schema)].join('\n\n');
  };

  const groups = groupByTag(document);
  return [
    '## Reference',
    'Each request reads the key from the variable `KEY` of the environment. Replace words such as `SUBMISSION_ID` by an identifier from a list.',
    ...groups.flatMap(({ tag, operations, schemas: names }) => [
      `### ${tag.name}`,
      tag.description,
      ...operations.map(writeOperation),
      ...names.map(writeSchema),
    ]),
    '### Common schemas',
    ...listCommonSchemas(document, groups).map(writeSchema),
    '',
  ].join('\n\n');
}

const writeType = (schema: SchemaObject): string =>
  describeTypeInParts(schema)
    .map((part) => (typeof part === 'string' ? part : `\`${'value' in part ? part.value : part.reference}\``))
    .join('');

function writeParameter({ name, in: place, required, description, schema }: ParameterObject): string {
  const notes = [
    writeType(schema),
    place === 'path' && 'in the path',
    required && 'required',
    schema.default !== undefined && `default ${schema.default}`,
  ].filter(Boolean);
  return `- \`${name}\` (${notes.join(', ')}): ${description}`;
}

function writeFields(schema: SchemaObject): string {
  if (schema.properties === undefined) return writeType(schema);
  return Object.entries(schema.properties)
    .map(([name, property]) => {
      const meaning = property.description === undefined ? '' : `: ${property.description}`;
      return `- \`${name}\` (${writeType(property)})${meaning}`;
    })
    .join('\n');
}

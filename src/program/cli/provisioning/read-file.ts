/** Reads a provisioning file. All mistakes are reported at once, with line and column. */
import Type, { type TArray, type TCodec, type TObject, type TSchema } from 'typebox';
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, Scalar } from 'yaml';
import { suggestName } from '../../../platform/did-you-mean.ts';
import { CommandError } from '../command-error.ts';
import { type Entry, fileSchema, type Read } from './file-schema.ts';

/** Collects mistakes. */
export interface Problems {
  add(offset: number, sentence: string): void;
  /** @throws CommandError with all mistakes, in the order of the file */
  throwIfAny(): void;
}

const maxShownProblems = 100;

/** @param name of the file, for messages @throws CommandError if the text is not YAML */
export function readFile(text: string, name: string): { file: Read<typeof fileSchema>; problems: Problems } {
  const lines = new LineCounter();
  // All scalars stay text, so that a hash of digits is not a number.
  const document = parseDocument(text, { schema: 'failsafe', prettyErrors: false, lineCounter: lines });
  const found: { offset: number; sentence: string }[] = [];
  const problems: Problems = {
    add: (offset, sentence) => found.push({ offset, sentence }),
    throwIfAny: () => {
      if (found.length === 0) return;
      const sorted = found.toSorted((one, other) => one.offset - other.offset);
      const shown = sorted.slice(0, maxShownProblems).map(({ offset, sentence }) => {
        const { line, col } = lines.linePos(offset);
        return `${name}:${Math.max(line, 1)}:${Math.max(col, 1)}: ${sentence}`;
      });
      const rest = found.length - shown.length;
      if (rest > 0) shown.push(`… and ${rest} more mistakes.`);
      throw new CommandError([...shown, 'Nothing was changed.'].join('\n'));
    },
  };
  for (const { pos, message } of [...document.errors, ...document.warnings])
    problems.add(pos[0], message.endsWith('.') ? message : `${message}.`);
  // After an error of syntax, the parser guesses.
  if (document.errors.some(({ code }) => code !== 'DUPLICATE_KEY')) problems.throwIfAny();
  if (document.contents === null || isEmptyScalar(document.contents)) {
    problems.add(0, `The file is empty. It needs ${listNames(fileSchema, 'or')}.`);
    problems.throwIfAny();
  }
  const file = readTable(document.contents as Node, fileSchema, '', problems);
  return { file: (file ?? { offset: 0, values: {}, offsets: {} }) as Read<typeof fileSchema>, problems };
}

const isEmptyScalar = (node: unknown) => isScalar(node) && node.value === '';

const getOffset = (node: unknown): number => (node as Node | null)?.range?.[0] ?? 0;

const listNames = ({ properties }: TObject, word: string): string =>
  Object.keys(properties).join(` ${word} `);

/** An unquoted null, or nothing after the colon. */
const isNull = (node: unknown): boolean =>
  node === null ||
  (isScalar(node) &&
    node.type === Scalar.PLAIN &&
    ['', '~', 'null', 'Null', 'NULL'].includes(String(node.value)));

function read(node: unknown, schema: TSchema, path: string, problems: Problems): unknown {
  const [of] = Type.IsUnion(schema) ? schema.anyOf : [schema];
  if (isNull(node)) {
    if (of !== schema) return null;
    if (Type.IsArray(of)) return [];
    problems.add(getOffset(node), `${path} has no value.`);
    return undefined;
  }
  if (isAlias(node)) {
    problems.add(getOffset(node), `${path} must not be an alias (*): repeat the value.`);
    return undefined;
  }
  if (Type.IsArray(of)) return readList(node, of, path, problems);
  if (Type.IsObject(of)) return readTable(node, of, path, problems);
  return Type.IsCodec(of) ? readValue(node, of, path, problems) : readTexts(node, path, problems);
}

const isAlias = (node: unknown): boolean =>
  (node as { source?: unknown }).source !== undefined && !isScalar(node);

function readValue(node: unknown, schema: TCodec, path: string, problems: Problems): unknown {
  if (!isScalar(node)) {
    problems.add(getOffset(node), `${path} must be one value.`);
    return undefined;
  }
  try {
    return schema['~codec'].decode(String(node.value));
  } catch (error) {
    problems.add(getOffset(node), `${path} must ${(error as Error).message}.`);
    return undefined;
  }
}

function readList(node: unknown, { items }: TArray, path: string, problems: Problems): unknown {
  if (!isSeq(node)) {
    problems.add(getOffset(node), `${path} must be a list: begin each entry with "- ".`);
    return undefined;
  }
  return node.items
    .map((item, index) => read(item, items, `${path}[${index}]`, problems))
    .filter((entry) => entry !== undefined);
}

/** Texts by any name. */
function readTexts(node: unknown, path: string, problems: Problems): Record<string, string> | undefined {
  if (!isMap(node)) {
    problems.add(getOffset(node), `${path} must be "name: value" lines.`);
    return undefined;
  }
  const texts: [string, string][] = [];
  for (const { key, value } of node.items) {
    if (isScalar(value) && isScalar(key)) texts.push([String(key.value), String(value.value)]);
    else problems.add(getOffset(key), `${path} must have one text for each name.`);
  }
  return Object.fromEntries(texts);
}

function readTable(
  node: unknown,
  schema: TObject,
  path: string,
  problems: Problems,
): Entry<Record<string, unknown>> | undefined {
  const { properties } = schema;
  if (!isMap(node)) {
    const what = path === '' ? 'The file' : path;
    problems.add(getOffset(node), `${what} must be "name: value" lines with ${listNames(schema, 'or')}.`);
    return undefined;
  }
  const values: Record<string, unknown> = {};
  const offsets: Record<string, number> = {};
  for (const { key, value } of node.items) {
    const name = isScalar(key) ? String(key.value) : '';
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property === undefined) {
      const hint = suggestName(name, Object.keys(properties)) || ` Known: ${listNames(schema, 'and')}.`;
      problems.add(getOffset(key), `Unknown property "${name.slice(0, 60)}"${path && ` of ${path}`}.${hint}`);
      continue;
    }
    offsets[name] = getOffset(value ?? key);
    const found = read(value, property, path === '' ? name : `${path}.${name}`, problems);
    if (found !== undefined) values[name] = found;
  }
  for (const [name, property] of Object.entries(properties))
    if (!Type.IsOptional(property) && offsets[name] === undefined)
      problems.add(getOffset(node), `${path}.${name} is missing.`);
  return { offset: getOffset(node), values, offsets };
}

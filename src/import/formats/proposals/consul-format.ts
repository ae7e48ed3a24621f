/**
 * Proposals of CONSUL Democracy: as CSV, whose headers are translated where it comes from the admin area, and
 * as JSON, one by one or as its GraphQL API gives them.
 */

import { applyRules, type Format, type FormatReadOptions } from '../../format-definition.ts';
import { longNumberHint, parseRecord, toImportRecord, toRemoval } from '../../parse-record.ts';
import { InputError, type ParsedRecord, type SourceLocation } from '../../parsed-record.ts';
import { readTable } from '../../readers/delimited.ts';
import { type InputFile, peek, readInputFile } from '../../readers/input-files.ts';
import type { InputSample } from '../../readers/input-sample.ts';
import { firstCharacter, readJson } from '../../readers/json.ts';
import type { ParsedJsonValue } from '../../readers/json-entries.ts';
import {
  consulRules,
  getValue,
  type Name,
  names,
  normalizeName,
  type Proposal,
  toKnownName,
  type Value,
} from './consul-fields.ts';

export const consul: Format = {
  name: 'consul',
  description: 'CONSUL Democracy: proposals as CSV or JSON, from its open data, admin area or GraphQL API',
  mappings: [{ kind: 'submission', fieldSources: consulRules }],
  omitted:
    'Column names may be in English, German or Spanish. A proposal with `hidden_at` was taken down, and is removed; one with an empty `published_at` is a draft, and ignored. Authors, e-mail addresses, comments, coordinates and everything else stay where they are.',
  detect,
  readRecords: readConsul,
};

function detect({ json, table, text }: InputSample): string | undefined {
  if (/^\s*\{\s*"data"\s*:\s*\{\s*"proposals?"\s*:/.test(text))
    return "it is an answer of CONSUL's GraphQL API";
  const header = table?.header ?? Object.keys((json ?? {}) as object);
  const columns = new Set(header.map(normalizeName));
  const has = (name: Name) => names[name].some((each) => columns.has(each));
  const own = ['cachedvotesup', 'numsupports', 'publiccreatedat', 'retiredat', 'hotscore'];
  const isOurs = has('summary') || own.some((name) => columns.has(name));
  return has('id') && has('title') && isOurs && !header.includes('kind')
    ? "it has the title and summary or the votes of CONSUL's proposals"
    : undefined;
}

async function* readConsul(
  sources: readonly InputFile[],
  options: FormatReadOptions,
): AsyncGenerator<ParsedRecord> {
  for (const source of sources) {
    const { head, content } = await peek(source.name, readInputFile(source, options));
    const first = firstCharacter(head);
    if (first === '{' || first === '[') {
      for await (const value of readJson(source.name, content, lists)) yield* readingsOfJson(value, options);
    } else {
      yield* readProposalTable(source.name, content, options);
    }
  }
}

/** A row for each proposal; from the admin area one for each of its comments, behind one another. */
async function* readProposalTable(
  name: string,
  content: AsyncGenerator<Buffer>,
  options: FormatReadOptions,
): AsyncGenerator<ParsedRecord> {
  let columns: [column: string, known: string][] = [];
  let hasComments = false;
  let previousId: string | undefined;
  const rows = readTable(name, content, {}, (header = []) => {
    columns = header.flatMap((column): [string, string][] => {
      const known = toKnownName(column);
      return known === undefined ? [] : [[column, known]];
    });
    hasComments = header.some((column) => /^(comment|kommentar|comentario) /i.test(column));
    refuseOtherTables(name, new Set(columns.map(([, known]) => known)));
  });
  for await (const { location, cells, problem } of rows) {
    if (cells === undefined) {
      yield { location, rejectionReason: problem };
      continue;
    }
    const proposal: Proposal = new Map(
      columns.map(([name, known]) => [known, { name, text: cells[name] ?? '' }]),
    );
    const id = getValue(proposal, 'id')?.text;
    if (hasComments && id !== undefined && id === previousId) yield { location, id, ignored: true };
    else yield readingOfProposal(location, proposal, options);
    previousId = id;
  }
}

function refuseOtherTables(name: string, columns: ReadonlySet<string>): void {
  for (const needed of ['id', 'title', 'createdAt'] as const) {
    if (names[needed].some((each) => columns.has(each))) continue;
    const called = needed === 'createdAt' ? 'date' : needed;
    throw new InputError(
      `${name} cannot be read as CONSUL's proposals: its first line names no column for the ${called}, in English, German or Spanish. "rostra import detect" tells which format a file is of.`,
    );
  }
}

function* readingsOfJson(
  { location, value, problem, list }: ParsedJsonValue,
  options: FormatReadOptions,
): Generator<ParsedRecord> {
  if (problem !== undefined) yield { location, rejectionReason: problem };
  else if (list === edges) yield readingOfEdge(location, value, options);
  else if (list !== undefined) yield readingOfValue(location, value, options);
  else if (!isAnswer(value)) yield readingOfValue(location, value, options);
  else {
    const { proposal, proposals } = value.data ?? {};
    const entries = proposal === undefined ? entriesOf(proposals) : [proposal];
    if (entries === undefined) {
      yield { location, rejectionReason: 'is an answer of the API without proposals: fetch it again' };
      return;
    }
    for (const [index, each] of entries.entries()) {
      yield readingOfValue({ ...location, entry: location.entry ?? index + 1 }, each, options);
    }
  }
}

/** Where answers of the GraphQL API have proposals. */
const edges = 'data.proposals.edges';
const lists = [edges, 'data.proposals.nodes', 'data.proposals'];

/** Who asks for `nodes` may have asked for `edges` with nothing but their cursors. */
function readingOfEdge(location: SourceLocation, edge: unknown, options: FormatReadOptions): ParsedRecord {
  const { node } = (edge ?? {}) as { node?: unknown };
  return node === undefined ? { location, ignored: true } : readingOfValue(location, node, options);
}

/** An answer of the GraphQL API, whose `data` or `errors` hold all there is. */
function isAnswer(value: unknown): value is { data?: { proposals?: unknown; proposal?: unknown } | null } {
  return typeof value === 'object' && value !== null && ('data' in value || 'errors' in value);
}

/** A connection of the GraphQL API: `edges` with a `node` each, or `nodes`. Or a plain list. */
function entriesOf(connection: unknown): unknown[] | undefined {
  if (Array.isArray(connection)) return connection;
  const { edges, nodes } = (connection ?? {}) as { edges?: unknown; nodes?: unknown };
  if (Array.isArray(nodes)) return nodes;
  return Array.isArray(edges) ? edges.map((edge) => (edge as { node?: unknown } | null)?.node) : undefined;
}

/** A word, a number, something with a name, or the first of several. */
function textOf(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  const [first] = entriesOf(value) ?? [];
  if (first !== undefined) return textOf(first);
  const { name } = (value ?? {}) as { name?: unknown };
  return typeof name === 'string' ? name : '';
}

const isTooLong = (id: unknown) => typeof id === 'number' && !Number.isSafeInteger(id);

function readingOfValue(location: SourceLocation, value: unknown, options: FormatReadOptions): ParsedRecord {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { location, rejectionReason: 'must be an object' };
  if (Object.entries(value).some(([name, id]) => toKnownName(name) === 'id' && isTooLong(id)))
    return { location, rejectionReason: `id must be a text or a whole number${longNumberHint}` };
  const values = Object.entries(value).flatMap(([name, each]): [string, Value][] => {
    const known = toKnownName(name);
    return known === undefined ? [] : [[known, { name, text: textOf(each) }]];
  });
  return readingOfProposal(location, new Map(values), options);
}

function readingOfProposal(
  location: SourceLocation,
  proposal: Proposal,
  options: FormatReadOptions,
): ParsedRecord {
  const id = getValue(proposal, 'id')?.text;
  if (getValue(proposal, 'hiddenAt') !== undefined) {
    return parseRecord(location, id, () => toRemoval('submission', { id }, options));
  }
  if (proposal.get('publishedat')?.text.trim() === '') return { location, id, ignored: true };
  return parseRecord(location, id, () =>
    toImportRecord('submission', applyRules(consulRules, proposal, options), options),
  );
}

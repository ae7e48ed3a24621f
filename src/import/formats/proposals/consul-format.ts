/**
 * Proposals of CONSUL Democracy: as CSV, whose headers are translated where it comes from the admin area, and
 * as JSON, one by one or as its GraphQL API gives them.
 */

import { longNumber, readingOf, recordOf, removalOf } from '../../build-records.ts';
import { type Format, type FormatReadOptions, taken } from '../../format-definition.ts';
import { InputError, type ParsedRecord, type SourceLocation } from '../../parsed-record.ts';
import { readTable } from '../../readers/delimited.ts';
import { type InputFile, peek, readSource } from '../../readers/input-files.ts';
import type { Sample } from '../../readers/input-sample.ts';
import { firstCharacter, type JsonValue, readJson } from '../../readers/json.ts';
import {
  consulRules,
  given,
  knownName,
  type Name,
  names,
  type Proposal,
  plainName,
  type Value,
} from './consul-fields.ts';

export const consul: Format = {
  name: 'consul',
  description: 'CONSUL Democracy: proposals as CSV or JSON, from its open data, admin area or GraphQL API',
  mappings: [{ kind: 'submission', origins: consulRules }],
  leftOut:
    'Column names may be in English, German or Spanish. A proposal with `hidden_at` was taken down, and is removed; one with an empty `published_at` is a draft, and ignored. Authors, e-mail addresses, comments, coordinates and everything else stay where they are.',
  detect,
  read: readConsul,
};

function detect({ json, table, text }: Sample): string | undefined {
  if (/^\s*\{\s*"data"\s*:\s*\{\s*"proposals?"\s*:/.test(text))
    return "it is an answer of CONSUL's GraphQL API";
  const header = table?.header ?? Object.keys((json ?? {}) as object);
  const columns = new Set(header.map(plainName));
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
    const { head, content } = await peek(source.name, readSource(source, options));
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
      const known = knownName(column);
      return known === undefined ? [] : [[column, known]];
    });
    hasComments = header.some((column) => /^(comment|kommentar|comentario) /i.test(column));
    refuseOtherTables(name, new Set(columns.map(([, known]) => known)));
  });
  for await (const { place, cells, problem } of rows) {
    if (cells === undefined) {
      yield { place, refusal: problem };
      continue;
    }
    const proposal: Proposal = new Map(
      columns.map(([name, known]) => [known, { name, text: cells[name] ?? '' }]),
    );
    const id = given(proposal, 'id')?.text;
    if (hasComments && id !== undefined && id === previousId) yield { place, id, ignored: true };
    else yield readingOfProposal(place, proposal, options);
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
  { place, value, problem, list }: JsonValue,
  options: FormatReadOptions,
): Generator<ParsedRecord> {
  if (problem !== undefined) yield { place, refusal: problem };
  else if (list === edges) yield readingOfEdge(place, value, options);
  else if (list !== undefined) yield readingOfValue(place, value, options);
  else if (!isAnswer(value)) yield readingOfValue(place, value, options);
  else {
    const { proposal, proposals } = value.data ?? {};
    const entries = proposal === undefined ? entriesOf(proposals) : [proposal];
    if (entries === undefined) {
      yield { place, refusal: 'is an answer of the API without proposals: fetch it again' };
      return;
    }
    for (const [index, each] of entries.entries()) {
      yield readingOfValue({ ...place, entry: place.entry ?? index + 1 }, each, options);
    }
  }
}

/** Where answers of the GraphQL API have proposals. */
const edges = 'data.proposals.edges';
const lists = [edges, 'data.proposals.nodes', 'data.proposals'];

/** Who asks for `nodes` may have asked for `edges` with nothing but their cursors. */
function readingOfEdge(place: SourceLocation, edge: unknown, options: FormatReadOptions): ParsedRecord {
  const { node } = (edge ?? {}) as { node?: unknown };
  return node === undefined ? { place, ignored: true } : readingOfValue(place, node, options);
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

function readingOfValue(place: SourceLocation, value: unknown, options: FormatReadOptions): ParsedRecord {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { place, refusal: 'must be an object' };
  if (Object.entries(value).some(([name, id]) => knownName(name) === 'id' && isTooLong(id)))
    return { place, refusal: `id must be a text or a whole number${longNumber}` };
  const values = Object.entries(value).flatMap(([name, each]): [string, Value][] => {
    const known = knownName(name);
    return known === undefined ? [] : [[known, { name, text: textOf(each) }]];
  });
  return readingOfProposal(place, new Map(values), options);
}

function readingOfProposal(
  place: SourceLocation,
  proposal: Proposal,
  options: FormatReadOptions,
): ParsedRecord {
  const id = given(proposal, 'id')?.text;
  if (given(proposal, 'hiddenAt') !== undefined) {
    return readingOf(place, id, () => removalOf('submission', { id }, options));
  }
  if (proposal.get('publishedat')?.text.trim() === '') return { place, id, ignored: true };
  return readingOf(place, id, () => recordOf('submission', taken(consulRules, proposal, options), options));
}

/**
 * Proposals of CONSUL Democracy: CSV, with translated headers from the admin area, and JSON, as single proposals or as
 * responses of its GraphQL API.
 */

import type { Reason } from '../../../domain/reasons/reason.ts';
import { InputError } from '../../input-error.ts';
import type { InputFile } from '../../readers/input-files.ts';
import { readJson } from '../../readers/json/json.ts';
import type { ParsedJsonValue } from '../../readers/json/json-entries.ts';
import { type Input, openInput } from '../../readers/open-input.ts';
import { readTable } from '../../readers/tables/table.ts';
import { isObject } from '../../records/field-validation.ts';
import { leaveOutInvalidFields } from '../../records/leave-out-invalid-fields.ts';
import { parseMappedRecord, toImportRecord, toRetraction } from '../../records/parse-record.ts';
import type { ParsedRecord, SourceLocation } from '../../records/parsed-record.ts';
import {
  type DatePlace,
  findRetractionMark,
  findStatusMark,
  isMarked,
  isPublishedNow,
} from '../../records/retraction-marks.ts';
import { parseStatuses } from '../custom-statuses.ts';
import { applyRules, type FormatReader, type FormatReadOptions } from '../format-definition.ts';
import { consulRules, getValue, type Proposal, toKnownName, type Value } from './consul-fields.ts';
import { names, normalizeName } from './consul-format.ts';

export const reader: FormatReader = {
  listMappings: () => [{ kind: 'submission', fieldSources: consulRules }],
  fileParsers: { statuses: parseStatuses },
  readRecords: readConsul,
};

async function* readConsul(
  sources: readonly InputFile[],
  options: FormatReadOptions,
): AsyncGenerator<ParsedRecord> {
  const noting = { ...options, noteDrafts: createDraftNoter(options) };
  for (const source of sources) {
    await using input = await openInput(source, options);
    if (input.kind === 'json') {
      for await (const value of readJson(input.name, input.content, lists)) yield* parseJson(value, noting);
    } else {
      yield* readProposalTable(input, noting);
    }
  }
}

interface ConsulOptions extends FormatReadOptions {
  /** @param names of the columns of a table, or of the members of a proposal */
  noteDrafts(names: readonly string[]): void;
}

/** The admin area exports drafts, and the API returns them: neither says when a proposal was published. */
function createDraftNoter({ observer }: FormatReadOptions): ConsulOptions['noteDrafts'] {
  let isNoted = false;
  return (names) => {
    if (isNoted) return;
    isNoted = !names.map(normalizeName).some((each) => publicationNames.has(each) || statusNames.has(each));
    if (isNoted) observer.onNote?.({ code: 'consul-drafts-unmarked' });
  };
}

const isUnknownName = (name: string) => toKnownName(name) === undefined;

/** Each row is a proposal. In exports from the admin area a proposal has a row for each of its comments. */
async function* readProposalTable(input: Input, options: ConsulOptions): AsyncGenerator<ParsedRecord> {
  const { name } = input;
  let columns: [column: string, known: string][] = [];
  let hasComments = false;
  let previousId: string | undefined;
  const rows = readTable(input, {}, (header = []) => {
    columns = header.flatMap((column): [string, string][] => {
      const known = toKnownName(column);
      return known === undefined ? [] : [[column, known]];
    });
    hasComments = header.some((column) => /^(comment|kommentar|comentario) /i.test(column));
    assertProposalColumns(name, new Set(columns.map(([, known]) => known)));
    options.observer.onLeftOutColumns?.(header.filter(isUnknownName));
    options.noteDrafts(header);
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
    if (hasComments && id !== undefined && id === previousId) yield { location, id, skipped: undefined };
    else yield parseProposal(location, proposal, cells, options);
    previousId = id;
  }
}

function assertProposalColumns(name: string, columns: ReadonlySet<string>): void {
  for (const needed of ['id', 'title', 'createdAt'] as const) {
    if (names[needed].some((each) => columns.has(each))) continue;
    const label = needed === 'createdAt' ? 'date' : needed;
    throw new InputError({ code: 'consul-column-missing', file: name, field: label });
  }
}

function* parseJson(
  { location, value, problem, list }: ParsedJsonValue,
  options: ConsulOptions,
): Generator<ParsedRecord> {
  if (problem !== undefined) yield { location, rejectionReason: problem };
  else if (list === edges) yield parseEdge(location, value, options);
  else if (list !== undefined || !isApiResponse(value)) yield parseValue(location, value, options);
  else {
    const { proposal, proposals } = value.data ?? {};
    const entries = proposal === undefined ? listEntries(proposals) : [proposal];
    if (entries === undefined) {
      yield { location, rejectionReason: { code: 'response-without-proposals' } };
      return;
    }
    for (const [index, each] of entries.entries()) {
      yield parseValue({ ...location, entry: location.entry ?? index + 1 }, each, options);
    }
  }
}

/** The paths to proposals in responses of the GraphQL API. */
const edges = 'data.proposals.edges';
const lists = [edges, 'data.proposals.nodes', 'data.proposals'];

/** A query for `nodes` may also contain `edges` with only their cursors. */
function parseEdge(location: SourceLocation, edge: unknown, options: ConsulOptions): ParsedRecord {
  const { node } = (edge ?? {}) as { node?: unknown };
  return node === undefined ? { location, skipped: undefined } : parseValue(location, node, options);
}

/** Whether it is a response of the GraphQL API, which has `data` or `errors`. */
function isApiResponse(
  value: unknown,
): value is { data?: { proposals?: unknown; proposal?: unknown } | null } {
  return typeof value === 'object' && value !== null && ('data' in value || 'errors' in value);
}

/** @param connection of the GraphQL API with `nodes` or `edges`, or a list */
function listEntries(connection: unknown): unknown[] | undefined {
  if (Array.isArray(connection)) return connection;
  const { edges, nodes } = (connection ?? {}) as { edges?: unknown; nodes?: unknown };
  if (Array.isArray(nodes)) return nodes;
  return Array.isArray(edges) ? edges.map((edge) => (edge as { node?: unknown } | null)?.node) : undefined;
}

/** @returns a text or number, the name of an object, or the first of several */
function toText(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  const [first] = listEntries(value) ?? [];
  if (first !== undefined) return toText(first);
  const { name } = (value ?? {}) as { name?: unknown };
  return typeof name === 'string' ? name : '';
}

const unfoldMapLocation = ([name, value]: [string, unknown]): [string, unknown][] =>
  normalizeName(name) === 'maplocation' && isObject(value)
    ? Object.entries(value).map(([member, each]) => [`${name} ${member}`, each])
    : [[name, value]];

const isUnsafeNumber = (id: unknown) => typeof id === 'number' && !Number.isSafeInteger(id);

function parseValue(location: SourceLocation, value: unknown, options: ConsulOptions): ParsedRecord {
  if (!isObject(value)) return { location, rejectionReason: { code: 'entry-not-object' } };
  if (Object.entries(value).some(([name, id]) => toKnownName(name) === 'id' && isUnsafeNumber(id)))
    return { location, rejectionReason: { code: 'id-invalid', field: 'id', isLongNumber: true } };
  options.noteDrafts(Object.keys(value));
  const members = Object.entries(value).flatMap(unfoldMapLocation);
  options.observer.onLeftOutColumns?.(members.map(([name]) => name).filter(isUnknownName));
  const values = members.flatMap(([name, each]): [string, Value][] => {
    const known = toKnownName(name);
    return known === undefined ? [] : [[known, { name, text: toText(each) }]];
  });
  return parseProposal(location, new Map(values), value, options);
}

function parseProposal(
  location: SourceLocation,
  proposal: Proposal,
  given: Readonly<Record<string, unknown>>,
  options: FormatReadOptions,
): ParsedRecord {
  const id = getValue(proposal, 'id')?.text;
  const because = findRetraction(given, options);
  if (because !== undefined) return toRetraction(location, 'submission', id, because, options);
  return parseMappedRecord(location, id, options, (held) => {
    const fields = leaveOutInvalidFields(
      'submission',
      applyRules(consulRules, proposal, held),
      held.observer,
    );
    return toImportRecord('submission', fields, held);
  });
}

const hiddenNames: ReadonlySet<string> = new Set(names.hiddenAt);
/** When a proposal was published. A draft has no such time. */
const publicationNames: ReadonlySet<string> = new Set([
  'publishedat',
  'veroffentlichtam',
  'fechadepublicacion',
]);
const statusNames: ReadonlySet<string> = new Set(names.status);

/** @returns why the proposal must not be public */
function findRetraction(given: Readonly<Record<string, unknown>>, place: DatePlace): Reason | undefined {
  const values = Object.entries(given).map(([name, value]) => [normalizeName(name), value] as const);
  const has = (known: ReadonlySet<string>, test: (value: unknown) => boolean) =>
    values.some(([name, value]) => known.has(name) && test(value));
  if (has(hiddenNames, isMarked)) return { code: 'proposal-hidden' };
  if (has(publicationNames, (value) => !isPublishedNow(value, place)))
    return { code: 'proposal-unpublished' };
  const status = values.find(([name, value]) => statusNames.has(name) && findStatusMark(value) !== undefined);
  return findStatusMark(status?.[1]) ?? findRetractionMark(given, place);
}

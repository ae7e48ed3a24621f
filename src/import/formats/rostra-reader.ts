/**
 * Rostra's own format: records like in the API, each with its `kind`, as NDJSON, as one JSON array, or as CSV for
 * submissions and sessions. For systems without an import format.
 */
import { recordKinds } from '../../contract/changes.ts';
import { listNames } from '../../contract/field.ts';
import { fieldsByKind, type RecordKind } from '../../domain/records.ts';
import { InvalidFieldError } from '../../reasons/reason.ts';
import { requireObject } from '../field-validation.ts';
import type { FormatMapping, FormatReader, FormatReadOptions, ReadOptions } from '../format-definition.ts';
import { parseRecord, toImportRecord, toRetraction } from '../parse-record.ts';
import type { ParsedRecord } from '../parsed-record.ts';
import { assertNotUtf16 } from '../readers/encoding.ts';
import type { InputFile } from '../readers/input-files.ts';
import { readJson } from '../readers/json.ts';
import type { ParsedJsonValue } from '../readers/json-entries.ts';
import { openInput } from '../readers/open-input.ts';
import { readRecordTable } from './rostra/rostra-csv.ts';

/** @param lists names of the lists that a record has beside its fields */
const createMapping = (kind: RecordKind, ...lists: string[]): FormatMapping => ({
  kind,
  fieldSources: [...listNames(fieldsByKind[kind], ({ isDerived }) => !isDerived), ...lists].map((field) => ({
    field,
    from: `\`${field}\``,
  })),
});

const mappings = [
  createMapping('submission'),
  createMapping('session', 'submissions'),
  createMapping('survey', 'questions'),
];

export const reader: FormatReader = { listMappings: () => mappings, readRecords: readRostra };

const isKind = (kind: unknown): kind is RecordKind => recordKinds.some((known) => known === kind);

async function* readRostra(
  sources: readonly InputFile[],
  options: FormatReadOptions,
): AsyncGenerator<ParsedRecord> {
  for (const source of sources) {
    await using input = await openInput(source, options);
    if (input.kind !== 'sheet') assertNotUtf16(input.name, input.head);
    const values = input.kind === 'json' ? readJson(input.name, input.content) : readRecordTable(input);
    for await (const value of values) yield parseValue(value, options);
  }
}

function parseValue({ location, value, problem }: ParsedJsonValue, options: ReadOptions): ParsedRecord {
  if (problem !== undefined) return { location, rejectionReason: problem };
  const { id, surveyId } = (value ?? {}) as Record<string, unknown>;
  const sourceId = id ?? surveyId;
  const parsed = parseRecord(location, sourceId, () => parseKind(requireObject(value, 'record')));
  if (!('record' in parsed)) return parsed;
  const { kind, isDeleted, fields } = parsed.record;
  return isDeleted
    ? toRetraction(location, kind, sourceId, { code: 'record-deleted' }, options)
    : parseRecord(location, sourceId, () => toImportRecord(kind, fields, options));
}

/** @throws InvalidFieldError */
function parseKind({ kind, deleted, ...fields }: Record<string, unknown>): {
  kind: RecordKind;
  isDeleted: boolean;
  fields: Record<string, unknown>;
} {
  if (!isKind(kind)) throw new InvalidFieldError({ code: 'kind-invalid' });
  if (deleted !== undefined && typeof deleted !== 'boolean')
    throw new InvalidFieldError({ code: 'deleted-invalid' });
  return { kind, isDeleted: deleted === true, fields };
}

/** Maps OParl papers to submissions. */

import type { Language } from '../../../domain/organizations/placeholder-words.ts';
import type { SubmissionRecord } from '../../../domain/records/records.ts';
import { deriveRecordId } from '../../../domain/values/uuid.ts';
import { fieldChecks, isObject, throwMissing, validateFields } from '../../records/field-validation.ts';
import { convertMarkup, convertMarkupLine } from '../../records/html-to-text.ts';
import { type ImportObserver, reportMapped, reportStatus } from '../../records/import-observer.ts';
import { leaveOutInvalidFields } from '../../records/leave-out-invalid-fields.ts';
import { readPoint } from '../../records/locations/read-point.ts';
import type { RecordOptions } from '../../records/parse-record.ts';
import type { SourceLocation } from '../../records/parsed-record.ts';
import { findDateProblem, parseSourceTime } from '../../records/plausible-dates.ts';
import { applyRules, type FieldRule } from '../format-definition.ts';
import type { ResultTable } from './map-result-to-status.ts';
import { listPublicFiles, type PendingFile, parseFiles, resolveDocuments } from './oparl-documents.ts';
import {
  containsAny,
  findWithheld,
  type OparlObject,
  sourceRules,
  toList,
  toText,
  toTextOrNull,
} from './oparl-object.ts';
import { inReview, type PaperOutcome } from './paper-outcomes.ts';
import { type RelationIndex, rankState } from './relation-index.ts';

type OutcomeFields = Pick<
  SubmissionRecord,
  'status' | 'sourceStatus' | 'statusChangedAt' | 'protocolUrl' | 'documents'
>;

/** A paper whose outcome is unknown until the whole input is read. */
export interface PendingPaper {
  location: SourceLocation;
  id: string;
  /** Of `rankState`. */
  state: number;
  files: PendingFile[];
  record: Omit<SubmissionRecord, keyof OutcomeFields>;
}

export const isSubmissionPaper = ({ paperType }: OparlObject, paperTypes: readonly string[]) =>
  containsAny(toText(paperType), paperTypes);

export const paperRules: readonly FieldRule<OparlObject, RecordOptions>[] = [
  {
    field: 'id',
    from: '`id` of objects with `type` “Paper” that are not `deleted`',
    extract: ({ id }, { namespace }) => deriveRecordId(namespace, id),
  },
  { field: 'referenceNumber', from: '`reference`', extract: ({ reference }) => toTextOrNull(reference) },
  {
    field: 'description',
    from: '`name`',
    extract: ({ name }) => convertMarkup(toTextOrNull(name) ?? '') || throwMissing('name'),
  },
  { field: 'topicCategoryName', from: 'first `keyword`, else `paperType`', extract: findTopic },
  { field: 'hasAttachments', from: '`mainFile` or any `auxiliaryFile`', extract: hasFiles },
  {
    field: 'createdAt',
    from: '`date` (local midnight), else `created`',
    extract: ({ date, created }, { timeZone }) => {
      const at = [date, created].find(isKnownTime) ?? date ?? created;
      return typeof at === 'string' ? parseSourceTime('date', at, timeZone) : throwMissing('date');
    },
  },
  {
    field: 'location',
    from: '`geojson` of the first `location` with a point, longitude first',
    extract: ({ location }, options) => {
      const point = findPoint(location);
      return point === undefined ? null : readPoint(point, options);
    },
  },
  ...sourceRules,
];

/** @returns the first GeoJSON Point of a location that is neither deleted nor private. The standard says Feature; some systems write its geometry alone. */
export const findPoint = (location: unknown): Record<string, unknown> | undefined =>
  [location]
    .flat()
    .filter(isObject)
    .filter((each) => findWithheld(each) === undefined)
    .map(({ geojson }) => (isObject(geojson) && geojson.type === 'Feature' ? geojson.geometry : geojson))
    .filter(isObject)
    .find(({ type }) => type === 'Point');

const isKnownTime = (value: unknown) => typeof value === 'string' && findDateProblem('', value) === undefined;

/** The first keyword, else the paper's type. Texts that no filter of the API accepts are skipped. */
function findTopic({ keyword, paperType }: OparlObject, { observer }: RecordOptions): string | null {
  const keywords = toList(keyword).filter((each) => typeof each === 'string');
  for (const candidate of [...keywords, paperType]) {
    if (typeof candidate !== 'string') continue;
    const text = convertMarkupLine(candidate);
    if (text.isWellFormed() && fieldChecks.submission.topicCategoryName?.schema.Check(text)) {
      const value = keywords.includes(candidate) ? keywords.join(', ') : candidate;
      return reportMapped(observer, 'topicCategoryName', value, text);
    }
  }
  return null;
}

/** Of a stored object of an earlier version, `mainFile` can be `true`. */
function hasFiles({ mainFile, auxiliaryFile }: Record<string, unknown>): boolean {
  return mainFile === true || [mainFile, auxiliaryFile].some((files) => listPublicFiles(files).length > 0);
}

/** @throws InvalidFieldError */
export function parsePaper(
  location: SourceLocation,
  paper: OparlObject,
  options: RecordOptions,
): PendingPaper {
  // The fields of the outcome and the documents have their defaults until they are known.
  const fields = leaveOutInvalidFields(
    'submission',
    applyRules(paperRules, paper, options),
    options.observer,
  );
  const record = validateFields<SubmissionRecord>('submission', fields);
  return { location, id: paper.id, state: rankState(paper, false), files: parseFiles(paper), record };
}

export interface ResultOptions {
  results: ResultTable;
  language: Language;
  observer: ImportObserver;
}

export const paperFileRules: readonly FieldRule<
  readonly PendingFile[],
  ResultOptions & { index: RelationIndex }
>[] = [
  {
    field: 'documents',
    from: '`mainFile`, then each `auxiliaryFile`: its `name`, `accessUrl`, else `downloadUrl`, and `mimeType`',
    extract: (files, { index, ...options }) => resolveDocuments(files, index, options),
  },
];

export const outcomeRules: readonly FieldRule<
  PaperOutcome | undefined,
  ResultOptions & { createdAt: string }
>[] = [
  {
    field: 'status',
    from: '`result` of the latest agenda item for the paper (`consultation`) that has one, mapped by a table; "in_review" while no item has one, or only one whose consultation has `authoritative: false`, "submitted" before it is on an agenda',
    extract: (outcome, options) => (outcome === undefined ? 'submitted' : getStatus(outcome, options)),
  },
  {
    field: 'sourceStatus',
    from: '`result` as above, unchanged',
    extract: (outcome) => convertMarkupLine(outcome?.result ?? '') || null,
  },
  {
    field: 'statusChangedAt',
    from: '`start` of the meeting since which the status holds: a result that repeats it does not change it; `createdAt` if no meeting has begun',
    extract: (outcome, { createdAt }) => outcome?.since ?? createdAt,
  },
  {
    field: 'protocolUrl',
    from: '`resultsProtocol` of the latest meeting with a result, else of the latest one that has begun; else its `verbatimProtocol`, else an `auxiliaryFile` whose name contains “Protokoll” or “Niederschrift”',
    extract: (outcome) => outcome?.protocolUrl ?? null,
  },
];

function getStatus({ result, status }: PaperOutcome, { observer }: ResultOptions): string {
  if (result === undefined) return inReview;
  return reportStatus(observer, status, { fallback: inReview, value: result, statusWord: result });
}

export function buildSubmission(
  { record, files }: PendingPaper,
  outcome: PaperOutcome | undefined,
  options: ResultOptions & { index: RelationIndex },
): SubmissionRecord {
  const fields = leaveOutInvalidFields(
    'submission',
    {
      ...applyRules(outcomeRules, outcome, { ...options, createdAt: record.createdAt }),
      ...applyRules(paperFileRules, files, options),
    },
    options.observer,
  );
  return { ...record, ...(fields as OutcomeFields), isSupportCountMissing: true };
}

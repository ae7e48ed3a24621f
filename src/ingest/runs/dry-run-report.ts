/** Collects everything that an import would do, for the dry run in the admin area and on the command line. */
import { mapFields } from '../../contract/field.ts';
import { limits } from '../../contract/field-schemas.ts';
import type { Cell } from '../../domain/reasons/en/rejections.ts';
import { type Reason, serializeReason } from '../../domain/reasons/reason.ts';
import { fieldsByKind, type ImportRecord } from '../../domain/records/records.ts';
import {
  type ChangedRecord,
  type ListWriter,
  maxRepeatedExamples,
  type RepeatedRecords,
} from '../../domain/runs/dry-run-lists.ts';
import type { RejectedRecord } from '../../domain/runs/run-history.ts';
import type { DryRunReport, StatusWord } from '../../domain/runs/run-queue.ts';
import { type Format, getOmitted } from '../formats/format-definition.ts';
import { createStatisticsCollector } from '../pipeline/import-statistics.ts';
import { createMappingLosses } from '../pipeline/mapping-losses.ts';
import { listFindings } from '../privacy/redaction/undecided-personal-data.ts';
import { createCounter } from '../records/bounded-counter.ts';
import type { ImportObserver, ImportSummary, MissingRecords, Rejection } from '../records/import-observer.ts';
import { createVocabularyCheck } from '../records/misspelling-notes.ts';
import { createTextsToCheck } from './texts-to-check.ts';

/** Records in the report, evenly from all kinds. */
const maxSamples = 10;

const maxRejections = 10;

/** Values of a reason that differ from record to record, although the reason is the same. */
const valuesOfRecord = new Set([
  'length',
  'entry',
  'id',
  'line',
  'title',
  'question',
  'first',
  'second',
  'number',
]);
const withoutValuesOfRecord = (name: string, value: unknown) =>
  valuesOfRecord.has(name) ? undefined : value;

/** Different reasons and values. */
const maxShown = 20;
const maxValueLength = 60;

const maxSurveyTables = 1_000;

/** Words for statuses, and the longest one: a longer text is no status. */
const maxStatusWords = 100;
const maxStatusWordLength = 200;

type Samples = Map<ImportRecord['kind'], ImportRecord[]>;

const createSamples = (): Samples => new Map();

interface Preview {
  observer: Required<Pick<ImportObserver, 'onRecord' | 'onIgnored'>>;
  compose(format: Pick<Format, 'name'>): Pick<DryRunReport, 'ignored' | 'samples'>;
}

/** Collects a few records as they would be published, and the reasons why entries are left out. */
export function createPreview(): Preview {
  const samples = { differing: createSamples(), unchanged: createSamples() };
  const ignored = createCounter<{ reason: Reason | undefined }>();
  return {
    observer: {
      onIgnored: (reason) => ignored.add({ reason }),
      onRecord: (record, isUnchanged) => {
        const kinds = isUnchanged ? samples.unchanged : samples.differing;
        const sampled = kinds.getOrInsert(record.kind, []);
        if (sampled.length < maxSamples) sampled.push(record);
      },
    },
    compose: (format) => ({
      // Of the next file of a source, most records are unchanged.
      samples: [...chooseSamples(samples.differing), ...chooseSamples(samples.unchanged)].slice(
        0,
        maxSamples,
      ),
      ignored: listMostFrequent(ignored.list()).map(({ reason = getOmitted(format), count }) => ({
        reason,
        count,
      })),
    }),
  };
}

/** Counts the published records that an import would change, by field. */
export function createChangedFields() {
  const counted = createCounter<{ field: string }>();
  return {
    onChange: ({ fields }: ChangedRecord) => {
      for (const field of new Set(fields.map((each) => each.field))) counted.add({ field });
    },
    notes: (): Reason[] => {
      const fields = listMostFrequent(counted.list());
      return fields.length > 0 ? [{ code: 'fields-change', fields }] : [];
    },
  };
}

interface DryRunCollector {
  observer: ImportObserver;
  /** @param isDeleting whether the import deletes missing records */
  compose(
    summary: ImportSummary,
    format: Pick<Format, 'name'>,
    isDeleting: boolean,
  ): Omit<DryRunReport, 'listed'>;
}

/** @param country ISO 3166 code for telephone numbers without a country code */
export function createDryRunCollector(lists: ListWriter, country: string): DryRunCollector {
  const statistics = createStatisticsCollector();
  const vocabulary = createVocabularyCheck();
  const losses = createMappingLosses();
  const preview = createPreview();
  const changedFields = createChangedFields();
  const texts = createTextsToCheck(country);
  const rejections: DryRunReport['rejections'] = [];
  const rejectionReasons = createCounter<{ reason: Reason }>(({ reason }) =>
    JSON.stringify(reason, withoutValuesOfRecord),
  );
  const unmapped = createCounter<{ value: string; publishedAs: string }>();
  const statusWords = createCounter<{ word: string; publishedAs: string }>();
  const rejectedValues = createCounter<{ cell: Cell; value: string }>();
  const notes: Reason[] = [];
  const questions: Reason[] = [];
  let missing: MissingRecords | undefined;
  let repeated: RepeatedRecords = { count: 0, total: 0, source: '', examples: [] };
  const surveyTables: DryRunReport['surveyTables'] = [];
  let similarSurvey: DryRunReport['similarSurvey'] = null;

  const observer: ImportObserver = {
    onNote: (note) => void notes.push(note),
    onQuestion: (question) => void questions.push(question),
    ...preview.observer,
    ...losses.observer,
    onMappedValue: (mapped) => {
      losses.observer.onMappedValue(mapped);
      const { value, publishedAs, isUnmapped, statusWord: word = '' } = mapped;
      if (word.trim() !== '' && word.length <= maxStatusWordLength) statusWords.add({ word, publishedAs });
      if (isUnmapped) unmapped.add({ value: value.slice(0, maxValueLength), publishedAs });
    },
    onRejectedValue: (cell, value) => rejectedValues.add({ cell, value: value.slice(0, maxValueLength) }),
    onRejection: (rejection) => {
      const rejected = toRejectedRecord(rejection);
      if (rejections.length < maxRejections) rejections.push(rejected);
      rejectionReasons.add({ reason: rejected.reason });
      lists.add('rejected', rejected);
    },
    onChange: (record) => {
      changedFields.onChange(record);
      lists.add('changed', record);
    },
    onRemoval: (record) => lists.add('removed', record),
    onAbsence: (record) => lists.add('missing', record),
    onSurveyTable: ({ title, question, ...table }) =>
      // Longer texts are rejected.
      void surveyTables.push({
        ...table,
        title: title.slice(0, limits.name),
        question: question.slice(0, limits.name),
      }),
    onSimilarSurvey: (published) => {
      similarSurvey ??= published;
    },
    onRecord: (record, isUnchanged) => {
      statistics.add(record);
      vocabulary.add(record);
      preview.observer.onRecord(record, isUnchanged);
      texts.add(record);
    },
    onRepeated: ({ count, total, source, examples }) => {
      repeated = {
        count: repeated.count + count,
        total: repeated.total + total,
        source: repeated.source || source,
        examples: [...repeated.examples, ...examples].slice(0, maxRepeatedExamples),
      };
    },
    onMissingRecords: (found) => {
      missing = found;
    },
  };

  return {
    observer,
    compose: (summary, format, isDeleting) => {
      const { redacted: _redacted, personalData: _personalData, ...counts } = summary;
      return {
        counts,
        statistics: describeStatistics(statistics.result()),
        ...preview.compose(format),
        rejections,
        rejectionReasons: listMostFrequent(rejectionReasons.list()),
        textsToCheck: texts.list(),
        statusWords: listStatusWords(statusWords.list()),
        personalData: listFindings(summary),
        surveyTables: surveyTables
          .toSorted((one, other) => Number(other.isUntitled) - Number(one.isUntitled))
          .slice(0, maxSurveyTables),
        similarSurvey,
        questions,
        repeated,
        missing: {
          count: missing?.count ?? 0,
          isDeleted: isDeleting && missing?.isUncertain === false,
        },
        notes: [
          ...changedFields.notes(),
          ...notes,
          ...vocabulary.notes(),
          ...losses.notes(),
          ...listMostFrequent(unmapped.list()).map((found): Reason => ({ code: 'value-unmapped', ...found })),
          ...listMostFrequent(rejectedValues.list()).map(
            (found): Reason => ({ code: 'value-rejected', ...found }),
          ),
        ],
      };
    },
  };
}

/** The reason is shortened as in the history, because it can quote names of the source. */
const toRejectedRecord = ({ location: { source, line, entry }, id, reason }: Rejection): RejectedRecord => ({
  source,
  line: line ?? null,
  entry: entry ?? null,
  id: id ?? null,
  reason: JSON.parse(serializeReason(reason)),
});

const listMostFrequent = <Entry extends { count: number }>(entries: readonly Entry[]) =>
  entries.toSorted((a, b) => b.count - a.count).slice(0, maxShown);

/** A word whose status depends on another value of its record has its commonest status. */
function listStatusWords(counted: readonly StatusWord[]): StatusWord[] {
  const byWord = Map.groupBy(
    counted.toSorted((a, b) => b.count - a.count),
    ({ word }) => word,
  );
  return [...byWord.values()]
    .map(([first, ...others]) => ({
      ...(first as StatusWord),
      count: others.reduce((sum, { count }) => sum + count, first?.count ?? 0),
    }))
    .toSorted((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1))
    .slice(0, maxStatusWords);
}

function describeStatistics({
  submissions,
  sessions,
}: ReturnType<ReturnType<typeof createStatisticsCollector>['result']>): DryRunReport['statistics'] {
  const toRange = (kind: string, { min, max }: { min: string; max: string }) => ({
    kind,
    from: min,
    until: max,
  });
  const statuses = Object.entries(submissions?.status ?? {}).map(([name, count]) => ({ name, count }));
  return {
    statuses,
    otherStatuses: submissions?.otherStatuses ?? 0,
    support: submissions?.supportCount ?? null,
    dateRanges: [
      ...(submissions ? [toRange('submission', submissions.createdAt)] : []),
      ...(sessions ? [toRange('session', sessions.date)] : []),
    ],
  };
}

/** Takes one record of each kind in turn. */
function chooseSamples(samples: Samples): DryRunReport['samples'] {
  const chosen: ImportRecord[] = [];
  for (let index = 0; index < maxSamples; index++) {
    for (const list of samples.values()) {
      const record = list[index];
      if (record !== undefined && chosen.length < maxSamples) chosen.push(record);
    }
  }
  return chosen.map((record) => ({
    kind: record.kind,
    document: toDocument(record),
    ...(record.kind === 'submission' && record.location !== null && { hasLocation: true }),
  }));
}

/** The fields that the API publishes, in its order, without the location: see `dry-run-differences.ts`. */
function toDocument(record: ImportRecord): Readonly<Record<string, unknown>> {
  switch (record.kind) {
    case 'submission': {
      const { kind: _kind, isSupportCountMissing: _missing, location: _location, ...document } = record;
      return document;
    }
    case 'session': {
      const { submissions = [] } = record;
      const values: Readonly<Record<string, unknown>> = { ...record, submissionCount: submissions.length };
      return mapFields(fieldsByKind.session, (_field, name) => values[name]);
    }
    case 'survey': {
      const { kind: _kind, follows: _follows, ...document } = record;
      return document;
    }
  }
}

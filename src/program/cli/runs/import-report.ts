/** The report at the end of an import: counts, statistics, notes, unmapped and rejected values. */

import { formatCell } from '../../../domain/reasons/en/rejections.ts';
import { describeReason, type Reason } from '../../../domain/reasons/reason.ts';
import type { DryRunReport } from '../../../domain/runs/run-queue.ts';
import type { Format } from '../../../ingest/formats/format-definition.ts';
import { createStatisticsCollector, formatStatistics } from '../../../ingest/pipeline/import-statistics.ts';
import { createMappingLosses } from '../../../ingest/pipeline/mapping-losses.ts';
import { describePersonalData } from '../../../ingest/privacy/redaction/undecided-personal-data.ts';
import type {
  ImportObserver,
  ImportSummary,
  MissingRecords,
} from '../../../ingest/records/import-observer.ts';
import { createVocabularyCheck } from '../../../ingest/records/misspelling-notes.ts';
import { createChangedFields, createPreview } from '../../../ingest/runs/dry-run-report.ts';
import { print, printJson } from '../output.ts';

export interface ReportFlags {
  rejected?: string | undefined;
  dryRun?: true | undefined;
  deleteMissing?: true | undefined;
  json?: true | undefined;
}

interface ImportReport {
  observer: ImportObserver;
  print(summary: ImportSummary): void;
}

/** Limits, because a column of free text can have a different value in each row. */
const maxValueLength = 60;
const maxValues = 1_000;

/** Different values that are printed; `--json` prints all. */
const maxPrintedValues = 20;

/** @param format of a file; undefined for an OParl endpoint */
export function createImportReport(
  flags: ReportFlags,
  format: Pick<Format, 'name'> = { name: 'oparl' },
): ImportReport {
  const startedAtMs = performance.now();
  const unmappedValues = new Map<string, { count: number; publishedAs: string }>();
  /** By field and column: the number of rejected records for each value. */
  const rejectedValues = new Map<string, Map<string, number>>();
  const notes: Reason[] = [];
  const vocabulary = createVocabularyCheck();
  const collector = createStatisticsCollector();
  const preview = flags.dryRun ? createPreview() : undefined;
  const losses = flags.dryRun ? createMappingLosses() : undefined;
  // Only a dry run reports changes.
  const changedFields = createChangedFields();
  let missing: MissingRecords | undefined;

  const observer: ImportObserver = {
    ...losses?.observer,
    onMappedValue: (mapped) => {
      losses?.observer.onMappedValue(mapped);
      if (!mapped.isUnmapped) return;
      const value = mapped.value.slice(0, maxValueLength);
      const count = (unmappedValues.get(value)?.count ?? 0) + 1;
      if (count > 1 || unmappedValues.size < maxValues)
        unmappedValues.set(value, { count, publishedAs: mapped.publishedAs });
    },
    onRejectedValue: (cell, text) => {
      const fieldAndColumn = formatCell(cell, { isPage: false, field: (name) => name });
      const counts = rejectedValues.getOrInsert(fieldAndColumn, new Map());
      const value = text.slice(0, maxValueLength);
      const count = (counts.get(value) ?? 0) + 1;
      if (count > 1 || counts.size < maxValues) counts.set(value, count);
    },
    onNote: (note) => void notes.push(note),
    onChange: changedFields.onChange,
    onQuestion: (question) => void notes.push(question),
    onRecord: (record, isUnchanged) => {
      vocabulary.add(record);
      collector.add(record);
      preview?.observer.onRecord(record, isUnchanged);
    },
    onIgnored: (reason) => preview?.observer.onIgnored(reason),
    onMissingRecords: (found) => {
      missing = found;
    },
  };

  return {
    observer,
    print: (summary) => {
      const { redacted, personalData, ...counts } = summary;
      const checked = preview?.compose(format);
      const seconds = Math.round((performance.now() - startedAtMs) / 10) / 100;
      const statistics = collector.result();
      const unmapped = [...unmappedValues].sort(([, a], [, b]) => b.count - a.count);
      const rejected = [...rejectedValues].map(
        ([column, values]) => [column, [...values].sort(([, a], [, b]) => b - a)] as const,
      );
      const sentences = [
        ...[...changedFields.notes(), ...notes, ...vocabulary.notes(), ...(losses?.notes() ?? [])].map(
          (note) => describeReason(note),
        ),
        ...(missing && missing.count > 0 ? [describeMissing(missing, flags)] : []),
      ];
      if (flags.json) {
        printJson({
          ...counts,
          ...(missing && { missing: missing.count }),
          ...(Object.keys(redacted).length > 0 && { redacted }),
          personalData,
          dryRun: flags.dryRun === true,
          seconds,
          ...statistics,
          unmappedValues: Object.fromEntries(unmapped),
          ...(rejected.length > 0 && {
            rejectedValues: Object.fromEntries(
              rejected.map(([column, values]) => [column, Object.fromEntries(values)]),
            ),
          }),
          notes: sentences,
          ...(checked && {
            ignoredEntries: checked.ignored.map(({ reason, count }) => ({
              reason: describeReason(reason),
              count,
            })),
            samples: checked.samples,
          }),
        });
        return;
      }
      if (flags.dryRun) print('Dry run: nothing was imported. The import would result in:');
      for (const [name, count] of Object.entries(counts))
        print(`${name.padEnd(10)} ${String(count).padStart(10)}`);
      print(`${'seconds'.padEnd(10)} ${seconds.toFixed(2).padStart(10)}`);
      for (const line of formatStatistics(statistics)) print(line);
      const redactions = Object.entries(redacted).map(([kind, count]) => `${kind} ${count}`);
      if (redactions.length > 0) print(`Redacted: ${redactions.join(', ')}.`);
      print(describePersonalData({ personalData, redacted }));
      for (const sentence of sentences) print(sentence);
      if (checked !== undefined) printPreview(checked);
      for (const [column, values] of rejected)
        printValues(`Records rejected for values that the mapping lacks, ${column}:`, values);
      if (unmapped.length === 0) return;
      printValues(
        'Unmapped source values and their published values:',
        unmapped.map(([value, { count, publishedAs }]) => [`${value} → ${publishedAs}`, count]),
      );
    },
  };
}

function printPreview({ ignored, samples }: Pick<DryRunReport, 'ignored' | 'samples'>): void {
  if (ignored.length > 0)
    printValues(
      'Ignored entries:',
      ignored.map(({ reason, count }) => [describeReason(reason), count]),
    );
  if (samples.length > 0) print('Records as they would be published:');
  for (const { document } of samples) print(JSON.stringify(document));
}

/** Prints the first values, and the sum of the others. */
function printValues(heading: string, values: readonly (readonly [value: string, count: number])[]): void {
  print(heading);
  for (const [value, count] of values.slice(0, maxPrintedValues))
    print(`${String(count).padStart(8)}  ${value}`);
  const others = values.slice(maxPrintedValues);
  if (others.length === 0) return;
  const sum = others.reduce((total, [, count]) => total + count, 0);
  print(`${String(sum).padStart(8)}  in ${others.length} other values`);
}

function describeMissing(
  { count, deleted, isUncertain }: MissingRecords,
  { deleteMissing, dryRun }: ReportFlags,
): string {
  const records = count === 1 ? '1 published record' : `${count} published records`;
  const lacks = `${records} of this source ${count === 1 ? 'was' : 'were'} not in this input`;
  if (isUncertain) {
    const outcome = deleteMissing ? ' No record was deleted.' : '';
    return `Up to ${lacks}: rejected records without a readable id may be among them.${outcome}`;
  }
  if (!deleteMissing)
    return `${lacks}. To delete ${count === 1 ? 'it' : 'them'}, import again with --delete-missing.`;
  return `${lacks}, and ${dryRun ? 'would be' : deleted === 1 ? 'was' : 'were'} deleted.`;
}

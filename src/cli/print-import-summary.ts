/** The summary of an import: counts, statistics, notes, unmapped and rejected values. */
import type { ImportSummary, MissingRecords } from '../import/import-observer.ts';
import { formatStatistics } from '../import/value-statistics.ts';
import type { CollectedNotes } from './import-notes.ts';
import { print, printJson } from './output.ts';

/** Different values that are printed; `--json` prints all. */
const maxPrintedValues = 20;

interface SummaryFlags {
  json?: true;
  dryRun?: true;
  deleteMissing?: true;
}

export function printImportSummary(
  summary: ImportSummary,
  durationMs: number,
  { unmappedValues, rejectedValues, notes: collected, statistics }: CollectedNotes,
  flags: SummaryFlags,
  missing?: MissingRecords,
): void {
  const seconds = Math.round(durationMs / 10) / 100;
  const { redacted, ...counts } = summary;
  const notes = [...collected, ...(missing ? describeMissing(missing, flags) : [])];
  if (flags.json) {
    printJson({
      ...counts,
      ...(missing && { missing: missing.count }),
      ...(Object.keys(redacted).length > 0 && { redacted }),
      dryRun: flags.dryRun === true,
      seconds,
      ...statistics,
      unmappedValues: Object.fromEntries(unmappedValues),
      ...(rejectedValues.size > 0 && {
        rejectedValues: Object.fromEntries(
          [...rejectedValues].map(([column, values]) => [column, Object.fromEntries(values)]),
        ),
      }),
      notes,
    });
    return;
  }
  if (flags.dryRun) print('Dry run: nothing was imported. The import would result in:');
  for (const [name, count] of Object.entries(counts))
    print(`${name.padEnd(10)} ${String(count).padStart(10)}`);
  print(`${'seconds'.padEnd(10)} ${seconds.toFixed(2).padStart(10)}`);
  for (const line of formatStatistics(statistics)) print(line);
  const redactions = Object.entries(redacted).map(([kind, count]) => `${kind} ${count}`);
  if (redactions.length > 0) print(`Redacted in descriptions: ${redactions.join(', ')}.`);
  for (const sentence of notes) print(sentence);
  for (const [column, values] of rejectedValues) {
    print(`Records rejected for values that the mapping lacks, ${column}:`);
    printValues([...values]);
  }
  if (unmappedValues.size === 0) return;
  print('Unmapped source values, and what they are published as:');
  printValues(
    [...unmappedValues].map(([value, { count, publishedAs }]) => [`${value} → ${publishedAs}`, count]),
  );
}

/** Prints the first values, and the sum of the others. */
function printValues(values: readonly (readonly [value: string, count: number])[]): void {
  for (const [value, count] of values.slice(0, maxPrintedValues))
    print(`${String(count).padStart(8)}  ${value}`);
  const others = values.slice(maxPrintedValues);
  if (others.length === 0) return;
  const sum = others.reduce((total, [, count]) => total + count, 0);
  print(`${String(sum).padStart(8)}  in ${others.length} other values`);
}

function describeMissing(
  { count, deleted, isUncertain }: MissingRecords,
  { deleteMissing, dryRun }: SummaryFlags,
): string[] {
  if (count === 0) return [];
  const records = count === 1 ? '1 published record' : `${count} published records`;
  const lacks = `${records} of this source ${count === 1 ? 'was' : 'were'} not in this input`;
  if (isUncertain) {
    const outcome = deleteMissing ? ' No record was deleted.' : '';
    return [`Up to ${lacks}: rejected records without a readable id may be among them.${outcome}`];
  }
  if (!deleteMissing)
    return [`${lacks}. To delete ${count === 1 ? 'it' : 'them'}, import again with --delete-missing.`];
  return [`${lacks}, and ${dryRun ? 'would be' : deleted === 1 ? 'was' : 'were'} deleted.`];
}

/**
 * For an import that failed or was interrupted.
 *
 * @param needsFix whether the same command would fail again
 */
export function describeWrittenRecords(written: ImportSummary | undefined, needsFix = false): string {
  const count = written ? written.inserted + written.changed + written.unchanged + written.removed : 0;
  if (count === 0) return 'Nothing was imported.';
  return `Records imported so far are kept. ${needsFix ? 'Fix this, then run' : 'Run'} the same command again to continue.`;
}

/** Rows of the queue as runs. */
import type { QueuedRun, RunInput } from '../../domain/run-queue.ts';

const jsonColumns = ['definition', 'detection', 'dryRun', 'progress', 'failure'] as const;

export const summaryColumns = `organization_id AS "organizationId", id, step, state, source_name AS "sourceName",
    input_kind AS "inputKind", input_name AS "inputName", input_bytes AS "inputBytes",
    step_failure AS failure, created_at AS "createdAt", created_by AS "createdBy", queued_by AS actor,
    queued_from AS address, file_expires_at_ms AS "fileExpiresAtMs", definition, progress`;

export const selectQueuedRuns = `SELECT ${summaryColumns}, detection, dry_run AS "dryRun" FROM import_run`;

export type QueuedRunRow = Omit<QueuedRun, 'input' | 'fileExpiresAt' | (typeof jsonColumns)[number]> &
  Record<(typeof jsonColumns)[number], string | null> & {
    inputKind: RunInput['kind'] | null;
    inputName: string | null;
    inputBytes: number | null;
    fileExpiresAtMs: number | null;
  };

export function toQueuedRun({
  inputKind,
  inputName,
  inputBytes,
  fileExpiresAtMs,
  ...row
}: QueuedRunRow): QueuedRun {
  const parsed = Object.fromEntries(
    jsonColumns.map((name) => [name, row[name] === null ? null : JSON.parse(row[name])]),
  );
  return {
    ...row,
    ...(parsed as Pick<QueuedRun, (typeof jsonColumns)[number]>),
    input: toInput(inputKind, inputName ?? '', inputBytes ?? 0),
    fileExpiresAt: fileExpiresAtMs === null ? null : new Date(fileExpiresAtMs).toISOString(),
  };
}

function toInput(kind: RunInput['kind'] | null, name: string, bytes: number): RunInput | null {
  if (kind === null) return null;
  return kind === 'upload' ? { kind, fileName: name, bytes } : { kind, url: name };
}

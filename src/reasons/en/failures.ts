/** Why a run, a step of it or an undo failed, as sentences. */
import type { AnyReason, Words } from '../sentence-types.ts';
import { formatLocation, type Location } from './input-positions.ts';
import { listPolicy, type Policy } from './notes.ts';

/** What stays of an import that failed. `kept`: records that were imported before. */
type Remainder = 'nothing' | 'kept' | 'kept-fix' | 'everything-else';

const remainders: Record<Remainder, string> = {
  nothing: 'Nothing was imported.',
  kept: 'Records imported so far are kept. Import again to continue.',
  'kept-fix': 'Records imported so far are kept. Fix this, then import again to continue.',
  'everything-else': 'Everything else was imported.',
};

const nouns: Readonly<Record<string, readonly [singular: string, plural: string]>> = {
  email: ['e-mail address', 'e-mail addresses'],
  phone: ['telephone number', 'telephone numbers'],
  iban: ['IBAN', 'IBANs'],
  plate: ['licence plate', 'licence plates'],
  address: ['address', 'addresses'],
};

export interface KindCount {
  kind: string;
  count: number;
}

export const listKindCounts = (counts: readonly KindCount[]): string =>
  counts.map(({ kind, count }) => `${count} ${nouns[kind]?.[count === 1 ? 0 : 1] ?? kind}`).join(', ');

const onlyLast = 'Only the last import of a source can be undone, for 30 days.';

export const failures = {
  several: ({ reasons }: { reasons: readonly AnyReason[] }, words: Words) =>
    reasons.map((reason) => words.reason(reason)).join(' '),
  /** Of a part of the program whose sentences have no codes, such as the engine of the database. */
  english: ({ message }: { message: string }) => message,
  unexpected: 'Unexpected error. The output of the command has the details.',
  'import-failed': ({ problem, remainder }: { problem: AnyReason; remainder: Remainder }, words: Words) =>
    `${words.reason(problem)} ${remainders[remainder]}`,
  'import-interrupted': ({ remainder }: { remainder: Remainder }) => `Interrupted. ${remainders[remainder]}`,
  'lease-lost': ({ seconds }: { seconds: number }) =>
    `This run lost its lease: it sent no heartbeat for ${seconds} seconds and another run started, or its municipality was removed.`,
  'strict-rejection': (
    { location, id, problem }: { location: Location; id: string | undefined; problem: AnyReason },
    words: Words,
  ) =>
    `Rejected ${formatLocation(location, id)}: ${words.reason(problem)}. With --strict, nothing was imported.`,
  'too-many-missing': (values: {
    kind: 'submission' | 'session' | 'survey';
    missing: number;
    published: number;
    maxPercent: number;
    needed: number;
  }) =>
    `The input lacks ${values.missing} of the ${values.published} published ${values.kind}s of this source, more than ${values.maxPercent} %. No record was deleted. If the input is complete, import it again with --max-deleted ${values.needed}.`,
  'all-rejected': ({ count, problem }: { count: number; problem: AnyReason | undefined }, words: Words) =>
    `All ${count} records were rejected, so nothing was imported. The first one ${problem === undefined ? '' : words.reason(problem)}.`,
  'no-records': 'The input has no records, unlike before. Nothing was imported.',
  'file-without-records': 'The file contains no records.',
  'personal-data-undecided': ({
    counts,
    replace,
    accept,
  }: {
    counts: readonly KindCount[];
    replace: readonly string[];
    accept: readonly string[];
  }) =>
    `The texts contain possible personal data that the source neither replaces nor may publish: ${listKindCounts(counts)}. Use "rostra source edit" with --redact ${replace.join(',')} to replace it, or with --accept ${accept.join(',')} to publish it.`,
  'redaction-looser': ({ before, lost, flags }: { before: Policy; lost: Policy; flags: string }) =>
    `Earlier imports of this source redacted ${listPolicy(before)}. This import would no longer redact ${listPolicy(lost)}, and could publish personal data again. Nothing was read. Choose at least the same (${flags}), or add --loosen-redaction to redact only what this command names.`,

  'upload-elsewhere':
    'The uploaded file is not on this machine. Upload it again. If Rostra runs on several machines, your operator must set ROSTRA_UPLOAD_FOLDER to a folder that they share.',
  'download-not-stored': ({ url, problem }: { url: string; problem: string }) =>
    `The file at ${url} was not stored: ${problem.replace('_', ' ')}.`,
  'file-misfits-source': (
    {
      file,
      format,
      name,
      found,
    }: { file: string; format: string; name: string; found: FoundFormat | undefined },
    words: Words,
  ) =>
    `${file} does not have the format ${format} of the source "${name}". ${found === undefined ? 'No format fits' : `It looks like ${found.format}: ${words.reason(found.reason)}`}.`,
  'files-of-different-formats': ({ file, groups }: { file: string; groups: readonly FileGroup[] }) =>
    `${file} has files of different formats: ${groups.map(({ format, count, example }) => `${format} (${count === 1 ? example : `${count} files, such as ${example}`})`).join(', ')}. Pack the files of each format into an archive of its own.`,
  'step-timed-out': ({ seconds, mayHaveWritten }: { seconds: number; mayHaveWritten: boolean }) =>
    `The step took longer than ${seconds} seconds and was stopped.${mayHaveWritten ? ' Records imported so far are kept.' : ''} Your operator can raise ROSTRA_IMPORT_TIMEOUT.`,

  'step-crashed': ({ times }: { times: number }) =>
    `The process of this step crashed ${times} times. The file may be too large or too complex for the memory of this server. Ask your operator to check the server log.`,
  'import-expired':
    'The import was not continued within 24 hours, so its file was deleted. Start it again with the file.',
  'run-timed-out': ({ seconds }: { seconds: number }) =>
    `The import took longer than ${seconds} seconds and was stopped. ROSTRA_IMPORT_TIMEOUT sets the limit.`,
  'process-ended': ({ detail }: { detail: string }) => `The import failed. ${detail}`,
  'organization-removed': 'The municipality was removed.',
  'redaction-changed-meanwhile': 'Another import of this source has changed the redaction in the meantime.',
  'undo-nothing': `There is nothing to undo. ${onlyLast}`,
  'undo-done': `This import has already been undone. ${onlyLast}`,
  'undo-discarded':
    'This import can no longer be undone: a record that it changed was removed, and the earlier state of the record with it.',
  'undo-surveys':
    'Surveys cannot be undone: later results are compared with the published ones, so that small groups stay anonymous. Your operator can withdraw a survey with "rostra record remove survey".',
  'undo-running': ({ heartbeatAt }: { heartbeatAt: string }) =>
    `An import of this source is running. If its process has ended, try again a minute after its last activity at ${heartbeatAt}.`,
  'undo-changed': ({ kind, id }: { kind: 'submission' | 'session'; id: string }) =>
    `The ${kind} ${id} was changed or removed after this import, and an undo would overwrite that. Nothing was undone.`,
};

interface FoundFormat {
  format: string;
  reason: AnyReason;
}

interface FileGroup {
  format: string;
  count: number;
  example: string;
}

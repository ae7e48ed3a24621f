/** Why a run, a step of it or an undo failed, as sentences. */
import type { AnyReason, Words } from '../sentence-types.ts';
import { formatLocation, type Location } from './input-positions.ts';
import { kindNouns, listPolicy, type Policy } from './notes.ts';

/** What stays of an import that failed. `kept`: records that were imported before. */
type Remainder = 'nothing' | 'kept' | 'kept-fix' | 'everything-else';

const remainders: Record<Remainder, string> = {
  nothing: 'Nothing was imported.',
  kept: 'Records imported so far are kept. Import again to continue.',
  'kept-fix': 'Records imported so far are kept. Fix this, then import again to continue.',
  'everything-else': 'Everything else was imported.',
};

export interface KindCount {
  kind: string;
  count: number;
}

export const listKindCounts = (counts: readonly KindCount[]): string =>
  counts.map(({ kind, count }) => `${count} ${kindNouns[kind]?.[count === 1 ? 0 : 1] ?? kind}`).join(', ');

const onlyLast = 'Only the last import of a source can be undone, for 30 days.';

export const failures = {
  several: ({ reasons }: { reasons: readonly AnyReason[] }, words: Words) =>
    reasons.map((reason) => words.reason(reason)).join(' '),
  /** Of administration, whose sentences have no codes. */
  english: ({ message }: { message: string }) => message,
  /** The database did not answer, or could not write. */
  'store-unavailable': ({ message }: { message: string }) => message,
  unexpected: (_: object, { isPage }: Words) =>
    `Unexpected error. The ${isPage ? 'log of the server' : 'output of the command'} has the details.`,
  'import-failed': ({ problem, remainder }: { problem: AnyReason; remainder: Remainder }, words: Words) =>
    `${words.reason(problem)} ${remainders[remainder]}`,
  'import-interrupted': ({ remainder }: { remainder: Remainder }) => `Interrupted. ${remainders[remainder]}`,
  'lease-lost': ({ seconds }: { seconds: number }) =>
    `This run lost its lease: it sent no heartbeat for ${seconds} seconds and another run started, or its municipality was removed.`,
  'strict-rejection': (
    { location, id, problem }: { location: Location; id: string | undefined; problem: AnyReason },
    words: Words,
  ) =>
    `Rejected ${formatLocation(location, id)}: ${words.reason(problem)}. ${words.isPage ? 'No record may be rejected, so' : 'With --strict,'} nothing was imported.`,
  'too-many-missing': (
    values: {
      kind: 'submission' | 'session' | 'survey';
      missing: number;
      published: number;
      maxPercent: number;
      needed: number;
    },
    { isPage, number }: Words,
  ) =>
    `The ${isPage ? 'file' : 'input'} lacks ${number(values.missing)} of the ${number(values.published)} published ${values.kind}s of this source, more than ${values.maxPercent} %. No record was deleted. If the ${isPage ? `file is complete, raise the limit in the settings of the source to at least ${values.needed} %, and import it again` : `input is complete, import it again with --max-deleted ${values.needed}`}.`,
  'removes-many': (
    values: {
      kind: 'submission' | 'session' | 'survey';
      count: number;
      published: number;
      maxPercent: number;
      because: AnyReason;
    },
    words: Words,
  ) =>
    `The settings of this import leave out ${words.number(values.count)} of the ${words.number(values.published)} published ${values.kind}s of this source (${words.reason(values.because)}), more than ${values.maxPercent} %. ${words.isPage ? 'If they must not be public, confirm their removal after the dry run. Otherwise, correct the settings.' : 'If they are to be removed, import again with --remove-skipped. Otherwise, correct the settings.'}`,
  'repeats-published': (
    { count, total, source }: { count: number; total: number; source: string },
    { number, isPage }: Words,
  ) =>
    `${number(count)} of ${number(total)} records are already published by ${source === '' ? 'another source' : `“${source}”`}. ${isPage ? 'To continue that source, cancel the import and begin it with that source. Otherwise the records are published twice.' : 'To continue that source, import with its name (--source). To publish the records twice, import beside it with --beside.'}`,
  'all-rejected': ({ count, problem }: { count: number; problem: AnyReason | undefined }, words: Words) =>
    `All ${words.number(count)} records were rejected, so nothing was imported.${problem === undefined ? '' : ` ${words.isPage ? 'Reason for the first one:' : 'The first one'} ${words.reason(problem)}.`}`,
  'no-records': (_: object, { isPage }: Words) =>
    `The ${isPage ? 'data' : 'input'} has no records, unlike before. Nothing was imported.`,
  'file-without-records': 'The file contains no records.',
  'personal-data-undecided': (
    {
      counts,
      replace,
      accept,
    }: { counts: readonly KindCount[]; replace: readonly string[]; accept: readonly string[] },
    { isPage }: Words,
  ) =>
    `The texts contain possible personal data that the source neither replaces nor may publish: ${listKindCounts(counts)}. ${isPage ? 'Decide in the settings of the source whether it is replaced or published.' : `Use "rostra source edit" with --redact ${replace.join(',')} to replace it, or with --accept ${accept.join(',')} to publish it.`} Names of people are not detected.`,
  'redaction-looser': (
    { before, lost, flags }: { before: Policy; lost: Policy; flags: string },
    { isPage }: Words,
  ) =>
    isPage
      ? `Earlier imports of this source replaced ${listPolicy(before, isPage)}. This import would no longer replace ${listPolicy(lost, isPage)}, and could publish personal data again. Nothing was read. Choose at least the same.`
      : `Earlier imports of this source redacted ${listPolicy(before, isPage)}. This import would no longer redact ${listPolicy(lost, isPage)}, and could publish personal data again. Nothing was read. Choose at least the same (${flags}), or add --loosen-redaction to redact only what this command names.`,

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
    `${file} does not have the format ${words.format(format)} of the source "${name}". ${found === undefined ? 'No format fits' : `It looks like ${words.format(found.format)}: ${words.reason(found.reason)}`}.`,
  'files-of-different-formats': (
    { file, groups }: { file: string; groups: readonly FileGroup[] },
    words: Words,
  ) =>
    `${file} has files of different formats: ${groups.map(({ format, count, example }) => `${words.format(format)} (${count === 1 ? example : `${count} files, such as ${example}`})`).join(', ')}. Pack the files of each format into an archive of its own.`,
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
  'undo-surveys': (_: object, { isPage }: Words) =>
    `Surveys cannot be undone: later results are compared with the published ones, so that small groups stay anonymous. To withdraw a survey, ${isPage ? 'unpublish it on its page.' : 'unpublish it with "rostra record unpublish survey".'}`,
  'undo-running': ({ heartbeatAt }: { heartbeatAt: string }, { isPage }: Words) =>
    `An import of this source is running. ${isPage ? 'Try again when it has ended.' : `If its process has ended, try again a minute after its last activity at ${heartbeatAt}.`}`,
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

import { maxMaintenanceAgeMs } from '../../domain/maintenance-run.ts';
import { CommandError } from '../command-error.ts';
import { database, defineCommand, json, option, withDefault } from '../define-command.ts';
import { createChecks } from '../doctor/create-checks.ts';
import {
  type CheckName,
  checkNames,
  type Finding,
  findingStatuses,
  runChecks,
  summarize,
} from '../doctor/finding.ts';
import { parseDuration } from '../option-parsers.ts';
import { print, printJson } from '../output.ts';

/** Below the usual limit of monitoring systems. */
const checkTimeoutMs = 10_000;

const mebibyte = 1_048_576;

function parseMebibytes(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text) * mebibyte;
  throw new Error('be a whole number');
}

export const addDoctorCommand = defineCommand({
  name: 'doctor',
  summary: 'check configuration, database, machine, proxy, backups and sources',
  description:
    'Checks the configuration, the database with its schema and roles, free space, permissions, clock, the public URL with its certificate, ports, the servers of email, single sign-on and traces, the files of backups, and sources. Sends nothing and changes nothing. Exits like a monitoring plugin: 0 if all is well, 1 for a warning, 2 if something is critical, 3 if a check was not possible.',
  options: {
    minFree: withDefault(
      option('mebibytes', 'warn below this free space; a quarter is critical', parseMebibytes),
      1_024 * mebibyte,
      '1024',
    ),
    maxBackupAge: withDefault(
      option('time', 'warn if the newest backup is older; three times is critical', parseDuration),
      maxMaintenanceAgeMs.backup,
      '2d',
    ),
    backupFolder: option(
      'folder',
      'where backups are, for example dumps of PostgreSQL (default: that of the last "rostra backup")',
    ),
    database,
    json,
  },
  run: async (flags, context) => {
    const { checks, close } = createChecks(context, {
      database: flags.database,
      minFreeBytes: flags.minFree,
      backups: { folder: flags.backupFolder, maxAgeMs: flags.maxBackupAge },
    });
    const { findings, isHanging } = await runChecks(checks, checkTimeoutMs);
    printFindings(context.version, findings, flags.json);
    if (isHanging) exitSoon();
    else await close();
    const exitCode = findingStatuses.indexOf(summarize(findings));
    if (exitCode > 0) throw new CommandError(countProblems(findings), exitCode);
  },
});

/** Connections and file systems that do not answer would keep the process alive. */
function exitSoon(): void {
  setTimeout(() => process.exit(), 500).unref();
}

function printFindings(version: string, findings: readonly Finding[], json: true | undefined): void {
  const byCheck = (name: CheckName) => checkNames.indexOf(name);
  const sorted = findings.toSorted((one, other) => byCheck(one.check) - byCheck(other.check));
  const status = summarize(findings);
  if (json) {
    printJson({ version, status, findings: sorted });
    return;
  }
  print(`${status.toUpperCase()}: ${countProblems(findings)}`);
  for (const finding of sorted) {
    print(`${finding.status.padEnd(8)}  ${finding.check.padEnd(13)}  ${finding.message}`);
    if (finding.remedy !== undefined) print(`${' '.repeat(25)}${finding.remedy}`);
  }
}

function countProblems(findings: readonly Finding[]): string {
  const problems = findings.filter(({ status }) => status !== 'ok').length;
  if (problems === 0) return `${findings.length} findings, no problem.`;
  return `${problems} of ${findings.length} findings ${problems === 1 ? 'needs' : 'need'} attention.`;
}

import { type Command, InvalidArgumentError, Option } from 'commander';
import { maxMaintenanceAgeMs } from '../../domain/maintenance-run.ts';
import type { CommandContext, DatabaseFlags } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { createChecks } from '../doctor/create-checks.ts';
import {
  type CheckName,
  checkNames,
  type Finding,
  findingStatuses,
  runChecks,
  summarize,
} from '../doctor/finding.ts';
import { print, printJson } from '../output.ts';
import { createJsonOption, createSettingOption, parseDuration } from '../shared-options.ts';

/** Below the usual limit of monitoring systems. */
const checkTimeoutMs = 10_000;

interface DoctorFlags extends DatabaseFlags {
  minFree: number;
  maxBackupAge: number;
  backupFolder?: string;
  json?: true;
}

export function addDoctorCommand(program: Command, context: CommandContext): void {
  program
    .command('doctor')
    .summary('check configuration, database, machine, proxy, backups and sources')
    .description(
      'Checks the configuration, the database with its schema and roles, free space, permissions, clock, the public URL with its certificate, ports, the servers of email, single sign-on and traces, the files of backups, and sources. Sends nothing and changes nothing. Exits like a monitoring plugin: 0 if all is well, 1 for a warning, 2 if something is critical, 3 if a check was not possible.',
    )
    .addOption(
      new Option('--min-free <mebibytes>', 'warn below this free space; a quarter is critical')
        .argParser(parseMebibytes)
        .default(1_024 * mebibyte, '1024'),
    )
    .addOption(
      new Option('--max-backup-age <time>', 'warn if the newest backup is older; three times is critical')
        .argParser(parseDuration)
        .default(maxMaintenanceAgeMs.backup, '2d'),
    )
    .option(
      '--backup-folder <folder>',
      'where backups are, for example dumps of PostgreSQL (default: that of the last "rostra backup")',
    )
    .addOption(createSettingOption('database'))
    .addOption(createJsonOption())
    .action(async (flags: DoctorFlags) => {
      const { checks, close } = createChecks(context, {
        database: flags.database,
        minFreeBytes: flags.minFree,
        backups: { folder: flags.backupFolder, maxAgeMs: flags.maxBackupAge },
      });
      const { findings, isHanging } = await runChecks(checks, checkTimeoutMs);
      printFindings(context.version, findings, flags);
      if (isHanging) exitSoon();
      else await close();
      const exitCode = findingStatuses.indexOf(summarize(findings));
      if (exitCode > 0) throw new CommandError(countProblems(findings), exitCode);
    });
}

const mebibyte = 1_048_576;

function parseMebibytes(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text) * mebibyte;
  throw new InvalidArgumentError('It must be a whole number.');
}

/** Connections and file systems that do not answer would keep the process alive. */
function exitSoon(): void {
  setTimeout(() => process.exit(), 500).unref();
}

function printFindings(version: string, findings: readonly Finding[], { json }: DoctorFlags): void {
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

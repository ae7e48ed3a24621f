import { maxMaintenanceAgeMs } from '../../../domain/installation/maintenance-run.ts';
import { parseDuration } from '../../../domain/values/durations.ts';
import { createIntegerParser } from '../../config/setting-parsers.ts';
import { CommandError } from '../command-error.ts';
import { database, defineCommand, json, option, withDefault } from '../define-command.ts';
import { checkBackups } from '../doctor/check-backups.ts';
import { configurationChecks } from '../doctor/check-configuration.ts';
import { databaseChecks } from '../doctor/check-database.ts';
import { serviceChecks } from '../doctor/check-external-servers.ts';
import { machineChecks } from '../doctor/check-machine.ts';
import { maintenanceChecks } from '../doctor/check-maintenance.ts';
import { portChecks } from '../doctor/check-ports.ts';
import { publicUrlChecks } from '../doctor/check-public-url.ts';
import { readInstallationOnDemand } from '../doctor/read-installation-on-demand.ts';
import { type Finding, findingStatuses, runChecks, summarize } from '../doctor/run-checks.ts';
import { print, printJson } from '../output.ts';

/** Below the usual limit of monitoring systems. */
const checkTimeoutMs = 10_000;

const mebibyte = 1_048_576;

const checks = {
  ...configurationChecks,
  ...databaseChecks,
  ...machineChecks,
  ...publicUrlChecks,
  ...portChecks,
  ...serviceChecks,
  backup: checkBackups,
  ...maintenanceChecks,
};

/** `doctor/` has a file of checks for each subject. */
export const addDoctorCommand = defineCommand({
  name: 'doctor',
  summary: 'check configuration, database, machine, proxy, backups and sources',
  description:
    'Checks the configuration, the database with its schema and roles, free space, permissions, clock, the public URL with its certificate, ports, the servers of email, single sign-on and traces, the files of backups, and sources. Sends nothing and changes nothing. Exits like a monitoring plugin: 0 if all is well, 1 for a warning, 2 if something is critical, 3 if a check was not possible.',
  options: {
    minFree: withDefault(
      option(
        'mebibytes',
        'warn below this free space; a quarter is critical',
        createIntegerParser('a whole number', 0, 999_999_999),
      ),
      1_024,
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
    const installation = readInstallationOnDemand(context, flags.database, {
      minFreeBytes: flags.minFree * mebibyte,
      backupFolder: flags.backupFolder,
      maxBackupAgeMs: flags.maxBackupAge,
    });
    const { findings, isHanging } = await runChecks(checks, installation, checkTimeoutMs);
    printFindings(context.version, findings, flags.json);
    if (!isHanging) await installation.close();
    // A check that does not end would keep the process alive.
    else if (context.ownProcess !== undefined) setTimeout(() => process.exit(), 500).unref();
    const exitCode = findingStatuses.indexOf(summarize(findings));
    if (exitCode > 0) throw new CommandError(countProblems(findings), exitCode);
  },
});

function printFindings(version: string, findings: readonly Finding[], json: true | undefined): void {
  const status = summarize(findings);
  if (json) {
    printJson({ version, status, findings });
    return;
  }
  print(`${status.toUpperCase()}: ${countProblems(findings)}`);
  for (const finding of findings) {
    print(`${finding.status.padEnd(8)}  ${finding.check.padEnd(13)}  ${finding.message}`);
    if (finding.remedy !== undefined) print(`${' '.repeat(25)}${finding.remedy}`);
  }
}

function countProblems(findings: readonly Finding[]): string {
  const problems = findings.filter(({ status }) => status !== 'ok').length;
  if (problems === 0) return `${findings.length} findings, no problem.`;
  return `${problems} of ${findings.length} findings ${problems === 1 ? 'needs' : 'need'} attention.`;
}

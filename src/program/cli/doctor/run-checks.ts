/** Results of the checks of `rostra doctor`. */
import { ConfigurationError } from '../../config/read-config.ts';
import type { Installation } from './read-installation-on-demand.ts';

/** In the order of severity, as the exit codes of monitoring plugins: 0, 1, 2, 3. */
export const findingStatuses = ['ok', 'warning', 'critical', 'unknown'] as const;
type FindingStatus = (typeof findingStatuses)[number];

export interface Outcome {
  status: FindingStatus;
  /** English sentence. */
  message: string;
  /** English sentence: what to do. */
  remedy?: string;
  organizationId?: string;
  organizationName?: string;
  /** Name of the stored source. */
  source?: string;
}

/** An outcome, and the name of its check. */
export type Finding = Outcome & { check: string };

export const ok = (message: string): Outcome => ({ status: 'ok', message });
export const warning = (message: string, remedy: string): Outcome => ({ status: 'warning', message, remedy });
export const critical = (message: string, remedy: string): Outcome => ({
  status: 'critical',
  message,
  remedy,
});
export const unknown = (message: string, remedy: string): Outcome => ({
  status: 'unknown',
  message,
  remedy,
});

/** One check. No outcome: it does not apply here. @throws ConfigurationError if settings that it needs are invalid */
export type Check = (installation: Installation) => Promise<Outcome | readonly Outcome[] | undefined>;

/** By name, in the order of the output. */
export type Checks = Readonly<Record<string, Check>>;

interface Examination {
  findings: Finding[];
  /** A check did not end in time, and may keep the process alive. */
  isHanging: boolean;
}

/** The others that need the same settings say nothing. */
const checksThatReportSettings = ['database', 'disk', 'public-url', 'ports', 'smtp', 'oidc'];

/** Runs the checks concurrently. Each ends after the time limit, and an error is a finding, so the result is complete. */
export async function runChecks(
  checks: Checks,
  installation: Installation,
  timeoutMs: number,
): Promise<Examination> {
  let isHanging = false;
  const findings = await Promise.all(
    Object.entries(checks).map(async ([name, run]): Promise<Finding[]> => {
      const timer = Promise.withResolvers<Outcome>();
      const timeout = setTimeout(() => {
        isHanging = true;
        timer.resolve(
          critical(
            `The check did not end within ${timeoutMs / 1_000} seconds.`,
            'Find out what does not answer: the database, a network folder, the public URL, or the service that the check is named after.',
          ),
        );
      }, timeoutMs);
      const outcomes = await Promise.race([
        timer.promise,
        run(installation).catch((error) => describeFailure(name, error)),
      ]);
      clearTimeout(timeout);
      return [outcomes ?? []].flat().map((outcome) => ({ check: name, ...outcome }));
    }),
  );
  return { findings: findings.flat(), isHanging };
}

function describeFailure(name: string, error: Error): Outcome | undefined {
  if (!(error instanceof ConfigurationError))
    return unknown(`The check failed: ${error.message}`, 'Run the command as the user of the service.');
  if (!checksThatReportSettings.includes(name)) return undefined;
  return unknown('Not checked, because settings that it needs are invalid.', 'Correct the settings first.');
}

/** The most severe status of all. */
export function summarize(findings: readonly Finding[]): FindingStatus {
  const has = (status: FindingStatus) => findings.some((finding) => finding.status === status);
  return (['critical', 'warning', 'unknown'] as const).find(has) ?? 'ok';
}

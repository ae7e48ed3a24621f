/** Results of the checks of `rostra doctor`. */

/** In the order of severity, as the exit codes of monitoring plugins: 0, 1, 2, 3. */
export const findingStatuses = ['ok', 'warning', 'critical', 'unknown'] as const;
export type FindingStatus = (typeof findingStatuses)[number];

export const checkNames = [
  'configuration',
  'versions',
  'database',
  'schema',
  'role',
  'owner',
  'connections',
  'replicas',
  'nodes',
  'disk',
  'permissions',
  'clock',
  'public-url',
  'certificate',
  'proxy',
  'keep-alive',
  'ports',
  'metrics',
  'smtp',
  'oidc',
  'collector',
  'backup',
  'drill',
  'prune',
  'sources',
] as const;
export type CheckName = (typeof checkNames)[number];

export interface Finding {
  check: CheckName;
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

export type Outcome = Omit<Finding, 'check'>;

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

/** One check. No outcome: it does not apply here. */
export interface Check {
  name: CheckName;
  run(): Promise<Outcome[]>;
}

export interface Examination {
  findings: Finding[];
  /** A check did not end in time, and may keep the process alive. */
  isHanging: boolean;
}

/** Runs the checks concurrently. Each ends after the time limit, and an error is a finding, so the result is complete. */
export async function runChecks(checks: readonly Check[], timeoutMs: number): Promise<Examination> {
  let isHanging = false;
  const findings = await Promise.all(
    checks.map(async ({ name, run }): Promise<Finding[]> => {
      const timer = Promise.withResolvers<Outcome[]>();
      const timeout = setTimeout(() => {
        isHanging = true;
        timer.resolve([
          critical(
            `The check did not end within ${timeoutMs / 1_000} seconds.`,
            'Find out what does not answer: the database, a network folder, the public URL, or the service that the check is named after.',
          ),
        ]);
      }, timeoutMs);
      const outcomes = await Promise.race([
        timer.promise,
        run().catch((error) => [
          unknown(
            `The check failed: ${(error as Error).message}`,
            'Run the command as the user of the service.',
          ),
        ]),
      ]);
      clearTimeout(timeout);
      return outcomes.map((outcome) => ({ check: name, ...outcome }));
    }),
  );
  return { findings: findings.flat(), isHanging };
}

/** The most severe status of all. */
export function summarize(findings: readonly Finding[]): FindingStatus {
  const has = (status: FindingStatus) => findings.some((finding) => finding.status === status);
  return (['critical', 'warning', 'unknown'] as const).find(has) ?? 'ok';
}

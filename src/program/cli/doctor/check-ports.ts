/** Checks of the ports that the server listens on. */
import { isPublicAddress } from '../../../domain/values/ip-ranges.ts';
import { fetchText, type TextResponse } from '../fetch-text.ts';
import { toReachableHost } from '../reachable-host.ts';
import type { Installation } from './read-installation-on-demand.ts';
import { type Checks, critical, type Outcome, ok, warning } from './run-checks.ts';

const readSettings = ({ readSettings }: Installation) =>
  readSettings(['host', 'port', 'adminPort', 'metricsHost', 'metricsPort', 'publicUrl']);

export const portChecks: Checks = {
  ports: async (installation) => {
    const { host, port, adminPort, metricsHost, metricsPort } = readSettings(installation);
    return Promise.all([
      // With 0, the operating system chooses a free port.
      ...(port === 0 ? [] : [checkPort(host, port, '/api/v1/health', isApiResponse)]),
      ...(adminPort ? [checkPort(host, adminPort, '/admin/sign-in', isAdminPage)] : []),
      ...(metricsPort ? [checkPort(metricsHost, metricsPort, '/metrics', isMetrics)] : []),
    ]);
  },

  metrics: async (installation) => {
    const { metricsHost, metricsPort } = readSettings(installation);
    if (metricsPort === undefined) return undefined;
    if (!/^(0\.0\.0\.0|::)$/.test(metricsHost) && !isPublicAddress(metricsHost))
      return ok(`Metrics are served on ${metricsHost}, which is not a public address.`);
    return warning(
      `Metrics are served on ${metricsHost} without a login. They name municipalities and sources.`,
      'Set ROSTRA_METRICS_HOST to an address that only Prometheus reaches.',
    );
  },
};

/** Every response below /api/v1 has it, also without a database. */
const isApiResponse = ({ headers }: TextResponse) => headers.has('x-ratelimit-limit');
const isAdminPage = ({ text }: TextResponse) => text.includes('Rostra');
const isMetrics = ({ text }: TextResponse) => text.includes('rostra_');

/** A request, because a test that listens could keep the server from its port. */
async function checkPort(
  host: string,
  port: number,
  path: string,
  isRostra: (response: TextResponse) => boolean,
): Promise<Outcome> {
  const name = `Port ${port} of ${host}`;
  let reason = 'it does not answer like Rostra';
  try {
    if (isRostra(await fetchText(`http://${toReachableHost(host)}:${port}${path}`)))
      return ok(`${name} is that of the running server.`);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ECONNREFUSED') return ok(`${name} is free: the server does not run.`);
    reason = message;
  }
  return critical(
    `${name} is used by another program, or the server hangs: ${reason}.`,
    'Find the program with "ss -ltnp", and stop it, or choose another port in the settings.',
  );
}

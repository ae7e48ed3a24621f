/** One of several processes that serve on one port. The supervisor starts it and sends it commands. */

import { type MetricSnapshot, selectMetricsOf10 } from '../../platform/metrics/metric-snapshot.ts';
import type { Metrics } from '../../platform/metrics/metrics-registry.ts';
import type { OpenedStore } from '../../store/open.ts';
import type { Config } from '../config/settings.ts';
import type { QueueLauncher, WaitingWork } from './import-processes/queue-launcher.ts';
import type { Log } from './logger.ts';
import { createMetricsCollector } from './metrics/collect-metrics.ts';
import { reportDamage, type ServerAddresses, startServers, stopWhenReplaced } from './servers.ts';

/** `drain`: another worker has taken its place. `sendAllMetrics`: includes the values of the installation. */
export type WorkerCommand = 'markNotReady' | 'stop' | 'drain' | 'sendMetrics' | 'sendAllMetrics';

/** The addresses are sent once. */
export type WorkerMessage =
  | ServerAddresses
  | { waiting: WaitingWork }
  | { metrics: MetricSnapshot }
  | { isDamaged: true };

/**
 * A supervisor sets this variable of its workers. After an upgrade without a restart, the supervisor is that of 1.0, which knows
 * neither `waiting` nor `isDamaged`: it would take such a message for the addresses. Nor does it know later metrics.
 */
export const supervisorVariable = 'ROSTRA_SUPERVISOR';

/** Listens, sends its addresses to the supervisor, and resolves after `stop` or `drain` when all requests are done. */
export async function serveAsWorker(
  store: OpenedStore,
  config: Config,
  log: Log,
  metrics: Metrics | undefined,
  launcher: QueueLauncher,
): Promise<void> {
  // Terminals and systemd signal all processes at once. The supervisor decides when each worker stops.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  const send = (message: WorkerMessage) => void (process.connected && process.send?.(message));
  const hasSupervisorOf10 = process.env[supervisorVariable] === undefined;
  const wake = hasSupervisorOf10 ? launcher.wake : (waiting: WaitingWork) => send({ waiting });
  const servers = await startServers(store, config, log, wake, metrics);
  reportDamage(store, log.log, hasSupervisorOf10 ? servers.markNotReady : () => send({ isDamaged: true }));
  const collect = metrics === undefined ? undefined : createMetricsCollector(metrics, store, config);
  const sendMetrics = async (includesInstallation: boolean) => {
    if (collect === undefined) return;
    const metrics = await collect(includesInstallation);
    send({ metrics: hasSupervisorOf10 ? selectMetricsOf10(metrics) : metrics });
  };
  const stopped = new Promise<void>((resolve, reject) => {
    process.on('message', (command: WorkerCommand) => {
      if (command === 'markNotReady') servers.markNotReady();
      else if (command === 'sendMetrics') void sendMetrics(false);
      else if (command === 'sendAllMetrics') void sendMetrics(true);
      else
        Promise.all([servers[command](), launcher.stop(config.stopTimeout)])
          .then(() => sendMetrics(false))
          .then(resolve, reject);
    });
    const { address, adminAddress } = servers;
    send({ address, adminAddress });
  });
  await Promise.race([stopped, stopWhenReplaced(store, log.log, servers)]);
}

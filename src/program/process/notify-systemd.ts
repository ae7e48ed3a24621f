/** Reports the state of the service to systemd, as sd_notify(3) describes. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Logger } from 'pino';

/**
 * Does nothing unless systemd started this process with `Type=notify`. Node.js cannot send to the socket of systemd, so
 * the program of systemd does that. It waits until systemd has read the message, so messages keep their order.
 */
export async function notifySystemd(log: Logger, ...assignments: readonly string[]): Promise<void> {
  if (!process.env.NOTIFY_SOCKET) return;
  try {
    await promisify(execFile)('systemd-notify', assignments);
  } catch (error) {
    log.warn({ err: error }, 'systemd-notify failed: systemd does not know the state of the service');
  }
}

/** Reports the end of a scheduled task to a service that raises an alarm if the report is missing. */
import { fetchText } from '../fetch-text.ts';
import { printError } from '../output.ts';

const timeoutMs = 10_000;

/**
 * Requests `<address>/rostra-<task>`, or `<address>/rostra-<task>/fail`, as healthchecks.io understands it. The request has no
 * content, because messages may name files and municipalities. Its failure is reported, and changes nothing else.
 *
 * @param pingUrl contains a secret, so messages name the host only
 */
export async function sendPing(
  pingUrl: string | undefined,
  task: 'backup' | 'drill' | 'prune' | 'sources',
  hasSucceeded: boolean,
): Promise<void> {
  if (pingUrl === undefined) return;
  const url = `${pingUrl}/rostra-${task}${hasSucceeded ? '' : '/fail'}`;
  try {
    const { status } = await fetchText(url, {
      redirect: 'follow',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (status >= 300) throw new Error(`it answered with status ${status}`);
  } catch (error) {
    const { message } = error as Error;
    printError(`${new URL(url).host} did not accept the ping rostra-${task}: ${message}.`);
  }
}

/**
 * Queues and sends notifications. Every process with an admin area runs it; the database makes sure that each message is
 * sent by one of them.
 */
import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { MailDeliveryError } from '../../domain/accounts/mail.ts';
import type { ClaimedMail, MailEnd } from '../../domain/accounts/mail-outbox.ts';
import { StoreUnavailableError } from '../../domain/store-errors.ts';
import { type ComposeOptions, composeNotification } from './compose-notification.ts';
import { queueNotifications } from './notification-events.ts';
import type { SmtpTransport } from './smtp-transport.ts';

const scanIntervalMs = 300_000;
const deliveryIntervalMs = 60_000;

const sendTimeoutMs = 60_000;

/** Longer than an attempt takes, so that no other process sends the same message meanwhile. */
const leaseMs = 5 * 60_000;

/** Time after each failed attempt; the last one repeats. */
const retryDelaysMs = [1, 5, 15, 60, 240, 720].map((minutes) => minutes * 60_000);

/** A reminder that is older than this is no longer useful. */
const giveUpAfterMs = 3 * 86_400_000;

const storeRetryMs = 1_000;

interface MailScheduler {
  /** Lets an attempt in progress finish, for `timeoutMs` at most. */
  stop(timeoutMs: number): Promise<void>;
}

interface MailSchedulerOptions extends Omit<ComposeOptions, 'senderDomain'> {
  transport: SmtpTransport;
  log: Logger;
}

export function startMailScheduler(options: MailSchedulerOptions): MailScheduler {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = Promise.all([
    repeat(scanIntervalMs, signal, options, () => scan(options, signal)),
    repeat(deliveryIntervalMs, signal, options, () => deliverQueuedMail(options, signal)),
  ]);
  return {
    stop: async (timeoutMs) => {
      stopping.abort();
      const bound = new AbortController();
      await Promise.race([
        running,
        setTimeout(timeoutMs, undefined, { signal: bound.signal }).catch(() => undefined),
      ]);
      bound.abort();
    },
  };
}

/** An error ends one round only. */
async function repeat(
  intervalMs: number,
  signal: AbortSignal,
  { log }: MailSchedulerOptions,
  work: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await work();
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof StoreUnavailableError)
        log.debug({ error: error.message }, 'emails wait for the database');
      else log.error({ err: error }, 'emails could not be processed');
    }
    await setTimeout(intervalMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

async function scan({ store, log }: MailSchedulerOptions, signal: AbortSignal): Promise<void> {
  const queued = await queueNotifications(store, Date.now(), signal);
  if (queued > 0) log.info({ messages: queued }, 'emails queued');
  await store.pruneMail();
}

/** Sends until the queue is empty. If the server fails, the other messages wait for the next round. */
async function deliverQueuedMail(options: MailSchedulerOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const mail = await options.store.claimMail(leaseMs);
    if (mail === undefined) return;
    const { end, concernsServer } = await deliver(mail, options);
    await storeEnd(mail, end, options);
    if (concernsServer) return;
  }
}

async function deliver(
  mail: ClaimedMail,
  options: MailSchedulerOptions,
): Promise<{ end: MailEnd; concernsServer: boolean }> {
  const { transport, log } = options;
  const { accountId, kind, attempts } = mail;
  const nowMs = Date.now();
  const fields = { account: accountId, kind, organization: mail.organizationId || null, attempts };
  try {
    const composed = await composeNotification(mail, nowMs, {
      ...options,
      senderDomain: transport.senderDomain,
    });
    if (composed === undefined) return { end: { state: 'void' }, concernsServer: false };
    const answer = await transport.send(composed, sendTimeoutMs);
    log.info({ ...fields, answer }, 'email sent');
    return { end: { state: 'sent' }, concernsServer: false };
  } catch (error) {
    // The message is taken again when the lease ends.
    if (error instanceof StoreUnavailableError) throw error;
    const retryAfterMs = retryDelaysMs[attempts - 1] ?? (retryDelaysMs.at(-1) as number);
    const reason = error instanceof MailDeliveryError ? error.message : String(error);
    const isOver =
      (error instanceof MailDeliveryError && error.isPermanent) ||
      nowMs + retryAfterMs - mail.createdAtMs > giveUpAfterMs;
    if (isOver) log.error({ ...fields, error: reason }, 'email could not be sent');
    else
      log.warn({ ...fields, error: reason, retryAfterMs }, 'email could not be sent; it will be sent again');
    return {
      end: isOver ? { state: 'failed', error: reason } : { state: 'queued', error: reason, retryAfterMs },
      concernsServer: error instanceof MailDeliveryError && error.concernsServer,
    };
  }
}

/**
 * Records the result of an attempt. Without it, the message would be sent again when the lease ends. An import may lock the
 * database for minutes, so this is repeated until the lease or the process ends.
 */
async function storeEnd(
  mail: ClaimedMail,
  end: MailEnd,
  { store, log }: MailSchedulerOptions,
): Promise<void> {
  for (const until = performance.now() + leaseMs; ; ) {
    try {
      if (!(await store.endMail(mail, end)))
        log.warn(
          { account: mail.accountId, kind: mail.kind },
          'an email may arrive twice: its lease was lost',
        );
      return;
    } catch (error) {
      if (!(error instanceof StoreUnavailableError) || performance.now() > until) throw error;
    }
    // Unreferenced: the store of a stopped server is closed, so retries would only delay the exit.
    await setTimeout(storeRetryMs, undefined, { ref: false });
  }
}

/** Queue of emails. Several processes may fill and empty it concurrently. */
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { notificationKinds, notifiedPermissions } from '../../domain/accounts/mail.ts';
import type { ClaimedMail, MailOutboxStore, UndeliveredMail } from '../../domain/accounts/mail-outbox.ts';
import type { Engine } from '../engine.ts';
import { composeHasPermission } from '../role-columns.ts';

/** Longer than any event lasts: a message that was deleted must not be sent again. */
const retentionMs = 90 * 86_400_000;

const pruneBatchSize = 500;

const maxErrorLength = 1_000;

const eventColumns = {
  organization_id: 'text',
  kind: 'text',
  subject_id: 'text',
  event: 'text',
  permission: 'text',
  only_account_id: 'text',
  except_account_id: 'text',
  quiet_since_ms: 'integer',
} as const;

const messageColumns = {
  organization_id: 'text',
  account_id: 'text',
  kind: 'text',
  subject_id: 'text',
  event: 'text',
} as const;

type MessageRow = Record<keyof typeof messageColumns, string>;

export function createMailOutbox(engine: Engine): MailOutboxStore {
  return {
    queueNotifications: async (events) => {
      const nowMs = await engine.now();
      const incoming = events.map((event) => ({
        organization_id: event.organizationId,
        kind: event.kind,
        subject_id: event.subjectId,
        event: event.event,
        permission: event.permission ?? notifiedPermissions[event.kind],
        only_account_id: event.onlyAccountId ?? '',
        except_account_id: event.exceptAccountId ?? '',
        quiet_since_ms: nowMs - event.quietMs,
      }));
      // Usually nothing is new. A read does not wait for the write lock of an import.
      const missing = await engine.query<MessageRow>(composeMissing(engine), [JSON.stringify(incoming)]);
      if (missing.length === 0) return 0;
      return engine.execute(composeInsert(engine), [JSON.stringify(missing), nowMs]);
    },

    claimMail: async (leaseMs) => {
      const nowMs = await engine.now();
      const leaseToken = randomUUID();
      const [row] = await engine.query<Omit<ClaimedMail, 'leaseToken'>>(composeClaim(engine), [
        nowMs,
        nowMs + leaseMs,
        leaseToken,
      ]);
      return row && { ...row, leaseToken };
    },

    endMail: async ({ accountId, organizationId, kind, subjectId, event, leaseToken }, end) => {
      const nowMs = await engine.now();
      const isQueued = end.state === 'queued';
      const ended = await engine.execute(
        `UPDATE mail_message SET state = $7, error = $8, due_at_ms = $9, ended_at_ms = $10, lease_token = NULL
        WHERE account_id = $1 AND organization_id = $2 AND kind = $3 AND subject_id = $4 AND event = $5
          AND lease_token = $6`,
        [
          accountId,
          organizationId,
          kind,
          subjectId,
          event,
          leaseToken,
          end.state,
          'error' in end ? end.error.slice(0, maxErrorLength).toWellFormed() : null,
          isQueued ? nowMs + end.retryAfterMs : nowMs,
          isQueued ? null : nowMs,
        ],
      );
      return ended === 1;
    },

    listUndeliveredMail: async () => {
      const rows = await engine.query<UndeliveredRow>(selectUndelivered);
      return rows.map(({ createdAtMs, dueAtMs, ...row }) => ({
        ...row,
        createdAt: new Date(createdAtMs).toISOString(),
        nextAttemptAt: row.state === 'queued' ? new Date(dueAtMs).toISOString() : null,
      }));
    },

    pruneMail: async () => {
      const before = (await engine.now()) - retentionMs;
      while ((await engine.execute(deleteOldMail, [before])) === pruneBatchSize) await setImmediate();
    },
  };
}

interface UndeliveredRow extends Omit<UndeliveredMail, 'createdAt' | 'nextAttemptAt'> {
  createdAtMs: number;
  dueAtMs: number;
}

/**
 * Pairs of events and accounts without a message. An account without a password and without single sign-on has never been
 * used, so nobody has confirmed its address. SQLite keeps the order of a CROSS JOIN; otherwise it would scan all accounts.
 */
const composeMissing = ({ recordset }: Engine) => {
  const incoming = recordset('incoming', '$1', eventColumns);
  const compose = (recipients: string) => `
  SELECT incoming.organization_id, account.id AS account_id, incoming.kind, incoming.subject_id, incoming.event
  FROM ${incoming} ${recipients}
    AND (account.password_hash IS NOT NULL OR account.oidc_subject IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM notification_setting AS setting
      WHERE setting.account_id = account.id AND setting.kind = incoming.kind AND setting.enabled = 0)
    AND NOT EXISTS (SELECT 1 FROM mail_message AS earlier
      WHERE earlier.account_id = account.id AND earlier.organization_id = incoming.organization_id
        AND earlier.kind = incoming.kind AND earlier.subject_id = incoming.subject_id AND earlier.state <> 'void'
        AND (earlier.event = incoming.event OR earlier.created_at_ms > incoming.quiet_since_ms))`;
  return `${compose(
    `CROSS JOIN account_role CROSS JOIN account WHERE account_role.organization_id = incoming.organization_id
    AND ${composeHasPermission('incoming.permission')} AND account.id = account_role.account_id
    AND incoming.only_account_id = '' AND account.id <> incoming.except_account_id`,
  )}
  UNION ALL ${compose('CROSS JOIN account WHERE account.id = incoming.only_account_id')}
  UNION ALL ${compose(`CROSS JOIN account WHERE incoming.organization_id = '' AND account.is_operator = 1`)}
  ORDER BY account_id, kind, subject_id, event`;
};

/** Reasons that no longer existed may exist again: the row of such a message is used again. */
const composeInsert = ({ recordset }: Engine) => `
  INSERT INTO mail_message (${Object.keys(messageColumns).join(', ')}, state, created_at_ms, due_at_ms)
  SELECT ${Object.keys(messageColumns).join(', ')}, 'queued', $2, $2
  FROM ${recordset('incoming', '$1', messageColumns)} WHERE true
  ON CONFLICT (account_id, organization_id, kind, subject_id, event) DO UPDATE
  SET state = 'queued', created_at_ms = excluded.created_at_ms, due_at_ms = excluded.due_at_ms, attempts = 0,
    ended_at_ms = NULL, error = NULL
  WHERE mail_message.state = 'void'`;

/**
 * Leaves unknown kinds to a newer version, during a rolling upgrade. PostgreSQL: without SKIP LOCKED, concurrent processes would wait
 * for the same row.
 */
const composeClaim = ({ dialect }: Engine) => `
  UPDATE mail_message SET due_at_ms = $2, lease_token = $3, attempts = attempts + 1
  WHERE (account_id, organization_id, kind, subject_id, event) IN (
    SELECT account_id, organization_id, kind, subject_id, event FROM mail_message
    WHERE state = 'queued' AND due_at_ms <= $1
      AND kind IN (${notificationKinds.map((kind) => `'${kind}'`).join(', ')}) ORDER BY due_at_ms LIMIT 1
    ${dialect === 'postgres' ? 'FOR UPDATE SKIP LOCKED' : ''})
  RETURNING organization_id AS "organizationId", account_id AS "accountId", kind, subject_id AS "subjectId", event,
    created_at_ms AS "createdAtMs", attempts`;

const selectUndelivered = `
  SELECT mail_message.organization_id AS "organizationId", account.email, kind, subject_id AS "subjectId", event, state,
    attempts, created_at_ms AS "createdAtMs", due_at_ms AS "dueAtMs", error
  FROM mail_message JOIN account ON account.id = mail_message.account_id
  WHERE error IS NOT NULL AND state IN ('queued', 'failed') ORDER BY created_at_ms DESC LIMIT 100`;

const deleteOldMail = `
  DELETE FROM mail_message WHERE (account_id, organization_id, kind, subject_id, event) IN (
    SELECT account_id, organization_id, kind, subject_id, event FROM mail_message
    WHERE created_at_ms < $1 ORDER BY created_at_ms LIMIT ${pruneBatchSize})`;

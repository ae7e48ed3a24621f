/** Emails that accounts switched off, in the admin area or with the link in a message. */
import { randomBytes } from 'node:crypto';
import type { Actor } from '../../domain/accounts/actor.ts';
import { type NotificationKind, notificationKinds } from '../../domain/accounts/mail.ts';
import type { NotificationSettingStore, Unsubscribe } from '../../domain/accounts/mail-outbox.ts';
import type { Engine, Queryable } from '../engine.ts';
import { selectAccount } from './read-accounts.ts';
import { recordAccountEvents } from './record-account-events.ts';

export function createNotificationSettingStore(engine: Engine): NotificationSettingStore {
  return {
    listDisabledNotifications: (accountId) => listDisabled(engine, accountId),

    setNotifications: (accountId, disabled, by) =>
      engine.transaction(undefined, async (transaction) => {
        const before = await listDisabled(transaction, accountId);
        // The person did not see kinds that a later version has added.
        for (const kind of notificationKinds) {
          const isEnabled = !disabled.includes(kind);
          if (isEnabled === before.includes(kind)) await setEnabled(transaction, accountId, kind, isEnabled);
        }
        await recordChange(transaction, accountId, by, before);
      }),

    getUnsubscribeToken: async (accountId, kind) => {
      const stored = await findToken(engine, accountId, kind);
      if (stored !== undefined) return stored;
      await engine.execute(
        `INSERT INTO notification_setting (account_id, kind, enabled, unsubscribe_token)
        SELECT id, $2, 1, $3 FROM account WHERE id = $1 ON CONFLICT (account_id, kind) DO NOTHING`,
        [accountId, kind, createToken()],
      );
      // Another process may have inserted its own token.
      return (await findToken(engine, accountId, kind)) ?? '';
    },

    findUnsubscribeToken: (token) => findByToken(engine, token),

    unsubscribe: (token, address) =>
      engine.transaction(undefined, async (transaction) => {
        const found = await findByToken(transaction, token);
        if (found === undefined || !found.isEnabled) return found !== undefined;
        const before = await listDisabled(transaction, found.accountId);
        await transaction.execute(
          'UPDATE notification_setting SET enabled = 0 WHERE unsubscribe_token = $1',
          [token],
        );
        await recordChange(transaction, found.accountId, { name: found.email, address }, before);
        return true;
      }),
  };
}

/** Unguessable, because the link works without signing in. It switches one kind of messages off, and nothing else. */
const createToken = () => randomBytes(32).toString('base64url');

async function listDisabled(queryable: Queryable, accountId: string): Promise<string[]> {
  const rows = await queryable.query<{ kind: string }>(
    'SELECT kind FROM notification_setting WHERE account_id = $1 AND enabled = 0 ORDER BY kind',
    [accountId],
  );
  return rows.map(({ kind }) => kind);
}

async function setEnabled(
  transaction: Queryable,
  accountId: string,
  kind: NotificationKind,
  isEnabled: boolean,
): Promise<void> {
  await transaction.execute(
    `INSERT INTO notification_setting (account_id, kind, enabled, unsubscribe_token) VALUES ($1, $2, $3, $4)
    ON CONFLICT (account_id, kind) DO UPDATE SET enabled = excluded.enabled`,
    [accountId, kind, isEnabled ? 1 : 0, createToken()],
  );
}

async function recordChange(
  transaction: Queryable,
  accountId: string,
  by: Actor,
  before: readonly string[],
): Promise<void> {
  const [oldKinds, newKinds] = [before, await listDisabled(transaction, accountId)].map(
    (kinds) => kinds.join(', ') || null,
  );
  const account = await selectAccount(transaction, accountId);
  if (oldKinds === newKinds || account === undefined) return;
  const change = { field: 'disabledNotifications', before: oldKinds ?? null, after: newKinds ?? null };
  await recordAccountEvents(transaction, by, 'notifications.edited', account, [change]);
}

async function findToken(
  queryable: Queryable,
  accountId: string,
  kind: NotificationKind,
): Promise<string | undefined> {
  const [row] = await queryable.query<{ token: string }>(
    'SELECT unsubscribe_token AS token FROM notification_setting WHERE account_id = $1 AND kind = $2',
    [accountId, kind],
  );
  return row?.token;
}

interface FoundRow extends Omit<Unsubscribe, 'isEnabled'> {
  accountId: string;
  enabled: number;
}

async function findByToken(
  queryable: Queryable,
  token: string,
): Promise<(Unsubscribe & { accountId: string }) | undefined> {
  const [row] = await queryable.query<FoundRow>(
    `SELECT account.id AS "accountId", account.email, setting.kind, setting.enabled
    FROM notification_setting AS setting JOIN account ON account.id = setting.account_id
    WHERE setting.unsubscribe_token = $1`,
    [token],
  );
  return row && { ...row, isEnabled: row.enabled === 1 };
}

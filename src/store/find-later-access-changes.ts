/**
 * Finds what was removed, revoked or changed in one database after another one was written, by events that only its audit log has.
 * States do not tell which of the two is newer: a backup may be newer than the database that it replaces.
 */
import type { AuditAction } from '../domain/accounts/audit-log.ts';
import type { InspectedEngine } from './engine.ts';

/** The events by which each part of the access changes. Of each part of a subject, the latest event counts. */
const actionsByTopic = {
  account: ['account.removed'],
  role: ['account.added', 'account.role_added', 'account.role_changed', 'account.role_removed'],
  password: ['password.set'],
  secondFactor: [
    'second_factor.set',
    'second_factor.removed',
    'recovery_codes.created',
    'recovery_code.used',
  ],
  identity: ['identity.bound'],
  key: ['key.issued', 'key.edited', 'key.rotated', 'key.revoked'],
  organization: ['organization.removed'],
} as const satisfies Record<string, readonly AuditAction[]>;

type AccessTopic = keyof typeof actionsByTopic;

/** Columns of `account` by topic. */
export const credentialColumns = {
  password: ['password_hash'],
  secondFactor: ['totp_secret', 'totp_step', 'recovery_codes'],
  identity: ['oidc_issuer', 'oidc_subject'],
} as const satisfies Partial<Record<AccessTopic, readonly string[]>>;

export interface AccessChange {
  topic: AccessTopic;
  organizationId: string;
  /** Of the account, key or municipality. */
  subjectId: string;
  /** The latest event. */
  id: string;
  at: string;
  action: AuditAction;
}

const topics = Object.entries(actionsByTopic) as [AccessTopic, readonly AuditAction[]][];

const topicByAction = new Map(topics.flatMap(([topic, actions]) => actions.map((action) => [action, topic])));

/** The subject of `organization.removed` is the municipality of the event. */
const selectEvents = `SELECT organization_id AS "organizationId", id, at, action, coalesce(subject_id, organization_id) AS "subjectId"
  FROM audit_event WHERE (subject_id IS NOT NULL OR action = 'organization.removed') AND action IN (${[...topicByAction.keys()].map((action) => `'${action}'`).join(', ')})`;

const readChanges = async (database: Pick<InspectedEngine, 'query'>): Promise<AccessChange[]> =>
  (await database.query<Omit<AccessChange, 'topic'>>(selectEvents)).map((event) => ({
    ...event,
    topic: topicByAction.get(event.action) as AccessTopic,
  }));

/** Roles are those of a municipality; the other topics have an event in each municipality of an account. */
const toSubject = ({ topic, organizationId, subjectId }: AccessChange) =>
  `${topic} ${subjectId} ${topic === 'role' ? organizationId : ''}`;

/** As in `audit-log.ts`: of one millisecond, the event with the lower id is the later one. */
const isLater = (one: AccessChange, other: AccessChange) =>
  one.at === other.at ? one.id < other.id : one.at > other.at;

/** @returns the latest event of each subject and topic, of those whose latest event only `later` has */
export async function findLaterAccessChanges(
  later: Pick<InspectedEngine, 'query'>,
  earlier: Pick<InspectedEngine, 'query'>,
): Promise<AccessChange[]> {
  const known = await readChanges(earlier);
  const knownIds = new Set(known.map(({ id }) => id));
  const latest = new Map<string, AccessChange>();
  for (const change of [...known, ...(await readChanges(later))]) {
    const subject = toSubject(change);
    const present = latest.get(subject);
    if (present === undefined || isLater(change, present)) latest.set(subject, change);
  }
  return [...latest.values()].filter(({ id }) => !knownIds.has(id));
}

/** Finds out what a municipality publishes, and how current it is. On Citus, each statement reads tables of one node. */
import { recordKinds } from '../../contract/resources/changes.ts';
import type { AuditAction } from '../../domain/accounts/audit-log.ts';
import { isDraft } from '../../domain/records/is-draft.ts';
import type {
  KindExtent,
  PublishedContent,
  PublishedExtent,
  UpdateInterval,
} from '../../domain/records/published-extent.ts';
import type { RecordKind } from '../../domain/records/records.ts';
import { isSliceUsedUp, waitForSlice } from '../../platform/time-slices.ts';
import type { Engine, Snapshot } from '../engine.ts';
import { composeScope, type List, publishedLists } from './published-lists.ts';

type Dialect = Engine['dialect'];
type Query = Snapshot['query'];

/** Latest records of a kind whose sources are compared. */
const maxSourcedRecords = 100;

/** Surveys whose status is read: other programs may have stored drafts with another status than `draft`. */
const maxSurveys = 500;

/** Latest runs of a source among which the last one with a change is searched. */
const maxRuns = 500;

interface EndsRow {
  firstSubmission: string | null;
  lastSubmission: string | null;
  firstSession: string | null;
  lastSession: string | null;
  hasAgendaItems: boolean | number;
}

interface SurveyRow {
  status: string;
  sourceId: number | null;
}

/** Each end of a list is an index seek. */
export function composeEndsQuery(dialect: Dialect): string {
  const compose = ({ table, at }: List, direction: 'ASC' | 'DESC') =>
    `(SELECT ${at} FROM ${table} WHERE ${composeScope(dialect, { at }, 0).join(' AND ')} ORDER BY ${at} ${direction} LIMIT 1)`;
  const { submissions, sessions } = publishedLists;
  return `SELECT ${compose(submissions, 'ASC')} AS "firstSubmission", ${compose(submissions, 'DESC')} AS "lastSubmission",
    ${compose(sessions, 'ASC')} AS "firstSession", ${compose(sessions, 'DESC')} AS "lastSession",
    (SELECT session_id FROM session_submission WHERE organization_id = $1 ORDER BY session_id LIMIT 1) IS NOT NULL AS "hasAgendaItems"`;
}

const selectSurveys = `SELECT DISTINCT status, source_id AS "sourceId" FROM (
    SELECT status, source_id FROM survey WHERE organization_id = $1 AND status <> 'draft' ORDER BY id LIMIT ${maxSurveys}
  ) AS survey`;

/** The sources of the latest records of a kind. */
export function composeSourcesQuery(dialect: Dialect, kind: Exclude<RecordKind, 'survey'>): string {
  const { table, at } = publishedLists[`${kind}s`];
  return `SELECT DISTINCT source_id AS "sourceId" FROM (
    SELECT source_id FROM ${table} WHERE ${composeScope(dialect, { at }, 0).join(' AND ')}
    ORDER BY ${at} DESC, id LIMIT ${maxSourcedRecords}
  ) AS latest`;
}

/**
 * The time of the last change of a session. `rostra prune` may have deleted a later change up to `pruned_sequence`: the removal of
 * a session.
 */
export const lastChangeOfSessions = `SELECT changed_at AS "changedAt" FROM change
  WHERE organization_id = $1 AND kind = 'session'
    AND sequence > (SELECT pruned_sequence FROM change_history WHERE organization_id = $1)
  ORDER BY sequence DESC LIMIT 1`;

interface SourceRow {
  id: number;
  /** Whether its definition is stored. */
  isDefined: boolean | number;
  intervalMs: number | null;
  /** Start of the first run that was searched; null: no run. */
  since: string | null;
  /** End of its last import that changed a record, or of the undo of this import. */
  changedAt: string | null;
}

const runsOfSource = 'FROM import_run WHERE organization_id = $1 AND source_id =';

export const selectSources = `SELECT id, "isDefined", "intervalMs", since, (
    SELECT coalesce(undone_at, ended_at, heartbeat_at) ${runsOfSource} source.id
      AND started_at >= source.since AND outcome IS NOT NULL AND inserted + changed + removed > 0
    ORDER BY started_at DESC, id LIMIT 1
  ) AS "changedAt"
  FROM (
    SELECT id, options IS NOT NULL AS "isDefined", interval_ms AS "intervalMs", coalesce(
      (SELECT started_at ${runsOfSource} import_source.id ORDER BY started_at DESC, id LIMIT 1 OFFSET ${maxRuns - 1}),
      (SELECT started_at ${runsOfSource} import_source.id ORDER BY started_at, id DESC LIMIT 1)
    ) AS since
    FROM import_source WHERE organization_id = $1
  ) AS source`;

const decisions: readonly AuditAction[] = [
  'record.corrected',
  'record.unpublished',
  'record.reverted',
  'record.removed',
];

export const lastDecision = `SELECT max(at) AS at FROM (${decisions
  .map(
    (action) =>
      `SELECT (SELECT at FROM audit_event WHERE organization_id = $1 AND action = '${action}' ORDER BY at DESC LIMIT 1) AS at`,
  )
  .join(' UNION ALL ')}) AS decision`;

export async function readContent(
  dialect: Dialect,
  query: Query,
  organizationId: string,
): Promise<PublishedContent> {
  const { kinds, hasAgendaItems } = await readEnds(dialect, query, organizationId);
  return { kinds, hasAgendaItems };
}

async function readEnds(dialect: Dialect, query: Query, organizationId: string) {
  const [ends] = await query<EndsRow>(composeEndsQuery(dialect), [organizationId]);
  if (isSliceUsedUp()) await waitForSlice();
  const surveys = await query<SurveyRow>(selectSurveys, [organizationId]);
  const published = surveys.filter(({ status }) => !isDraft(status));
  const times: Record<RecordKind, KindExtent['times'] | undefined> = {
    submission: toTimes(ends?.firstSubmission, ends?.lastSubmission),
    session: toTimes(ends?.firstSession, ends?.lastSession),
    survey: published.length === 0 ? undefined : null,
  };
  return {
    kinds: recordKinds.filter((kind) => times[kind] !== undefined),
    hasAgendaItems: Boolean(ends?.hasAgendaItems),
    times,
    surveySources: published.map(({ sourceId }) => sourceId),
  };
}

const toTimes = (first: string | null | undefined, last: string | null | undefined) =>
  first && last ? { first, last } : undefined;

export async function readExtent(
  dialect: Dialect,
  query: Query,
  organizationId: string,
): Promise<PublishedExtent> {
  const read = async <Row>(sql: string): Promise<Row[]> => {
    if (isSliceUsedUp()) await waitForSlice();
    return query<Row>(sql, [organizationId]);
  };
  const { kinds, hasAgendaItems, times, surveySources } = await readEnds(dialect, query, organizationId);
  if (kinds.length === 0) return { kinds, hasAgendaItems, extents: {} };
  const sources = await read<SourceRow>(selectSources);
  const [decision] = await read<{ at: string | null }>(lastDecision);
  const changedAt = findLastChange(sources, decision?.at ?? null);
  const extents: Partial<Record<RecordKind, KindExtent>> = {};
  for (const kind of kinds) {
    const [ofSessions] =
      kind === 'session' ? await read<{ changedAt: string | null }>(lastChangeOfSessions) : [];
    const ids =
      kind === 'survey'
        ? surveySources
        : (await read<SurveyRow>(composeSourcesQuery(dialect, kind))).map(({ sourceId }) => sourceId);
    extents[kind] = {
      times: times[kind] ?? null,
      changedAt: ofSessions?.changedAt ?? changedAt,
      updateInterval: findInterval(sources, ids),
    };
  }
  return { kinds, hasAgendaItems, extents };
}

/** Unknown if a source may have changed a record later, in a run that is no longer in the history. */
function findLastChange(sources: readonly SourceRow[], decidedAt: string | null): string | null {
  const known = [decidedAt, ...sources.map((source) => source.changedAt)].filter((at) => at !== null);
  const last = known.toSorted().at(-1);
  const isUncertain = ({ since, changedAt }: SourceRow) =>
    since !== null && changedAt === null && (last === undefined || since > last);
  return last === undefined || sources.some(isUncertain) ? null : last;
}

/** Rostra does not know when somebody imports from a source that is not stored. */
function findInterval(sources: readonly SourceRow[], ids: readonly (number | null)[]): UpdateInterval | null {
  const used = ids.map((id) => sources.find((source) => source.id === id));
  if (used.length === 0 || !used.every((source) => source?.isDefined)) return null;
  const [interval, ...others] = new Set(used.map((source) => source?.intervalMs ?? null));
  return interval === null || interval === undefined || others.length > 0 ? 'irregular' : Number(interval);
}

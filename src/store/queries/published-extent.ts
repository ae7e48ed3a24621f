/** Finds out what a municipality publishes, and how current it is. On Citus, each statement reads tables of one node. */
import { recordKinds } from '../../contract/resources/changes.ts';
import type { AuditAction } from '../../domain/accounts/audit-log.ts';
import { isDraft } from '../../domain/records/is-draft.ts';
import {
  type KindExtent,
  type PublishedContent,
  type PublishedExtent,
  type PublishedPart,
  publishedParts,
  type UpdateInterval,
} from '../../domain/records/published-extent.ts';
import type { RecordKind } from '../../domain/records/records.ts';
import { isSliceUsedUp, waitForSlice } from '../../platform/time-slices.ts';
import type { Engine, Snapshot } from '../engine.ts';
import { composeScope, type List, publishedLists } from './published-lists.ts';

type Dialect = Engine['dialect'];
type Query = Snapshot['query'];

/** The latest submissions or sessions, or any surveys, whose sources are compared. */
const maxSourcedRecords = 100;

/** Latest runs of a source among which the last one with a change is searched. */
const maxRuns = 500;

interface ContentRow extends Record<PublishedPart, boolean | number> {
  firstSubmission: string | null;
  lastSubmission: string | null;
  firstSession: string | null;
  lastSession: string | null;
  /** Source and status, a line for each. null: no surveys. */
  surveys: string | null;
}

interface ExtentRow extends ContentRow {
  /** As in `surveys`. */
  submissionSources: string | null;
  sessionSources: string | null;
  sessionChangedAt: string | null;
}

/** Statuses have no line breaks. */
const lineBreak = '\n';

/** A line for each row, with its source. @param value after the source */
const joinLines = (rows: string, value = '') =>
  `(SELECT string_agg(coalesce(CAST(source_id AS text), '') ${value}, '${lineBreak}') FROM (${rows}) AS listed)`;

/** Each end of a list is an index seek. */
export function composeContentQuery(dialect: Dialect, more: readonly string[] = []): string {
  const findEnd = ({ table, at }: List, direction: 'ASC' | 'DESC') =>
    `(SELECT ${at} FROM ${table} WHERE ${composeScope(dialect, { at }, 0).join(' AND ')} ORDER BY ${at} ${direction} LIMIT 1)`;
  const { submissions, sessions } = publishedLists;
  const columns = [
    `${findEnd(submissions, 'ASC')} AS "firstSubmission"`,
    `${findEnd(submissions, 'DESC')} AS "lastSubmission"`,
    `${findEnd(sessions, 'ASC')} AS "firstSession"`,
    `${findEnd(sessions, 'DESC')} AS "lastSession"`,
    ...publishedParts.map((part) => `(${partQueries[part]} LIMIT 1) IS NOT NULL AS ${part}`),
    `${joinLines(selectSurveys, "|| ' ' || status")} AS surveys`,
    ...more,
  ];
  return `SELECT ${columns.join(', ')}`;
}

const partQueries: Readonly<Record<PublishedPart, string>> = {
  agenda_items: 'SELECT session_id FROM session_submission WHERE organization_id = $1 ORDER BY session_id',
  submission_documents: 'SELECT 1 FROM submission WHERE organization_id = $1 AND documents IS NOT NULL',
  session_documents: 'SELECT 1 FROM session WHERE organization_id = $1 AND documents IS NOT NULL',
  locations: 'SELECT 1 FROM submission WHERE organization_id = $1 AND location IS NOT NULL',
};

/** Includes drafts that other programs have stored with another status. */
const selectSurveys = `SELECT status, source_id FROM survey
  WHERE organization_id = $1 AND status <> 'draft' ORDER BY id LIMIT ${maxSourcedRecords}`;

/** The sources of the latest records of a list. */
export function composeLatestQuery(dialect: Dialect, { table, at }: List): string {
  return `SELECT source_id FROM ${table} WHERE ${composeScope(dialect, { at }, 0).join(' AND ')}
    ORDER BY ${at} DESC, id LIMIT ${maxSourcedRecords}`;
}

/**
 * The time of the last change of a session. `rostra prune` may have deleted a later change up to `pruned_sequence`: the removal of
 * a session.
 */
export const lastChangeOfSessions = `SELECT changed_at FROM change
  WHERE organization_id = $1 AND kind = 'session'
    AND sequence > (SELECT pruned_sequence FROM change_history WHERE organization_id = $1)
  ORDER BY sequence DESC LIMIT 1`;

const composeExtentQuery = (dialect: Dialect) =>
  composeContentQuery(dialect, [
    `${joinLines(composeLatestQuery(dialect, publishedLists.submissions))} AS "submissionSources"`,
    `${joinLines(composeLatestQuery(dialect, publishedLists.sessions))} AS "sessionSources"`,
    `(${lastChangeOfSessions}) AS "sessionChangedAt"`,
  ]);

interface SourceRow {
  /** null: the row of the last decision on a record, whose time is `changedAt`. */
  id: number | null;
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

const selectSourcesAndDecision = `${selectSources} UNION ALL SELECT NULL, NULL, NULL, NULL, at FROM (${lastDecision}) AS last`;

export async function readContent(
  dialect: Dialect,
  query: Query,
  organizationId: string,
): Promise<PublishedContent> {
  const [row] = await query<ContentRow>(composeContentQuery(dialect), [organizationId]);
  return toContent(row as ContentRow);
}

function toContent(row: ContentRow): PublishedContent {
  const hasRecords: Record<RecordKind, boolean> = {
    submission: row.firstSubmission !== null,
    session: row.firstSession !== null,
    survey: readSurveySources(row).length > 0,
  };
  return {
    kinds: recordKinds.filter((kind) => hasRecords[kind]),
    parts: publishedParts.filter((part) => Boolean(row[part])),
  };
}

type SourceId = number | null;

const toSourceId = (text: string): SourceId => (text === '' ? null : Number(text));

const readSources = (lines: string | null): SourceId[] => lines?.split(lineBreak).map(toSourceId) ?? [];

/** Without drafts. */
const readSurveySources = ({ surveys }: ContentRow): SourceId[] =>
  (surveys?.split(lineBreak) ?? []).flatMap((line) => {
    const end = line.indexOf(' ');
    return isDraft(line.slice(end + 1)) ? [] : [toSourceId(line.slice(0, end))];
  });

export async function readExtent(
  dialect: Dialect,
  query: Query,
  organizationId: string,
): Promise<PublishedExtent> {
  if (isSliceUsedUp()) await waitForSlice();
  const [found] = await query<ExtentRow>(composeExtentQuery(dialect), [organizationId]);
  const row = found as ExtentRow;
  const content = toContent(row);
  if (content.kinds.length === 0) return { ...content, extents: {} };
  if (isSliceUsedUp()) await waitForSlice();
  const sources = await query<SourceRow>(selectSourcesAndDecision, [organizationId]);
  const changedAt = findLastChange(sources);
  const all: Record<RecordKind, KindExtent> = {
    submission: {
      times: toTimes(row.firstSubmission, row.lastSubmission),
      changedAt,
      updateInterval: findInterval(sources, readSources(row.submissionSources)),
    },
    session: {
      times: toTimes(row.firstSession, row.lastSession),
      changedAt: row.sessionChangedAt ?? changedAt,
      updateInterval: findInterval(sources, readSources(row.sessionSources)),
    },
    survey: {
      times: null,
      changedAt,
      updateInterval: findInterval(sources, readSurveySources(row)),
    },
  };
  return { ...content, extents: Object.fromEntries(content.kinds.map((kind) => [kind, all[kind]])) };
}

const toTimes = (first: string | null, last: string | null) =>
  first !== null && last !== null ? { first, last } : null;

/** Unknown if a source may have changed a record later, in a run that is no longer in the history. */
function findLastChange(sources: readonly SourceRow[]): string | null {
  const known = sources.map((source) => source.changedAt).filter((at) => at !== null);
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

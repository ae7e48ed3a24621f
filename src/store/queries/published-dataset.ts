/** Reads everything that a municipality publishes, in batches from one snapshot. */
import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { isDraft } from '../../domain/is-draft.ts';
import type { OpenDataAddress } from '../../domain/open-data.ts';
import type { Organization } from '../../domain/organization.ts';
import type {
  PublishedDataset,
  PublishedDatasetStore,
  PublishedSession,
} from '../../domain/published-dataset.ts';
import type { ChangeHistory, Engine, Snapshot } from '../engine.ts';
import { afterEveryTime, composeScope, publishedLists } from './published-data.ts';
import { readDecisions } from './read-decisions.ts';
import { licensesOfSources, readLicenses } from './source-licenses.ts';
import { extendDocument, extendedSession, resultsOfSurvey, selectChangeHistory } from './statements.ts';

/** Documents of a batch. On SQLite, other requests run between two batches. */
const batchSize = 100;

/** A survey can have a thousand questions. */
const surveyBatchSize = 10;

interface OrganizationRow extends Pick<Organization, 'slug' | 'language'> {
  document: string;
  licenses: string | null;
}

interface DocumentRow {
  document: string;
  at: string;
  id: string;
}

export function createPublishedDatasetStore(engine: Engine): PublishedDatasetStore {
  async function openDataset(organizationId: string): Promise<PublishedDataset | undefined> {
    const snapshot = await engine.openSnapshot(organizationId);
    try {
      const [history] = await snapshot.query<ChangeHistory>(selectChangeHistory, [organizationId]);
      const [organization] = await snapshot.query<OrganizationRow>(selectOrganization, [organizationId]);
      if (history !== undefined && organization !== undefined)
        return {
          version: toVersion(history, organization),
          organization: organization.document,
          slug: organization.slug,
          language: organization.language,
          readDocuments: (kind) =>
            kind === 'survey'
              ? readSurveys(snapshot, organizationId)
              : readDocuments(readNewestFirst(snapshot, organizationId, composeBatches(engine, kind))),
          readSessions: () =>
            readNewestFirst<DocumentRow & PublishedSession>(
              snapshot,
              organizationId,
              composeBatches(engine, 'session', changeOfSession),
            ),
          readDecisions: () => readDecisions(snapshot.query, organizationId),
          readLicenses: () => readLicenses(engine, snapshot.query, organizationId),
          close: () => snapshot.close(),
        };
    } catch (error) {
      await snapshot.close();
      throw error;
    }
    await snapshot.close();
    return undefined;
  }

  return {
    findOpenData: async (slug) => {
      const [found] = await engine.queryWithChangeHistory<OpenDataAddress & OrganizationRow>(selectOpenData, [
        slug,
      ]);
      return (
        found && { organizationId: found.organizationId, slug: found.slug, version: toVersion(found, found) }
      );
    },
    findDatasetVersion: async (organizationId) => {
      const [[history], [organization]] = await Promise.all([
        engine.tenantQuery<ChangeHistory>(selectChangeHistory, [organizationId], 'primary'),
        engine.query<OrganizationRow>(selectOrganization, [organizationId]),
      ]);
      return history && organization && toVersion(history, organization);
    },
    hasCommittee: async (organizationId, committee) => {
      const found = await engine.tenantQuery(selectCommittee, [organizationId, committee], 'primary');
      return found.length > 0;
    },
    openDataset,
  };
}

const toVersion = (
  { historyId, sequence }: ChangeHistory,
  { slug, language, document, licenses }: OrganizationRow,
): string => hash('sha256', [historyId, sequence, slug, language, document, licenses].join('/')).slice(0, 32);

const selectOrganization = `SELECT document, slug, language, ${licensesOfSources} AS licenses FROM organization
  WHERE id = $1`;

const selectOpenData = `SELECT organization.id AS "organizationId", organization.slug, language, document,
    ${licensesOfSources} AS licenses
  FROM organization_slug AS asked JOIN organization ON organization.id = asked.organization_id
  WHERE asked.slug = $1 AND open_data = 'on'`;

const selectCommittee = 'SELECT 1 FROM session WHERE organization_id = $1 AND committee_name = $2 LIMIT 1';

interface Batches {
  /** The rest of the rows with the time `$2`, after the id `$3`. */
  sameTime: string;
  /** The rows before the time `$2`. */
  older: string;
}

const changeOfSession = ['sequence', 'changed_at']
  .map(
    (column) =>
      `, (SELECT ${column} FROM change WHERE change.organization_id = $1 AND kind = 'session' AND change.id = session.id) AS "${column === 'sequence' ? column : 'changedAt'}"`,
  )
  .join('');

/** @param others further columns, after a comma */
function composeBatches({ dialect }: Engine, kind: 'submission' | 'session', others = ''): Batches {
  const list = publishedLists[`${kind}s`];
  const document = kind === 'session' ? extendedSession : extendDocument(kind);
  const select = `SELECT ${document} AS document, ${list.at} AS at, id${others} FROM ${list.table}
    WHERE ${composeScope(dialect, list, 0).join(' AND ')}`;
  return {
    sameTime: `${select} AND ${list.at} = $2 AND id > $3 ORDER BY id LIMIT ${batchSize}`,
    older: `${select} AND ${list.at} < $2 ORDER BY ${list.at} DESC, id LIMIT ${batchSize}`,
  };
}

async function* readNewestFirst<Row extends DocumentRow = DocumentRow>(
  snapshot: Snapshot,
  organizationId: string,
  { sameTime, older }: Batches,
): AsyncGenerator<Row[]> {
  for (let after = { at: afterEveryTime, id: '' }; ; ) {
    let rows = await snapshot.query<Row>(sameTime, [organizationId, after.at, after.id]);
    if (rows.length === 0) rows = await snapshot.query<Row>(older, [organizationId, after.at]);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last;
    await setImmediate();
  }
}

async function* readDocuments(batches: AsyncIterable<DocumentRow[]>): AsyncGenerator<string[]> {
  for await (const rows of batches) yield rows.map(({ document }) => document);
}

async function* readSurveys(snapshot: Snapshot, organizationId: string): AsyncGenerator<string[]> {
  for (let after = ''; ; ) {
    const rows = await snapshot.query<Omit<DocumentRow, 'at'> & { status: string }>(selectSurveys, [
      organizationId,
      after,
    ]);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.filter(({ status }) => !isDraft(status)).map(({ document }) => document);
    after = last.id;
    await setImmediate();
  }
}

const selectSurveys = `SELECT survey.id, survey.status, ${resultsOfSurvey} AS document FROM survey
  WHERE survey.organization_id = $1 AND survey.id > $2 AND survey.status <> 'draft' ORDER BY survey.id LIMIT ${surveyBatchSize}`;

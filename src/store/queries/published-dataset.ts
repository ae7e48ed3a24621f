/** Reads everything that a municipality publishes, in batches from one snapshot. */
import { hash } from 'node:crypto';
import type { OpenDataAddress } from '../../domain/organizations/open-data.ts';
import type { Organization } from '../../domain/organizations/organization.ts';
import type { SurveyPart } from '../../domain/records/join-survey-json.ts';
import {
  maxAgendaTitles,
  type PublishedDataset,
  type PublishedDatasetStore,
  type PublishedSession,
} from '../../domain/records/published-dataset.ts';
import { isSliceUsedUp, waitForSlice } from '../../platform/time-slices.ts';
import type { ChangeHistory, Engine, Snapshot, TenantParameters } from '../engine.ts';
import { countFitting } from './large-documents/large-document.ts';
import { readSurveyDocument, readSurveyParts } from './large-documents/survey-parts.ts';
import { readExtent } from './published-extent.ts';
import { afterEveryTime, composeScope, publishedLists } from './published-lists.ts';
import { readDecidedSubmissions } from './read-decided-submissions.ts';
import { readLatestSurveys } from './read-latest-surveys.ts';
import { licensesOfSources, readLicenses } from './source-licenses.ts';
import {
  extendDocument,
  extendedSession,
  selectChangeHistory,
  submissionIdBytes,
  sumExtendedBytes,
} from './statements.ts';

/** Documents of a batch. On SQLite, other requests run between two batches. */
const batchSize = 100;

/** A batch is only larger if it consists of one larger document. */
const maxBatchBytes = 256 * 1024;

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
      // SQLite takes a slice to open a connection.
      if (isSliceUsedUp()) await waitForSlice();
      const [history] = await snapshot.query<ChangeHistory>(selectChangeHistory, [organizationId]);
      const [organization] = await snapshot.query<OrganizationRow>(selectOrganization, [organizationId]);
      if (history !== undefined && organization !== undefined)
        return {
          version: toVersion(history, organization),
          organization: organization.document,
          slug: organization.slug,
          language: organization.language,
          readDocuments: (kind) =>
            readDocuments(readNewestFirst(snapshot, organizationId, composeBatches(engine, kind))),
          readSurveys: (deepest) => readSurveys(snapshot, organizationId, deepest),
          readSessions: () =>
            readNewestFirst<DocumentRow & PublishedSession>(
              snapshot,
              organizationId,
              composeBatches(engine, 'session', `${changeOfSession}${agendaOfSession}`),
            ),
          readDecidedSubmissions: () => readDecidedSubmissions(snapshot.query, organizationId),
          readLicenses: () => readLicenses(engine, snapshot.query, organizationId),
          readExtent: () => readExtent(engine.dialect, snapshot.query, organizationId),
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

/** Statements for a batch: the sizes of its documents, and as many of the documents as the last parameter says. */
interface Batch {
  sizes: string;
  documents: string;
}

interface Batches {
  /** The rest of the rows with the time `$2`, after the id `$3`. */
  sameTime: Batch;
  /** The rows before the time `$2`. */
  older: Batch;
}

const changeOfSession = ['sequence', 'changed_at']
  .map(
    (column) =>
      `, (SELECT ${column} FROM change WHERE change.organization_id = $1 AND kind = 'session' AND change.id = session.id) AS "${column === 'sequence' ? column : 'changedAt'}"`,
  )
  .join('');

/** Characters of a title. */
const maxTitleLength = 200;

const agendaOfSession = `, (SELECT '[' || coalesce(string_agg(json_quote(item.title), ',' ORDER BY item.position), '') || ']' FROM (
    SELECT session_submission.position,
      substr(coalesce(submission.title, submission.description), 1, ${maxTitleLength}) AS title
    FROM session_submission
    JOIN submission ON submission.organization_id = session_submission.organization_id
      AND submission.id = session_submission.submission_id
    WHERE session_submission.organization_id = $1 AND session_submission.session_id = session.id
    ORDER BY session_submission.position LIMIT ${maxAgendaTitles}
  ) AS item) AS agenda`;

/** @param others further columns, after a comma */
function composeBatches({ dialect }: Engine, kind: 'submission' | 'session', others = ''): Batches {
  const list = publishedLists[`${kind}s`];
  const document = kind === 'session' ? extendedSession : extendDocument(kind);
  const bytes = `${sumExtendedBytes(kind)}${kind === 'session' ? ` + submission_count * ${submissionIdBytes}` : ''}`;
  const compose = (condition: string, order: string, limit: string): Batch => {
    const rows = `FROM ${list.table} WHERE ${composeScope(dialect, list, 0).join(' AND ')} AND ${condition} ORDER BY ${order}`;
    return {
      sizes: `SELECT ${bytes} AS bytes ${rows} LIMIT ${batchSize}`,
      documents: `SELECT ${document} AS document, ${list.at} AS at, id${others} ${rows} LIMIT ${limit}`,
    };
  };
  return {
    sameTime: compose(`${list.at} = $2 AND id > $3`, 'id', '$4'),
    older: compose(`${list.at} < $2`, `${list.at} DESC, id`, '$3'),
  };
}

async function* readNewestFirst<Row extends DocumentRow = DocumentRow>(
  snapshot: Snapshot,
  organizationId: string,
  { sameTime, older }: Batches,
): AsyncGenerator<Row[]> {
  const read = async ({ sizes, documents }: Batch, parameters: TenantParameters): Promise<Row[]> => {
    await waitForSlice();
    const found = await snapshot.query<{ bytes: number }>(sizes, parameters);
    if (found.length === 0) return [];
    return snapshot.query<Row>(documents, [...parameters, countFitting(found, maxBatchBytes)]);
  };
  for (let after = { at: afterEveryTime, id: '' }; ; ) {
    let rows = await read(sameTime, [organizationId, after.at, after.id]);
    if (rows.length === 0) rows = await read(older, [organizationId, after.at]);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last;
  }
}

async function* readDocuments(batches: AsyncIterable<DocumentRow[]>): AsyncGenerator<string[]> {
  for await (const rows of batches) yield rows.map(({ document }) => document);
}

async function* readSurveys(
  snapshot: Snapshot,
  organizationId: string,
  deepest: SurveyPart['level'],
): AsyncGenerator<SurveyPart> {
  for await (const surveys of readLatestSurveys(snapshot.query, organizationId)) {
    for (const { id } of surveys) {
      await waitForSlice();
      const document = await readSurveyDocument(snapshot, organizationId, id);
      if (document === undefined) continue;
      yield { level: 'survey', document };
      if (deepest !== 'survey')
        yield* readSurveyParts(snapshot, organizationId, id, { hasOptions: deepest === 'option' });
    }
  }
}

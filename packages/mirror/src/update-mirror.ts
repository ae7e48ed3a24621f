/** One run: fetches the changes since the last one and applies them to the mirror. */
import { hash } from 'node:crypto';
import { tables, tablesByKind } from '../../../src/contract/dataset/tables.ts';
import type { Client } from '../../client/src/create-client.ts';
import { fetchChanges, ignoreNotFound } from './fetch-changes.ts';
import { type MirrorDatabase, openMirrorDatabase } from './mirror-database.ts';
import { MirrorTargetError } from './mirror-error.ts';
import { createFolders, type MirrorTarget } from './mirror-paths.ts';
import { publishVersion } from './publish-version.ts';
import { openStagingFile, type StagingFile } from './staged-changes.ts';
import { writeCsvFiles, writeNdjsonFiles } from './write-files.ts';

interface MirrorOptions {
  /** For the table `mirror`. */
  url: string;
  signal: AbortSignal;
  /** Receives the number of objects fetched so far. */
  onProgress: (count: number) => void;
  onNotice: (sentence: string) => void;
}

export interface MirrorSummary {
  /** False: only changes. */
  hasFetchedEverything: boolean;
  /** Objects that are new or changed; after everything was fetched, all. */
  changed: number;
  /** Objects that are no longer published. */
  deleted: number;
  /** Objects in the mirror after the run. */
  submissions: number;
  sessions: number;
  surveys: number;
}

/**
 * Readers see all changes of a run or none. An interrupted run leaves the mirror as it was, and the next run continues.
 *
 * @throws MirrorError, RostraError
 */
export async function updateMirror(
  client: Client,
  target: MirrorTarget,
  options: MirrorOptions,
): Promise<MirrorSummary> {
  const { signal } = options;
  const organization = await ignoreNotFound(client.organization({ signal }));
  const organizationId = organization?.id ?? (await client.me({ signal })).organization_id;
  createFolders(target);
  // Opened first: a run must not leave a staging file beside a database of another application.
  const database = openMirrorDatabase(target.databaseFile);
  try {
    const staging = openStagingFile(target.stagingFile);
    try {
      const update = { ...options, organizationId, organization };
      const summary = await fetchAndApply(client, staging, database, update);
      await publishFiles(target, database);
      return summary;
    } finally {
      staging.close();
    }
  } finally {
    database.close();
  }
}

type Update = MirrorOptions &
  Pick<Parameters<MirrorDatabase['applyUpdate']>[0], 'organization' | 'organizationId'>;

async function fetchAndApply(
  client: Client,
  staging: StagingFile,
  database: MirrorDatabase,
  update: Update,
): Promise<MirrorSummary> {
  const state = database.readState();
  if (state !== undefined && state.organizationId !== update.organizationId)
    throw new MirrorTargetError(
      'The target is the mirror of another municipality. Choose another target, or use a key of the same municipality.',
    );
  const { cursor, fields, isComplete } = await fetchChanges(client, staging, {
    ...update,
    from: state?.cursor ?? undefined,
    fields: state?.fields ?? [],
    hasSurveys: state !== undefined && database.countRows(tablesByKind.survey[0]) > 0,
  });
  const counts = staging.countChanges();
  database.applyUpdate({ ...update, cursor, fields, isComplete, changes: staging.listChanges() });
  staging.clear();
  return {
    hasFetchedEverything: isComplete,
    ...counts,
    submissions: database.countRows(tablesByKind.submission[0]),
    sessions: database.countRows(tablesByKind.session[0]),
    surveys: database.countRows(tablesByKind.survey[0]),
  };
}

/** Another version may have written the same revision with other columns. */
const columnsDigest = hash('sha256', JSON.stringify(tables.map(({ columns }) => columns))).slice(0, 8);

/** Also after a run without changes: an earlier run may have been killed before it published its files. */
async function publishFiles({ format, path }: MirrorTarget, database: MirrorDatabase): Promise<void> {
  if (format === 'sqlite') return;
  const writeFiles = format === 'csv' ? writeCsvFiles : writeNdjsonFiles;
  const { revision } = database.readState() as { revision: number };
  await publishVersion(path, `${revision}-${columnsDigest}`, (folder) => writeFiles(database, folder));
}

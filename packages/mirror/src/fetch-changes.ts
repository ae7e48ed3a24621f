/** Fetches changes into the staging file: with /changes, or by a walk of all lists where an installation lacks it. */

import { extensionNames } from '../../../src/contract/resources/extension-fields.ts';
import { surveyEndNames } from '../../../src/contract/resources/survey.ts';
import type { Change, Session, SessionWithSubmissionIds } from '../../client/src/contract-types.ts';
import type { Client } from '../../client/src/create-client.ts';
import { RostraError } from '../../client/src/rostra-error.ts';
import { MirrorError } from './mirror-error.ts';
import type { MirroredChange, StagingFile } from './staged-changes.ts';

interface FetchOptions {
  organizationId: string;
  /** Cursor of the mirror; undefined if it has none. */
  from: string | undefined;
  /** Extension fields that all objects of the mirror have. */
  fields: readonly string[];
  /** The mirror contains surveys. */
  hasSurveys: boolean;
  signal: AbortSignal;
  /** Receives the number of objects so far. */
  onProgress: (count: number) => void;
  onNotice: (sentence: string) => void;
}

interface FetchedChanges {
  /** Cursor for the next run; null if the installation has no /changes. */
  cursor: string | null;
  /** Extension fields that all objects have after the run. */
  fields: readonly string[];
  /** The staging file contains all objects. */
  isComplete: boolean;
}

export async function fetchChanges(
  client: Client,
  staging: StagingFile,
  options: FetchOptions,
): Promise<FetchedChanges> {
  try {
    return await fetchPages(client, staging, await findBeginning(client, options));
  } catch (error) {
    if (isNotFound(error)) {
      // A mirror with a cursor came from /changes, so this installation has it.
      if (options.from !== undefined || staging.hasCursor()) throw createMissingError('/changes');
      return fetchLists(client, staging, options);
    }
    // 400: the installation no longer knows the secret that signed the cursor.
    const isRejected =
      error instanceof RostraError && ['RESYNC_REQUIRED', 'BAD_REQUEST'].includes(error.code);
    if (!isRejected) throw error;
    options.onNotice(
      'The installation has another history of changes, for example after a restore. Fetching everything again.',
    );
    staging.clear();
    return fetchPages(client, staging, { ...options, from: undefined });
  }
}

/**
 * An earlier version of the program or of the installation left out fields that this one knows. Once the installation has them,
 * everything is fetched again, because /changes does not list objects again when a field is added.
 */
async function findBeginning(client: Client, options: FetchOptions): Promise<FetchOptions> {
  const { from, fields, signal, onNotice } = options;
  const missing = extension.filter((name) => !fields.includes(name));
  if (from === undefined || missing.length === 0) return options;
  for await (const { changes } of client.changes({ signal })) {
    const records = changes.filter(isPublished);
    const findable = missing.filter((name) => records.some(({ kind }) => hasField(kind, name)));
    if (findable.length === 0) continue;
    const added = findable.filter((name) => everyHas(records, name));
    if (added.length === 0) return options;
    onNotice(
      `The installation has fields that the mirror may lack: ${added.join(', ')}. Fetching everything again.`,
    );
    return { ...options, from: undefined };
  }
  // No object could have them.
  return { ...options, fields: extension };
}

async function fetchPages(
  client: Client,
  staging: StagingFile,
  { organizationId, from, signal, onProgress, ...options }: FetchOptions,
): Promise<FetchedChanges> {
  const known: readonly string[] = extension;
  const before = from === undefined ? known : options.fields;
  const walk = staging.continueWalk({ organizationId, from, fields: before });
  let { cursor, fields } = walk;
  let count = 0;
  for await (const page of client.changes({ cursor, signal })) {
    const records = page.changes.filter(isPublished);
    // Another version may know fields that this one drops.
    fields = fields.filter((name) => known.includes(name) && everyHas(records, name));
    staging.add(page.changes.map(toMirroredChange), page.cursor, fields);
    cursor = page.cursor;
    count += page.changes.length;
    onProgress(count);
  }
  return { cursor: cursor as string, fields, isComplete: walk.isComplete };
}

/** Fields beside an object, by kind. */
const addedNames: Readonly<Record<Change['kind'], readonly string[]>> = {
  ...extensionNames,
  survey: surveyEndNames,
};

const extension = [...new Set(Object.values(addedNames).flat())];

type PublishedChange = Extract<Change, { deleted: false }>;

const isPublished = (change: Change): change is PublishedChange => !change.deleted;

const hasField = (kind: Change['kind'], name: string) => addedNames[kind].includes(name);

const everyHas = (records: readonly PublishedChange[], name: string) =>
  records.every((record) => name in record || !hasField(record.kind, name));

/** Other installations may lack the extension fields. */
function toMirroredChange(change: Change): MirroredChange {
  const { kind, id, data } = change;
  if (!isPublished(change)) return { kind, id, data };
  const values: Readonly<Record<string, unknown>> = { ...change };
  const added = Object.fromEntries(addedNames[change.kind].map((name) => [name, values[name]]));
  return { kind, id, data: { ...change.data, ...added } };
}

/** Objects are added in batches: a transaction for each would wait for the disk. */
const batchSize = 100;

async function fetchLists(
  client: Client,
  staging: StagingFile,
  options: FetchOptions,
): Promise<FetchedChanges> {
  const { organizationId, onProgress, onNotice } = options;
  onNotice('This installation has no /changes: every run fetches everything.');
  staging.clear();
  staging.continueWalk({ organizationId, from: undefined, fields: [] });
  let batch: MirroredChange[] = [];
  let count = 0;
  const flush = () => {
    // Without a cursor, an interrupted walk starts over.
    staging.add(batch, undefined, []);
    batch = [];
  };
  for await (const change of listObjects(client, options)) {
    batch.push(change);
    count += 1;
    onProgress(count);
    if (batch.length === batchSize) flush();
  }
  flush();
  return { cursor: null, fields: [], isComplete: true };
}

async function* listObjects(
  client: Client,
  { signal, hasSurveys, onNotice }: FetchOptions,
): AsyncGenerator<MirroredChange> {
  for await (const data of client.submissions({ signal })) yield { kind: 'submission', id: data.id, data };
  for await (const session of client.sessions({ signal })) {
    const data = await fetchAgenda(client, session, signal);
    if (data !== undefined) yield { kind: 'session', id: session.id, data };
  }
  let hasList = hasSurveys;
  try {
    for await (const { id } of client.surveys({ signal })) {
      hasList = true;
      const data = await ignoreNotFound(client.surveyResults(id, { signal }));
      if (data !== undefined) yield { kind: 'survey', id, data };
    }
  } catch (error) {
    if (!isNotFound(error)) throw error;
    if (hasList) throw createMissingError('/surveys');
    onNotice('This installation has no list of surveys: the mirror has none.');
  }
}

/** The session as /changes publishes it; undefined if it was deleted meanwhile. */
async function fetchAgenda(
  client: Client,
  session: Session,
  signal: AbortSignal,
): Promise<SessionWithSubmissionIds | undefined> {
  if (session.submissionCount === 0) return { ...session, submissionIds: [] };
  const found = await ignoreNotFound(client.session(session.id, { signal }));
  if (found === undefined) return undefined;
  const { submissions, ...fields } = found;
  return { ...fields, submissionIds: submissions.map(({ id }) => id) };
}

const createMissingError = (path: string) =>
  new MirrorError(
    `The installation returns HTTP 404 for ${path}, which it had before. The mirror is unchanged. Try again later. If the installation no longer has ${path}, choose another target for a new mirror.`,
  );

/** By the status, because other installations may send another body for an unknown path. */
const isNotFound = (error: unknown) => error instanceof RostraError && error.status === 404;

/** @returns undefined if the resource does not exist */
export async function ignoreNotFound<Result>(request: Promise<Result>): Promise<Result | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

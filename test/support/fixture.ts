/** A database with two municipalities, A and B, their records and API keys, and servers on it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { generateKey, hashForStorage } from '../../src/domain/keys/api-key.ts';
import type { NewKey } from '../../src/domain/keys/stored-key.ts';
import type { RecordWrite } from '../../src/domain/records/records.ts';
import type { Store } from '../../src/domain/store.ts';
import { StoreConflictError } from '../../src/domain/store-errors.ts';
import { openStore } from '../../src/store/open.ts';
import { assertSucceeds } from './cli-workspace.ts';
import {
  createDatabase,
  createTemplate,
  type DatabaseTemplate,
  storeDefaults,
  type TestDatabase,
} from './database.ts';
import { createScope, createTemporaryFolder, type Scope } from './files.ts';
import { isCitus } from './postgres-database.ts';
import { recordsOfA, recordsOfB } from './records.ts';
import { type Server, startServer } from './server.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

export interface IssuedKey {
  secret: string;
  id: string;
}

/** What a fixture contains at first. */
interface FixtureContent {
  /** Id of municipality A, with `recordsOfA`. */
  a: string;
  /** Id of municipality B, with `recordsOfB`. */
  b: string;
  /** Secret of a key of A. */
  alice: string;
  /** Secret of another key of A. */
  bob: string;
  /** Secret of a key of B. */
  charlie: string;
  /** Secret of a revoked key of A. */
  revoked: string;
  /** Secret of an expired key of A. */
  expired: string;
}

export interface Fixture extends TestDatabase, FixtureContent {
  /** A store on the database of the servers. */
  store: Store;
  issueKey(organizationId: string, fields?: Partial<NewKey>): Promise<IssuedKey>;
  putRecords(organizationId: string, records: readonly RecordWrite[]): Promise<void>;
  /** Starts a server on this database in this process. With `runsImports`, it runs waiting imports, or another server does. */
  startServer(environment?: Record<string, string>, runsImports?: boolean | 'elsewhere'): Promise<Server>;
  startServerProcess(environment?: Record<string, string>): Promise<ServerProcess>;
  /** Runs a command on this database. @returns its standard output */
  runCli(...command: string[]): Promise<string>;
}

/** Issues a key like `rostra key issue`, without running the command. */
export async function issueKey(
  store: Store,
  organizationId: string,
  fields: Partial<NewKey> = {},
): Promise<IssuedKey> {
  const secret = generateKey();
  const record = await store.addKey({
    organizationId,
    ...hashForStorage(secret),
    name: 'Open-data portal',
    requestLimit: undefined,
    expiresAt: undefined,
    ...fields,
  });
  return { secret, id: record.id };
}

async function putRecords(store: Store, organizationId: string, records: readonly RecordWrite[]) {
  await store.write(organizationId, async (writer) => {
    const conflict = (await writer.put(records)).find((outcome) => outcome instanceof StoreConflictError);
    if (conflict) throw conflict;
  });
}

async function fillDatabase(store: Store): Promise<FixtureContent> {
  const { id: a } = await store.addOrganization('Musterstadt', randomUUID(), { locationDecimals: '3' });
  const { id: b } = await store.addOrganization('Beispielburg', randomUUID());
  await putRecords(store, a, recordsOfA);
  await putRecords(store, b, recordsOfB);
  const revoked = await issueKey(store, a, { name: 'Revoked' });
  for (const key of await store.findKeys(revoked.id)) await store.revokeKey(key);
  return {
    a,
    b,
    alice: (await issueKey(store, a, { name: 'Alice' })).secret,
    bob: (await issueKey(store, a, { name: 'Bob' })).secret,
    charlie: (await issueKey(store, b, { name: 'Charlie' })).secret,
    revoked: revoked.secret,
    expired: (await issueKey(store, a, { name: 'Expired', expiresAt: '2020-01-01T00:00:00.000Z' })).secret,
  };
}

let template: Promise<DatabaseTemplate<FixtureContent>> | undefined;

/** Fixtures are copies of the first one of a process, because filling a database takes longer than most tests. */
async function createFilledDatabase(scope: Scope, folder: string) {
  template ??= createTemplate(async (database) => {
    const store = await openStore({ ...storeDefaults, database });
    const filled = await fillDatabase(store);
    await store.close();
    return filled;
  });
  const { copy, content } = await template;
  return { own: await copy(scope, folder), content };
}

/**
 * Everything that it starts, even in a later test, ends with its own scope.
 *
 * @param create creates the database; default: with the engine of the test run
 */
export async function createFixture(
  owner: Scope,
  create: typeof createDatabase | undefined = isCitus ? createDatabase : undefined,
): Promise<Fixture> {
  const scope = createScope();
  owner.after(scope.close);
  const folder = createTemporaryFolder(scope);
  const { own, content } =
    create === undefined
      ? await createFilledDatabase(scope, folder)
      : { own: await create(scope, folder), content: undefined };
  const { database } = own;
  const store = await openStore({ ...storeDefaults, database });
  scope.after(() => store.close());
  return {
    ...own,
    ...(content ?? (await fillDatabase(store))),
    store,
    issueKey: (organizationId, fields) => issueKey(store, organizationId, fields),
    putRecords: (organizationId, records) => putRecords(store, organizationId, records),
    startServer: (environment, runsImports) => startServer(scope, database, environment, runsImports),
    startServerProcess: (environment) => startServerProcess(scope, database, environment),
    runCli: (...command) => assertSucceeds([...command, '--database', database]),
  };
}

/** Asserts that the work changes no key of A. */
export async function assertKeysUnchanged<Result>(
  { store, a }: Fixture,
  work: () => Promise<Result>,
): Promise<Result> {
  const readKeyStates = async () => (await store.listKeys(a)).map(({ id, state }) => `${id} ${state}`);
  const before = await readKeyStates();
  const result = await work();
  assert.deepEqual(await readKeyStates(), before);
  return result;
}

/** Creates a fixture and starts a server in this process. */
export async function createFixtureWithServer(
  scope: Scope,
  environment?: Record<string, string>,
): Promise<Fixture & { server: Server }> {
  const fixture = await createFixture(scope);
  return { ...fixture, server: await fixture.startServer(environment) };
}

/** Creates a fixture and starts a server in its own process, for tests that signal it or make it wait for a lock. */
export async function createFixtureWithServerProcess(
  scope: Scope,
  environment?: Record<string, string>,
): Promise<Fixture & { server: ServerProcess }> {
  const fixture = await createFixture(scope);
  return { ...fixture, server: await fixture.startServerProcess(environment) };
}

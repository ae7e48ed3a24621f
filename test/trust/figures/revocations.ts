import assert from 'node:assert/strict';
import { createClient } from '../../support/concurrent-clients.ts';
import type { Fixture } from '../../support/fixture.ts';
import { createSignedInClient, fetchCsrfToken } from '../../support/form-client.ts';
import type { ServerProcess } from '../../support/server-process.ts';
import type { Figure, FigureRun, Measurement } from '../figure.ts';
import { add, fail, formatCount, formatNumber, getCount, type Tally } from '../tally.ts';

const clientsPerReplica = 4;
const minEarlyPerReplica = 6;
const latePerClient = 3;

/** Revokes a key by its form in the admin area. */
type Revoke = (keyId: string) => Promise<void>;

async function createRevoke(fixture: Fixture, server: ServerProcess): Promise<Revoke> {
  const client = await createSignedInClient(server, fixture.store, fixture.a);
  const token = await fetchCsrfToken(client);
  return async (keyId) => {
    const { status, body } = await client.post(`/admin/organizations/${fixture.a}/keys/${keyId}/revoke`, {
      token,
    });
    assert.equal(status, 303, body.slice(0, 500));
  };
}

/** Revokes a new key on one replica while clients of the others use it without a pause. */
async function revokeUnderLoad(
  fixture: Fixture,
  loaded: readonly ServerProcess[],
  revoke: Revoke,
  tally: Tally,
): Promise<void> {
  const { id, secret } = await fixture.issueKey(fixture.a);
  let isRevoked = false;
  const early = new Map(loaded.map((server) => [server, 0]));
  const isLoaded = Promise.withResolvers<void>();

  const use = async (server: ServerProcess) => {
    const client = createClient();
    for (let late = 0; late < latePerClient; ) {
      const isLate = isRevoked;
      const { status } = await client.send(server, secret);
      if (isLate) {
        late += 1;
        add(tally, `late ${status}`);
        if (status !== 401) fail(tally, `${status} for a request that started after the revocation`);
      } else {
        add(tally, `early ${status}`);
        early.set(server, (early.get(server) ?? 0) + 1);
        if ([...early.values()].every((count) => count >= minEarlyPerReplica)) isLoaded.resolve();
      }
    }
    client.close();
  };
  const load = Promise.all(
    loaded.flatMap((server) => Array.from({ length: clientsPerReplica }, () => use(server))),
  );
  await Promise.race([isLoaded.promise, load]);
  await revoke(id);
  isRevoked = true;
  await load;
}

async function start({ createFixture, startServer, tally }: FigureRun): Promise<Measurement> {
  const fixture = await createFixture();
  const startReplica = () => startServer(fixture.database);
  const [revoking, ...loaded] = await Promise.all([startReplica(), startReplica(), startReplica()]);
  return {
    measure: async (_first, count) => {
      // Signs in for each batch, because a revocation requires a recent password.
      const revoke = await createRevoke(fixture, revoking as ServerProcess);
      for (let trial = 0; trial < count; trial += 1) await revokeUnderLoad(fixture, loaded, revoke, tally);
    },
  };
}

export const revocations: Figure = {
  number: 10,
  promise:
    'After a key was revoked on one instance, all requests that start later on two others under load return 401.',
  unit: 'revocations',
  fullSize: 1_000,
  minSize: 20,
  batchSize: 50,
  engines: ['sqlite', 'postgres'],
  minutes: 3,
  defect: {
    description: 'a process keeps keys in memory for 50 ms',
    edits: [
      {
        file: 'src/store/admission.ts',
        from: "const hash = secretHash.toString('latin1');",
        to: `const hash = secretHash.toString('latin1');
      const cache = (globalThis.admissions ??= new Map());
      const cached = cache.get(hash);
      if (cached !== undefined && Date.now() - cached.atMs < 50) return resolve(cached.admission);
      const keep = (admission) => {
        cache.set(hash, { atMs: Date.now(), admission });
        resolve(admission);
      };`,
      },
      {
        file: 'src/store/admission.ts',
        from: 'resolve,\n        reject,\n        span: getSpan()',
        to: 'resolve: keep,\n        reject,\n        span: getSpan()',
      },
    ],
  },
  start,
  conclude: (tally, done) => {
    const format = (name: string) => formatCount(tally, name);
    const late = Object.entries(tally.counts)
      .filter(([name]) => name.startsWith('late'))
      .reduce((sum, [, count]) => sum + count, 0);
    return {
      measured: `${formatNumber(done)} revocations by the admin area during ${format('early 200')} successful requests: ${format('late 401')} of ${formatNumber(late)} later requests returned 401`,
      violations: getCount(tally, 'early 200') === 0 ? ['no request succeeded before a revocation'] : [],
    };
  },
};

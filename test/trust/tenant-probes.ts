/** Requests that try to read data of another municipality, and checks of their responses. */
import { createTemporaryFolder, type Scope } from '../support/files.ts';
import type { Fixture } from '../support/fixture.ts';
import { fillOpenAddress, listOpenAddresses } from '../support/open-addresses.ts';
import {
  createSeededRandom,
  createSession,
  createSubmission,
  formatUuid,
  missingId,
} from '../support/records.ts';
import {
  openPipelinedConnection,
  type PipelinedRequest,
  type PipelinedResponse,
} from './pipelined-connection.ts';
import { add, fail, type Tally } from './tally.ts';

interface Tenant {
  id: string;
  /** Of its open data. */
  slug: string;
  /** Occurs in all texts of its records, and nowhere else. */
  marker: string;
  keys: string[];
  ids: Record<'submission' | 'session' | 'survey', string[]>;
  /** Cursors of its lists, by path. */
  cursors: { list: string; cursor: string }[];
}

interface Probe extends PipelinedRequest {
  caller: Tenant | undefined;
  kind: 'own' | 'foreign id' | 'foreign cursor' | 'foreign filter' | 'missing id' | 'inactive key';
  /** A request whose response must be the same. */
  reference?: string;
}

export interface TenantProbes {
  /** Sends `count` probes over several connections at once. */
  send(port: number, first: number, count: number, tally: Tally): Promise<void>;
}

const tenantCount = 4;
const connectionCount = 12;
const pipelineLength = 20;

const lists = ['/submissions', '/sessions', '/support', '/surveys', '/changes'];
const topic = 'Mobility';

const byId = {
  submission: [(id: string) => `/submissions/${id}`, (id: string) => `/support?submission_id=${id}`],
  session: [(id: string) => `/sessions/${id}`],
  survey: [(id: string) => `/surveys/${id}/results`],
} as const;
type Kind = keyof typeof byId;
const kinds = Object.keys(byId) as Kind[];

/** The first three ids of each kind occur in all municipalities. */
const formatIds = (family: 'a' | 'b' | 'c', tenant: number, count: number) =>
  Array.from({ length: count }, (_, n) => formatUuid(family, n < 3 ? n + 1 : 1_000 * (tenant + 1) + n));

async function createTenant(fixture: Fixture, number: number): Promise<Tenant> {
  const marker = `secret-of-tenant-${number}`;
  const slug = `city-${number}`;
  const { id } = await fixture.store.addOrganization(`City ${marker}`, formatUuid('e', 700 + number));
  await fixture.store.editOrganization(id, {
    slug,
    licenseName: 'CC0-1.0',
    openData: 'on',
    locationDecimals: '3',
  });
  const ids = {
    submission: formatIds('a', number, 30),
    session: formatIds('b', number, 9),
    survey: formatIds('c', number, 6),
  };
  const documents = [{ title: marker, url: `https://files.example/${marker}`, mediaType: null }];
  await fixture.putRecords(id, [
    ...ids.submission.map((submissionId, n) => ({
      kind: 'submission' as const,
      ...createSubmission(n, {
        id: submissionId,
        description: marker,
        referenceNumber: marker,
        topicCategoryName: n % 2 === 0 ? topic : marker,
        status: n % 3 === 0 ? 'in_review' : 'submitted',
        documents,
        location: { type: 'Point', coordinates: [8 + number, 49] },
      }),
    })),
    ...ids.session.map((sessionId, n) => ({
      kind: 'session' as const,
      ...createSession(n, {
        id: sessionId,
        committeeName: marker,
        documents,
        submissions: ids.submission.slice(n, n + 3),
      }),
    })),
    ...ids.survey.map((surveyId) => ({
      kind: 'survey' as const,
      surveyId,
      title: marker,
      status: 'closed',
      totalResponses: 10,
      questions: [
        {
          questionText: marker,
          questionType: 'single_choice',
          options: [{ optionText: marker, responseCount: 10 }],
        },
      ],
    })),
  ]);
  const keys = [];
  for (const suffix of ['one', 'two'])
    keys.push((await fixture.issueKey(id, { name: `${marker} ${suffix}` })).secret);
  return { id, slug, marker, keys, ids, cursors: [] };
}

/** Settings of the servers that receive the probes. Catalogues and feeds need an address of the installation. */
export const createProbedSettings = (scope: Scope) => ({
  ROSTRA_DATABASE_POOL_SIZE: '2',
  ROSTRA_PUBLIC_URL: 'https://api.example',
  ROSTRA_OPEN_DATA_FOLDER: createTemporaryFolder(scope),
});

/** Creates municipalities with equal and with different ids. @param port of an intact server, which signs cursors */
export async function createTenantProbes(fixture: Fixture, port: number): Promise<TenantProbes> {
  const tenants: Tenant[] = [];
  for (let number = 0; number < tenantCount; number += 1) tenants.push(await createTenant(fixture, number));
  await readCursors(tenants, port);
  /** Responses to references, by key and target. They depend only on the key. */
  const references = new Map<string, PipelinedResponse>();
  // Those of the installation have all municipalities.
  const addresses = listOpenAddresses(fixture.store).filter((address) => address.includes('{slug}'));

  return {
    send: async (port, first, count, tally) => {
      const probes = composeProbes(fixture, tenants, addresses, createSeededRandom(first), count);
      const open = () => openPipelinedConnection(port);
      const connections = await Promise.all(Array.from({ length: connectionCount }, open));
      await hangUp(port, probes);
      const pipelines = chunk(probes, pipelineLength).values();
      const work = async (connection: Awaited<ReturnType<typeof open>>) => {
        for (const pipeline of pipelines) {
          const missing = pipeline.flatMap(({ reference: target, key }) =>
            target !== undefined && !references.has(`${key} ${target}`)
              ? [{ target, key: key as string }]
              : [],
          );
          for (const [index, response] of (await connection.send(missing)).entries()) {
            const { key, target } = missing[index] as { key: string; target: string };
            if (response.status !== 503) references.set(`${key} ${target}`, response);
          }
          const responses = await connection.send(pipeline);
          for (const [index, probe] of pipeline.entries())
            check(tenants, references, probe, responses[index] as PipelinedResponse, tally);
        }
      };
      await Promise.all(connections.map(work));
      for (const connection of connections) connection.close();
    },
  };
}

async function readCursors(tenants: readonly Tenant[], port: number): Promise<void> {
  const connection = await openPipelinedConnection(port);
  for (const tenant of tenants) {
    for (const list of lists) {
      const [response] = await connection.send([
        { target: `/api/v1${list}?limit=2`, key: tenant.keys[0] as string },
      ]);
      const cursor = JSON.parse((response as PipelinedResponse).body).pagination.next_cursor as string;
      tenant.cursors.push({ list, cursor });
    }
  }
  connection.close();
}

function composeProbes(
  { revoked, expired }: Fixture,
  tenants: readonly Tenant[],
  addresses: readonly string[],
  random: () => number,
  count: number,
): Probe[] {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const withParameter = addresses.filter((address) => /\{(?!slug)/.test(address));
  const compose = (): Probe => {
    const caller = pick(tenants);
    const other = pick(tenants.filter((tenant) => tenant !== caller));
    const key = pick(caller.keys);
    const probe = (kind: Probe['kind'], target: string, reference?: string): Probe => ({
      caller,
      key,
      kind,
      target: `/api/v1${target}`,
      ...(reference === undefined ? {} : { reference: `/api/v1${reference}` }),
    });
    const what = random();
    const kind = pick(kinds);
    const path = pick<(id: string) => string>(byId[kind]);
    const spell = (id: string) => (random() < 0.2 ? id.toUpperCase() : id);
    const list = pick(lists);
    if (what < 0.35) {
      const id = pick(other.ids[kind].filter((candidate) => !caller.ids[kind].includes(candidate)));
      return probe('foreign id', path(spell(id)), path(missingId));
    }
    if (what < 0.55) {
      const { list: source, cursor } = pick(other.cursors);
      const target = random() < 0.7 ? source : list;
      const limit = 1 + Math.floor(random() * 100);
      return probe('foreign cursor', `${target}?cursor=${cursor}&limit=${limit}`, `${target}?cursor=x`);
    }
    if (what < 0.6) return probe('foreign filter', `/submissions?topic=${other.marker}&limit=100`);
    if (what < 0.65) return probe('missing id', path(missingId), path(missingId));
    if (what < 0.68) {
      const target = `/api/v1${path(pick(other.ids[kind]))}`;
      return { caller: undefined, key: pick([revoked, expired]), kind: 'inactive key', target };
    }
    if (what < 0.71) {
      const address = pick(withParameter);
      const foreign = pickIds(pick, other, caller);
      const target = fillOpenAddress(address, { ...caller, committee: other.marker, ids: foreign });
      const missing = { submissions: missingId, sessions: missingId, surveys: missingId };
      const reference = fillOpenAddress(address, { ...caller, committee: 'missing', ids: missing });
      return { caller, key, kind: 'foreign id', target, reference };
    }
    if (what < 0.75) {
      const own = { ...caller, committee: caller.marker, ids: pickIds(pick, caller) };
      return { caller, key, kind: 'own', target: fillOpenAddress(pick(addresses), own) };
    }
    if (what < 0.8) return probe('own', path(spell(pick(caller.ids[kind]))));
    if (what < 0.85) return probe('own', pick(['/me', '/organization']));
    const own = pick(caller.cursors);
    if (what < 0.9) return probe('own', `${own.list}?cursor=${own.cursor}&limit=100`);
    const filters = pick(['', '&status=in_review', `&topic=${topic}`, `&status=in_review&topic=${topic}`]);
    const limit = 1 + Math.floor(random() * 100);
    return probe(
      'own',
      list === '/submissions' ? `${list}?limit=${limit}${filters}` : `${list}?limit=${limit}`,
    );
  };
  return Array.from({ length: count }, compose);
}

/** One id of each kind. @param without a municipality that does not have them */
function pickIds(pick: <Item>(items: readonly Item[]) => Item, { ids }: Tenant, without?: Tenant) {
  const pickId = (kind: Kind) => pick(ids[kind].filter((id) => !without?.ids[kind].includes(id)));
  return { submissions: pickId('submission'), sessions: pickId('session'), surveys: pickId('survey') };
}

/** Own data that consists of ids and numbers. */
const withoutTexts = /^\/api\/v1\/support|\/agenda_items\.|\/map\.json/;

/** Header fields that differ between equal requests. */
const changing = /\r\n(date|x-request-id|x-ratelimit-remaining|x-ratelimit-reset): [^\r]*/gi;

const describe = ({ kind, target }: Probe, { status, body }: PipelinedResponse) =>
  `${kind}, GET ${target}: ${status} ${body.slice(0, 150)}`;

function check(
  tenants: readonly Tenant[],
  references: ReadonlyMap<string, PipelinedResponse>,
  probe: Probe,
  response: PipelinedResponse,
  tally: Tally,
): void {
  const { caller, kind } = probe;
  const text = response.head + response.body;
  add(tally, 'probes');
  add(tally, kind);
  const isForeign = (tenant: Tenant) =>
    tenant !== caller && (text.includes(tenant.marker) || text.includes(tenant.id));
  if (tenants.some(isForeign)) {
    add(tally, 'leaks');
    fail(tally, `foreign data: ${describe(probe, response)}`);
    return;
  }
  // A cancelled statement.
  if (response.status === 503) {
    add(tally, 'aborted');
    return;
  }
  const reference = references.get(`${probe.key} ${probe.reference}`);
  if (reference !== undefined) {
    const isSame =
      response.body === reference.body &&
      response.head.replaceAll(changing, '') === reference.head.replaceAll(changing, '');
    add(tally, isSame ? 'identical' : 'distinguishable');
    if (!isSame) fail(tally, `not like ${probe.reference}: ${describe(probe, response)}`);
  }
  const isExpected =
    kind === 'inactive key'
      ? response.status === 401
      : kind !== 'own' ||
        (response.status === 200 && caller !== undefined && text.includes(caller.marker)) ||
        (response.status === 200 && withoutTexts.test(probe.target));
  if (!isExpected) fail(tally, `unexpected: ${describe(probe, response)}`);
}

/** Sends requests and closes the connection before their responses. */
async function hangUp(port: number, probes: readonly Probe[]): Promise<void> {
  const connection = await openPipelinedConnection(port);
  const sent = connection.send(probes.slice(0, pipelineLength)).catch(() => undefined);
  connection.close();
  await sent;
}

function chunk<Item>(items: readonly Item[], length: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / length) }, (_, index) =>
    items.slice(index * length, (index + 1) * length),
  );
}

/** The mappings in `examples/` import the small tables in `examples/tables/`, which have the columns of the real exports. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { assertCounts, createImportHarness } from '../support/import-harness.ts';

const harness = await createImportHarness({ after });
const examples = new URL('../../examples/', import.meta.url);
const findFile = (path: string) => fileURLToPath(new URL(path, examples));

interface Example {
  /** Default: the table with the name of the mapping. */
  tables?: string[];
  counts: Record<string, number>;
  /** All published fields but the id, in the order of `createdAt` and the description. */
  submissions: Record<string, unknown>[];
  /** With the texts of the agenda. */
  sessions?: Record<string, unknown>[];
}

const defaults = {
  referenceNumber: null,
  topicCategoryName: null,
  priorityLevel: 'normal',
  supportCount: 0,
  hasAttachments: false,
  protocolUrl: null,
};

const expected: Record<string, Example> = {
  'barcelona-iris': {
    counts: { inserted: 2 },
    submissions: [
      {
        ...defaults,
        referenceNumber: '900001',
        description: 'INCIDENCIA – Papereres – Paperera plena',
        status: 'completed',
        topicCategoryName: 'Neteja',
        createdAt: '2026-02-28T23:00:00.000Z',
        statusChangedAt: '2026-03-03T23:00:00.000Z',
      },
      {
        ...defaults,
        referenceNumber: '900002',
        description: 'SUGGERIMENT – Arbrat – Plantar un arbre',
        status: 'received',
        topicCategoryName: 'Verd',
        createdAt: '2026-07-01T22:00:00.000Z',
        statusChangedAt: '2026-07-01T22:00:00.000Z',
      },
    ],
  },
  'boston-311': {
    counts: { inserted: 2 },
    submissions: [
      {
        ...defaults,
        referenceNumber: '190000000001',
        description: 'Graffiti Removal',
        status: 'completed',
        topicCategoryName: 'Graffiti',
        hasAttachments: true,
        createdAt: '2026-01-02T13:15:00.000Z',
        statusChangedAt: '2026-01-05T18:00:00.000Z',
      },
      {
        ...defaults,
        referenceNumber: '190000000002',
        description: 'New Tree Requests',
        status: 'received',
        topicCategoryName: 'Trees',
        createdAt: '2026-07-03T01:30:15.000Z',
        statusChangedAt: '2026-07-03T01:30:15.000Z',
      },
    ],
  },
  'chicago-311': {
    counts: { inserted: 2, ignored: 2 },
    submissions: [
      {
        ...defaults,
        referenceNumber: 'SR26-00000001',
        description: 'Street Light Out Complaint',
        status: 'completed',
        topicCategoryName: 'CDOT - Department of Transportation',
        createdAt: '2026-03-01T16:15:00.000Z',
        statusChangedAt: '2026-03-03T22:00:00.000Z',
      },
      {
        ...defaults,
        referenceNumber: 'SR26-00000004',
        description: 'Tree Planting Request',
        status: 'withdrawn',
        topicCategoryName: 'Streets and Sanitation',
        createdAt: '2026-07-01T13:00:00.000Z',
        statusChangedAt: '2026-07-02T17:30:00.000Z',
      },
    ],
  },
  'council-meetings': {
    tables: ['tagesordnung', 'sitzungen', 'vorlagen'].map((name) => `council-meetings-${name}`),
    counts: { inserted: 4 },
    submissions: [
      {
        ...defaults,
        referenceNumber: '2026/001',
        description: 'Mehr Bäume am Marktplatz',
        status: 'accepted',
        topicCategoryName: 'Grünflächen',
        createdAt: '2026-01-04T23:00:00.000Z',
        statusChangedAt: '2026-01-04T23:00:00.000Z',
      },
      {
        ...defaults,
        referenceNumber: '2026/002',
        description: 'Tempo 30 vor der Grundschule',
        status: 'submitted',
        topicCategoryName: 'Verkehr',
        createdAt: '2026-01-11T23:00:00.000Z',
        statusChangedAt: '2026-01-11T23:00:00.000Z',
      },
    ],
    sessions: [
      {
        committeeName: 'Gemeinderat',
        date: '2026-03-17',
        timeSlot: '16:30-18:45',
        createdAt: '2026-03-16T23:00:00.000Z',
        submissionCount: 2,
        submissions: ['Mehr Bäume am Marktplatz', 'Tempo 30 vor der Grundschule'],
      },
      {
        committeeName: 'Verkehrsausschuss',
        date: '2026-03-24',
        timeSlot: '17:00',
        createdAt: '2026-03-23T23:00:00.000Z',
        submissionCount: 1,
        submissions: ['Tempo 30 vor der Grundschule'],
      },
    ],
  },
  fixmystreet: {
    counts: { inserted: 2 },
    submissions: [
      {
        ...defaults,
        referenceNumber: '9000001',
        description: 'Broken bench\n\nThe seat is loose.',
        status: 'in_review',
        topicCategoryName: 'Street furniture',
        createdAt: '2026-03-01T10:15:00.000Z',
        statusChangedAt: '2026-03-01T10:15:00.000Z',
      },
      {
        ...defaults,
        referenceNumber: '9000002',
        description: 'Lamp out',
        status: 'completed',
        topicCategoryName: 'Street lighting',
        createdAt: '2026-07-01T21:05:30.000Z',
        statusChangedAt: '2026-07-01T21:05:30.000Z',
      },
    ],
  },
  'new-york-311': {
    counts: { inserted: 2 },
    submissions: [
      {
        ...defaults,
        referenceNumber: '90000001',
        description: 'Street Condition: Pothole',
        status: 'completed',
        topicCategoryName: 'Street Condition',
        createdAt: '2026-03-01T05:05:00.000Z',
        statusChangedAt: '2026-03-02T18:30:00.000Z',
      },
      {
        ...defaults,
        referenceNumber: '90000002',
        description: 'Noise',
        status: 'in_review',
        topicCategoryName: 'Noise',
        createdAt: '2026-07-01T13:15:30.000Z',
        statusChangedAt: '2026-07-01T13:15:30.000Z',
      },
    ],
  },
  'new-york-participatory-budgeting': {
    counts: { inserted: 2 },
    submissions: [
      {
        ...defaults,
        description: 'Benches for the park\n\nTen new benches at the pond.',
        status: 'accepted',
        topicCategoryName: 'Parks & Recreation',
        supportCount: 1_204,
        createdAt: '2026-01-01T05:00:00.000Z',
        statusChangedAt: '2026-01-01T05:00:00.000Z',
      },
      {
        ...defaults,
        description: 'A library’s new roof',
        status: 'rejected',
        createdAt: '2027-01-01T05:00:00.000Z',
        statusChangedAt: '2027-01-01T05:00:00.000Z',
      },
    ],
  },
  'paris-dans-ma-rue': {
    counts: { inserted: 2 },
    submissions: [
      {
        ...defaults,
        referenceNumber: '90001',
        description: 'Éclairage : Lampadaire éteint',
        status: 'received',
        topicCategoryName: 'Éclairage',
        createdAt: '2026-02-28T23:00:00.000Z',
        statusChangedAt: '2026-02-28T23:00:00.000Z',
      },
      {
        ...defaults,
        referenceNumber: '90002',
        description: 'Propreté : Corbeille pleine',
        status: 'received',
        topicCategoryName: 'Propreté',
        createdAt: '2026-07-01T22:00:00.000Z',
        statusChangedAt: '2026-07-01T22:00:00.000Z',
      },
    ],
  },
};

suite('the example mapping imports all fields of', () => {
  for (const [name, { tables = [name], counts, submissions, sessions = [] }] of Object.entries(expected)) {
    test(name, async () => {
      const town = await harness.createMunicipality();
      const files = tables.map((table) => findFile(`tables/${table}.csv`));
      const flags = ['--mapping', findFile(`${name}.yaml`)];
      assertCounts(await harness.importContent(town, files, { format: 'table', flags }), counts);
      const published = await harness.listAll(town, '/submissions');
      assert.deepEqual(
        published.map(({ id, ...fields }) => fields).toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1)),
        submissions,
      );
      const held = await Promise.all(
        (await harness.listAll(town, '/sessions')).map(async ({ id }) => {
          const { json } = await harness.get(town, `/sessions/${id}`);
          const { id: _, submissions: agenda, ...fields } = json.data;
          return { ...fields, submissions: agenda.map((one: { description: string }) => one.description) };
        }),
      );
      assert.deepEqual(
        held.toSorted((a, b) => (a.date < b.date ? -1 : 1)),
        sessions,
      );
    });
  }
});

test('examples/README.md lists every mapping, and each has a test', () => {
  const names = readdirSync(examples).flatMap((file) =>
    file.endsWith('.yaml') ? [file.replace('.yaml', '')] : [],
  );
  assert.deepEqual(names.toSorted(), Object.keys(expected).toSorted());
  const readme = readFileSync(findFile('README.md'), 'utf8');
  for (const name of names) assert.ok(readme.includes(`[${name}.yaml](${name}.yaml)`), name);
});

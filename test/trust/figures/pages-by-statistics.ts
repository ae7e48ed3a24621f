import type { Fixture } from '../../support/fixture.ts';
import type { ServerProcess } from '../../support/server-process.ts';
import type { Figure, FigureRun, Measurement } from '../figure.ts';
import { add, computeQuantile, fail, formatCount, observe } from '../tally.ts';

const rows = 100_000;
/** At the end of each list. More than a page. */
const rareRows = 40;
const maxRatio = 2;

/** SQL of the status and of the topic of row `n`. */
interface Content {
  status: string;
  topic: string;
}

const mixed: Content = {
  status: "(ARRAY['submitted', 'in_review', 'completed'])[1 + n % 3]",
  topic: "'Topic ' || n % 20",
};

interface Situation {
  name: string;
  content: Content;
  analyze?: 'before' | 'after';
}

/** What the planner knows about the same number of rows. */
const situations: readonly Situation[] = [
  { name: 'analysed', content: mixed, analyze: 'after' },
  { name: 'never analysed', content: mixed },
  { name: 'analysed before an import', content: mixed, analyze: 'before' },
  { name: 'one status', content: { ...mixed, status: "'submitted'" }, analyze: 'after' },
  { name: '10,000 topics', content: { ...mixed, topic: "'Topic ' || n % 10000" }, analyze: 'after' },
];

const pages = [
  '/submissions?limit=20',
  '/submissions?limit=20&status=rejected',
  '/submissions?limit=20&topic=Rare',
  '/submissions?limit=20&status=rejected&topic=Rare',
  '/support?limit=20',
  '/sessions?limit=20',
];

/** @param n SQL of the rows' numbers */
const composeInsertion = ({ status, topic }: Content, n: string, id: number, time: string) => `
  INSERT INTO submission (organization_id, id, reference_number, description, status, topic_category_name, support_count,
    has_attachments, created_at, status_changed_at)
  SELECT $1, '00000000-0000-4000-8000-' || (${id} + n), 'A-' || (${id} + n), 'x', ${status}, ${topic}, 0, 0, ${time},
    '2026-01-01T00:00:00.000Z' FROM ${n} AS n`;

async function fill({ sql, a }: Fixture, { content, analyze }: Situation): Promise<void> {
  for (const table of ['submission', 'session', 'change'])
    await sql(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
  const rare = { status: "'rejected'", topic: "'Rare'" };
  const oldest = "'2020-01-01T00:00:00.' || (100 + n) || 'Z'";
  await sql(composeInsertion(rare, `generate_series(1, ${rareRows})`, 900_000_000_000, oldest), [a]);
  if (analyze === 'before') await sql('ANALYZE');
  const time = "'2026-01-01T00:00:00.' || (100 + n % 900) || 'Z'";
  await sql(composeInsertion(content, `generate_series(1, ${rows})`, 100_000_000_000, time), [a]);
  await sql(
    `INSERT INTO session (organization_id, id, date, committee_name, created_at)
    SELECT $1, '00000000-0000-4000-9000-' || (100000000000 + n), to_char(DATE '2000-01-01' + n % 9000, 'YYYY-MM-DD'),
      'Council', '2026-01-01T00:00:00.000Z' FROM generate_series(1, 10000) AS n`,
    [a],
  );
  if (analyze === 'after') await sql('ANALYZE');
}

interface Town extends Situation {
  fixture: Fixture;
  server: ServerProcess;
}

async function start({ createFixture, startServer, tally }: FigureRun): Promise<Measurement> {
  const towns: Town[] = [];
  for (const situation of situations) {
    const fixture = await createFixture();
    await fill(fixture, situation);
    const server = await startServer(fixture.database, { ROSTRA_RATE_LIMIT: '1000000000' });
    towns.push({ ...situation, fixture, server });
  }

  async function requestPages({ name, fixture, server }: Town): Promise<void> {
    // Another data version, so that no response comes from a cache.
    await fixture.sql(
      'UPDATE submission SET support_count = support_count + 1 WHERE organization_id = $1 AND id = $2',
      [fixture.a, '00000000-0000-4000-8000-900000000001'],
    );
    await server.get('/me', { key: fixture.alice });
    for (const page of pages) {
      const startMs = performance.now();
      const { status, body } = await server.get(page, { key: fixture.alice });
      observe(tally, `${page} ${name}`, performance.now() - startMs);
      add(tally, 'requests');
      if (status !== 200) fail(tally, `${page}, ${name}: ${status}`);
      else if (JSON.parse(body.toString()).data.length !== 20)
        fail(tally, `${page}, ${name}: not a full page`);
    }
  }

  return {
    measure: async (_first, count) => {
      for (let round = 0; round < count; round++) for (const town of towns) await requestPages(town);
    },
  };
}

export const pagesByStatistics: Figure = {
  number: 21,
  promise:
    'Every list and every filter takes the same time whatever the statistics of PostgreSQL say: never analysed, analysed before an import of 100,000 rows, one status only, 10,000 topics. The median of a page is at most twice that of the fastest page.',
  unit: 'rounds of all pages',
  fullSize: 300,
  // Medians of fewer rounds vary by more than the limit on a busy machine.
  minSize: 60,
  batchSize: 15,
  engines: ['postgres'],
  minutes: 1.5,
  needsQuietMachine: true,
  restartsOnResume: true,
  defect: {
    description: 'the indexes of the filter by status are missing',
    edits: [],
    damageDatabase: ({ sql }) =>
      sql('DROP INDEX submission_list_by_status, submission_list_by_status_and_topic').then(() => undefined),
  },
  start,
  conclude: (tally) => {
    const medians = pages.flatMap((page) =>
      situations.map(({ name }) => ({ page, name, ms: computeQuantile(tally, `${page} ${name}`, 0.5) ?? 0 })),
    );
    const best = Math.min(...medians.map(({ ms }) => ms));
    const formatPage = (page: string) => {
      const own = medians.filter((one) => one.page === page).map(({ ms }) => ms);
      return `\`${page}\` ${Math.min(...own)} to ${Math.max(...own)} ms`;
    };
    return {
      measured: `${formatCount(tally, 'requests')} requests; medians: ${pages.map(formatPage).join(', ')}`,
      violations: medians
        .filter(({ ms }) => ms > maxRatio * best)
        .map(({ page, name, ms }) => `${page} takes ${ms} ms (${name}), the fastest page ${best} ms`),
    };
  },
};

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTemporaryFolder, toCsv, toNdjson } from '../../support/files.ts';
import type { Fixture } from '../../support/fixture.ts';
import { createSeededRandom, formatUuid } from '../../support/records.ts';
import { type CommandRunner, loadCommandRunner } from '../command-runner.ts';
import type { Figure, FigureRun, Measurement } from '../figure.ts';
import { readStoredTexts } from '../stored-texts.ts';
import { add, fail, formatCount, formatNumber, getCount, type Tally } from '../tally.ts';

const recordCount = 14;
const steps = 10;
const decisionProbability = 0.3;
const undoProbability = 0.15;
const unpublishProbability = 0.4;
/** How imports of each source redact. It cannot be loosened later. */
const sources = { First: 'email', Second: 'off', Third: 'email,phone' } as const;
const sourceNames = Object.keys(sources) as (keyof typeof sources)[];

interface Report {
  number: string;
  text: string;
  /** A word of the text that no other one has. */
  marker: string;
  day: string;
}

interface Town {
  fixture: Fixture;
  organizationId: string;
  folder: string;
  runCommand: CommandRunner;
  random: () => number;
  tally: Tally;
  seed: number;
}

const letters = 'abcdefghijklmnopqrstuvwxyz';
const toWord = (number: number): string =>
  [...String(number)].map((digit) => letters[Number(digit)]).join('');

function createReport(random: () => number, seed: number, n: number): Report {
  const marker = `merkmal${toWord(seed)}z${toWord(n)}q`;
  const contact = random() < 0.3 ? ` Rückfragen an ${marker}@mail.example oder 0171 2345678.` : '';
  return {
    number: n % 2 === 0 ? '' : `A-${seed}/${n}`,
    text: `An der Ecke mit dem Zeichen ${marker} ist seit vielen Wochen die Laterne ausgefallen, und es ist dunkel.${contact}`,
    marker,
    day: `2026-03-0${1 + (n % 5)}`,
  };
}

const edits: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => text.replaceAll(' ', '  '),
  (text) => `<p>${text.replace(' ist ', ' <b>ist</b> ')}</p>`,
  (text) => text.replace('Wochen', 'Wo\u00adchen'),
];

const choose = <Value>(random: () => number, values: readonly Value[]): Value =>
  values[Math.floor(random() * values.length)] as Value;

/** A file of the reports under other ids, with other columns. @returns the arguments of its import */
function writeFile({ folder, random, seed }: Town, reports: readonly Report[]): string[] {
  const prefix = choose(random, ['', 'x', 'nr-']);
  const edit = choose(random, edits);
  const rows = reports.map((report, n) => ({ ...report, id: `${prefix}${n + 1}`, text: edit(report.text) }));
  if (random() < 0.5) rows.reverse();
  const name = choose(random, ['liste', 'export', `stand-${seed}`]);
  if (random() < 0.5) {
    const file = join(folder, `${name}.ndjson`);
    const records = rows.map(({ id, text, day, number }) => ({
      kind: 'submission',
      id,
      description: text,
      createdAt: `${day}T12:00:00Z`,
      ...(number !== '' && { referenceNumber: number }),
    }));
    writeFileSync(file, toNdjson(records));
    return ['import', 'rostra', file];
  }
  const file = join(folder, `${name}.csv`);
  const heading = ['Nr', 'Zeichen', 'Text', 'Datum', ...(random() < 0.5 ? ['Amt'] : [])];
  writeFileSync(
    file,
    toCsv(',', [
      heading,
      ...rows.map(({ id, number, text, day }) => [id, number, text, day, 'Bauamt'].slice(0, heading.length)),
    ]),
  );
  const mapping = join(folder, 'mapping.yaml');
  writeFileSync(
    mapping,
    'submission:\n  id: Nr\n  referenceNumber: Zeichen\n  description: Text\n  createdAt: Datum\n',
  );
  return ['import', 'table', file, '--mapping', mapping];
}

const run = ({ runCommand, fixture, organizationId }: Town, args: readonly string[]) =>
  runCommand([...args, '--organization', organizationId, '--database', fixture.database]);

const hasMarker = (text: string, { marker }: Report) => text.toLowerCase().includes(marker);

async function readPublished({ fixture, organizationId }: Town) {
  return fixture.sql<{ id: string; description: string }>(
    'SELECT id, description FROM submission WHERE organization_id = $1',
    [organizationId],
  );
}

async function decide(town: Town, report: Report): Promise<'removed' | 'unpublished'> {
  const { fixture, organizationId, random, tally } = town;
  const isUnpublished = random() < unpublishProbability;
  for (const { id, description } of await readPublished(town)) {
    if (!hasMarker(description, report)) continue;
    const record = { organizationId, kind: 'submission' as const, id };
    if (isUnpublished) await fixture.store.unpublishRecord(record, 'Test');
    else await fixture.store.removeRecord(record, 'Test');
  }
  add(tally, isUnpublished ? 'unpublished records' : 'removed records');
  return isUnpublished ? 'unpublished' : 'removed';
}

async function findStored({ fixture, organizationId }: Town, reports: readonly Report[]): Promise<string[]> {
  const texts = await readStoredTexts(fixture.sql, organizationId);
  return texts
    .filter(({ text }) => reports.some((report) => hasMarker(text, report)))
    .map(({ table }) => table);
}

async function runHistory(town: Town): Promise<void> {
  const { random, tally, seed } = town;
  const reports = Array.from({ length: recordCount }, (_, n) => createReport(random, seed, n));
  const decided = new Map<Report, 'removed' | 'unpublished'>();
  for (let step = 0; step < steps; step += 1) {
    const published = await readPublished(town);
    const candidates = reports.filter(
      (report) => !decided.has(report) && published.some(({ description }) => hasMarker(description, report)),
    );
    if (candidates.length > 0 && random() < decisionProbability) {
      const report = choose(random, candidates);
      decided.set(report, await decide(town, report));
    } else if (random() < undoProbability) {
      const { code } = await run(town, ['source', 'undo', choose(random, sourceNames), '--yes']);
      add(tally, code === 0 ? 'undos' : 'refused undos');
    } else {
      const source = choose(random, sourceNames);
      const beside = random() < 0.7 ? ['--beside'] : [];
      const args = [...writeFile(town, reports), '--source', source, '--redact', sources[source], ...beside];
      const { code, output } = await run(town, args);
      add(tally, code === 0 ? 'imports' : 'refused imports');
      for (const report of decided.keys())
        if (hasMarker(output, report)) fail(tally, `seed ${seed}, step ${step}: the output has a record`);
    }
    for (const { description } of await readPublished(town))
      for (const [report, decision] of decided)
        if (hasMarker(description, report))
          fail(tally, `seed ${seed}, step ${step}: a record that was ${decision} is published again`);
  }
  const removed = [...decided].filter(([, decision]) => decision === 'removed').map(([report]) => report);
  for (const table of await findStored(town, removed))
    fail(tally, `seed ${seed}: ${table} has a removed record`);
  const matches = await town.fixture.store.listRecordMatches(town.organizationId);
  add(tally, 'listed matches', matches.length);
}

async function start({ createFixture, program, scope, tally }: FigureRun): Promise<Measurement> {
  const runCommand = await loadCommandRunner(program);
  const fixture = await createFixture();
  const folder = createTemporaryFolder(scope);
  return {
    measure: async (first, count) => {
      for (let seed = first; seed < first + count; seed += 1) {
        const { id } = await fixture.store.addOrganization(`Removals ${seed}`, formatUuid('e', seed + 1));
        const random = createSeededRandom(seed);
        await runHistory({ fixture, organizationId: id, folder, runCommand, random, tally, seed });
      }
    },
  };
}

export const removedRecords: Figure = {
  number: 29,
  promise:
    'In random histories of imports under several sources, file names, formats, ids and edits (case, blanks, markup, redaction, other columns), decisions and undos, no unpublished or removed record is published again, and no row of the database and no output has the text of a removed one.',
  unit: 'histories',
  fullSize: 1_000,
  minSize: 12,
  batchSize: 4,
  engines: ['sqlite', 'postgres'],
  minutes: 15,
  defect: {
    description: 'imports compare no digests',
    edits: [
      {
        file: 'src/store/record-decisions/record-digests.ts',
        from: 'if (rows.length === 0) return () => undefined;',
        to: 'if (rows.length >= 0) return () => undefined;',
      },
    ],
  },
  start,
  conclude: (tally, done) => {
    const names = [
      ...['imports', 'refused imports', 'undos', 'unpublished records', 'removed records', 'listed matches'],
    ];
    return {
      measured: `${formatNumber(done)} histories: ${names.map((name) => `${formatCount(tally, name)} ${name}`).join(', ')}; ${tally.failureCount} failures`,
      violations: names.filter((name) => getCount(tally, name) === 0).map((name) => `no ${name}`),
    };
  },
};

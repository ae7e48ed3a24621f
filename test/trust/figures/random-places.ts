import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import proj4 from 'proj4';
import { createTemporaryFolder, toCsv, toNdjson } from '../../support/files.ts';
import type { Fixture } from '../../support/fixture.ts';
import { createSeededRandom, formatUuid } from '../../support/records.ts';
import { type CommandRunner, loadCommandRunner } from '../command-runner.ts';
import type { Figure, FigureRun, Measurement } from '../figure.ts';
import { readStoredTexts, type StoredText } from '../stored-texts.ts';
import { add, fail, formatCount, formatNumber, getCount, type Tally } from '../tally.ts';

const steps = 14;
const topics = ['Verkehr', 'Wohnen', 'Soziales'] as const;
/** By the name of the source, how its files write a point. */
const sources = ['Records', 'Columns', 'Texts', 'Metres'] as const;
type SourceName = (typeof sources)[number];

/** Degrees as decimal digits. */
interface Place {
  longitude: string;
  latitude: string;
}

interface Report {
  source: SourceName;
  id: string;
  place: Place;
  topic: (typeof topics)[number];
  /** All that a source or a person has given. */
  given: Place[];
}

interface Town {
  fixture: Fixture;
  organizationId: string;
  folder: string;
  run: CommandRunner;
  random: () => number;
  tally: Tally;
  name: string;
  reports: Report[];
  /** What the municipality has decided. */
  decimals: number | null;
  topicsWithout: readonly string[];
  allowed: Set<SourceName>;
  /** Records with a decision: their points are not those of the last import. */
  decided: Set<Report>;
}

const choose = <Value>(random: () => number, values: readonly Value[]): Value =>
  values[Math.floor(random() * values.length)] as Value;

/** Also digits that are difficult to round. */
const endings = ['5', '49999', '50001', '95', '99996', '00004'] as const;

function createDegrees(random: () => number, min: number, max: number, isMetric: boolean): string {
  const degrees = (min + random() * (max - min)).toFixed(2 + Math.floor(random() * 3));
  // A conversion of metres is exact to nanometres: no point of it is half of a step away from two.
  return (
    degrees +
    (isMetric ? '1234' : random() < 0.4 ? choose(random, endings) : `${Math.floor(random() * 1e5)}7`)
  );
}

function createPlace(random: () => number, source: SourceName): Place {
  const isMetric = source === 'Metres';
  const [west, south, east, north] = isMetric ? [6, 47.5, 12, 55] : choose(random, regions);
  return {
    longitude: createDegrees(random, west, east, isMetric),
    latitude: createDegrees(random, south, north, isMetric),
  };
}

/** Nowhere are swapped coordinates in Germany, the country of the municipality. */
const regions = [
  [-179.9, -89.9, -0.1, -0.1],
  [-0.01, 50, 0.01, 52],
  [6, 47.5, 15, 55],
  [100, 20, 179.9, 89.9],
] as const;

/** Half away from zero, by the digits. */
function round(digits: string, decimals: number): number {
  const [whole = '', fraction = ''] = digits.replace('-', '').split('.');
  const kept = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  const rounded = Number(kept + (Number(fraction[decimals] ?? 0) >= 5 ? 1n : 0n)) / 10 ** decimals;
  return digits.startsWith('-') && rounded !== 0 ? -rounded : rounded;
}

const roundPlace = ({ longitude, latitude }: Place, decimals: number): string =>
  `[${round(longitude, decimals)},${round(latitude, decimals)}]`;

const describe = ({ source, id }: Report) => `Bericht ${source} ${id}`;

const utm32 = proj4('+proj=utm +zone=32 +ellps=GRS80 +towgs84=0,0,0,0,0,0,0 +units=m');

/** @returns the cells of a place */
function writePlace(random: () => number, source: SourceName, { longitude, latitude }: Place): string[] {
  const withComma = (digits: string) => digits.replace('.', ',');
  switch (source) {
    case 'Metres':
      return utm32.forward([Number(longitude), Number(latitude)]).map((metres) => metres.toFixed(4));
    case 'Columns':
      return random() < 0.5 ? [latitude, longitude] : [withComma(latitude), withComma(longitude)];
    default: {
      const text = choose(random, [
        `POINT (${longitude} ${latitude})`,
        `{"type":"Point","coordinates":[${longitude},${latitude}]}`,
        `${latitude}, ${longitude}`,
        `${withComma(latitude)}; ${withComma(longitude)}`,
      ]);
      return [text, ''];
    }
  }
}

const locations: Readonly<Record<SourceName, string>> = {
  Records: '',
  Columns: '{ columns: [A, B] }',
  Texts: 'A',
  Metres: '{ columns: [A, B], crs: 25832 }',
};

/** @returns the arguments of an import of the reports */
function writeFile({ folder, random }: Town, source: SourceName, reports: readonly Report[]): string[] {
  if (source === 'Records') {
    const file = join(folder, 'reports.ndjson');
    const records = reports.map((report) => ({
      kind: 'submission',
      id: report.id,
      description: describe(report),
      createdAt: '2026-03-01T12:00:00Z',
      topicCategoryName: report.topic,
      location: {
        type: 'Point',
        coordinates: [Number(report.place.longitude), Number(report.place.latitude)],
      },
    }));
    writeFileSync(file, toNdjson(records));
    return ['import', 'rostra', file];
  }
  const file = join(folder, `${source}.csv`);
  const mapping = join(folder, `${source}.yaml`);
  const rows = reports.map((report) => [
    report.id,
    describe(report),
    report.topic,
    ...writePlace(random, source, report.place),
  ]);
  writeFileSync(file, toCsv(';', [['Nr', 'Text', 'Thema', 'A', 'B'], ...rows]));
  const fields = 'id: Nr, description: Text, topicCategoryName: Thema, createdAt: { constant: 2026-03-01 }';
  writeFileSync(mapping, `submission: { ${fields}, location: ${locations[source]} }\n`);
  return ['import', 'table', file, '--mapping', mapping];
}

async function importReports(town: Town): Promise<void> {
  const { random, tally, reports, allowed, decided } = town;
  const source = choose(random, sources);
  const written = reports.filter((report) => report.source === source);
  for (const report of written) {
    if (random() < 0.5) continue;
    report.place = createPlace(random, source);
    report.topic = choose(random, topics);
    report.given.push(report.place);
  }
  const setting = choose(random, ['on', 'on', 'on', 'off', undefined] as const);
  const flags = setting === undefined ? [] : ['--locations', setting];
  const args = [...writeFile(town, source, written), '--source', source, ...flags];
  if (random() < 0.2) {
    const { output } = await run(town, [...args, '--dry-run']);
    if (coordinates(2).test(output)) fail(tally, `${town.name}: a dry run shows coordinates`);
    add(tally, 'dry runs');
  }
  const { code, output } = await run(town, args);
  if (code !== 0) throw new Error(`an import ended with ${code}: ${output}`);
  if (setting === 'on') allowed.add(source);
  if (setting === 'off') allowed.delete(source);
  add(tally, 'imports');
  await checkImported(
    town,
    written.filter((report) => !decided.has(report)),
  );
}

/** The import has published exactly what it may. */
async function checkImported(town: Town, reports: readonly Report[]): Promise<void> {
  const { tally, decimals, allowed, topicsWithout, name } = town;
  const published = await readPublished(town);
  for (const report of reports) {
    const isAllowed = allowed.has(report.source) && !topicsWithout.includes(report.topic);
    const expected = decimals === null || !isAllowed ? null : roundPlace(report.place, decimals);
    const found = published.get(describe(report))?.point;
    if (found !== expected) fail(tally, `${name}: ${describe(report)} is at ${found}, not ${expected}`);
    add(tally, expected === null ? 'points left out' : 'points rounded');
  }
}

async function readPublished({ fixture, organizationId }: Pick<Town, 'fixture' | 'organizationId'>) {
  const rows = await fixture.sql<{ id: string; description: string; location: string | null; topic: string }>(
    'SELECT id, description, location, topic_category_name AS topic FROM submission WHERE organization_id = $1',
    [organizationId],
  );
  return new Map(
    rows.map(({ id, description, topic, location }) => [
      description,
      { id, topic, point: location && JSON.stringify(JSON.parse(location).coordinates) },
    ]),
  );
}

async function editMunicipality(town: Town): Promise<void> {
  const { random, tally } = town;
  if (random() < 0.7) {
    town.decimals = choose(random, [3, 4, 4, null]);
    const { decimals } = town;
    await edit(
      town,
      decimals === null ? ['--clear', 'location-decimals'] : ['--location-decimals', `${decimals}`],
    );
  } else {
    town.topicsWithout = choose(random, [[], ['Wohnen'], ['Wohnen', 'Soziales']]);
    const lines = town.topicsWithout.join('\n');
    await edit(
      town,
      lines === '' ? ['--clear', 'topics-without-location'] : ['--topics-without-location', lines],
    );
  }
  add(tally, 'decisions of the municipality');
}

async function edit({ run, organizationId, fixture, tally, name }: Town, flags: readonly string[]) {
  const { code, output } = await run([
    ...['organization', 'edit', organizationId, ...flags, '--database', fixture.database],
  ]);
  if (code !== 0) fail(tally, `${name}: ${flags.join(' ')} ended with ${code}: ${output}`);
}

/** Some that are published or have a decision. */
async function chooseReports({ reports, decided, random, ...town }: Town): Promise<Report[]> {
  const published = await readPublished(town);
  const candidates = reports.filter((report) => decided.has(report) || published.has(describe(report)));
  return candidates.filter(() => random() < 3 / candidates.length);
}

async function decideOnRecord(town: Town, report: Report): Promise<void> {
  const { random, tally, decided } = town;
  const record = ['submission', report.id, '--source', report.source];
  const isDecided = decided.has(report);
  decided.add(report);
  if (isDecided && random() < 0.5) await run(town, ['record', 'revert', ...record]);
  else if (random() < 0.3) await run(town, ['record', 'unpublish', ...record, '--reason', 'Test']);
  else {
    const place = createPlace(random, report.source);
    const point = `{"type":"Point","coordinates":[${Number(place.longitude)},${Number(place.latitude)}]}`;
    const fields = choose(random, [[`location=${point}`], [`topicCategoryName=${choose(random, topics)}`]]);
    report.given.push(place);
    await run(town, ['record', 'correct', ...record, ...fields, '--reason', 'Test']);
  }
  add(tally, 'decisions on records');
}

async function undo(town: Town): Promise<void> {
  const { code } = await run(town, ['source', 'undo', choose(town.random, sources), '--yes']);
  add(town.tally, code === 0 ? 'undos' : 'refused undos');
}

/** Runs a command for the municipality. Nothing that it prints is finer than decided. */
async function run(town: Town, args: readonly string[]) {
  const result = await town.run([
    ...args,
    ...['--organization', town.organizationId, '--database', town.fixture.database],
  ]);
  const output = result.output.replace(/^seconds .*/m, '');
  if (isFiner(town, output))
    fail(town.tally, `${town.name}: ${args.slice(0, 2).join(' ')} printed a finer point: ${output}`);
  return { ...result, output };
}

/** Numbers with this many decimals or more, which are no seconds of a time. */
const coordinates = (decimals: number) => new RegExp(String.raw`(?<!\d:|[\d.])\d{1,3}\.\d{${decimals},}`);

/** Without a decision, no coordinate is published. */
const isFiner = ({ decimals }: Pick<Town, 'decimals'>, text: string) =>
  coordinates((decimals ?? 1) + 1).test(text);

/** All that is stored, and each published point. */
async function checkStored(town: Town, step: number): Promise<void> {
  const { tally, fixture, organizationId, reports, decimals, topicsWithout, allowed, name } = town;
  checkTexts(town, await readStoredTexts(fixture.sql, organizationId), `step ${step}`);
  const published = await readPublished(town);
  for (const report of reports) {
    const { point, topic } = published.get(describe(report)) ?? { point: null, topic: '' };
    if (point === null) continue;
    const isAllowed = decimals !== null && allowed.has(report.source) && !topicsWithout.includes(topic);
    const isRounded = report.given.some((place) => listRoundings(place, decimals ?? 0).includes(point));
    if (!isAllowed || !isRounded) fail(tally, `${name}, step ${step}: ${describe(report)} is at ${point}`);
  }
}

/** At most as fine as decided. A later decision rounds the rounded point. */
function listRoundings(place: Place, decimals: number): string[] {
  const fine: Place = {
    longitude: `${round(place.longitude, 4)}`,
    latitude: `${round(place.latitude, 4)}`,
  };
  return [
    ...[3, 4].filter((each) => each <= decimals).map((each) => roundPlace(place, each)),
    roundPlace(fine, 3),
  ];
}

function checkTexts(town: Town, texts: readonly StoredText[], where: string): void {
  for (const { table, text } of texts) {
    add(town.tally, 'rows');
    if (isFiner(town, text)) fail(town.tally, `${town.name}, ${where}: ${table} has a finer point: ${text}`);
  }
}

async function runHistory(town: Town): Promise<void> {
  await editMunicipality(town);
  for (let step = 0; step < steps; step += 1) {
    const chance = town.random();
    if (step < 2 || chance < 0.4) await importReports(town);
    else if (chance < 0.65) await editMunicipality(town);
    else if (chance < 0.85)
      for (const report of await chooseReports(town)) await decideOnRecord(town, report);
    else await undo(town);
    await checkStored(town, step);
  }
}

/** Compares a file with what each municipality has decided. */
async function checkFile(file: string, towns: readonly Town[], where: string): Promise<void> {
  const database = new DatabaseSync(file, { readOnly: true });
  const query = (statement: string, [id = '']: string[]) => database.prepare(statement).all({ $1: id });
  for (const town of towns) checkTexts(town, await readStoredTexts(query, town.organizationId), where);
  database.close();
}

async function start({ createFixture, program, engine, scope, tally }: FigureRun): Promise<Measurement> {
  const runCommand = await loadCommandRunner(program);
  const fixture = await createFixture();
  const folder = createTemporaryFolder(scope);
  const towns: Town[] = [];
  const writeWith = async (...args: string[]) => {
    const { code, output } = await runCommand(args);
    if (code !== 0) throw new Error(`${args[0]} ended with ${code}: ${output}`);
  };
  return {
    measure: async (first, count) => {
      const name = `Places ${first}`;
      const { id } = await fixture.store.addOrganization(name, formatUuid('d', first + 1));
      const random = createSeededRandom(first);
      const reports = Array.from({ length: count }, (_, n): Report => {
        const source = sources[n % sources.length] as SourceName;
        const place = createPlace(random, source);
        return { source, id: `n${n}`, place, topic: choose(random, topics), given: [place] };
      });
      const settings = { decimals: null, topicsWithout: [], allowed: new Set<SourceName>() };
      const town = { fixture, organizationId: id, folder, run: runCommand, random, tally, name, reports };
      towns.push({ ...town, ...settings, decided: new Set() });
      await runHistory(towns.at(-1) as Town);
    },
    finish: async () => {
      const copy = join(folder, 'copy.db');
      await writeWith('copy', '--from', fixture.database, '--to', copy);
      await checkFile(copy, towns, 'copy');
      if (engine !== 'sqlite') return;
      const backup = join(folder, 'backup.db');
      await writeWith('backup', backup, '--database', fixture.database);
      await checkFile(backup, towns, 'backup');
    },
  };
}

export const randomPlaces: Figure = {
  number: 32,
  promise:
    'In random histories of imports in several notations, precisions, topics and sources that publish locations or do not, corrections, undos and dry runs, each import publishes the points rounded as decided; no record, decision, note for an undo, output, backup or copy has a coordinate finer than decided.',
  unit: 'points',
  fullSize: 100_000,
  minSize: 2_000,
  batchSize: 250,
  engines: ['sqlite', 'postgres'],
  minutes: 15,
  defect: {
    description: 'a stricter precision leaves the notes for undos as they are',
    edits: [
      {
        file: 'src/store/records/limit-stored-locations.ts',
        from: '  await limitNotes(target, (row) => limit(row, topics.get(row.id)?.corrected));',
        to: '',
      },
    ],
  },
  start,
  conclude: (tally, done) => {
    const names = [
      ...['imports', 'points rounded', 'points left out', 'dry runs', 'undos'],
      ...['decisions of the municipality', 'decisions on records', 'rows'],
    ];
    return {
      measured: `${formatNumber(done)} points: ${names.map((name) => `${formatCount(tally, name)} ${name}`).join(', ')}; ${tally.failureCount} failures`,
      violations: names.filter((name) => getCount(tally, name) === 0).map((name) => `no ${name}`),
    };
  },
};

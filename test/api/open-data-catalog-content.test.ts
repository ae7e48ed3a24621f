/** What catalogues say about the data: its kinds, days, place, last change and updates. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { recordKinds } from '../../src/contract/resources/changes.ts';
import type { ImportRecord, RecordKind } from '../../src/domain/records/records.ts';
import { emptySourceDefinition, type SourceDefinition } from '../../src/domain/sources/import-source.ts';
import { openFiles } from '../../src/web/open/open-files.ts';
import {
  createCatalogReader,
  dcat,
  dct,
  listOf,
  type Statement,
  sortStatements,
  type,
  valuesOf,
} from '../support/catalog-statements.ts';
import { createTemporaryFolder } from '../support/files.ts';
import { createFixture } from '../support/fixture.ts';
import { sendRequest } from '../support/http-client.ts';
import {
  createSession,
  createSubmission,
  formatSessionId,
  formatSubmissionId,
  formatSurveyId,
} from '../support/records.ts';
import { waitUntil } from '../support/wait-until.ts';

const publicUrl = 'https://api.example';
const fixture = await createFixture({ after });
const { store, putRecords, runCli, sql } = fixture;
const server = await fixture.startServer({
  ROSTRA_OPEN_DATA_FOLDER: createTemporaryFolder({ after }),
  ROSTRA_PUBLIC_URL: publicUrl,
});
const { getDocument, readTurtle, readJsonLd } = createCatalogReader(server);

const skosLabel = 'http://www.w3.org/2004/02/skos/core#prefLabel';
const frequency = (code: string) => `http://publications.europa.eu/resource/authority/frequency/${code}`;

const createSurvey = (n: number, status = 'closed'): ImportRecord => ({
  kind: 'survey',
  surveyId: formatSurveyId(n),
  title: `Survey ${n}`,
  status,
  totalResponses: 0,
  questions: [],
});
const submission = (n: number, createdAt?: string): ImportRecord => ({
  kind: 'submission',
  ...createSubmission(n, createdAt === undefined ? {} : { createdAt }),
});
const session = (n: number, date?: string): ImportRecord => ({
  kind: 'session',
  ...createSession(n, date === undefined ? {} : { date }),
});

const recordOf: Record<RecordKind, ImportRecord> = {
  submission: submission(1),
  session: session(1),
  survey: createSurvey(1),
};

let towns = 0;

/** A municipality with open data, and its catalogue. */
async function addTown(records: readonly ImportRecord[], timeZone = 'Europe/Berlin') {
  towns += 1;
  const [name, slug] = [`Town ${towns}`, `town-${towns}`];
  const { id } = await store.addOrganization(name, randomUUID(), { timeZone });
  await store.editOrganization(id, { slug, licenseName: 'CC-BY-4.0', openData: 'on' });
  await putRecords(id, records);
  const path = `/open/${slug}/catalog.ttl`;
  const address = `${publicUrl}/open/${slug}`;
  return {
    id,
    name,
    slug,
    path,
    address,
    read: () => readTurtle(path),
    /** The values of a property of each dataset. */
    readProperty: async (property: string) => {
      const statements = await readTurtle(path);
      return Object.fromEntries(
        listOf(statements, `${dcat}Dataset`).map((dataset) => [
          dataset.slice(address.length + 1),
          valuesOf(statements, dataset, property)[0],
        ]),
      );
    },
    readTag: async () => (await getDocument(path)).headers.etag,
    put: (source: string, records: readonly ImportRecord[]) =>
      store.write(id, (writer) => writer.put(records), {
        source: {
          format: 'rostra',
          name: source,
          redaction: { kinds: [], country: 'DE', patterns: {} },
          follows: undefined,
        },
      }),
    addSource: (source: string, intervalMs: number | null, fields: Partial<SourceDefinition> = {}) =>
      store.addSource(id, {
        ...emptySourceDefinition,
        name: source,
        format: 'rostra',
        url: 'https://source.example/records.ndjson',
        intervalMs,
        ...fields,
      }),
  };
}

/** Of a catalogue, only what describes one municipality. */
const selectOf = (statements: readonly Statement[], address: string) =>
  sortStatements(statements.filter(([subject]) => subject.startsWith(`${address}#`)));

suite('the catalogue has datasets and files of the kinds that a municipality publishes', () => {
  const fileOf = (of: RecordKind) =>
    [...openFiles]
      .filter(
        ([name, { download }]) => download?.kind === of && !/^agenda_items|_documents|geojson/.test(name),
      )
      .map(([name]) => name);
  const descriptions = {
    submission: 'Submissions of the municipality, as files and through an API.@en',
    session: 'Sessions of the municipality, as files and through an API.@en',
    survey: 'Surveys of the municipality, as files and through an API.@en',
  };

  for (const kind of recordKinds)
    test(`only ${kind}s`, async () => {
      const town = await addTown([recordOf[kind]]);
      const statements = await town.read();
      const dataset = `${town.address}#${kind}s`;
      assert.deepEqual(listOf(statements, `${dcat}Dataset`), [dataset]);
      const files = fileOf(kind).map((name) => `${town.address}#${name}`);
      assert.deepEqual(listOf(statements, `${dcat}Distribution`).sort(), files.toSorted());
      assert.deepEqual(valuesOf(statements, dataset, `${dcat}distribution`).sort(), files.toSorted());
      const catalog = `${town.address}#catalog`;
      assert.deepEqual(valuesOf(statements, catalog, `${dcat}dataset`), [dataset]);
      assert.ok(valuesOf(statements, catalog, `${dct}description`).includes(descriptions[kind]));
      const service = `${town.address}#api`;
      assert.deepEqual(valuesOf(statements, service, `${dcat}servesDataset`), [dataset]);
      assert.deepEqual(
        valuesOf(statements, service, `${dcat}keyword`).sort(),
        valuesOf(statements, dataset, `${dcat}keyword`).sort(),
      );
      assert.deepEqual(
        sortStatements(await readJsonLd(town.path.replace('.ttl', '.jsonld'))),
        sortStatements(statements),
      );
    });

  test('no records', async () => {
    const town = await addTown([]);
    const statements = await town.read();
    for (const each of [`${dcat}Dataset`, `${dcat}Distribution`, `${dct}Location`, `${dct}PeriodOfTime`])
      assert.deepEqual(listOf(statements, each), [], each);
    assert.deepEqual(listOf(statements, `${dcat}Catalog`), [`${town.address}#catalog`]);
    assert.ok(
      valuesOf(statements, `${town.address}#catalog`, `${dct}description`).includes(
        'The municipality has not published any data yet.@en',
      ),
    );
    assert.deepEqual(
      sortStatements(await readJsonLd(town.path.replace('.ttl', '.jsonld'))),
      sortStatements(statements),
    );
    // The first record adds its dataset.
    await putRecords(town.id, [recordOf.session]);
    assert.deepEqual(listOf(await town.read(), `${dcat}Dataset`), [`${town.address}#sessions`]);
    await putRecords(town.id, [{ kind: 'retraction', of: 'session', id: formatSessionId(1) }]);
    assert.deepEqual(listOf(await town.read(), `${dcat}Dataset`), []);
  });

  test('drafts of surveys are no records, also those with another status than draft', async () => {
    const town = await addTown([createSurvey(1, 'draft')]);
    // As another program may write it.
    await sql(
      "INSERT INTO survey (organization_id, id, title, status, total_responses) VALUES ($1, $2, 'Next', 'Entwurf', 0)",
      [town.id, formatSurveyId(2)],
    );
    assert.deepEqual(listOf(await town.read(), `${dcat}Dataset`), []);
    await putRecords(town.id, [createSurvey(3)]);
    assert.deepEqual(listOf(await town.read(), `${dcat}Dataset`), [`${town.address}#surveys`]);
  });

  test('agenda items, documents and locations have files if a record has one', async () => {
    const town = await addTown([recordOf.submission, recordOf.session]);
    const listParts = async () => {
      const names = listOf(await town.read(), `${dcat}Distribution`).map((id) => id.split('#')[1] as string);
      return names.filter((name) => /^agenda_items|documents|geojson/.test(name)).sort();
    };
    assert.deepEqual(await listParts(), []);
    await store.editOrganization(town.id, { locationDecimals: '3' });
    const documents = [{ title: 'Plan', url: 'https://council.example.org/plan', mediaType: null }];
    const submissions = [formatSubmissionId(1)];
    const listCsv = (name: string) => [`${name}.csv`, `${name}.excel-comma.csv`, `${name}.excel.csv`];
    for (const [record, expected] of [
      [{ kind: 'session', ...createSession(1, { submissions }) }, listCsv('agenda_items')],
      [
        { kind: 'session', ...createSession(1, { submissions, documents }) },
        [...listCsv('agenda_items'), ...listCsv('session_documents')],
      ],
      [{ kind: 'session', ...createSession(1) }, []],
      [{ kind: 'submission', ...createSubmission(1, { documents }) }, listCsv('submission_documents')],
      [
        {
          kind: 'submission',
          ...createSubmission(1, { location: { type: 'Point', coordinates: [8.404, 49.014] } }),
        },
        ['submissions.geojson'],
      ],
    ] satisfies [ImportRecord, string[]][]) {
      await putRecords(town.id, [record]);
      assert.deepEqual(await listParts(), expected);
    }
  });

  test('files that are not listed stay where they are, and the data package has the schemas of all tables', async () => {
    const town = await addTown([]);
    for (const name of openFiles.keys()) await getDocument(`/open/${town.slug}/${name}`);
    const { resources } = JSON.parse((await getDocument(`/open/${town.slug}/datapackage.json`)).text);
    assert.deepEqual(
      resources.map(({ name }: { name: string }) => name),
      [
        'submissions',
        'submission_documents',
        'sessions',
        'agenda_items',
        'session_documents',
        'surveys',
        'survey_questions',
        'survey_options',
      ],
    );
  });
});

test('the catalogue of the installation describes each municipality as its own catalogue does', async () => {
  const some = [
    await addTown([recordOf.submission]),
    await addTown([session(1, '2026-01-31'), recordOf.survey]),
    await addTown([]),
  ];
  await some[0]?.addSource('Portal', 86_400_000);
  await some[0]?.put('Portal', [submission(2)]);
  for (const [extension, read] of [
    ['ttl', readTurtle],
    ['jsonld', readJsonLd],
  ] as const) {
    const all: Statement[] = [];
    for (let next: string | undefined = `${publicUrl}/open/catalog.${extension}`; next !== undefined; ) {
      const { pathname, search }: URL = new URL(next);
      const statements: Statement[] = await read(pathname + search);
      all.push(...statements);
      next = statements.find(([, property]) => property.endsWith('hydra/core#next'))?.[2];
    }
    for (const { address, slug } of some) {
      const own = selectOf(await read(`/open/${slug}/catalog.${extension}`), address);
      assert.ok(own.length > 5, slug);
      assert.deepEqual(selectOf(all, address), own);
    }
    const datasets = listOf(all, `${dcat}Dataset`);
    assert.deepEqual(
      some.map(({ address }) => datasets.filter((id) => id.startsWith(`${address}#`)).length),
      [1, 2, 0],
    );
  }
});

suite('the days of a dataset are those of its first and last record', () => {
  const readDays = async ({ read, address }: Awaited<ReturnType<typeof addTown>>, list: string) => {
    const statements = await read();
    const [period] = valuesOf(statements, `${address}#${list}`, `${dct}temporal`);
    if (period !== undefined) assert.deepEqual(valuesOf(statements, period, type), [`${dct}PeriodOfTime`]);
    return ['startDate', 'endDate'].flatMap((name) => valuesOf(statements, period, dcat + name));
  };

  for (const [timeZone, first, last] of [
    ['Europe/Berlin', '2025-01-01', '2026-07-02'],
    ['UTC', '2024-12-31', '2026-07-01'],
    ['Pacific/Auckland', '2025-01-01', '2026-07-02'],
    ['America/Los_Angeles', '2024-12-31', '2026-07-01'],
  ] as const)
    test(`submissions, in ${timeZone}`, async () => {
      const town = await addTown(
        [
          submission(1, '2026-07-01T22:00:00.000Z'),
          submission(2, '2024-12-31T23:00:00.000Z'),
          submission(3, '2025-06-01T12:00:00.000Z'),
        ],
        timeZone,
      );
      assert.deepEqual(await readDays(town, 'submissions'), [`${first}^^date`, `${last}^^date`]);
    });

  test('another time zone changes the days', async () => {
    const town = await addTown([submission(1, '2026-07-01T22:00:00.000Z')]);
    const tag = await town.readTag();
    await store.editOrganization(town.id, { timeZone: 'America/New_York' });
    assert.deepEqual(await readDays(town, 'submissions'), ['2026-07-01^^date', '2026-07-01^^date']);
    assert.notEqual(await town.readTag(), tag);
  });

  test('the first and the last hours of the calendar', async () => {
    const town = await addTown(
      [submission(1, '0001-01-01T00:00:00.000Z'), submission(2, '9999-12-31T23:59:59.999Z')],
      'America/New_York',
    );
    assert.deepEqual(await readDays(town, 'submissions'), ['0001-01-01^^date', '9999-12-31^^date']);
    await store.editOrganization(town.id, { timeZone: 'Pacific/Auckland' });
    assert.deepEqual(await readDays(town, 'submissions'), ['0001-01-01^^date', '9999-12-31^^date']);
  });

  test('sessions, whose dates are local; surveys have none', async () => {
    const town = await addTown(
      [session(1, '2026-05-01'), session(2, '2031-12-31'), session(3, '1999-01-01'), recordOf.survey],
      'America/Los_Angeles',
    );
    assert.deepEqual(await readDays(town, 'sessions'), ['1999-01-01^^date', '2031-12-31^^date']);
    assert.deepEqual(await readDays(town, 'surveys'), []);
    await putRecords(town.id, [{ kind: 'retraction', of: 'session', id: formatSessionId(3) }]);
    assert.deepEqual(await readDays(town, 'sessions'), ['2026-05-01^^date', '2031-12-31^^date']);
  });
});

test('the place of a dataset has the name of the municipality, and nothing else', async () => {
  const town = await addTown([recordOf.session]);
  const statements = await town.read();
  const [place] = valuesOf(statements, `${town.address}#sessions`, `${dct}spatial`);
  assert.deepEqual(
    statements.filter(([subject]) => subject === place).map(([, property, value]) => [property, value]),
    [
      [type, `${dct}Location`],
      [skosLabel, town.name],
    ],
  );
});

suite('the frequency of a dataset is the schedule of its sources', () => {
  const accrual = `${dct}accrualPeriodicity`;
  const minute = 60_000;
  const hour = 60 * minute;
  const day = 24 * hour;

  for (const [intervalMs, code] of [
    [minute, '1MIN'],
    [15 * minute, '15MIN'],
    [hour, 'HOURLY'],
    [3 * hour, 'TRIHOURLY'],
    [6 * hour, 'OTHER'],
    [day, 'DAILY'],
    [7 * day, 'WEEKLY'],
    [31 * day, 'MONTHLY'],
    [null, 'IRREG'],
  ] as const)
    test(`${intervalMs} is ${code}`, async () => {
      const town = await addTown([]);
      await town.addSource('Portal', intervalMs);
      await town.put('Portal', Object.values(recordOf));
      const expected = frequency(code);
      assert.deepEqual(await town.readProperty(accrual), {
        submissions: expected,
        sessions: expected,
        surveys: expected,
      });
      assert.deepEqual(valuesOf(await town.read(), expected, type), [`${dct}Frequency`]);
    });

  test('each kind has that of its own sources; several that differ are irregular', async () => {
    const town = await addTown([]);
    await town.addSource('Portal', day);
    await town.addSource('Council', 7 * day);
    await town.addSource('Other council', day);
    await town.put('Portal', [submission(1)]);
    await town.put('Council', [session(1)]);
    assert.deepEqual(await town.readProperty(accrual), {
      submissions: frequency('DAILY'),
      sessions: frequency('WEEKLY'),
    });
    await town.put('Other council', [submission(2), session(2)]);
    assert.deepEqual(await town.readProperty(accrual), {
      submissions: frequency('DAILY'),
      sessions: frequency('IRREG'),
    });
  });

  test('it is unknown for records without a source, and of a source that is not stored', async () => {
    const town = await addTown([recordOf.submission]);
    await town.put('By hand', [session(1)]);
    await town.addSource('Portal', day);
    await town.put('Portal', [createSurvey(1)]);
    assert.deepEqual(await town.readProperty(accrual), {
      submissions: undefined,
      sessions: undefined,
      surveys: frequency('DAILY'),
    });
    await town.put('Portal', [submission(2), session(2)]);
    assert.deepEqual(await town.readProperty(accrual), {
      submissions: undefined,
      sessions: undefined,
      surveys: frequency('DAILY'),
    });
  });

  test('another schedule, and the removal of the definition, change the catalogue at once', async () => {
    const town = await addTown([]);
    const source = await town.addSource('Portal', day);
    await town.put('Portal', [recordOf.session]);
    const tag = await town.readTag();
    const installation = (await getDocument('/open/catalog.ttl')).headers.etag;
    await store.editSource(source, { intervalMs: hour });
    assert.deepEqual(await town.readProperty(accrual), { sessions: frequency('HOURLY') });
    assert.notEqual(await town.readTag(), tag);
    assert.notEqual((await getDocument('/open/catalog.ttl')).headers.etag, installation);
    await store.editSource(source, { intervalMs: day });
    assert.equal(await town.readTag(), tag);
    await store.removeSource(source);
    assert.deepEqual(await town.readProperty(accrual), { sessions: undefined });
  });

  test('old records of a source without a schedule do not count behind a hundred later ones', async () => {
    const town = await addTown([]);
    await town.addSource('Archive', null);
    await town.addSource('Council', day);
    await town.put('Archive', [session(1, '1999-01-01'), submission(1, '1999-01-01T00:00:00.000Z')]);
    const later = (count: number) =>
      Array.from({ length: count }, (_, n) => [session(n + 2), submission(n + 2)]).flat();
    await town.put('Council', later(99));
    assert.deepEqual(await town.readProperty(accrual), {
      submissions: frequency('IRREG'),
      sessions: frequency('IRREG'),
    });
    await town.put('Council', later(100));
    assert.deepEqual(await town.readProperty(accrual), {
      submissions: frequency('DAILY'),
      sessions: frequency('DAILY'),
    });
  });
});

suite('the time of the last change', () => {
  const modified = `${dct}modified`;
  const folder = createTemporaryFolder({ after });
  const toPublished = (record: ImportRecord) => {
    const { kind, ...fields } = record as Extract<ImportRecord, { kind: 'submission' | 'session' }>;
    return JSON.stringify({ kind, ...fields });
  };

  async function runImport(
    organizationId: string,
    source: string,
    records: readonly ImportRecord[],
    ...options: string[]
  ) {
    const file = join(folder, 'records.ndjson');
    writeFileSync(file, records.map(toPublished).join('\n'));
    await runCli('import', 'rostra', file, '--organization', organizationId, '--source', source, ...options);
    const [run] = await store.listImportRuns(organizationId, undefined, 1);
    return run as NonNullable<typeof run>;
  }

  /** The next time is later. */
  const passMillisecond = async () => {
    const now = Date.now();
    await waitUntil('the next millisecond', async () => Date.now() > now + 1);
  };

  const toValue = (at: string | null) => `${at}^^dateTime`;

  test('of sessions is that of their last change, also of a removal', async () => {
    const town = await addTown([session(1), session(2), submission(1), recordOf.survey]);
    const readChange = async () => {
      const [change] = await sql(
        "SELECT max(changed_at) AS at FROM change WHERE organization_id = $1 AND kind = 'session'",
        [town.id],
      );
      return toValue(String((change as { at: string }).at));
    };
    const before = await readChange();
    assert.deepEqual(await town.readProperty(modified), {
      submissions: undefined,
      sessions: before,
      surveys: undefined,
    });
    await passMillisecond();
    const tag = await town.readTag();
    assert.deepEqual((await town.readProperty(modified)).sessions, before);
    assert.equal(await town.readTag(), tag);
    await putRecords(town.id, [{ kind: 'retraction', of: 'session', id: formatSessionId(2) }]);
    const removedAt = await readChange();
    assert.notEqual(removedAt, before);
    assert.deepEqual((await town.readProperty(modified)).sessions, removedAt);
    // The removal is no longer listed, so the time of the last change is unknown.
    await putRecords(town.id, [submission(2)]);
    await sql('DELETE FROM change WHERE organization_id = $1 AND id = $2', [town.id, formatSessionId(2)]);
    await sql('UPDATE change_history SET pruned_sequence = change_sequence - 1 WHERE organization_id = $1', [
      town.id,
    ]);
    assert.deepEqual((await town.readProperty(modified)).sessions, undefined);
  });

  test('of submissions is that of the last import that changed something', async () => {
    const town = await addTown([]);
    const first = await runImport(town.id, 'Portal', [submission(1)]);
    const { endedAt } = first;
    assert.deepEqual(await town.readProperty(modified), { submissions: toValue(endedAt) });
    const tag = await town.readTag();
    await passMillisecond();
    const unchanged = await runImport(town.id, 'Portal', [submission(1)]);
    assert.ok(String(unchanged.endedAt) > String(endedAt));
    assert.deepEqual(await town.readProperty(modified), { submissions: toValue(endedAt) });
    assert.equal(await town.readTag(), tag);
    const changed = await runImport(town.id, 'Council', [submission(2)]);
    assert.deepEqual(await town.readProperty(modified), { submissions: toValue(changed.endedAt) });
    assert.deepEqual(
      selectOf(await readTurtle(town.path), town.address),
      selectOf(await readJsonLd(town.path.replace('.ttl', '.jsonld')), town.address),
    );
  });

  test('of submissions is that of the undo of an import', async () => {
    const town = await addTown([]);
    const first = await runImport(town.id, 'Portal', [submission(1)]);
    await passMillisecond();
    const second = await runImport(town.id, 'Portal', [submission(1), submission(2)]);
    const readDataTime = async () => {
      const { text } = await sendRequest(server.port, `/open/${town.slug}?language=en`);
      return /Data as of<.*?<time datetime="([^"]+)"/s.exec(text)?.[1];
    };
    assert.equal(await readDataTime(), second.endedAt);
    await passMillisecond();
    await store.undoImport(
      { organizationId: town.id, id: second.id },
      async (records) => [...records],
      false,
    );
    const [undone] = await store.listImportRuns(town.id, undefined, 1);
    assert.ok(undone?.undoneAt);
    assert.deepEqual(await town.readProperty(modified), { submissions: toValue(undone.undoneAt) });
    assert.equal(await readDataTime(), first.endedAt);
  });

  test('of submissions is that of a decision on a record, and of its end', async () => {
    const town = await addTown([]);
    const { endedAt } = await runImport(town.id, 'Portal', [submission(1), submission(2)]);
    const decide = async (...command: string[]) => {
      await passMillisecond();
      await runCli('record', ...command, '--organization', town.id);
      const [event] = await store.listAuditEvents(town.id, undefined, 1);
      return toValue(String(event?.at));
    };
    const id = formatSubmissionId(2);
    const times = [toValue(endedAt)];
    for (const command of [
      ['correct', 'submission', id, 'description=Corrected', '--reason', 'Typing error'],
      ['revert', 'submission', id],
      ['unpublish', 'submission', id, '--reason', 'Wrong'],
      ['remove', 'submission', id, '--reason', 'Request', '--yes'],
    ]) {
      const at = await decide(...command);
      assert.deepEqual(await town.readProperty(modified), { submissions: at }, command.join(' '));
      times.push(at);
    }
    assert.deepEqual(times, [...new Set(times)].sort());
  });

  test('of submissions is unknown if a source may have changed them in a run that is no longer listed', async () => {
    const town = await addTown([]);
    await runImport(town.id, 'Portal', [submission(1)]);
    const changing = await runImport(town.id, 'Council', [submission(2)]);
    await runImport(town.id, 'Council', [submission(2)]);
    await sql('DELETE FROM import_run WHERE organization_id = $1 AND id = $2', [town.id, changing.id]);
    assert.deepEqual(await town.readProperty(modified), { submissions: undefined });
    const later = await runImport(town.id, 'Portal', [submission(3)]);
    assert.deepEqual(await town.readProperty(modified), { submissions: toValue(later.endedAt) });
  });

  test('of a catalogue that was built during an import is that of its end afterwards', async () => {
    const town = await addTown([submission(1)]);
    const lease = await store.acquireRun({
      organizationId: town.id,
      source: { format: 'rostra', name: 'Portal' },
      sources: 'records.ndjson',
    });
    assert.ok(lease);
    await store.startRun(lease);
    await town.put('Portal', [submission(2)]);
    assert.deepEqual(await town.readProperty(modified), { submissions: undefined });
    const counts = { read: 1, inserted: 1, changed: 0, unchanged: 0, removed: 0, ignored: 0, rejected: 0 };
    await store.endRun(lease, 'done', undefined, undefined, counts);
    const [run] = await store.listImportRuns(town.id, undefined, 1);
    assert.deepEqual(await town.readProperty(modified), { submissions: toValue(String(run?.endedAt)) });
  });
});

test('a tag of the catalogue is valid until what it says changes', async () => {
  const town = await addTown([recordOf.session]);
  const condition = { headers: { 'if-none-match': String(await town.readTag()) } };
  const get = async () => (await sendRequest(server.port, town.path, condition)).status;
  assert.equal(await get(), 304);
  await putRecords(town.id, [session(2, '2026-12-24')]);
  assert.equal(await get(), 200);
});

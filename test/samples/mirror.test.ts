/** The mirror-daily samples keep a copy that equals the database. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import Database from 'better-sqlite3';
import { type Fault, startApiProxy } from '../support/api-proxy.ts';
import { createTemporaryFolder } from '../support/files.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import {
  createSession,
  createSubmission,
  formatSubmissionId,
  recordsOfA,
  sessions,
  submissions,
  surveys,
} from '../support/records.ts';
import { createSamplePrograms, type SampleProgram } from '../support/sample-programs.ts';

const fixture = await createFixtureWithServer({ after });
const { store, putRecords, server } = fixture;
const programs = createSamplePrograms({ after });

/** More than a page of changes. */
const others = Array.from({ length: 1_000 }, (_, n) => createSubmission(1_000 + n));

async function createMunicipality(): Promise<{ id: string; key: string }> {
  const { id } = await store.addOrganization(`Ort ${randomUUID()}`, randomUUID());
  await putRecords(id, recordsOfA);
  await putRecords(
    id,
    others.map((record) => ({ kind: 'submission', ...record })),
  );
  return { id, key: (await fixture.issueKey(id)).secret };
}

/** Published documents by kind and id. */
type Copy = Record<string, unknown>;

/** In the time zone of new municipalities. */
const readDay = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Berlin', dateStyle: 'short' });

/** A document with the further fields of `/changes`, apart from the time of the change. New municipalities publish no location. */
const addDay = <Document extends { createdAt: string }>(document: Document) => ({
  ...document,
  ...('location' in document && { location: null }),
  createdOn: readDay.format(new Date(document.createdAt)),
});

const initial: Copy = Object.fromEntries([
  ...[...submissions, ...others].map((record) => [`submission ${record.id}`, addDay(record)]),
  ...sessions.map(({ submissions: ids = [], ...record }) => [
    `session ${record.id}`,
    addDay({ ...record, submissionCount: ids.length, submissionIds: ids }),
  ]),
  ...surveys
    .filter(({ status }) => status !== 'draft')
    .map((record) => [`survey ${record.surveyId}`, { endedOn: null, year: null, ...record }]),
]);

const changedSubmission = createSubmission(1_500, { description: 'Geändert', status: 'rejected' });
const changedSession = createSession(4, { submissions: [formatSubmissionId(1_500)] });
const removedId = formatSubmissionId(2);

/** Changes a submission and an agenda, and removes a submission. */
async function changeRecords(organizationId: string): Promise<Copy> {
  await putRecords(organizationId, [
    { kind: 'submission', ...changedSubmission },
    { kind: 'session', ...changedSession },
  ]);
  await store.removeRecord({ organizationId, kind: 'submission', id: removedId }, 'Test');
  const { submissions: submissionIds, ...session } = changedSession;
  const { [`submission ${removedId}`]: _, ...remaining } = initial;
  return {
    ...remaining,
    [`submission ${changedSubmission.id}`]: addDay(changedSubmission),
    [`session ${session.id}`]: addDay({ ...session, submissionCount: 1, submissionIds }),
  };
}

/** Without the times of changes. */
function readCopy(program: SampleProgram, file: string): Copy {
  const copy = readDocuments(program, file) as Record<string, { changedAt: string }>;
  return Object.fromEntries(
    Object.entries(copy).map(([key, { changedAt, ...document }]) => {
      assert.equal(new Date(changedAt).toISOString(), changedAt);
      return [key, document];
    }),
  );
}

function readDocuments({ language }: SampleProgram, file: string): Copy {
  if (language === 'python') return readDatabase(file);
  if (language === 'r') {
    const toJson =
      'cat(jsonlite::toJSON(readRDS(commandArgs(TRUE))$objects, auto_unbox = TRUE, null = "null"))';
    const json = execFileSync('Rscript', ['-e', toJson, file], {
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    });
    return JSON.parse(json.toString());
  }
  const [cursor, ...objects] = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(Object.keys(cursor), ['cursor']);
  return Object.fromEntries(
    objects.map(({ kind, id, data, ...further }) => [`${kind} ${id}`, { ...data, ...further }]),
  );
}

function readDatabase(file: string): Copy {
  const database = new Database(file, { readonly: true });
  try {
    const rows = database.prepare('SELECT kind, id, data FROM object').all() as Record<string, string>[];
    return Object.fromEntries(rows.map(({ kind, id, data = '' }) => [`${kind} ${id}`, JSON.parse(data)]));
  } finally {
    database.close();
  }
}

for (const program of programs) {
  const title = `${program.name}: mirror-daily copies everything, then only changes, and starts anew after a restore`;
  test(title, { skip: program.skip }, async (t) => {
    const { id, key } = await createMunicipality();
    const folder = createTemporaryFolder(t);
    const file = join(folder, 'copy');

    async function mirror(faults: (Fault | undefined)[] = []) {
      const proxy = await startApiProxy(t, server.address, (_path, index) => faults[index]);
      const { code, stderr } = await program.run('mirror-daily', [file], { url: proxy.address, key });
      assert.deepEqual(readdirSync(folder), ['copy']);
      return { code, stderr, requests: proxy.requests.length };
    }

    assert.deepEqual(await mirror(), { code: 0, stderr: '', requests: 2 });
    assert.deepEqual(readCopy(program, file), initial);

    const expected = await changeRecords(id);
    assert.deepEqual(await mirror(), { code: 0, stderr: '', requests: 1 });
    assert.deepEqual(readCopy(program, file), expected);

    const before = readFileSync(file);
    await store.restartChangeHistory();
    const { code, stderr } = await mirror([undefined, undefined, { status: 404 }]);
    assert.notEqual(code, 0);
    assert.match(stderr, /This is a fault/);
    assert.deepEqual(readFileSync(file), before, 'a run that fails changes nothing');

    await store.removeRecord(
      { organizationId: id, kind: 'submission', id: formatSubmissionId(1_001) },
      'Test',
    );
    await store.restartChangeHistory();
    assert.equal((await mirror()).code, 0);
    const { [`submission ${formatSubmissionId(1_001)}`]: _, ...remaining } = expected;
    assert.deepEqual(readCopy(program, file), remaining);
  });
}

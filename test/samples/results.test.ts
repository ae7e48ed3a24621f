/** The samples of examples/api return exactly the content of the database. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parse as parseCsv } from 'csv-parse/sync';
import { SaxesParser } from 'saxes';
import type { SessionRecord, SubmissionRecord, SurveyRecord } from '../../src/domain/records/records.ts';
import { startApiProxy } from '../support/api-proxy.ts';
import { createTemporaryFolder } from '../support/files.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import {
  createSession,
  createSubmission,
  formatSurveyId,
  sortNewestFirst,
  submissions,
  toSpecified,
} from '../support/records.ts';
import { createSamplePrograms, type SampleProgram, type Task } from '../support/sample-programs.ts';

const fixture = await createFixtureWithServer({ after });
const { store, a, alice, putRecords, issueKey } = fixture;
const url = fixture.server.address;
const programs = createSamplePrograms({ after });

/** @returns standard output */
async function runSample(
  program: SampleProgram,
  task: Task,
  args: readonly string[] = [],
  connection = { url, key: alice },
): Promise<string> {
  const { code, stdout, stderr } = await program.run(task, args, connection);
  assert.equal(code, 0, stderr);
  return stdout;
}

async function createMunicipality(timeZone = 'Europe/Berlin'): Promise<{ id: string; key: string }> {
  const { id } = await store.addOrganization(`Ort ${randomUUID()}`, randomUUID());
  await store.editOrganization(id, { timeZone });
  return { id, key: (await issueKey(id)).secret };
}

const parseLines = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Three pages of a list, with texts that shells and interpreters could change. */
const listed: SubmissionRecord[] = [
  ...submissions,
  createSubmission(600, { description: "\\n 100 % $HOME `id` 'quoted' \\u0041" }),
  ...Array.from({ length: 210 }, (_, n) => createSubmission(1_000 + n)),
];
await putRecords(
  a,
  listed.map((record) => ({ kind: 'submission', ...record })),
);

for (const program of programs) {
  test(`${program.name}: list-submissions returns every submission once`, {
    skip: program.skip,
  }, async (t) => {
    const expected = sortNewestFirst(listed).map(toSpecified);
    if (program.language !== 'r')
      return assert.deepEqual(parseLines(await runSample(program, 'list-submissions')), expected);
    const file = join(createTemporaryFolder(t), 'submissions.csv');
    await runSample(program, 'list-submissions', [file]);
    const rows: Record<string, string>[] = parseCsv(readFileSync(file), { columns: true });
    const toCell = (value: unknown) =>
      typeof value === 'boolean' ? `${value}`.toUpperCase() : String(value ?? '');
    assert.deepEqual(
      rows.map((row) => Object.values(row)),
      expected.map((record) =>
        Object.keys(rows[0] ?? {}).map((field) => toCell(record[field as keyof typeof record])),
      ),
    );
  });
}

for (const program of programs) {
  test(`${program.name}: list-submissions reads filters from its arguments`, {
    skip: program.skip,
  }, async (t) => {
    const folder = createTemporaryFolder(t);
    const list = async (...filters: string[]) => {
      const file = join(folder, 'submissions.csv');
      if (program.language !== 'r') return parseLines(await runSample(program, 'list-submissions', filters));
      await runSample(program, 'list-submissions', [file, ...filters]);
      return parseCsv(readFileSync(file), { columns: true }) as { id: string }[];
    };
    const topic = 'a=b & "c" %41';
    await putRecords(a, [{ kind: 'submission', ...createSubmission(601, { topicCategoryName: topic }) }]);
    const found = await list(`status=${createSubmission(601).status}`, `topic=${topic}`);
    await putRecords(a, [{ kind: 'retraction', of: 'submission', id: createSubmission(601).id }]);
    assert.deepEqual(
      found.map(({ id }) => id),
      [createSubmission(601).id],
    );
    const { code, stderr } = await program.run(
      'list-submissions',
      [join(folder, 'none.csv'), 'statos=x'].slice(program.language === 'r' ? 0 : 1),
      { url, key: alice },
    );
    assert.notEqual(code, 0);
    assert.match(stderr, /"statos" is unknown\. Did you mean "status"\?/);
  });
}

/** At every moment, the date of this zone differs from the date in UTC. */
const otherZone = new Date().getUTCHours() < 11 ? 'Etc/GMT+12' : 'Pacific/Kiritimati';
const day = 86_400_000;
const formatDay = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 10);
const readToday = () => new Intl.DateTimeFormat('en-CA', { timeZone: otherZone }).format();

const calendar: SessionRecord[] = [
  ...Array.from({ length: 7 }, (_, n) => createSession(n, { date: formatDay(Date.now() + (n - 3) * day) })),
  ...Array.from({ length: 110 }, (_, n) => createSession(100 + n, { date: '2070-12-31', timeSlot: '16:30' })),
  createSession(300, {
    date: '2070-12-31',
    timeSlot: '09:00-11:15',
    committeeName: 'Ausschuß für „Bau“ & Verkehr',
  }),
  ...Array.from({ length: 110 }, (_, n) => createSession(400 + n, { date: '2000-01-01' })),
];
const council = await createMunicipality(otherZone);
await putRecords(
  council.id,
  calendar.map((record) => ({ kind: 'session', ...record })),
);

const listUpcoming = (today: string) =>
  calendar
    .filter(({ date }) => date >= today)
    .map(({ date, timeSlot, committeeName }) => [date, timeSlot ?? '', committeeName, 0].join('\t'))
    .sort();

for (const program of programs) {
  const title = `${program.name}: upcoming-sessions begins with the local day of the municipality`;
  test(title, { skip: program.skip }, async (t) => {
    const proxy = await startApiProxy(t, url, () => undefined);
    const before = readToday();
    const output = await runSample(program, 'upcoming-sessions', [], {
      url: proxy.address,
      key: council.key,
    });
    const lines = output.trimEnd().split('\n');
    // The day may end while the sample runs.
    const expected = [before, readToday()].map(listUpcoming);
    assert.ok(
      expected.some((each) => JSON.stringify(each) === JSON.stringify(lines.toSorted())),
      output,
    );
    const starts = lines.map((line) => line.split('\t').slice(0, 2).join(' '));
    assert.deepEqual(starts, starts.toSorted());
    // The organization, and the two pages that contain the upcoming sessions.
    if (program.language !== 'r') assert.equal(proxy.requests.length, 3);
  });
}

const surveyId = formatSurveyId(50);
const option = (optionText: string, responseCount: number) => ({ optionText, responseCount });
const survey: SurveyRecord = {
  surveyId,
  title: 'Wege <und> "Plätze" & mehr',
  status: 'closed',
  totalResponses: 200,
  questions: [
    {
      questionText: 'One?',
      questionType: 'single_choice',
      options: [option('<b>A</b> & B', 30), option('C', 90)],
    },
    { questionText: 'Many?', questionType: 'multiple_choice', options: [option('D', 150), option('E', 20)] },
    { questionText: 'Other type?', questionType: 'open_list', options: [option('F', 200), option('G', 50)] },
    { questionText: 'Nobody?', questionType: 'scale', options: [option('H', 0)] },
    { questionText: 'Words?', questionType: 'text', options: [] },
  ],
};
await putRecords(a, [{ kind: 'survey', ...survey }]);
/** Percentages with counts. The shares of the second and the third question are shares of the people. */
const shares = ['25 % (30)', '75 % (90)', '75 % (150)', '10 % (20)', '100 % (200)', '25 % (50)', '0 % (0)'];

for (const program of programs) {
  test(`${program.name}: chart-survey draws every question and option`, { skip: program.skip }, async (t) => {
    if (program.language === 'r') {
      const file = join(createTemporaryFolder(t), 'chart.pdf');
      await runSample(program, 'chart-survey', [surveyId, file]);
      const pages = readFileSync(file, 'latin1').match(/\/Type \/Page\b/g);
      return assert.equal(
        pages?.length,
        survey.questions.length - 1,
        'a page for each question with options',
      );
    }
    const chart = await runSample(program, 'chart-survey', [surveyId]);
    assert.deepEqual(chart.match(/\d+ % \(\d+\)/g), shares);
    const percents = shares.map((share) => Number.parseInt(share, 10));
    const isText = program.language === 'sh';
    const { text, widths } = isText ? { text: chart, widths: readTextBars(chart) } : parseSvg(chart);
    assert.deepEqual(
      widths,
      percents.map((percent) => percent * (isText ? 0.4 : 4)),
    );
    for (const { questionText, options } of survey.questions)
      for (const shown of [survey.title, questionText, ...options.map(({ optionText }) => optionText)])
        assert.ok(text.includes(shown), shown);
  });
}

const readTextBars = (chart: string) => chart.match(/^ {2}█* (?=\d)/gm)?.map((bar) => bar.trim().length);

/** @throws if the chart is not well-formed */
function parseSvg(chart: string): { text: string; widths: number[] } {
  const found = { text: '', widths: [] as number[] };
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    if (name === 'rect' && attributes.width !== '100%') found.widths.push(Number(attributes.width));
  });
  parser.on('text', (text) => {
    found.text += text;
  });
  parser.write(chart).close();
  return found;
}

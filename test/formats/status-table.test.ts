import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { toCsv, toNdjson } from '../support/files.ts';
import { createImportHarness } from '../support/import-harness.ts';
import { createItem, createMeeting, createPaper } from '../support/oparl-builders.ts';
import { createRequest } from './open311-requests.ts';

const harness = await createImportHarness({ after });

const createProposal = (id: number, status: string) => ({
  id,
  title: 'A title',
  summary: 'A text',
  status,
  public_created_at: '2026-03-01T10:15:00Z',
});

const toDecidim = (states: readonly string[]) =>
  toCsv(';', [
    ['id', 'title', 'body', 'state', 'component/id', 'published_at'],
    ...states.map((state, n) => [String(n), 'A title', 'A text', state, '1', '2026-03-01 10:15:00 UTC']),
  ]);

/** A known word of the format, two unknown words and a third spelling of the first of them. */
const words = (known: string) => [known, 'In Klärung', 'Unbekannt', 'in-KLÄRUNG'];

const inputs = {
  open311: toNdjson(words('closed').map((word, n) => createRequest(n, { status: word }))),
  consul: toNdjson(words('published').map((word, n) => createProposal(n, word))),
  decidim: toDecidim(words('accepted')),
};

suite('a table of statuses', { concurrency: 2 }, () => {
  for (const [format, [known, fallback]] of Object.entries({
    open311: ['closed', 'received'],
    consul: ['published', 'submitted'],
    decidim: ['accepted', 'in_review'],
  })) {
    test(`precedes the default table of ${format}, and other words are reported`, async () => {
      const town = await harness.createMunicipality();
      const table = harness.workspace.writeFile(
        `${format}.json`,
        JSON.stringify({ 'in klärung': 'in_review', [known as string]: 'erledigt' }),
      );
      const result = await harness.importContent(town, inputs[format as keyof typeof inputs], {
        format,
        flags: ['--statuses', table],
      });
      assert.equal(result.code, 0, result.stderr);
      const statuses = (await harness.listAll(town, '/submissions')).map(({ status }) => status);
      assert.deepEqual(statuses.toSorted(), ['erledigt', 'in_review', 'in_review', fallback].toSorted());
      assert.deepEqual(Object.keys(JSON.parse(result.stdout).unmappedValues), ['Unbekannt']);
    });

    test(`of ${format} without any valid row is a usage error`, async () => {
      const town = await harness.createMunicipality();
      for (const content of ['[1', '{}', '{"a": 1}', '{"a": " "}']) {
        const { code, stderr } = await harness.importContent(town, '', {
          format,
          flags: ['--statuses', harness.workspace.writeFile('wrong.json', content)],
        });
        assert.equal(code, 2, content);
        assert.match(stderr, /is not JSON|It must contain a JSON object/);
      }
    });
  }
});

suite('an import of submissions', { concurrency: 2 }, () => {
  test('reports that its source has no support counts, and publishes 0', async () => {
    const town = await harness.createMunicipality();
    const content = toNdjson([createRequest(1, { status: 'open' }), createRequest(2, { status: 'closed' })]);
    const { stdout } = await harness.importContent(town, content, { format: 'open311' });
    assert.equal(JSON.parse(stdout).submissions.supportCount, null);
    const [submission] = await harness.listAll(town, '/submissions');
    assert.equal(submission.supportCount, 0);
  });

  test('reports sum and maximum if one submission has a support count, even 0', async () => {
    const town = await harness.createMunicipality();
    const content = toNdjson([
      createRequest(1, { status: 'open' }),
      createRequest(2, { status: 'open', extended_attributes: { votes: '0' } }),
    ]);
    const { stdout } = await harness.importContent(town, content, { format: 'open311' });
    assert.deepEqual(JSON.parse(stdout).submissions.supportCount, { sum: 0, max: 0 });
  });
});

test('a dry run lists words that seem final and are published with an open status, and no others', async () => {
  const town = await harness.createMunicipality();
  const listFinal = async (content: string, format: string, flags: string[] = []) => {
    const result = await harness.importContent(town, content, { format, flags: ['--dry-run', ...flags] });
    assert.equal(result.code, 0, result.stderr);
    const notes = JSON.parse(result.stdout).notes as string[];
    return notes.filter((note) => note.startsWith('Check the status'));
  };
  const results = [
    'nicht abgelehnt',
    'nicht abgelehnt',
    'einstimmig vertagt',
    'beschlossen',
    'siehe Dokument',
  ];
  const papers = results.map((_, n) => createPaper(n));
  const meeting = createMeeting(1, { agendaItem: results.map((result, n) => createItem(n, { result })) });
  assert.deepEqual(await listFinal(toNdjson([...papers, meeting]), 'oparl'), [
    'Check the status: these words seem final, but an open status is published for them: "nicht abgelehnt" as "in_review" (2).',
  ]);
  const mapping = harness.workspace.writeFile(
    'final.yaml',
    'submission: {id: id, description: text, createdAt: day, status: {column: state, default: submitted, values: {Abgeschlossen: received, neu: submitted}}}',
  );
  const rows = ['Abgeschlossen', 'neu', 'Resolved (2026)', 'wird bearbeitet', 'unbekannt'].map((word, n) => [
    `${n}`,
    `Bench ${n}`,
    '2026-03-01',
    word,
  ]);
  const table = toCsv(',', [['id', 'text', 'day', 'state'], ...rows]);
  assert.deepEqual(await listFinal(table, 'table', ['--mapping', mapping]), [
    'Check the status: these words seem final, but an open status is published for them: "Abgeschlossen" as "received" (1), "Resolved (2026)" as "submitted" (1).',
  ]);
  assert.deepEqual(await listFinal(inputs.consul, 'consul'), []);
});

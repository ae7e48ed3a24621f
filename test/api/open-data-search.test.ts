/** Searches for words on the pages of open data, and below the same rules on those of the admin area. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, suite, test } from 'node:test';
import type { ImportRecord } from '../../src/domain/records/records.ts';
import { createTemporaryFolder } from '../support/files.ts';
import { createFixture } from '../support/fixture.ts';
import { createSignedInClient, decodeHtml } from '../support/form-client.ts';
import { sendRequest } from '../support/http-client.ts';
import { createSession, createSubmission, formatSubmissionId, formatSurveyId } from '../support/records.ts';

const fixture = await createFixture({ after });
const { store, putRecords, sql } = fixture;
const start = (environment = {}) =>
  fixture.startServer({ ROSTRA_OPEN_DATA_FOLDER: createTemporaryFolder({ after }), ...environment });
const server = await start();

let towns = 0;
async function createTown(records: readonly ImportRecord[]) {
  towns += 1;
  const slug = `wortstadt-${towns}`;
  const { id } = await store.addOrganization(`Wortstadt ${towns}`, randomUUID(), { language: 'de' });
  await store.editOrganization(id, { slug, licenseName: 'CC-BY-4.0', openData: 'on' });
  await putRecords(id, records);
  return { id, slug };
}

const submission = (n: number, fields = {}): ImportRecord => ({
  kind: 'submission',
  ...createSubmission(n, fields),
});

const get = (town: { slug: string }, path: string, port = server.port) =>
  sendRequest(port, `/open/${town.slug}${path && '/'}${path}`, { headers: { 'accept-language': 'de' } });

async function find(town: { slug: string }, list: string, fields: Record<string, string>) {
  const { status, text, headers } = await get(town, `${list}?${new URLSearchParams(fields)}`);
  assert.equal(status, 200, text);
  const rows = [...text.matchAll(/<th class="kern-table__header table-row-header".*?<\/tr>/gs)].map(
    ([row]) => row,
  );
  return {
    text,
    headers,
    rows,
    ids: rows.map((row) => /record-link" href="[^"]+\/([\da-f-]{36})"/.exec(row)?.[1]),
    marked: rows.map((row) =>
      [...row.matchAll(/<mark>(.*?)<\/mark>/g)].map(([, word]) => decodeHtml(word ?? '')),
    ),
    found: /role="status" id="result"[^>]*>([^<]*)</.exec(text)?.[1],
  };
}

const long = 'Lorem ipsum dolor sit amet, consetetur sadipscing elitr. '.repeat(40);

const town = await createTown([
  submission(1, {
    title: 'Die Straße am Markt',
    description: 'Sie ist gesperrt.',
    referenceNumber: '2026/0142',
  }),
  submission(2, {
    description: `${long}Ein neues <b>Radwegenetz</b>\nmit „Café“ am Cafe\u0301platz. ${long}`,
    createdAt: '2026-03-02T09:15:00.000Z',
    status: 'accepted',
  }),
  submission(3, {
    description: 'Der Schulradweg & die Straßen',
    status: 'accepted',
    topicCategoryName: 'Radverkehr',
  }),
  submission(4, { description: 'Antwort auf 2026/0142', referenceNumber: '2026/0142/1' }),
  submission(5, { description: 'Eins von zweien', referenceNumber: 'BV 17' }),
  submission(6, { description: 'Noch eins', referenceNumber: 'bv 17' }),
  submission(8, { title: 'Bäume gießen', description: 'Bäume gießen. Im Sommer täglich.' }),
  submission(7, { description: '東京都の道 😀x', title: '<mark>Falsch</mark>' }),
  {
    kind: 'session',
    ...createSession(1, { committeeName: 'Ausschuss für Straßen', title: 'Sitzung K-17/2' }),
  },
  { kind: 'session', ...createSession(2, { committeeName: 'Rat', date: '2026-04-01' }) },
  {
    kind: 'survey',
    surveyId: formatSurveyId(1),
    title: 'Umfrage zur Hauptstraße und Straßenbahn',
    status: 'closed',
    totalResponses: 40,
    questions: [],
  },
]);

suite('a search for words', () => {
  test('marks the words that begin with those of the query, whatever their case and accents', async () => {
    for (const [words, marked] of [
      ['strasse', [['Straße'], ['Straßen']]],
      ['STRASSE markt', [['Straße', 'Markt']]],
      ['cafe', [['Café', 'Cafe\u0301platz']]],
      ['2026/0142', [['2026/0142'], ['2026/0142', '2026/0142']]],
      ['東京', [['東京']]],
      ['x', [['x']]],
      ['falsch', [['Falsch']]],
      ['radverkehr', [['Radverkehr']]],
    ] as const)
      assert.deepEqual((await find(town, 'submissions', { words })).marked, marked, words);
    assert.deepEqual((await find(town, 'sessions', { words: 'k-17 strassen' })).marked, [
      ['Straßen', 'K-17'],
    ]);
    assert.deepEqual((await find(town, 'surveys', { words: 'strasse' })).marked, [['Straßenbahn']]);
    assert.deepEqual((await find(town, 'submissions', {})).marked.flat(), []);
  });

  test('shows the part of a long text around the first word, as text', async () => {
    const { rows } = await find(town, 'submissions', { words: 'radweg' });
    const [, extract = ''] = /<br><span class="kern-hint">(.*?)<\/span>/s.exec(rows[0] ?? '') ?? [];
    const text = decodeHtml(extract.replaceAll(/<\/?(?:bdi|mark)>/g, ''));
    assert.match(text, /^…\S.* Ein neues <b>Radwegenetz<\/b> mit „Café“ .*…$/);
    assert.ok(text.length < 200, text);
    assert.ok(extract.includes('&lt;b&gt;<mark>Radwegenetz</mark>&lt;/b&gt;'), extract);
    // The beginning of the text has the word.
    const { rows: others } = await find(town, 'submissions', { words: 'schulradweg' });
    assert.doesNotMatch(others[0] ?? '', /kern-hint/);
    // The text comes after the title.
    const { rows: titled } = await find(town, 'submissions', { words: 'gesperrt' });
    assert.match(titled[0] ?? '', /Die Straße am Markt.*kern-hint"><bdi>Sie ist <mark>gesperrt<\/mark>\.</s);
    // The text begins with the title.
    const { rows: repeated } = await find(town, 'submissions', { words: 'gießen' });
    assert.match(repeated[0] ?? '', /Bäume <mark>gießen<\/mark><\/bdi><\/a><\/th>/);
    assert.doesNotMatch((await find(town, 'submissions', { words: 'falsch' })).rows[0] ?? '', /<mark><mark>/);
  });

  test('finds no middle of a word, and says so beside the field', async () => {
    assert.deepEqual((await find(town, 'submissions', { words: 'radweg' })).ids, [formatSubmissionId(2)]);
    for (const path of ['', 'submissions', 'sessions', 'surveys']) {
      const { text } = await get(town, path);
      assert.match(
        text,
        /id="words-hint">Gesucht wird nach Wortanfängen: „radweg“ findet „Radwegenetz“, nicht/,
      );
      assert.match(text, /<input[^>]* name="words"[^>]* aria-describedby="words-hint"/);
    }
    assert.match((await get(town, 'submissions?language=en')).text, /but not “motorcycle”/);
  });

  test('has filters and days beside the words, and pages with exact positions', async () => {
    assert.deepEqual((await find(town, 'submissions', { words: 'die', status: 'accepted' })).ids, [
      formatSubmissionId(3),
    ]);
    const days = { words: 'a', from: '2026-03-02', to: '2026-03-02' };
    assert.deepEqual((await find(town, 'submissions', { ...days, words: 'netz' })).ids, []);
    assert.deepEqual((await find(town, 'submissions', { ...days, words: 'radwegenetz' })).ids, [
      formatSubmissionId(2),
    ]);
    assert.deepEqual((await find(town, 'sessions', { words: 'rat', from: '2026-04-02' })).ids, []);
    const many = await createTown(
      Array.from({ length: 60 }, (_, n) =>
        submission(n + 1, {
          description: n % 2 === 0 ? 'Radweg' : 'Straße',
          status: n < 58 ? 'open' : 'done',
        }),
      ),
    );
    const first = await find(many, 'submissions', { words: 'rad', status: 'open' });
    assert.equal(first.found, 'Einträge 1–25');
    const [, older = ''] = /href="([^"]*after=[^"]*)"/.exec(first.text) ?? [];
    const query = new URL(decodeHtml(older), server.address).searchParams;
    assert.match(query.get('after') ?? '', /^2026-03-01T09:15:00\.000Z [\da-f-]{36}$/);
    const second = await find(many, 'submissions', Object.fromEntries(query));
    assert.equal(second.found, 'Einträge 26–29 von 29');
    assert.equal(new Set([...first.ids, ...second.ids]).size, 29);
  });

  test('reports too many and too long words, and words without letters, at the field', async () => {
    for (const [words, message] of [
      ['a '.repeat(11), 'Suchen Sie nach höchstens 10 Wörtern.'],
      ['a'.repeat(101), 'Suchen Sie nach Wörtern mit höchstens 100 Zeichen.'],
      ['-- %', 'Geben Sie ein Wort mit einem Buchstaben oder einer Ziffer ein.'],
    ] as const)
      for (const list of ['submissions', 'sessions', 'surveys']) {
        const { status, text, headers } = await get(town, `${list}?${new URLSearchParams({ words })}`);
        assert.deepEqual([status, headers.etag], [400, undefined], list);
        assert.match(
          text,
          /<input[^>]* name="words"[^>]* aria-describedby="words-hint words-error" aria-invalid="true"/,
        );
        assert.ok(text.includes(`<a class="kern-link" href="#words">${message}</a>`), text);
        assert.ok(text.includes(`value="${words}"`));
        assert.doesNotMatch(text, /record-link/);
      }
    assert.equal((await find(town, 'submissions', { words: '  ' })).ids.length, 8);
  });

  test('links the record whose reference number was typed, above all results', async () => {
    const readLine = async (words: string, more = {}) => {
      const { text } = await find(town, 'submissions', { words, ...more });
      const [, line = ''] = /<p class="kern-body">(Aktenzeichen .*?)<\/p>/.exec(text) ?? [];
      return [line.replaceAll(/<[^>]*>/g, ''), /\/([\da-f-]{36})"/.exec(line)?.[1]];
    };
    const line = ['Aktenzeichen 2026/0142: Die Straße am Markt', formatSubmissionId(1)];
    assert.deepEqual(await readLine('2026/0142'), line);
    assert.deepEqual(await readLine(' 2026/0142 ', { status: 'accepted' }), line);
    assert.deepEqual(await readLine('2026/0142/1'), [
      'Aktenzeichen 2026/0142/1: Antwort auf 2026/0142',
      formatSubmissionId(4),
    ]);
    // Other words, a part of the number, another spelling, and a number that two records have.
    for (const words of ['2026/0142 straße', '2026/014', '20260142', 'BV 17', 'straße'])
      assert.deepEqual(await readLine(words), ['', undefined], words);
    assert.equal((await find(town, 'submissions', { words: 'BV 17' })).ids.length, 2);
  });
});

test('while the index of words is not complete, a page says so, shows the list, and is not kept', async () => {
  const { id, slug } = await createTown([
    submission(1),
    submission(2),
    { kind: 'session', ...createSession(1) },
  ]);
  await sql('UPDATE word_index SET rules = 0 WHERE organization_id = $1', [id]);
  for (const [list, count] of [
    ['submissions', 2],
    ['sessions', 1],
  ] as const) {
    const { text, ids, headers, marked } = await find({ slug }, list, { words: 'nirgends 1' });
    assert.match(text, /Die Suche nach Wörtern wird noch vorbereitet/);
    assert.equal(ids.length, count);
    assert.deepEqual(marked.flat(), []);
    assert.equal(headers.etag, undefined);
    const all = await find({ slug }, list, {});
    assert.doesNotMatch(all.text, /vorbereitet/);
    assert.ok(all.headers.etag);
  }
  const anna = await createSignedInClient(server, store, id);
  const { body } = await anna.get(`/admin/organizations/${id}/data/submissions?words=nirgends`);
  assert.match(body, /The search for words is still being prepared/);
  assert.equal(body.match(/record-link/g)?.length, 2);
});

test('without an index of words, no page has a field for words, and an address with words says that they do not count', async () => {
  const off = await start({ ROSTRA_WORD_SEARCH: 'off' });
  for (const path of ['', 'submissions', 'sessions', 'surveys']) {
    const { status, text, headers } = await get(town, path, off.port);
    assert.equal(status, 200);
    assert.doesNotMatch(text, /name="words"|Wortanfänge/, path);
    assert.doesNotMatch(text, /Anliegen suchen/);
    const { headers: others } = await get(town, path);
    assert.notEqual(headers.etag, others.etag);
    if (path === '') continue;
    const found = await get(town, `${path}?words=nirgends+${'+x'.repeat(20)}`, off.port);
    assert.equal(found.status, 200);
    assert.match(found.text, /Die Suche nach Wörtern ist abgeschaltet\./);
    assert.match(found.text, /record-link/);
  }
  const anna = await createSignedInClient(off, store, town.id);
  for (const list of ['submissions', 'sessions', 'surveys']) {
    const { status, body } = await anna.get(`/admin/organizations/${town.id}/data/${list}?words=nirgends`);
    assert.equal(status, 200);
    assert.doesNotMatch(body, /name="words"/);
    assert.match(body, /The search for words is switched off\./);
    assert.match(body, /record-link/);
  }
});

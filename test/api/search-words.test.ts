/** Searches by words, by what the contract says about them. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ImportRecord, SessionRecord, SubmissionRecord } from '../../src/domain/records/records.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import { isNightly } from '../support/nightly.ts';
import {
  createSeededRandom,
  createSession,
  createSubmission,
  formatSubmissionId,
  formatUuid,
} from '../support/records.ts';
import { hasAllWords } from '../support/word-model.ts';

const fixture = await createFixtureWithServer({ after });
const { server, alice, store, putRecords, issueKey } = fixture;

type Entry = Record<string, string>;
type List = 'submissions' | 'sessions';

let towns = 0;
async function createTown(records: readonly ImportRecord[]) {
  towns += 1;
  const { id } = await store.addOrganization(`Town ${towns}`, formatUuid('e', towns));
  await putRecords(id, records);
  return { id, key: (await issueKey(id)).secret };
}

const toSubmission = (record: SubmissionRecord): ImportRecord => ({ kind: 'submission', ...record });
const toSession = (record: SessionRecord): ImportRecord => ({ kind: 'session', ...record });

async function search(list: List, query: Record<string, string>, key = alice): Promise<Entry[]> {
  const { status, text, json } = await server.get(`/search/${list}?${new URLSearchParams(query)}`, { key });
  assert.equal(status, 200, text);
  return json.data;
}

/** Reads all pages. */
async function walk(list: List, parameters: URLSearchParams, limit: number, key: string): Promise<Entry[]> {
  const all: Entry[] = [];
  for (let cursor = ''; ; ) {
    const path = `/search/${list}?${parameters}&limit=${limit}${cursor}`;
    const { status, text, json } = await server.get(path, { key });
    assert.equal(status, 200, text);
    all.push(...json.data);
    if (!json.pagination.has_more) return all;
    assert.equal(json.data.length, limit);
    cursor = `&cursor=${json.pagination.next_cursor}`;
  }
}

/** Text of a record, words of a query, and whether they find it. */
const meanings: [text: string, words: string, isFound: boolean][] = [
  ...['strasse', 'straße', 'STRASSE', 'STRAẞE', 'Stras', 'stra', 'Straß'].flatMap((words) =>
    ['Straße', 'STRASSE', 'STRAẞE', 'Strassenbau', 'Die Straße.'].map((text): [string, string, boolean] => [
      text,
      words,
      true,
    ]),
  ),
  ...['Café', 'Cafe\u0301', 'CAFE', 'cafés', 'CAFE\u0301'].flatMap((text) =>
    ['cafe', 'Café', 'cafe\u0301', 'CAFÉ'].map((words): [string, string, boolean] => [text, words, true]),
  ),
  ['Łódź', 'lodz', true],
  ['lodz', 'Łódź', true],
  ['Ørsted', 'orsted', true],
  ['orsted', 'Ø\u0301rsted', true],
  ['Ægir', 'aegir', true],
  ['AEGIR', 'æ\u0301gir', true],
  ['Œuvre', 'oeuvre', true],
  ['İstanbul', 'istanbul', true],
  ['ISTANBUL', 'ıstanbul', true],
  ['Isparta', 'ısparta', true],
  ['ıspanak', 'ISPANAK', true],
  ['ΟΔΟΣ', 'οδος', true],
  ['οδός', 'ΟΔΟΣ', true],
  ['οδοσ', 'οδος', true],
  ['Ðorđe', 'dorde', true],
  ['Þingvellir', 'thingvellir', true],
  ['ﬁnanzen', 'Finanzen', true],
  ['Ｒａｄｗｅｇ', 'radweg', true],
  ['x² m² ½', 'm2', true],
  ['K 17', 'k', true],
  ['Kita', 'k', false],
  ['Kita', 'Ki', false],
  ['Kita', 'Kit', true],
  ['in der Au', 'au', true],
  ['Aue', 'au', false],
  ['B-Plan', 'B', true],
  ['B-Plan', 'plan', true],
  ['2026/0142', '2026/0142', true],
  ['2026/0142', '2026-0142', true],
  ['2026/0142', '20260142', true],
  ['2026/0142', '0142', true],
  ['2026/0142', '2026/01', true],
  ['2026/0142', '142', false],
  ['2026/0142', '2026/142', false],
  ['K-17', 'K-17', true],
  ['K-17', 'k17', true],
  ['K-17', 'K 17', true],
  ['K-17', '17', true],
  ['K-17', '7', false],
  ['K17', 'k-17', true],
  ['K-17/2', 'k-17/2', true],
  ['K-17/2', 'K17', true],
  ['K-17/2', '17/2', true],
  ['K-17/2', 'K-17/3', false],
  ['(K-17/2),', 'k-17/2', true],
  ['Rad-Weg', 'radweg', true],
  ['Radweg', 'Rad-Weg', true],
  ['Radwegenetz', 'radweg', true],
  ['Schulradweg', 'radweg', false],
  ['Schul-Radweg', 'radweg', true],
  ['Schulradweg', 'schul', true],
  ['Rad weg', 'radweg', false],
  ['Rad\nweg', 'rad weg', true],
  ['Rad\u00adweg', 'radweg', true],
  ['Rad\u200bweg', 'radweg', true],
  ['Rad\u00a0weg', 'weg', true],
  ['L’Été à l’île', 'l’ete ile', true],
  ["L'Été", 'l’été', true],
  // People type an acute accent instead of an apostrophe.
  ['Jeanne d´Arc', 'd´Arc', true],
  ['Jeanne d´Arc', "d'Arc", true],
  ["Jeanne d'Arc", 'd´arc', true],
  ['Jeanne d´Arc', 'arc', true],
  ['Jeanne d´Arc', 'jeannedarc', false],
  ['über¨legt', 'über¨legt', true],
  ['…Radweg!?', '…radweg…', true],
  ['„Radweg“ — (neu)', '"radweg" neu', true],
  ['a.b@example.org', 'a.b@example', true],
  ['https://example.org/a/b', 'example.org/a', true],
  ['1.000.000 €', '1000000', true],
  ['100 % Grün', '100% grün', true],
  ['100_000', '100%000', true],
  ['مدرسة الحيّ', 'الحي', true],
  ['مدرسة', 'سة', false],
  ['北京市政府', '北京', true],
  ['北京市政府', '政府', true],
  ['北京市政府', '京', true],
  ['北京市政府', '府北', false],
  ['東京都Tokyo', 'tokyo', true],
  ['サッカー場', 'サッカー', true],
  ['ガーデン', 'ｶﾞｰﾃﾞﾝ', true],
  ['서울 시청', '서울', true],
  ['한국어', '한', false],
  ['한국어 한', '한', true],
  ['한국어', '한국어', true],
  ['한국어', '하', false],
  ['हिन्दी', 'हिन्दी', true],
  ['🚲 Radweg 👍🏽', '🚲 radweg', true],
  ['a-b-c-d-e-f-g-h-i-j-k-l', 'a-b-c-d-e-f-g-h-i-j-k-l', true],
  ['a-b-c-d-e-f-g-h-i-j-k-l', 'e-f-g-h-i', true],
  ['x'.repeat(100), 'x'.repeat(100), true],
  ['x'.repeat(2_000), 'x'.repeat(100), true],
  ['ﷺ', 'ﷺ', true],
  ['𝒜𝓃𝓉𝓇𝒶𝑔', 'antrag', true],
  ['𐐀𐐁𐐂', '𐐨𐐩𐐪', true],
];

test('words find texts as the contract says', async () => {
  const { key } = await createTown(
    meanings.map(([description], n) => toSubmission(createSubmission(n, { description }))),
  );
  const wrong: string[] = [];
  for (const [n, [text, words, isFound]] of meanings.entries()) {
    const found = await walk('submissions', new URLSearchParams({ words }), 100, key);
    const ids = found.map(({ id }) => id);
    if (ids.includes(formatSubmissionId(n)) !== isFound)
      wrong.push(`${words} ${isFound ? 'does not find' : 'finds'} ${text}`);
    // The model, with which other tests compare thousands of searches, has the same meaning.
    if (hasAllWords([text], words) !== isFound) wrong.push(`the model of ${words} is wrong for ${text}`);
  }
  assert.deepEqual(wrong, []);
});

test('words are found in title, description, reference number, topic and answer of submissions, and in title and committee of sessions', async () => {
  const submission = createSubmission(1, {
    title: 'alpha',
    description: 'beta',
    referenceNumber: 'gamma',
    topicCategoryName: 'delta',
    answer: 'kappa\nlambda',
    sourceStatus: 'mu',
    status: 'epsilon',
    protocolUrl: 'https://zeta.example/eta',
    sourceUrl: 'https://theta.example/iota',
  });
  const session = createSession(1, {
    title: 'alpha',
    committeeName: 'beta',
    place: 'nu',
    timeSlot: '18:00',
    sourceUrl: 'https://theta.example/iota',
  });
  const { key } = await createTown([toSubmission(submission), toSession(session)]);
  const find = async (list: List, words: string) =>
    (await search(list, { words }, key)).map(({ id }) => id).join();
  for (const words of ['alpha', 'beta', 'gamma', 'delta', 'kappa', 'lambda', 'delta beta ALPHA gam lamb'])
    assert.equal(await find('submissions', words), submission.id, words);
  for (const words of ['alpha', 'beta', 'bet alph'])
    assert.equal(await find('sessions', words), session.id, words);
  const others = [
    'epsilon',
    'zeta',
    'example',
    'theta',
    'alphabeta',
    'normal',
    submission.id,
    '2026',
    'mu',
    'nu',
  ];
  for (const words of [...others, 'alpha none']) assert.equal(await find('submissions', words), '', words);
  for (const words of [...others, 'gamma', '18:00', session.date])
    assert.equal(await find('sessions', words), '', words);
});

/** Of several languages and scripts. */
const vocabulary = [
  ...['Radweg', 'Radwegenetz', 'Schulradweg', 'Rad-Weg', 'Straße', 'STRASSENBAU', 'Straßen-Beleuchtung'],
  ...['Café', 'CAFE\u0301', 'Cafés', 'l’École', "d'Arc", 'd´Arc', 'Œuvre', 'Où', 'à', 'À'],
  ...['İstanbul', 'ISPARTA', 'ısparta', 'Çeşme', 'ΟΔΟΣ', 'οδός', 'Αθήνα', 'Łódź', 'Ørsted', 'Æbleø'],
  ...[
    'مدرسة',
    'الحيّ',
    'الحي',
    'בית',
    'ספר',
    '北京市',
    '東京都',
    'サッカー場',
    'ガーデン',
    'カ',
    '서울',
    '한국어',
  ],
  ...['🚲', '👍🏽', '—', '&', '§', '42a', '§ 34 BauGB', '100 %', '1.000,50 €', 'm²', '½', '2026/0142'],
  ...['2026/0143', '0142', 'K-17', 'K17', 'k-17/2', 'K-17/3-B', 'B-Plan', 'a.b@example.org', 'U-Bahn'],
  ...['in', 'der', 'die', 'IN', 'Au', 'a', 'I', 'ß', 'ẞ', 'x'.repeat(60), 'Rad\u00adweg', 'Haus\u200btür'],
];
const statuses = ['submitted', 'in_review', 'accepted', 'rejected'];
const topicNames = ['Mobilität & Straße', 'Umwelt', 'Kultur/Sport', 'Bildung', null];
const committees = ['Rat', 'Ausschuß für Umwelt & Verkehr', 'Conseil d’école', 'Ortsbeirat 3'];
const spaces = [' ', ' ', ' ', ' ', '\n', '\t', '\u00a0', '  ', ', ', '-', '/', '. ', '\u3000'];

/** @returns records, and functions that choose with the same random numbers */
function createRandomData(seed: number) {
  const random = createSeededRandom(seed);
  const int = (min: number, max: number) => min + Math.floor(random() * (max - min + 1));
  const pick = <Each>(values: readonly Each[]): Each => values[int(0, values.length - 1)] as Each;
  const compose = (count: number, separators = spaces) => {
    let text = '';
    for (let n = 0; n < count; n += 1) text += (n === 0 ? '' : pick(separators)) + pick(vocabulary);
    return text;
  };
  // Titles and names have no line breaks, and no space at an end.
  const composeLine = (count: number) => compose(count, [' ', ' ', '-', '/', ', ']);
  const day = () => `2026-0${int(1, 3)}-1${int(0, 9)}`;
  const createRecord = (n: number) =>
    createSubmission(n, {
      title: random() < 0.3 ? null : composeLine(int(1, 4)),
      description: compose(int(0, 12)),
      referenceNumber: random() < 0.5 ? null : pick([`2026/0${int(100, 199)}`, `K-${int(1, 30)}`, `${n}`]),
      topicCategoryName: pick(topicNames),
      // Without another random number, which would change all others.
      answer: n % 3 === 0 ? [n, n * 7].map((at) => vocabulary[at % vocabulary.length]).join('\n') : null,
      status: pick(statuses),
      createdAt: `${day()}T0${int(0, 1)}:00:00.000Z`,
    });
  const createMeeting = (n: number) =>
    createSession(n, {
      title: random() < 0.3 ? null : composeLine(int(1, 4)),
      committeeName: pick(committees),
      date: day(),
    });
  /** Parts of words of a text, written in another way. */
  const composeWords = (text: string) => {
    const given = text.split(/\s+/).filter(Boolean);
    const words = Array.from({ length: int(1, 3) }, () => {
      const word = [...(random() < 0.85 && given.length > 0 ? pick(given) : pick(vocabulary))];
      const first = random() < 0.75 ? 0 : int(0, word.length - 1);
      const part = word.slice(first, random() < 0.5 ? undefined : int(first + 1, word.length)).join('');
      const change = pick<(text: string) => string>([
        (one) => one.toUpperCase(),
        (one) => one.toLowerCase(),
        (one) => one.normalize('NFD'),
        (one) => one.replaceAll(/[-/]/g, ''),
        (one) => `"${one}*`,
        (one) => one,
      ]);
      return [...change(part)].slice(0, 100).join('');
    });
    return words.join(pick([' ', '  ', '\u00a0', ' - ']));
  };
  return { random, int, pick, createRecord, createMeeting, composeWords };
}

const textsOf = {
  submissions: ({ title, description, referenceNumber, topicCategoryName, answer }: Entry) => [
    ...[title, description, referenceNumber, topicCategoryName, answer],
  ],
  sessions: ({ title, committeeName }: Entry) => [title, committeeName],
};

const isSearchable = (words: string) => /[\p{L}\p{N}]/u.test(words.normalize('NFKD'));

test('random searches find what a reader of the whole list finds, in its order, with every filter and size of a page', async () => {
  const { random, int, pick, createRecord, createMeeting, composeWords } = createRandomData(1);
  const count = isNightly ? 800 : 300;
  const { key } = await createTown([
    ...Array.from({ length: count }, (_, n) => toSubmission(createRecord(n))),
    ...Array.from({ length: count / 2 }, (_, n) => toSession(createMeeting(n))),
  ]);
  const complete = {
    submissions: await walk('submissions', new URLSearchParams(), 100, key),
    sessions: await walk('sessions', new URLSearchParams(), 100, key),
  };
  assert.deepEqual([complete.submissions.length, complete.sessions.length], [count, count / 2]);
  let [matches, pages] = [0, 0];
  for (let round = 0; round < (isNightly ? 4_000 : 180); round += 1) {
    const list = pick<List>(['submissions', 'submissions', 'sessions']);
    const words = composeWords(textsOf[list](pick(complete[list])).join(' '));
    if (!isSearchable(words)) continue;
    const parameters = new URLSearchParams({ words });
    let expected: Entry[] = complete[list].filter((entry) => hasAllWords(textsOf[list](entry), words));
    const filter = (name: string, field: string, values: readonly (string | null)[]) => {
      if (random() < 0.7) return;
      const chosen = Array.from({ length: int(1, 3) }, () => pick(values)).filter((each) => each !== null);
      for (const value of chosen) parameters.append(name, value);
      if (chosen.length > 0) expected = expected.filter((entry) => chosen.includes(entry[field] as string));
    };
    const limitDays = (prefix: string, field: string) => {
      for (const end of ['from', 'to'] as const) {
        if (random() < 0.8) continue;
        const day = end === 'from' ? `2026-01-1${int(0, 9)}` : `2026-0${int(2, 3)}-1${int(0, 9)}`;
        parameters.append(`${prefix}_${end}`, day);
        expected = expected.filter((entry) => {
          const own = entry[field] as string;
          return end === 'from' ? own >= day : own <= day;
        });
      }
    };
    if (list === 'submissions') {
      filter('status', 'status', [...statuses, 'none']);
      filter('topic', 'topicCategoryName', topicNames);
      limitDays('created', 'createdOn');
    } else {
      filter('committee', 'committeeName', committees);
      limitDays('date', 'date');
      if (random() < 0.5) {
        parameters.append('direction', 'asc');
        expected = expected.toReversed();
      }
    }
    const limit = pick([1, 2, 3, 7, 20, 100]);
    const found = await walk(list, parameters, expected.length > 60 ? Math.max(limit, 7) : limit, key);
    // The bytes of each entry, too.
    assert.equal(JSON.stringify(found), JSON.stringify(expected), `${list}?${parameters}`);
    matches += expected.length;
    pages += Math.ceil(expected.length / limit);
  }
  assert.ok(matches > 700 && pages > 200, `too few matches: ${matches} on ${pages} pages`);
});

test('a walk by words continues at every position, also after the entry there was removed or moved', async () => {
  const records = Array.from({ length: 12 }, (_, n) =>
    createSubmission(n, {
      description: n % 3 === 0 ? 'Baum' : 'Baum Radweg',
      createdAt: `2026-03-0${1 + Math.floor(n / 4)}T00:00:00.000Z`,
    }),
  );
  const { id: town, key } = await createTown(records.map(toSubmission));
  const all = await search('submissions', { words: 'radweg' }, key);
  assert.equal(all.length, 8);
  for (const [n, { id }] of all.entries()) {
    if (n === all.length - 1) continue;
    const first = await server.get(`/search/submissions?words=radweg&limit=${n + 1}`, { key });
    const cursor = first.json.pagination.next_cursor;
    const next = async () =>
      (await search('submissions', { words: 'radweg', cursor }, key)).map((one) => one.id);
    const expected: (string | undefined)[] = all.slice(n + 1).map((one) => one.id);
    assert.deepEqual(await next(), expected);
    await putRecords(town, [{ kind: 'retraction', of: 'submission', id: id as string }]);
    assert.deepEqual(await next(), expected);
    const record = records.find((one) => one.id === id) as SubmissionRecord;
    await putRecords(town, [toSubmission({ ...record, description: 'Baum' })]);
    assert.deepEqual(await next(), expected);
    await putRecords(town, [toSubmission(record)]);
    assert.deepEqual(await search('submissions', { words: 'radweg' }, key), all);
  }
});

for (const list of ['submissions', 'sessions'] as const) {
  const reject = async (query: string) => {
    const { status, json } = await server.get(`/search/${list}?${query}`, { key: alice });
    assert.equal(status, 400, query);
    return json.error as string;
  };

  test(`/search/${list}: words without a letter and digit, too many and too long ones are rejected`, async () => {
    const nothing = 'The parameter "words" must have a word with a letter or a digit.';
    for (const words of [
      '...',
      ' ',
      ' - / ',
      '🚲',
      '👍🏽 ❤️',
      '*',
      '"" & | !',
      '%',
      '_',
      '\u0301',
      '´',
      '\u200b',
    ])
      assert.equal(await reject(`words=${encodeURIComponent(words)}`), nothing, words);
    const many = Array.from({ length: 11 }, (_, n) => `w${n}`).join('+');
    assert.equal(await reject(`words=${many}`), 'The parameter "words" must have at most 10 words.');
    assert.equal(
      await reject(`words=${'+-'.repeat(11)}`),
      'The parameter "words" must have at most 10 words.',
    );
    for (const letter of ['x', '%C3%A4', '%F0%9D%92%9C', '-'])
      assert.equal(
        await reject(`words=a+${letter.repeat(101)}`),
        'The parameter "words" must have words of at most 100 characters.',
        letter,
      );
    const length = /^The parameter "words" must have 1 to \d+ characters\.$/;
    for (const words of ['', 'x'.repeat(2_000), 'x+'.repeat(600)])
      assert.match(await reject(`words=${words}`), length);
    assert.match(await reject('words'), length);
  });

  test(`/search/${list}: control characters, invalid UTF-8 and repeated words are rejected`, async () => {
    for (const code of ['%00', '%01', '%09', '%0A', '%1F', '%7F', '%C2%80', '%C2%85'])
      assert.equal(
        await reject(`words=rad${code}weg`),
        'The parameter "words" must not contain control characters.',
        code,
      );
    for (const bytes of ['%ED%A0%80', '%ED%B0%80', '%FF', '%C3', '%', '%zz', '%F5%80%80%80', '%C0%AF'])
      assert.equal(
        await reject(`words=rad${bytes}`),
        'The value of the parameter "words" must be percent-encoded UTF-8.',
        bytes,
      );
    assert.equal(await reject('words=a&words=b'), 'The parameter "words" must occur only once.');
    assert.equal(await reject('words=a&words=a'), 'The parameter "words" must occur only once.');
  });

  test(`/search/${list}: names that other APIs give to words lead to "words"`, async () => {
    for (const name of ['q', 'query', 'search', 'text', 'Q', 'Words', 'word'])
      assert.match(
        await reject(`${name}=radweg`),
        /^The parameter "\w+" is unknown\. Did you mean "words"\? /,
        name,
      );
  });

  test(`/${list} names the search that has words`, async () => {
    for (const name of ['q', 'query', 'search', 'text', 'words']) {
      const { status, json } = await server.get(`/${list}?${name}=radweg`, { key: alice });
      assert.equal(status, 400);
      assert.match(json.error, /\/search\/submissions and \/search\/sessions find words with "words"/, name);
    }
  });

  test(`/search/${list}: a cursor is only valid for its own words`, async () => {
    const records =
      list === 'submissions'
        ? [1, 2, 3].map((n) => toSubmission(createSubmission(n, { description: 'Radweg neu' })))
        : [1, 2, 3].map((n) => toSession(createSession(n, { title: 'Radweg neu' })));
    const { key } = await createTown(records);
    const read = async (query: string) =>
      (await server.get(`/search/${list}?${query}&limit=1`, { key })).json;
    const { next_cursor: cursor } = (await read('words=radweg')).pagination;
    assert.equal((await read(`words=radweg&cursor=${cursor}`)).data.length, 1);
    const { next_cursor: plain } = (await read('')).pagination;
    for (const query of [
      `words=neu&cursor=${cursor}`,
      `words=radweg+neu&cursor=${cursor}`,
      `cursor=${cursor}`,
      `words=radweg&cursor=${plain}`,
    ]) {
      const { status, json } = await server.get(`/search/${list}?${query}&limit=1`, { key });
      assert.deepEqual(
        [status, json.error],
        [
          400,
          'The parameter "cursor" must be the next_cursor of a previous page of the same list, with the same filters.',
        ],
        query,
      );
    }
  });
}

test('operators of search engines are punctuation, and neither errors nor wildcards', async () => {
  const { key } = await createTown([
    toSubmission(createSubmission(1, { description: 'Radweg near Schule or Kita' })),
    toSubmission(createSubmission(2, { description: 'Radio' })),
  ]);
  const find = async (words: string) =>
    (await search('submissions', { words }, key)).map(({ id }) => Number(id?.slice(-4)));
  const both = [1, 2];
  const expected: [words: string, ids: number[]][] = [
    ['rad*', both],
    ['rad%', both],
    ['rad_', both],
    ['rad?', both],
    ['"rad', both],
    ["rad'", both],
    ["rad' OR 1=1 --", []],
    ['\\rad\\', both],
    ['^rad', both],
    ['rad:*', both],
    ['(rad)', both],
    ['+rad', both],
    ['-rad', both],
    ['!rad', both],
    ['{rad}', both],
    ['rad|kita', []],
    ['rad | kita', [1]],
    ['rad & kita', [1]],
    ['title:rad', []],
    ['radweg NEAR schule', [1]],
    ['radweg NEAR/3 schule', []],
    ['radio OR kita', []],
    ['rad NOT radio', []],
    ['r%', []],
    ['%', []],
    ['r_dweg', []],
    ['r*g', []],
    ['=status', []],
    ['\\u0001', []],
    ['\u{10ffff}rad', both],
    ['rad\u{10ffff}', both],
    ['\ufeffrad', both],
    ['\u202erad', both],
  ];
  for (const [words, ids] of expected) {
    if (!isSearchable(words)) continue;
    assert.deepEqual(await find(words), ids, words);
  }
});

test('the longest searches are answered', async () => {
  const long = (letters: string, count = 10) => Array.from({ length: count }, () => letters).join(' ');
  for (const words of [
    long('x'.repeat(100)),
    long('ß'.repeat(100)),
    long('𝒜'.repeat(100), 6),
    long('京'.repeat(100), 8),
    long('a-'.repeat(50)),
    long('ﷺ'.repeat(90), 9),
  ])
    assert.deepEqual(await search('submissions', { words }), []);
});

test('records of other municipalities are not found, also with equal ids and words', async () => {
  const records = [
    toSubmission(createSubmission(1, { description: 'Radweg Nord' })),
    toSession(createSession(1, { title: 'Radweg Nord' })),
  ];
  const own = await createTown(records);
  const other = await createTown([
    toSubmission(createSubmission(1, { description: 'Radweg Süd' })),
    toSubmission(createSubmission(2, { description: 'Radweg Süd' })),
    toSession(createSession(1, { title: 'Radweg Süd' })),
  ]);
  for (const list of ['submissions', 'sessions'] as const) {
    assert.equal((await search(list, { words: 'radweg' }, own.key)).length, 1);
    assert.deepEqual(await search(list, { words: 'süd' }, own.key), []);
    assert.deepEqual(await search(list, { words: 'nord' }, other.key), []);
    assert.equal(
      (await search(list, { words: 'radweg süd' }, other.key)).length,
      list === 'submissions' ? 2 : 1,
    );
  }
  await store.write(other.id, (writer) =>
    writer.put([{ kind: 'retraction', of: 'submission', id: formatSubmissionId(1) }]),
  );
  assert.equal((await search('submissions', { words: 'radweg' }, own.key)).length, 1);
  assert.equal((await search('submissions', { words: 'radweg' }, other.key)).length, 1);
});

test('a municipality without records finds nothing, and one whose records are all removed', async () => {
  const { id, key } = await createTown([]);
  const find = async () => [
    ...(await search('submissions', { words: 'radweg' }, key)),
    ...(await search('sessions', { words: 'radweg' }, key)),
  ];
  assert.deepEqual(await find(), []);
  await putRecords(id, [toSession(createSession(1, { title: 'Radweg' }))]);
  assert.equal((await find()).length, 1);
  await putRecords(id, [{ kind: 'retraction', of: 'session', id: createSession(1).id }]);
  assert.deepEqual(await find(), []);
  await putRecords(id, [toSubmission(createSubmission(1, { description: 'Radweg' }))]);
  assert.equal((await find()).length, 1);
});

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createFixtureWithServer } from '../support/fixture.ts';
import { formatSubmissionId, formatSurveyId } from '../support/records.ts';

const { server, alice } = await createFixtureWithServer({ after });

const lists = [
  '/submissions',
  '/sessions',
  '/support',
  '/surveys',
  '/search/submissions',
  '/search/sessions',
];
const single = [
  '/me',
  `/submissions/${formatSubmissionId(1)}`,
  `/sessions/${formatSubmissionId(1).replaceAll('a', 'b')}`,
  `/surveys/${formatSurveyId(1)}/results`,
  '/organization',
];

async function assertRejected(path: string, sentence: RegExp) {
  const { status, json } = await server.get(path, { key: alice });
  assert.equal(status, 400, path);
  assert.equal(json.code, 'BAD_REQUEST', path);
  assert.match(json.error, sentence, path);
}

for (const list of lists) {
  test(`${list}: a limit that is not an integer from 1 to 100 is rejected with the valid range`, async () => {
    const named = ['0', '101', '-1', '+5', '%2B5', '1.0', '1e1', '0x10', '007', '', '%20', '%09', '++'];
    const more = [
      '5%20',
      '%205',
      '1,0',
      '1_0',
      '00',
      '01',
      '-0',
      '1e0',
      '10n',
      '0b1',
      '0o7',
      'NaN',
      'Infinity',
      'null',
      'ten',
    ];
    const wild = [
      '1.',
      '.5',
      '٣',
      '%EF%BC%91',
      '%C2%BD',
      '1%00',
      '99999999999999999999',
      '4294967297',
      '100.0',
      '%31%30%30%30',
      '[]',
      '1;2',
      '1%0a',
    ];
    for (const value of [...named, ...more, ...wild]) {
      await assertRejected(`${list}?limit=${encodeURI(value).replaceAll('%25', '%')}`, /"limit".*1 to 100/);
    }
    await assertRejected(`${list}?limit`, /"limit".*1 to 100/);
  });

  test(`${list}: limits 1 and 100 are accepted, also percent-encoded`, async () => {
    for (const [value, count] of [
      ['1', 1],
      ['100', undefined],
      ['%31', 1],
    ] as const) {
      const { status, json } = await server.get(`${list}?limit=${value}`, { key: alice });
      assert.equal(status, 200, value);
      if (count !== undefined) assert.equal(json.data.length, count);
    }
  });

  test(`${list}: a repeated parameter is rejected, with equal and with different values`, async () => {
    await assertRejected(`${list}?limit=5&limit=5`, /"limit".*once/);
    await assertRejected(`${list}?limit=5&limit=6`, /"limit".*once/);
    await assertRejected(`${list}?limit=5&%6cimit=5`, /"limit".*once/);
  });

  test(`${list}: an unknown parameter is rejected with its name and the list of valid ones`, async () => {
    for (const name of ['offset', 'page', 'q', 'Limit', 'limit[]', 'organization_id', '']) {
      await assertRejected(`${list}?${encodeURIComponent(name)}=1`, /unknown.*limit/i);
      if (name !== '')
        assert.ok(
          (await server.get(`${list}?${encodeURIComponent(name)}=1`, { key: alice })).json.error.includes(
            `"${name}"`,
          ),
        );
    }
  });
}

test('an empty cursor is rejected with the advice to leave it out for the first page', async () => {
  for (const list of [...lists, '/changes'])
    for (const query of ['cursor=', 'cursor', 'limit=5&cursor='])
      await assertRejected(`${list}?${query}`, /"cursor" must not be empty: the first page has no cursor/);
});

test('parameters of other APIs are rejected with the reason why lists lack them', async () => {
  for (const list of [...lists, '/changes']) {
    for (const query of ['page=2', 'offset=20', 'Page=2'])
      await assertRejected(
        `${list}?${query}`,
        /neither page numbers nor offsets\. Set "cursor" to the next_cursor/,
      );
    const order =
      list === '/search/sessions'
        ? /is unknown\. Did you mean "direction"\? Allowed: /
        : /is unknown: the order of a list is fixed\. Allowed: /;
    const reasons: Record<string, RegExp> = {
      sort: order,
      order,
      per_page: /"per_page" is unknown: the number of items per page is "limit"\. Allowed: /,
      updated_since: /"updated_since" is unknown: \/changes returns what changed after a cursor/,
      since: /"since" is unknown: \/changes returns what changed after a cursor, .+\. Allowed: /,
    };
    for (const [name, reason] of Object.entries(reasons)) await assertRejected(`${list}?${name}=x`, reason);
    const search = list.startsWith('/search/')
      ? /is unknown\. Did you mean "words"\? Allowed: /
      : /is unknown: \/search\/submissions and \/search\/sessions find words with "words"\. Allowed: /;
    for (const name of ['q', 'query', 'search', 'text', 'Q'])
      await assertRejected(`${list}?${name}=x`, search);
  }
  await assertRejected('/me?page=2', /"page" is unknown: this URL has no query parameters\.$/);
});

test('a misspelt parameter is rejected with a suggestion', async () => {
  const meant: [string, string][] = [
    ['/submissions?statuss=x', 'status'],
    ['/submissions?Status=x', 'status'],
    ['/submissions?stauts=x', 'status'],
    ['/submissions?topics=x', 'topic'],
    ['/submissions?curser=x', 'cursor'],
    ['/sessions?limt=1', 'limit'],
    ['/sessions?LIMIT=1', 'limit'],
    ['/support?submissionId=1', 'submission_id'],
    ['/support?submission-id=1', 'submission_id'],
    ['/support?submisson_id=1', 'submission_id'],
    ['/submissions?topicCategoryName=x', 'topic'],
    ['/search/submissions?from=2026-01-01', 'created_from'],
    ['/search/sessions?to=2026-01-01', 'date_to'],
    ['/search/sessions?committeeName=x', 'committee'],
    ['/search/sessions?date=2026-01-01', 'date_from" and "date_to'],
    ['/search/submissions?created=2026-01-01', 'created_from" and "created_to'],
  ];
  for (const [path, name] of meant) await assertRejected(path, new RegExp(`Did you mean "${name}"\\?`));
});

test('a parameter that only the search of a list has is rejected with the path of the search', async () => {
  for (const [list, name] of [
    ['/sessions', 'committee'],
    ['/sessions', 'date_from'],
    ['/submissions', 'created_to'],
    ['/submissions', 'status_changed_from'],
  ] as const)
    await assertRejected(`${list}?${name}=x`, new RegExp(`is unknown: /search${list} has it\\. Allowed: `));
  await assertRejected('/surveys?committee=x', /"committee" is unknown\. Allowed: /);
});

test('there is no suggestion without a similar name', async () => {
  const { json } = await server.get('/submissions?organization_id=1', { key: alice });
  assert.doesNotMatch(json.error, /Did you mean/);
});

test('paths without parameters reject every parameter', async () => {
  for (const path of single) {
    for (const query of ['limit=1', 'cursor=x', 'a', '=', '__proto__=1', 'id=1']) {
      const { status, json } = await server.get(`${path}?${query}`, { key: alice });
      assert.equal(status, 400, `${path}?${query}`);
      assert.match(json.error, /has no query parameters/);
    }
  }
});

test('an empty query and stray ampersands are ignored', async () => {
  for (const path of [...single, ...lists]) {
    for (const query of ['?', '?&', '?&&&']) {
      const { status } = await server.get(path + query, { key: alice });
      assert.equal(status, 200, path + query);
    }
  }
});

test('property names of JavaScript objects are unknown parameters', async () => {
  for (const name of [
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'prototype',
    '__defineGetter__',
    'valueOf',
  ]) {
    for (const list of lists) {
      await assertRejected(`${list}?${name}=1`, new RegExp(`"${name}" is unknown`));
      await assertRejected(`${list}?${name}[limit]=1`, /is unknown/);
      await assertRejected(`${list}?${name}`, /is unknown/);
    }
  }
});

test('an unknown name of any length or alphabet is rejected with a message of bounded length', async () => {
  for (const name of [
    'x'.repeat(5_000),
    '🌳'.repeat(400),
    '"<script>',
    '%00',
    '%0d%0aX-Evil:%201',
    '%E2%80%AE',
    '%7F',
    '%C2%85',
    '%EF%BF%BF',
  ]) {
    const { status, json } = await server.get(`/submissions?${encodeURI(name).replaceAll('%25', '%')}=1`, {
      key: alice,
    });
    assert.equal(status, 400, name.slice(0, 20));
    assert.ok(json.error.length < 300, name.slice(0, 20));
  }
});

const filters: [string, string][] = [
  ['/submissions', 'status'],
  ['/submissions', 'topic'],
  ['/support', 'submission_id'],
];

for (const [path, name] of filters) {
  test(`${name}: an empty value is rejected, whitespace matches nothing`, async () => {
    await assertRejected(`${path}?${name}=`, new RegExp(`"${name}".*1 to 200`));
    await assertRejected(`${path}?${name}`, new RegExp(`"${name}".*1 to 200`));
    for (const blank of ['%20', '+', '%C2%A0']) {
      const { status, json } = await server.get(`${path}?${name}=${blank}`, { key: alice });
      assert.equal(status, 200);
      assert.deepEqual(json.data, []);
    }
  });

  test(`${name}: 200 characters are accepted, 201 are rejected, and a character outside the BMP counts once`, async () => {
    for (const character of ['x', 'ä', '€', '🌳']) {
      const value = (count: number) => encodeURIComponent(character.repeat(count));
      const { status } = await server.get(`${path}?${name}=${value(200)}`, { key: alice });
      assert.equal(status, 200, character);
      await assertRejected(`${path}?${name}=${value(201)}`, new RegExp(`"${name}".*1 to 200`));
    }
  });

  test(`${name}: the characters of the normalized text count, as in stored texts`, async () => {
    const decomposed = encodeURIComponent('a\u0308'.repeat(200));
    const { status } = await server.get(`${path}?${name}=${decomposed}`, { key: alice });
    assert.equal(status, 200);
  });

  test(`${name}: control characters are rejected, all others accepted`, async () => {
    for (const control of ['%00', '%01', '%09', '%0a', '%0d', '%1f', '%7f', '%c2%80', '%c2%85', '%C2%9F']) {
      for (const value of [control, `a${control}`, `${control}a`, `a${control}a`]) {
        await assertRejected(`${path}?${name}=${value}`, new RegExp(`"${name}".*control`));
      }
    }
    for (const harmless of [
      '%20',
      '%7e',
      '%c2%a0',
      '%E2%80%A8',
      '%EF%BB%BF',
      '%EF%BF%BD',
      "'",
      '%22',
      '%5C',
      '%3C',
      '%25',
      '%F0%9F%8C%B3',
      '*',
      '_',
      '%EF%BF%BE',
    ]) {
      const { status } = await server.get(`${path}?${name}=${harmless}`, { key: alice });
      assert.equal(status, 200, harmless);
    }
  });

  test(`${name}: invalid percent-encoding and invalid UTF-8 are rejected`, async () => {
    for (const value of [
      '%zz',
      '%',
      '%4',
      'a%',
      '%ff',
      '%c3%28',
      '%c0%80',
      '%ed%a0%80',
      '%f4%90%80%80',
      '%e2%82',
      '%80',
      '%u0041',
    ]) {
      await assertRejected(`${path}?${name}=${value}`, /percent-encoded UTF-8/);
    }
  });
}

test('a parameter name with invalid percent-encoding is rejected', async () => {
  for (const name of ['%zz', '%', '%ff', '%c3%28', '%c0%80', '%ed%a0%80']) {
    for (const list of [...lists, ...single])
      await assertRejected(`${list}?${name}=1`, /percent-encoded UTF-8/);
  }
});

test('the first of several errors is reported, and no message repeats a value', async () => {
  await assertRejected('/submissions?limit=0&nonsense=1', /"limit"/);
  await assertRejected('/submissions?nonsense=1&limit=0', /"nonsense"/);
  const { json } = await server.get('/submissions?limit=SECRETVALUE', { key: alice });
  assert.doesNotMatch(json.error, /SECRETVALUE/);
});

test('ten thousand parameters are rejected', async () => {
  const many = Array.from({ length: 10_000 }, (_, index) => `a${index}`).join('&');
  const { responses } = await server.sendRaw(
    `GET /api/v1/submissions?${many} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${alice}\r\n\r\n`,
    { minResponses: 1 },
  );
  assert.ok([400, 414, 431].includes(responses[0]?.status as number));
  assert.equal(JSON.parse(responses[0]?.text as string).code, 'BAD_REQUEST');
  const fewer = Array.from({ length: 2_000 }, () => '&a').join('');
  await assertRejected(`/submissions?${fewer}`, /"a" is unknown/);
});

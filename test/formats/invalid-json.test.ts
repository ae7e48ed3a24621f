/** JSON that parsers accept, but that is not a valid record: it is rejected with its location. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { assertCounts, createImportHarness } from '../support/import-harness.ts';
import { createSubmission } from '../support/records.ts';

const harness = await createImportHarness({ after });
const createValidLine = (n: number) => JSON.stringify({ kind: 'submission', ...createSubmission(n) });
/** A record as text, with more text between its other fields. */
const createLineWith = (more: string) =>
  `{"kind":"submission","id":"own","description":"x","createdAt":"2026-03-01T00:00:00Z",${more}}`;
const nestLists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

const invalidTexts: Record<string, [text: string, reason: RegExp]> = {
  'a repeated name': [createLineWith('"status":"a","status":"b"'), /^has "status" twice in the same object/],
  'a repeated name with the same value': [createLineWith('"id":"own"'), /^has "id" twice/],
  'a repeated name, once escaped': [createLineWith('"\\u0073tatus":"a","status":"b"'), /^has "status" twice/],
  'a repeated name with blanks before the colon': [
    createLineWith('"status" \t: "a","status"  :"b"'),
    /^has "status" twice/,
  ],
  'a deeply nested repeated name': [
    '{"kind":"survey","surveyId":"s","title":"x","status":"closed","totalResponses":40,"questions":[{"questionText":"q","questionType":"scale","options":[{"optionText":"a","responseCount":10},{"optionText":"b","responseCount":10,"responseCount":2}]}]}',
    /^has "responseCount" twice/,
  ],
  'a repeated empty name': [createLineWith('"":1,"":2'), /^has "" twice/],
  'a repeated __proto__': [createLineWith('"__proto__":1,"__proto__":2'), /^has "__proto__" twice/],
  'a repeated name of 100,000 characters': [
    createLineWith(`"${'x'.repeat(100_000)}":1,"${'x'.repeat(100_000)}":2`),
    /^has "x{60}" twice/,
  ],
  '101 levels': [createLineWith(`"status":${nestLists(101)}`), /^is nested more than 100 levels deep/],
  '100,000 levels of lists': [
    createLineWith(`"status":${nestLists(100_000)}`),
    /^is nested more than 100 levels deep/,
  ],
  '100,000 levels of objects': [
    createLineWith(`"status":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
    /^is nested more than 100 levels deep/,
  ],
  'an id of 20 digits': [
    '{"kind":"submission","id":12345678901234567890,"description":"x","createdAt":"2026-03-01T00:00:00Z"}',
    /^id must be a text or a whole number of at most 15 digits: write a longer one in quotation marks$/,
  ],
  'an id of 1e400': [
    '{"kind":"submission","id":1e400,"description":"x","createdAt":"2026-03-01T00:00:00Z"}',
    /^id must be a text or a whole number of at most 15 digits/,
  ],
  'a count of 20 digits': [
    createLineWith('"supportCount":12345678901234567890'),
    /^supportCount must be <= 2147483647$/,
  ],
  'a count of 1e400': [createLineWith('"supportCount":1e400'), /^supportCount must be integer$/],
  'a count of -1e400': [createLineWith('"supportCount":-1e400'), /^supportCount must be integer$/],
  'a lone surrogate in an id': [
    '{"kind":"submission","id":"\\ud800","description":"x","createdAt":"2026-03-01T00:00:00Z"}',
    /^id must be a text or a whole number$/,
  ],
  'a lone surrogate in a status': [
    createLineWith('"status":"\\ud800"'),
    /^status has an incomplete character \(lone surrogate\)$/,
  ],
  'a lone surrogate in a name': [createLineWith('"\\udc00":1'), /^"\\udc00" is not a field/],
  'NUL in a status': [createLineWith('"status":"\\u0000"'), /^status must not contain control characters$/],
  'a description of 5 MB': [
    `{"kind":"submission","id":"own","description":"${'x'.repeat(5_000_000)}","createdAt":"2026-03-01T00:00:00Z"}`,
    /^description must not have more than 100000 characters$/,
  ],
};

const validTexts: Record<string, string> = {
  'the same name in several objects of one record':
    '{"kind":"survey","surveyId":"s","title":"x","status":"closed","totalResponses":40,"questions":[{"questionText":"q","questionType":"scale","options":[{"optionText":"a","responseCount":10},{"optionText":"b","responseCount":10}]}]}',
  'what looks like a name within a text': createLineWith(
    '"status":"\\"status\\":\\"a\\",\\\\","topicCategoryName":"{\\"a\\":1}"',
  ),
};

const texts = [
  createValidLine(1),
  ...Object.values(validTexts),
  ...Object.values(invalidTexts).map(([text]) => text),
  createValidLine(2),
];

const importTexts = async (content: string) =>
  harness.importContent(await harness.createMunicipality(), content);
const results = {
  'one a line': await importTexts(`${texts.join('\n')}\n`),
  'in an array': await importTexts(`[${texts.join(',\n')}]`),
};

for (const [form, result] of Object.entries(results)) {
  suite(form, () => {
    const at = ({ line, entry }: { line?: number; entry?: number }) => line ?? entry;
    const first = 2 + Object.keys(validTexts).length;
    for (const [n, [what, [, reason]]] of Object.entries(invalidTexts).entries()) {
      test(`${what} is rejected with its location`, () => {
        const rejection = result.rejections.find((each) => at(each) === first + n);
        assert.match(rejection?.reason ?? 'accepted', reason);
      });
    }
    test('a rounded number is not reported as an id', () => {
      const rejection = result.rejections.find(({ reason }) => reason.includes('at most 15 digits'));
      assert.ok(rejection);
      assert.equal(rejection.id, undefined);
    });
    test('records before, between and after are imported', () => {
      assertCounts(result, {
        inserted: Object.keys(validTexts).length + 2,
        rejected: Object.keys(invalidTexts).length,
      });
    });
  });
}

test('one document with a repeated name is rejected, and nothing is imported', async () => {
  const town = await harness.createMunicipality();
  const result = await harness.importContent(town, createLineWith('"status":"a",\n"status":"b"'), {
    name: 'x.json',
  });
  assertCounts(result, { rejected: 1 });
  assert.match(
    result.rejections[0]?.reason ?? '',
    /^has "status" twice in the same object: leave one of them out$/,
  );
});

test('a line of more than 64 MiB ends the import, and earlier records are kept', async () => {
  const town = await harness.createMunicipality();
  const large = createLineWith(`"status":"${'x'.repeat(65 * 1024 * 1024)}"`);
  const result = await harness.importContent(
    town,
    Buffer.from(`${createValidLine(1)}\n${large}\n`, 'latin1'),
  );
  assert.match(
    result.stderr,
    /has more than 64 MiB in line 2: write one record per line, or one JSON array\./,
  );
  assert.equal(result.code, 1);
  assert.equal((await harness.listAll(town, '/submissions')).length, 1);
});

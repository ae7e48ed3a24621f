/** Invalid records with the rejection reasons, and valid records at the limits. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createImportHarness } from '../support/import-harness.ts';
import { createSession, createSubmission, surveys } from '../support/records.ts';

const harness = await createImportHarness({ after });
const base = { kind: 'submission', ...createSubmission(1) };
const meeting = { kind: 'session', ...createSession(1) };
const survey = { kind: 'survey', ...surveys[0] };
const createQuestion = (fields: object) => ({
  ...survey,
  questions: [{ questionText: 'x', questionType: 'scale', options: [], ...fields }],
});
const createOption = (fields: object) =>
  createQuestion({ options: [{ optionText: 'x', responseCount: 1, ...fields }] });
const repeatLetter = (length: number) => 'x'.repeat(length);
const omitField = (record: object, name: string) =>
  Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));

/** Lines of NDJSON: a record, or raw text. Each gets its own id if it has one. */
const invalidLines: Record<string, [line: unknown, reason: RegExp]> = {
  'invalid JSON': ['{"kind": ', /is not valid JSON/],
  'a bare word': ['hello', /is not valid JSON/],
  'single quotes': ["{'kind': 'submission'}", /is not valid JSON/],
  'NaN for a count': ['{"kind":"submission","supportCount":NaN}', /is not valid JSON/],
  null: [null, /the record must be an object/],
  'a number': [5, /the record must be an object/],
  'a text': ['"text"', /the record must be an object/],
  'an array': [[base], /the record must be an object/],
  'an empty object': [{}, /kind must be "submission", "session" or "survey"/],
  'no kind': [omitField(base, 'kind'), /kind must be/],
  'an unknown kind': [{ ...base, kind: 'paper' }, /kind must be/],
  'a kind that is an array': [{ ...base, kind: ['submission'] }, /kind must be/],
  'a text as deleted': [{ ...base, deleted: 'perhaps' }, /deleted must be true or false/],
  'null as deleted': [{ ...base, deleted: null }, /deleted must be true or false/],
  'a deletion without an id': [{ kind: 'submission', deleted: true }, /id is missing/],
  'no id': [omitField(base, 'id'), /id is missing/],
  'an empty id': [{ ...base, id: '' }, /id must be a text or a whole number/],
  'a blank id': [{ ...base, id: '  ' }, /id must be a text or a whole number/],
  'an id that is null': [{ ...base, id: null }, /id (is missing|must be a text or a whole number)/],
  'an id that is an object': [{ ...base, id: {} }, /id must be a text or a whole number/],
  'an id that is a fraction': [{ ...base, id: 1.5 }, /id must be a text or a whole number/],
  'an id beyond the safe integers': [
    '{"kind":"submission","id":9007199254740993,"description":"x","createdAt":"2026-03-01T00:00:00Z"}',
    /id must be a text or a whole number/,
  ],
  'an id with a lone surrogate': [
    '{"kind":"submission","id":"\\ud83d","description":"x","createdAt":"2026-03-01T00:00:00Z"}',
    /id must be a text/,
  ],
  'no description': [omitField(base, 'description'), /description is missing/],
  'no createdAt': [omitField(base, 'createdAt'), /createdAt is missing/],
  'null as createdAt': [{ ...base, createdAt: null }, /createdAt/],
  'a number as createdAt': [{ ...base, createdAt: 1772356500 }, /createdAt must be string/],
  'a missing field with a misspelt one': [
    { ...omitField(base, 'description'), descripton: 'x' },
    /"descripton" is not a field; is it "description"\?/,
  ],
  'a German date of a session': [
    { kind: 'session', ...createSession(1), date: '17.03.2026', createdAt: undefined },
    /^date must be a date such as 2026-03-01$/,
  ],
  'a time for the date of a session': [
    { kind: 'session', ...createSession(1), date: '2026-03-17T00:00:00Z' },
    /^date must be a date such as 2026-03-01$/,
  ],
  'an unknown field': [{ ...base, supportcount: 5 }, /"supportcount" is not a field; is it "supportCount"\?/],
  'an unknown field without a similar name': [{ ...base, latitude: 52.5 }, /"latitude" is not a field$/],
  'the name of a person': [{ ...base, author: 'x' }, /"author" is not a field/],
  'an unknown field of 100,000 characters': [
    { ...base, [repeatLetter(100_000)]: 1 },
    /^"x{60}" is not a field$/,
  ],
  __proto__: [
    '{"kind":"submission","id":"p","description":"x","createdAt":"2026-03-01T00:00:00Z","__proto__":{"status":"hacked"}}',
    /"__proto__" is not a field/,
  ],
  'constructor as a field': [{ ...base, constructor: 'x' }, /"constructor" is not a field/],
  'a field of a session in a submission': [{ ...base, committeeName: 'x' }, /"committeeName" is not a field/],
  'a description of 100,001 characters': [
    { ...base, description: repeatLetter(100_001) },
    /description must not have more than 100000 characters/,
  ],
  'a description with NUL': [{ ...base, description: 'a\u0000b' }, /description must not contain U\+0000/],
  'a description with a lone surrogate': [
    '{"kind":"submission","id":"h","description":"\\udc00","createdAt":"2026-03-01T00:00:00Z"}',
    /description has an incomplete character/,
  ],
  'a description that is null': [{ ...base, description: null }, /description must be string/],
  'a description that is an object': [{ ...base, description: { de: 'x' } }, /description must be string/],
  'an empty status': [{ ...base, status: '' }, /status must not have fewer than 1 character/],
  'a blank status': [{ ...base, status: ' \u00a0' }, /^status must not be blank$/],
  'a blank time of the last change': [
    { ...base, statusChangedAt: ' ' },
    /^statusChangedAt must not be blank$/,
  ],
  'an object with its own toString': [
    { ...base, statusChangedAt: { toString: 5 } },
    /^statusChangedAt must be string$/,
  ],
  'a blank topic': [{ ...base, topicCategoryName: ' ' }, /^topicCategoryName must not be blank$/],
  'a blank priority': [{ ...base, priorityLevel: ' ' }, /^priorityLevel must not be blank$/],
  'a blank committee': [{ ...meeting, committeeName: ' ' }, /^committeeName must not be blank$/],
  'a blank kind of question': [createQuestion({ questionType: ' ' }), /^questionType must not be blank$/],
  'a blank option': [createOption({ optionText: '\n' }), /^optionText must not be blank$/],
  'a status of 201 characters': [
    { ...base, status: repeatLetter(201) },
    /status must not have more than 200 characters/,
  ],
  'a status that is null': [{ ...base, status: null }, /status must be string/],
  'a status with a line break': [{ ...base, status: 'a\nb' }, /status must not contain control characters/],
  'a priority of 201 characters': [
    { ...base, priorityLevel: repeatLetter(201) },
    /priorityLevel must not have more than 200/,
  ],
  'an empty reference number': [
    { ...base, referenceNumber: '' },
    /referenceNumber must not have fewer than 1/,
  ],
  'a reference number of 201 characters': [
    { ...base, referenceNumber: repeatLetter(201) },
    /referenceNumber must not have more than 200/,
  ],
  'a reference number that is a number': [{ ...base, referenceNumber: 7 }, /referenceNumber must be string/],
  'a topic of 201 characters': [
    { ...base, topicCategoryName: repeatLetter(201) },
    /topicCategoryName must not have more than 200/,
  ],
  'a topic that is an array': [{ ...base, topicCategoryName: ['a'] }, /topicCategoryName must be string/],
  'a count above the limit': [{ ...base, supportCount: 2_147_483_648 }, /supportCount must be <= 2147483647/],
  'a negative count': [{ ...base, supportCount: -1 }, /supportCount must be >= 0/],
  'a fractional count': [{ ...base, supportCount: 1.5 }, /supportCount must be integer/],
  'a count as text': [{ ...base, supportCount: '5' }, /supportCount must be integer/],
  'a count of 1e400': [
    '{"kind":"submission","id":"c","description":"x","createdAt":"2026-03-01T00:00:00Z","supportCount":1e400}',
    /supportCount must be/,
  ],
  'a count that is null': [{ ...base, supportCount: null }, /supportCount must be integer/],
  'attachments as text': [{ ...base, hasAttachments: 'true' }, /hasAttachments must be boolean/],
  'attachments as a number': [{ ...base, hasAttachments: 1 }, /hasAttachments must be boolean/],
  'an invalid address': [{ ...base, protocolUrl: 'minutes.pdf' }, /protocolUrl must be an address/],
  'a javascript address': [{ ...base, protocolUrl: 'javascript:alert(1)' }, /protocolUrl must be an address/],
  'a source without a scheme': [{ ...base, sourceUrl: 'council.example/1' }, /sourceUrl must be an address/],
  'a javascript source': [{ ...meeting, sourceUrl: 'javascript:alert(1)' }, /sourceUrl must be an address/],
  'a source of 2,049 characters': [
    { ...base, sourceUrl: `https://x.example/${repeatLetter(2_031)}` },
    /sourceUrl must not have more than 2048/,
  ],
  'a title of 100,000 characters': [
    { ...base, title: repeatLetter(100_000) },
    /title must not have more than 1000/,
  ],
  'a title with a line break': [{ ...meeting, title: 'a\nb' }, /title must not contain control characters/],
  'a blank title': [{ ...meeting, title: ' ' }, /^title must not be blank$/],
  'an address with a blank': [
    { ...base, protocolUrl: 'https://x.example/a b' },
    /protocolUrl must be an address/,
  ],
  'an address with invalid percent-encoding': [
    { ...base, protocolUrl: 'https://x.example/100%ä' },
    /^protocolUrl must be an address .*percent-encoded/,
  ],
  'an address that is too long after percent-encoding': [
    { ...base, protocolUrl: `https://x.example/${'ä'.repeat(400)}` },
    /protocolUrl must not have more than 2048/,
  ],
  'an address of 2,049 characters': [
    { ...base, protocolUrl: `https://x.example/${repeatLetter(2_031)}` },
    /protocolUrl must not have more than 2048/,
  ],
  'a session without a committee': [omitField(meeting, 'committeeName'), /committeeName is missing/],
  'a session with a committee of 1,001 characters': [
    { ...meeting, committeeName: repeatLetter(1_001) },
    /committeeName must not have more than 1000/,
  ],
  'a session without a date': [omitField(omitField(meeting, 'date'), 'createdAt'), /(date|createdAt) /],
  'a time slot of 24:00': [{ ...meeting, timeSlot: '24:00' }, /timeSlot must be HH:MM or HH:MM-HH:MM/],
  'a time slot with seconds': [{ ...meeting, timeSlot: '16:30:00' }, /timeSlot must/],
  'a time slot that ends before it begins': [
    { ...meeting, timeSlot: '18:00-16:00' },
    /timeSlot ends before it begins/,
  ],
  'a time slot without a duration': [{ ...meeting, timeSlot: '18:00-18:00' }, /timeSlot ends before/],
  'a time slot with blanks': [{ ...meeting, timeSlot: '16:30 - 18:45' }, /timeSlot must/],
  'submissions that are an object': [{ ...meeting, submissions: {} }, /submissions must be a list/],
  'submissions that are null': [{ ...meeting, submissions: null }, /submissions must be a list/],
  'submissions that are a text': [{ ...meeting, submissions: 'a,b' }, /submissions must be a list/],
  'an entry of submissions that is null': [
    { ...meeting, submissions: [null] },
    /an entry of submissions must be an object/,
  ],
  'an entry of submissions that is a list': [
    { ...meeting, submissions: [[]] },
    /an entry of submissions must be an object/,
  ],
  'an entry of submissions without an id': [{ ...meeting, submissions: [{}] }, /id is missing/],
  'a survey without questions': [omitField(survey, 'questions'), /questions must be a list/],
  'a survey with an object of questions': [{ ...survey, questions: {} }, /questions must be a list/],
  'a survey with a question that is null': [{ ...survey, questions: [null] }, /a question must be an object/],
  'a survey without an id': [omitField(survey, 'surveyId'), /surveyId is missing/],
  'a survey with a title of 1,001 characters': [
    { ...survey, title: repeatLetter(1_001) },
    /title must not have more than 1000/,
  ],
  'a survey without a title': [omitField(survey, 'title'), /title is missing/],
  'a question without a text': [
    createQuestion({ questionText: '' }),
    /questionText must not have fewer than 1/,
  ],
  'a question of 100,001 characters': [
    createQuestion({ questionText: repeatLetter(100_001) }),
    /questionText must not have more than 100000/,
  ],
  'a question with an unknown field': [createQuestion({ required: true }), /"required" is not a field/],
  'a question with single responses': [createQuestion({ responses: [] }), /"responses" is not a field/],
  'options that are null': [createQuestion({ options: 5 }), /options must be a list/],
  'an option of 1,001 characters': [
    createOption({ optionText: repeatLetter(1_001) }),
    /optionText must not have more than 1000/,
  ],
  'an option without a count': [
    createQuestion({ options: [{ optionText: 'x' }] }),
    /responseCount is missing/,
  ],
  'an option with a negative count': [createOption({ responseCount: -1 }), /responseCount must be >= 0/],
  'an option with a lone surrogate': [
    createOption({ optionText: '\ud83d' }),
    /optionText has an incomplete character/,
  ],
  'lists nested 100,000 deep': [
    '['.repeat(100_000) + ']'.repeat(100_000),
    /is nested more than 100 levels deep/,
  ],
  'objects nested 100,000 deep': [
    `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
    /is nested more than 100 levels deep/,
  ],
  'a description of nested lists, 100,000 deep': [
    `{"kind":"submission","id":"d","createdAt":"2026-03-01T00:00:00Z","description":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    /is nested more than 100 levels deep/,
  ],
};

const validLines: Record<string, object> = {
  'words of 200 characters': {
    ...base,
    status: repeatLetter(200),
    priorityLevel: repeatLetter(200),
    referenceNumber: repeatLetter(200),
    topicCategoryName: repeatLetter(200),
    statusChangedAt: repeatLetter(200),
  },
  'words of 200 characters outside the basic plane': {
    ...base,
    status: '🚲'.repeat(200),
    topicCategoryName: '🚲'.repeat(200),
  },
  'a description of 100,000 characters': { ...base, description: repeatLetter(100_000) },
  'a description of 100,000 characters outside the basic plane': {
    ...base,
    description: '🚲'.repeat(100_000),
  },
  'an empty description': { ...base, description: '' },
  'a description with all control characters except NUL': {
    ...base,
    description: '\u0001\b\t\n\u000b\u001f\u007f\u0085\u2028\ufeff',
  },
  'the largest count': { ...base, supportCount: 2_147_483_647 },
  'a whole number written as 5.0': JSON.parse(JSON.stringify({ ...base, supportCount: 5.0 })),
  'a title of 1,000 characters and a source of 2,048': {
    ...meeting,
    title: '🚲'.repeat(1_000),
    sourceUrl: `https://x.example/${repeatLetter(2_030)}`,
  },
  'an address of 2,048 characters': { ...base, protocolUrl: `https://x.example/${repeatLetter(2_030)}` },
  'a committee of 1,000 characters': { ...meeting, committeeName: repeatLetter(1_000), submissions: [] },
  'a time slot for the whole day': { ...meeting, timeSlot: '00:00-23:59' },
  'a time slot until after midnight': { ...meeting, timeSlot: '19:00-00:30' },
  'a question of 100,000 characters': createQuestion({ questionText: repeatLetter(100_000) }),
  'an option of 1,000 characters with the largest count': {
    ...createOption({ optionText: repeatLetter(1_000), responseCount: 2_147_483_647 }),
    totalResponses: 2_147_483_647,
  },
  'a question without options': createQuestion({ options: undefined }),
};

/** Each record gets its own id, so that none is rejected as a duplicate. */
function toLine(record: unknown, n: number): string {
  if (typeof record === 'string') return record;
  const { kind, id, surveyId } = (record ?? {}) as Record<string, unknown>;
  if (id === base.id || id === meeting.id) return JSON.stringify({ ...(record as object), id: `own-${n}` });
  if (kind === 'survey' && surveyId !== undefined)
    return JSON.stringify({ ...(record as object), surveyId: `own-${n}` });
  return JSON.stringify(record);
}

const valid = Object.values(validLines);
const invalid = Object.values(invalidLines).map(([line]) => line);
const town = await harness.createMunicipality();
// The first record is valid, because an invalid first line would make the file one document.
const lines = [...valid, ...invalid].map(toLine);
const result = await harness.importContent(town, `${lines.join('\n')}\n`, { flags: ['--new-survey'] });
const findReason = (line: number) => result.rejections.find((rejection) => rejection.line === line)?.reason;

for (const [n, what] of Object.keys(validLines).entries()) {
  test(`${what}: imported`, () => assert.equal(findReason(n + 1), undefined));
}

for (const [n, [what, [, reason]]] of Object.entries(invalidLines).entries()) {
  test(`${what}: rejected with the reason`, () =>
    assert.match(findReason(valid.length + n + 1) ?? 'accepted', reason));
}

test('the valid records among them are imported, the exit code is 3, and the counts are right', async () => {
  assert.equal(result.code, 3);
  assert.equal(result.counts.inserted, valid.length);
  assert.equal(result.counts.rejected, invalid.length);
  assert.equal((await harness.listAll(town, '/submissions')).length, 9);
});

test('reasons quote at most a short part of a record', () => {
  for (const { reason } of result.rejections) assert.ok(reason.length < 300, reason.slice(0, 400));
});

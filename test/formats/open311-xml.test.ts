/** Malformed, hostile, and differently encoded XML. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { assertCounts, createImportHarness } from '../support/import-harness.ts';
import { type Request, toXml } from './open311-requests.ts';

const harness = await createImportHarness({ after });
const format = 'open311';

const createRequest = (n: number, fields: Request = {}): Request => ({
  service_request_id: `r${n}`,
  service_name: 'Straße',
  requested_datetime: '2026-03-01T09:15:00Z',
  ...fields,
});
/** Two requests, in lines 3 and 4. */
const good = toXml([createRequest(1), createRequest(2)]);
const [declaration, body] = [good.slice(0, good.indexOf('\n')), good.slice(good.indexOf('\n') + 1)];
const insertInLine3 = (text: string) => good.replace('  <request>', `${text}<request>`);
const insertInRequest = (text: string) =>
  toXml([createRequest(1), createRequest(2, { description: 'HERE' }), createRequest(3)]).replace(
    'HERE',
    text,
  );
const laughs = Array.from({ length: 12 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join(
  '\n',
);
const fourMebibytes = 'x'.repeat(4 * 1024 * 1024);

const rejectedDoctype =
  /x\.xml has a document type \(DOCTYPE\), which may define entities and is never read: remove it/;
const createMalformedPattern = (lines: number | string, reason: string) =>
  new RegExp(
    `x\\.xml is not well-formed XML ${typeof lines === 'number' ? `at line ${lines}` : `between lines ${lines}`}: ${reason}\\. It may be truncated`,
  );

/** The number of imported records, and the message. */
const broken: Record<string, [content: string | Buffer, inserted: number, sentence: RegExp]> = {
  'a document type': [`<!DOCTYPE service_requests>\n${body}`, 0, rejectedDoctype],
  'a document type that points elsewhere': [
    `${declaration}\n<!DOCTYPE service_requests SYSTEM "file:///etc/passwd">\n${body}`,
    0,
    rejectedDoctype,
  ],
  'an external entity': [
    `${declaration}\n<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/hostname">]>\n${insertInRequest('&x;').slice(declaration.length + 1)}`,
    0,
    rejectedDoctype,
  ],
  'a billion laughs': [
    `<!DOCTYPE r [<!ENTITY l0 "lol">\n${laughs}]>\n${insertInRequest('&l12;').slice(declaration.length + 1)}`,
    0,
    rejectedDoctype,
  ],
  'a document type without an end': [
    `<!DOCTYPE r [<!ENTITY x "${fourMebibytes}${fourMebibytes}`,
    0,
    /x\.xml has an element, text or comment of more than 4 MiB, from line 1 on/,
  ],
  'a document type in the middle': [
    insertInLine3('<!DOCTYPE r>'),
    0,
    createMalformedPattern('2 and 3', 'inappropriately located doctype declaration'),
  ],
  'an entity of HTML': [insertInRequest('a&nbsp;b'), 1, createMalformedPattern(4, 'undefined entity')],
  'an entity named as what every object has': [
    insertInRequest('a&constructor;b'),
    1,
    createMalformedPattern(4, 'undefined entity'),
  ],
  'a bare ampersand': [
    insertInRequest('Nuts & Bolts'),
    1,
    createMalformedPattern('4 and 7', 'unclosed tag: description'),
  ],
  'a bare ampersand and a semicolon further on': [
    insertInRequest('Nuts & Bolts').replace(/(.+)Straße/s, '$1Stra&#223;e'),
    1,
    createMalformedPattern('4 and 5', 'disallowed character in entity name'),
  ],
  'an invalid character reference': [
    insertInRequest('&#0;'),
    1,
    createMalformedPattern(4, 'malformed character entity'),
  ],
  'a control character': [insertInRequest('a\u0001b'), 1, createMalformedPattern(4, 'disallowed character')],
  'an element that is not closed': [
    insertInRequest('<b>'),
    1,
    createMalformedPattern(4, 'unexpected close tag'),
  ],
  'a request that is not closed': [
    good.replace(/<\/request>\n<\//, '\n</'),
    1,
    createMalformedPattern(5, 'unexpected close tag'),
  ],
  'an end in the middle of a request': [
    good.slice(0, -60),
    1,
    createMalformedPattern(4, 'unclosed tag: \\w+'),
  ],
  'an end in the middle of a tag': [
    good.slice(0, -5),
    2,
    createMalformedPattern('4 and 5', 'unclosed tag: service_requests'),
  ],
  'an end after a request': [
    good.slice(0, good.lastIndexOf('</service_requests>')),
    2,
    createMalformedPattern('4 and 5', 'unclosed tag: service_requests'),
  ],
  'a second document after it': [
    good + good.replace(`${declaration}\n`, ''),
    2,
    createMalformedPattern(6, 'documents may contain only one root'),
  ],
  'a text after it': [
    `${good}\nWarning: mysql_connect()`,
    2,
    createMalformedPattern('5 and 7', 'text data outside of root node'),
  ],
  'a line before the declaration': [
    `\n${good}`,
    0,
    createMalformedPattern('1 and 2', 'an XML declaration must be at the start of the document'),
  ],
  'an attribute without quotation marks': [
    insertInLine3('<note a=1/>'),
    0,
    createMalformedPattern(3, 'unquoted attribute value'),
  ],
  'elements nested without end': [
    insertInLine3('<a>'.repeat(100_000)),
    0,
    /x\.xml has more than 64 levels of elements, at line 3/,
  ],
  'elements nested without end in a request': [
    insertInRequest('<a>'.repeat(100)),
    1,
    /more than 64 levels of elements, at line 4/,
  ],
  'a request of more than 4 MiB': [
    insertInRequest(`${fourMebibytes}${fourMebibytes}`),
    1,
    /x\.xml has an element, text or comment of more than 4 MiB, from line 4 on/,
  ],
  'a request of a million elements': [
    insertInRequest('<a/>'.repeat(2_000_000)),
    1,
    /of more than 4 MiB, from line 4 on/,
  ],
  'a comment of more than 4 MiB': [
    insertInLine3(`<!--${fourMebibytes}${fourMebibytes}-->`),
    0,
    /of more than 4 MiB, from line 2 on/,
  ],
  'an attribute of more than 4 MiB': [
    insertInLine3(`<note a="${fourMebibytes}${fourMebibytes}"/>`),
    0,
    /of more than 4 MiB, from line 3 on/,
  ],
  'bytes of another encoding': [Buffer.from(good, 'latin1'), 0, /x\.xml is not UTF-8: save it as UTF-8/],
  'an unknown encoding': [
    toXml([createRequest(1)], 'klingon-8'),
    0,
    /x\.xml declares the unknown encoding "klingon-8": save it as UTF-8/,
  ],
};

suite('the import ends with a message, and keeps earlier records, at', { concurrency: 2 }, () => {
  for (const [what, [content, inserted, sentence]] of Object.entries(broken)) {
    test(what, async () => {
      const town = await harness.createMunicipality();
      const { code, stderr } = await harness.importContent(town, content, { format, name: 'x.xml' });
      assert.match(stderr, sentence);
      assert.equal(code, 1);
      const kept = await harness.listAll(town, '/submissions');
      assert.deepEqual(
        kept.map(({ referenceNumber }) => referenceNumber).toSorted(),
        ['r1', 'r2'].slice(0, inserted),
      );
    });
  }
});

const encodeUtf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
const createEuroDocument = (encoding: string) =>
  toXml([createRequest(1, { service_name: 'Straße für 5 €' })], encoding);

/** "Straße für 5 €" in each encoding. */
const encoded: Record<string, [bytes: Buffer, name?: string]> = {
  'UTF-8 without a declaration': [Buffer.from(createEuroDocument('utf-8').replace(/^.+\n/, ''))],
  'UTF-8 with a byte order mark': [Buffer.from(`\ufeff${createEuroDocument('UTF-8')}`)],
  'UTF-8 with a byte order mark, declared as something else': [
    Buffer.from(`\ufeff${createEuroDocument('ISO-8859-1')}`),
  ],
  'UTF-8 that is declared as UTF-16': [Buffer.from(createEuroDocument('utf-16'))],
  'UTF-16, little-endian': [encodeUtf16(createEuroDocument('UTF-16'))],
  'UTF-16, big-endian': [encodeUtf16(createEuroDocument('UTF-16')).swap16()],
  'Windows-1252': [Buffer.from(createEuroDocument('Windows-1252').replace('€', '\x80'), 'latin1')],
  'ISO-8859-1': [Buffer.from(createEuroDocument('ISO-8859-1').replace('€', '&#8364;'), 'latin1')],
  'ISO-8859-15 in single quotation marks': [
    Buffer.from(
      createEuroDocument('ISO-8859-15').replace('"ISO-8859-15"', "'ISO-8859-15'").replace('€', '\xa4'),
      'latin1',
    ),
  ],
};

test('the encoding is that of the byte order mark or the declaration', async () => {
  for (const [encoding, [bytes]] of Object.entries(encoded)) {
    const town = await harness.createMunicipality();
    const result = await harness.importContent(town, bytes, { format });
    assert.equal(result.code, 0, `${encoding}: ${result.stderr}`);
    const [{ topicCategoryName }] = await harness.listAll(town, '/submissions');
    assert.equal(topicCategoryName, 'Straße für 5 €', encoding);
  }
});

test('elements with the names of object properties are ordinary elements', async () => {
  const town = await harness.createMunicipality();
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
  const odd = names.map((name) => `<${name}><status>closed</status></${name}>`).join('');
  const result = await harness.importContent(
    town,
    insertInRequest('').replaceAll('</request>', `${odd}</request>`),
    {
      format,
    },
  );
  assert.equal(result.code, 0, result.stderr);
  assertCounts(result, { inserted: 3 });
  for (const { status } of await harness.listAll(town, '/submissions')) assert.equal(status, 'submitted');
});

test('a request with repeated or nested elements is rejected, and others are imported', async () => {
  const town = await harness.createMunicipality();
  const odd = [
    createRequest(1, { service_name: ['a', 'b'] }),
    createRequest(2, { description: { b: 'bold' } }),
    createRequest(3),
    createRequest(4, { requested_datetime: ['2026-03-01T09:15:00Z', '2026-03-01T09:15:00Z'] }),
  ];
  const content = toXml(odd).replace(
    '</service_requests>',
    '<request/><request>text</request></service_requests>',
  );
  const result = await harness.importContent(town, content, { format });
  assertCounts(result, { inserted: 1, rejected: 5 });
  assert.deepEqual(
    result.rejections.map(({ line, id, reason }) => [line, id, reason]),
    [
      [3, 'r1', 'service_name must be a text'],
      [4, 'r2', 'description must be a text'],
      [6, 'r4', 'requested_datetime must be a text'],
      [7, undefined, 'the service request must be an object'],
      [7, undefined, 'the service request must be an object'],
    ],
  );
});

test('multi-byte characters and line ends may be split between chunks', async () => {
  const town = await harness.createMunicipality();
  const description = '🚲ß€'.repeat(200);
  const all = Array.from({ length: 500 }, (_, n) =>
    createRequest(n, { description: `${description}${'x'.repeat(n % 7)}` }),
  );
  const result = await harness.importContent(town, toXml(all).replaceAll('\n', '\r\n'), { format });
  assert.equal(result.code, 0, result.stderr);
  const kept = await harness.listAll(town, '/submissions');
  assert.equal(kept.length, 500);
  for (const entry of kept) assert.match(entry.description, /^(🚲ß€){200}x{0,6}$/u);
});

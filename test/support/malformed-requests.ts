/** Requests with random damage, for raw sockets. */
import { composeRawRequest } from './raw-socket.ts';
import { formatSubmissionId } from './records.ts';

const targets = [
  '/api/v1/health',
  '/api/v1/me',
  '/api/v1/submissions?limit=2&status=in_review',
  `/api/v1/submissions/${formatSubmissionId(1)}`,
  '/api/v1/sessions',
  '/api/v1/support',
  '/api/v1/surveys',
  '/docs',
  '*',
  '/',
  'http://x/api/v1/me',
];
const headerLines = [
  'Connection: close',
  'Connection: keep-alive',
  'Connection: upgrade',
  'Upgrade: h2c',
  'Expect: 100-continue',
  'Expect: x',
  'Content-Length: 0',
  'Content-Length: 3',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: x',
  'Accept: */*',
  'Origin: null',
  'Host: y',
  'X-A:',
  'Cookie: a=b',
  'Range: bytes=0-1',
  'If-None-Match: *',
  'TE: trailers',
  'Content-Encoding: gzip',
];
const scraps = [
  '\0',
  '\r',
  '\n',
  '\r\n',
  '\r\n\r\n',
  ' ',
  '\t',
  ':',
  '%',
  '%00',
  '%zz',
  '\x7f',
  '\x80',
  '\xff',
  '\xc3\x28',
  '?',
  '#',
  '&',
  '=',
  '//',
  '..',
  ';',
  '"',
  '{',
  '0\r\n\r\n',
  'zz\r\n',
  'GET ',
  'HTTP/1.1',
  'x'.repeat(9_000),
  'x'.repeat(17_000),
  'a=b&'.repeat(500),
  ': '.repeat(50),
];

/** Creates a generator of valid requests, damaged at random places. @param key a valid key */
export function createMalformedRequests(random: () => number, key: string): () => string {
  const randomBelow = (bound: number) => Math.floor(random() * bound);
  const pick = <Item>(items: readonly Item[]): Item => items[randomBelow(items.length)] as Item;
  const authorization = `Authorization: Bearer ${key}`;

  return () => {
    const lines = Array.from({ length: randomBelow(4) }, () => pick([...headerLines, authorization]));
    if (random() < 0.5) lines.push(authorization);
    const method = pick([
      'GET',
      'GET',
      'GET',
      'HEAD',
      'POST',
      'OPTIONS',
      'QUERY',
      'TRACE',
      'CONNECT',
      'get',
      'G\0T',
      '',
    ]);
    let bytes = composeRawRequest(pick(targets), lines, method) + (random() < 0.2 ? pick(scraps) : '');
    for (let wounds = randomBelow(4); wounds > 0; wounds -= 1) {
      const place = randomBelow(bytes.length + 1);
      const gap = random() < 0.5 ? 0 : randomBelow(12);
      bytes = bytes.slice(0, place) + (random() < 0.7 ? pick(scraps) : '') + bytes.slice(place + gap);
    }
    return bytes;
  };
}

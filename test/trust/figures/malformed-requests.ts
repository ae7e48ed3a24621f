import { createMalformedRequests } from '../../support/malformed-requests.ts';
import { composeRawRequest } from '../../support/raw-socket.ts';
import { createSeededRandom } from '../../support/records.ts';
import type { ServerProcess } from '../../support/server-process.ts';
import type { Figure, FigureRun, Measurement } from '../figure.ts';
import { add, fail, formatCount, formatNumber, type Tally } from '../tally.ts';

const clientCount = 16;

/** Requests that attacks have used. @param key a valid key */
function listCraftedRequests(key: string): string[] {
  const authorization = `Authorization: Bearer ${key}`;
  const me = '/api/v1/me';
  const smuggled = composeRawRequest(me, [authorization]);
  return [
    composeRawRequest('/api/v1/submissions?cursor=%00', [authorization]),
    composeRawRequest('/api/v1/submissions?status=%00&topic=a%00b', [authorization]),
    composeRawRequest('/api/v1/submissions?topic=%ff%fe', [authorization]),
    composeRawRequest('/api/v1/submissions/%00', [authorization]),
    composeRawRequest('/api/v1/submissions/\xff\xfe', [authorization]),
    composeRawRequest('/api/v1/submissions?topic=\0', [authorization]),
    // Request smuggling: two lengths, two codings, obfuscated codings.
    `${composeRawRequest(me, ['Content-Length: 4', 'Transfer-Encoding: chunked'], 'POST')}0\r\n\r\n${smuggled}`,
    `${composeRawRequest(me, ['Content-Length: 4', 'Content-Length: 5'])}abcd${smuggled}`,
    `${composeRawRequest(me, ['Transfer-Encoding: chunked, identity'])}0\r\n\r\n${smuggled}`,
    `${composeRawRequest(me, ['Transfer-Encoding: xchunked'])}0\r\n\r\n${smuggled}`,
    `${composeRawRequest(me, ['Transfer-Encoding : chunked'])}0\r\n\r\n${smuggled}`,
    `${composeRawRequest(me, ['Transfer-Encoding: chunked'])}1;x=\r\n\r\nzz\r\n0\r\n\r\n${smuggled}`,
    `${composeRawRequest(me, ['Content-Length: +4'])}abcd${smuggled}`,
    `${composeRawRequest(me, ['Content-Length: 0x4'])}abcd${smuggled}`,
    `GET ${me} HTTP/1.1\nHost: x\n${authorization}\n\n`,
    `GET ${me} HTTP/1.1\r\nHost: x\r\n folded: x\r\n\r\n`,
    `GET ${me} HTTP/0.9\r\n\r\n`,
    `GET ${me} HTTP/2.0\r\nHost: x\r\n\r\n`,
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03${'\xab'.repeat(64)}`,
    composeRawRequest(`/${'x'.repeat(200_000)}`, [authorization]),
    composeRawRequest(me, [`X-Long: ${'x'.repeat(200_000)}`]),
    composeRawRequest(
      me,
      Array.from({ length: 3_000 }, (_, index) => `X-${index}: x`),
    ),
    composeRawRequest(me, [authorization, authorization]),
    composeRawRequest(me, [`Authorization: Bearer ${key}\0`]),
    composeRawRequest(me, [authorization, 'Host: other']),
    `GET ${me} HTTP/1.1\r\n${authorization}\r\n\r\n`,
    '\0'.repeat(1_000),
    '\r\n'.repeat(5_000),
  ];
}

async function start({ createFixture, startServer, tally }: FigureRun): Promise<Measurement> {
  const fixture = await createFixture();
  const server = await startServer(fixture.database);
  const key = fixture.alice;
  const crafted = listCraftedRequests(key);

  return {
    measure: async (first, count) => {
      const random = createSeededRandom(first);
      const damage = createMalformedRequests(random, key);
      const compose = (): string => {
        const bytes = random() < 0.7 ? damage() : (crafted[Math.floor(random() * crafted.length)] as string);
        // A half request: the client closes its side in the middle.
        return random() < 0.15 ? bytes.slice(0, Math.floor(random() * bytes.length)) : bytes;
      };
      // The documentation page is not part of the API, so it lacks the standard headers.
      const composeOther = (): string => {
        const bytes = compose();
        return bytes.includes('docs') ? composeOther() : bytes;
      };
      const requests = Array.from({ length: count }, composeOther).values();
      const work = async () => {
        for (const bytes of requests) await sendMalformed(server, bytes, tally);
      };
      await Promise.all(Array.from({ length: clientCount }, work));
      const { status } = await server.get('/me', { key });
      if (status !== 200) fail(tally, `after the requests, a valid one returned ${status}`);
    },
    finish: async () => {
      const code = await server.stop();
      if (code !== 0) fail(tally, `the server ended with ${code}`);
    },
  };
}

async function sendMalformed(server: ServerProcess, bytes: string, tally: Tally): Promise<void> {
  try {
    const head = bytes.includes('HEAD');
    const { responses } = await server.sendRaw(bytes, { end: true, ...(head ? { head } : {}) });
    if (responses.length === 0) add(tally, 'unanswered');
    for (const { status } of responses) {
      add(tally, 'responses');
      add(tally, String(status));
      if (status >= 500) fail(tally, `${status} for ${JSON.stringify(bytes.slice(0, 200))}`);
    }
  } catch (error) {
    fail(tally, `${(error as Error).message.slice(0, 200)} for ${JSON.stringify(bytes.slice(0, 200))}`);
  }
}

export const malformedRequests: Figure = {
  number: 2,
  promise:
    'Malformed requests on raw sockets (NUL, invalid UTF-8, smuggling, huge headers, half requests) crash nothing and cause no 5xx; every response has the headers of the contract.',
  unit: 'requests',
  fullSize: 10_000,
  minSize: 500,
  batchSize: 250,
  engines: ['sqlite', 'postgres'],
  minutes: 1,
  defect: {
    description: 'responses to unparseable requests lack Date',
    edits: [
      {
        file: 'src/web/api/responses/socket-responses.ts',
        from: "'date',\n      new Date().toUTCString(),",
        to: '',
      },
    ],
  },
  start,
  conclude: (tally, done) => {
    const statuses = Object.keys(tally.counts).filter((name) => /^\d+$/.test(name));
    const format = (name: string) => formatCount(tally, name);
    return {
      measured: `${format('responses')} valid responses to ${formatNumber(done)} requests (${statuses.map((status) => `${status}: ${format(status)}`).join(', ')}); ${format('unanswered')} half requests closed without one`,
      violations: ['400', '401', '431']
        .filter((status) => !statuses.includes(status))
        .map((status) => `no ${status}`),
    };
  },
};

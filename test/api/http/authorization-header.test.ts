/** Syntax of the header Authorization. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { generateKey } from '../../../src/domain/keys/api-key.ts';
import { createFixtureWithServer } from '../../support/fixture.ts';
import type { HttpResponse } from '../../support/http-client.ts';
import { composeRawRequest } from '../../support/raw-socket.ts';

const { server, alice, charlie, revoked, expired } = await createFixtureWithServer({ after });

const unknown = generateKey();
const flipped = alice.slice(0, -1) + (alice.endsWith('0') ? '1' : '0');

/** Raw header lines: HTTP clients do not send some of them. */
const rejectedLines: Record<string, string[]> = {
  'no header': [],
  'an empty header': ['Authorization:'],
  'a blank header': ['Authorization:    '],
  'the scheme alone': ['Authorization: Bearer'],
  'the scheme and a space': ['Authorization: Bearer '],
  'no scheme': [`Authorization: ${alice}`],
  'another scheme': [`Authorization: Basic ${alice}`],
  'Basic as browsers send it': [`Authorization: Basic ${Buffer.from(`${alice}:`).toString('base64')}`],
  'a scheme that only ends alike': [`Authorization: XBearer ${alice}`],
  'a scheme that only begins alike': [`Authorization: Bearers ${alice}`],
  'Token as scheme': [`Authorization: Token ${alice}`],
  'a tab': [`Authorization: Bearer\t${alice}`],
  'a space and a tab': [`Authorization: Bearer \t${alice}`],
  'no space': [`Authorization: Bearer${alice}`],
  'a colon': [`Authorization: Bearer: ${alice}`],
  quotes: [`Authorization: Bearer "${alice}"`],
  'trailing junk': [`Authorization: Bearer ${alice} x`],
  'a trailing comma': [`Authorization: Bearer ${alice},`],
  padding: [`Authorization: Bearer ${alice}=`],
  'one character more': [`Authorization: Bearer ${alice}0`],
  'one character less': [`Authorization: Bearer ${alice.slice(0, -1)}`],
  'the prefix alone': [`Authorization: Bearer ${alice.slice(0, 16)}`],
  'sk_ alone': ['Authorization: Bearer sk_'],
  'upper case': [`Authorization: Bearer ${alice.toUpperCase()}`],
  'two headers with the same key': [`Authorization: Bearer ${alice}`, `Authorization: Bearer ${alice}`],
  'two headers with two keys': [`Authorization: Bearer ${alice}`, `authorization: Bearer ${charlie}`],
  'a good header after a bad one': ['Authorization: Basic eDp5', `Authorization: Bearer ${alice}`],
  'a good header before an empty one': [`Authorization: Bearer ${alice}`, 'Authorization:'],
  'two keys joined by a comma': [`Authorization: Bearer ${alice}, Bearer ${charlie}`],
  'a byte above ASCII': [`Authorization: Bearer ${alice}\xff`],
  'only bytes above ASCII': ['Authorization: \xff\xfe\xfd'],
  'a no-break space': [`Authorization: Bearer\xa0${alice}`],
  'ten kilobytes': [`Authorization: Bearer sk_rostra_${'x'.repeat(10_000)}`],
  'ten kilobytes around a good key': [`Authorization: Bearer ${alice}${' '.repeat(10_000)}x`],
  'a wrong checksum': [`Authorization: Bearer ${flipped}`],
  'the key of another vendor': [`Authorization: Bearer sk_live_${'x'.repeat(38)}`],
  'a well-formed key that was never issued': [`Authorization: Bearer ${unknown}`],
  'a revoked key': [`Authorization: Bearer ${revoked}`],
  'an expired key': [`Authorization: Bearer ${expired}`],
  'the key in another header': [`X-Api-Key: ${alice}`],
  'the key as Proxy-Authorization': [`Proxy-Authorization: Bearer ${alice}`],
  'the key in a cookie': [`Cookie: authorization=Bearer ${alice}`],
};

const changing = ['date', 'x-request-id'];
const pickStableFields = ({ headers, text, status }: HttpResponse) => ({
  status,
  text,
  headers: Object.entries(headers).filter(([name]) => !changing.includes(name)),
});

async function ask(lines: string[], target = '/api/v1/me'): Promise<HttpResponse> {
  const { responses } = await server.sendRaw(composeRawRequest(target, lines), { minResponses: 1 });
  return responses[0] as HttpResponse;
}

let plain: ReturnType<typeof pickStableFields>;
before(async () => {
  plain = pickStableFields(await ask([]));
});

test('a request without a key returns 401 UNAUTHORIZED and explains the header', () => {
  assert.equal(plain.status, 401);
  assert.equal(JSON.parse(plain.text).code, 'UNAUTHORIZED');
  assert.match(JSON.parse(plain.text).error, /Authorization: Bearer/);
  assert.equal(Object.fromEntries(plain.headers)['www-authenticate'], 'Bearer realm="rostra"');
});

for (const [what, lines] of Object.entries(rejectedLines)) {
  test(`${what}: returns the same 401 as a request without a key`, async () => {
    assert.deepEqual(pickStableFields(await ask(lines)), plain);
  });
}

test('a key in the query string is ignored', async () => {
  for (const name of ['key', 'api_key', 'access_token', 'token']) {
    assert.equal((await server.get(`/me?${name}=${alice}`)).status, 401);
  }
});

test('scheme and header name are case-insensitive (RFC 9110, 11.1)', async () => {
  for (const line of [
    `Authorization: bearer ${alice}`,
    `AUTHORIZATION: BEARER ${alice}`,
    `authorization: bEaReR ${alice}`,
  ]) {
    assert.equal((await ask([line])).status, 200, line.slice(0, 22));
  }
});

test('several spaces between scheme and key are accepted (RFC 9110, 11.4)', async () => {
  for (const spaces of ['  ', ' '.repeat(500)])
    assert.equal((await ask([`Authorization: bearer${spaces}${alice}`])).status, 200);
});

test('whitespace around the header value is ignored (RFC 9110, 5.5)', async () => {
  assert.equal((await ask([`Authorization:   \t Bearer ${alice} \t `])).status, 200);
});

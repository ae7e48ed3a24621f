/** The keys of all municipalities, for operators. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, suite, test } from 'node:test';
import { createFixtureWithServer } from '../support/fixture.ts';
import { createSignedInClient, decodeHtml } from '../support/form-client.ts';

const fixture = await createFixtureWithServer({ after });
const { server, store, a, b, issueKey } = fixture;
const olga = await createSignedInClient(server, store);
const path = '/admin/keys';
const dayMs = 86_400_000;

const ofA = await issueKey(a, {
  name: 'Bürger-App',
  expiresAt: new Date(Date.now() + 90 * dayMs).toISOString(),
});
const ofB = await issueKey(b, { name: 'Karte_100%' });
await store.revokeKey({ organizationId: b, id: ofB.id });
const expired = await issueKey(b, { name: 'Alt', expiresAt: new Date(Date.now() - dayMs).toISOString() });
const authorization = `Bearer ${ofA.secret}`;
await (await fetch(`${server.address}/api/v1/me`, { headers: { authorization } })).arrayBuffer();

async function list(filter: Record<string, string> = {}) {
  const { status, body } = await olga.open(`${path}?${new URLSearchParams(filter)}`);
  assert.equal(status, 200);
  const [, rows = ''] = body.split('<tbody');
  return rows
    .split(/<tr [^>]*>/)
    .slice(1)
    .map((row) =>
      decodeHtml(
        row
          .replaceAll(/<[^>]+>/g, ' ')
          .replaceAll(/\s+/g, ' ')
          .trim(),
      ),
    );
}

const names = async (filter: Record<string, string>) =>
  (await list(filter)).map((row) => /^\S+/.exec(row)?.[0]).toSorted();

suite('the list of all keys', () => {
  test('shows the municipality, state, last use and expiry of each, in the time zone of the municipality', async () => {
    await fixture.sql("UPDATE organization SET time_zone = 'Asia/Tokyo' WHERE id = $1", [a]);
    const rows = await list();
    const row = rows.find((each) => each.includes('Bürger-App')) ?? '';
    assert.match(row, /Musterstadt .*active.* GMT\+9 .* GMT\+9$/);
    assert.doesNotMatch(row, /never/);
    assert.match(rows.find((each) => each.includes('Karte')) ?? '', /Beispielburg .*revoked.* never never$/);
    const { body } = await olga.get(path);
    assert.ok(body.includes(`href="/admin/organizations/${a}/keys/${ofA.id}"`));
  });

  test('is searched by name, municipality, prefix and pasted key, and filtered by state', async () => {
    assert.deepEqual(await names({ words: 'bürger' }), ['Bürger-App']);
    assert.deepEqual(await names({ words: '0%' }), ['Karte_100%']);
    assert.deepEqual(await names({ words: 'MUSTERst' }), await names({ words: 'Musterstadt' }));
    assert.ok((await names({ words: 'Musterstadt' })).includes('Bürger-App'));
    assert.deepEqual(await names({ words: ofA.secret.slice(0, 16) }), ['Bürger-App']);
    assert.deepEqual(await names({ words: 'beispiel', state: 'expired' }), ['Alt']);
    assert.deepEqual(await names({ words: 'karte', state: 'revoked' }), ['Karte_100%']);
    assert.deepEqual(await names({ words: 'karte', state: 'active' }), []);
    const { location = '' } = await olga.post(path, {
      words: `x ${ofA.secret}`,
      token: /name="token" value="([^"]+)"/.exec((await olga.get(path)).body)?.[1] ?? '',
    });
    assert.ok(location.includes(ofA.secret.slice(0, 16)) && !location.includes(ofA.secret), location);
    assert.deepEqual(await list({ words: 'nirgends' }), []);
    assert.ok(expired.id);
  });

  test('has pages that neither skip nor repeat a key of the same time', async () => {
    const { id } = await store.addOrganization('Seitenstadt', randomUUID());
    for (let index = 0; index < 120; index += 1) await issueKey(id, { name: `Nummer-${index}` });
    await fixture.sql(
      "UPDATE api_key SET created_at = '2026-01-01T00:00:00.000Z' WHERE organization_id = $1",
      [id],
    );
    const seen: string[] = [];
    for (let address: string | undefined = `${path}?words=seitenst`; address !== undefined; ) {
      const { body } = await olga.get(address);
      const found = [...body.matchAll(/<bdi>(Nummer-\d+)<\/bdi>/g)].map(([, name]) => name ?? '');
      assert.ok(found.length > 0 && found.length <= 50);
      seen.push(...found);
      const [, older] = /href="([^"]*)">Older entries</.exec(body) ?? [];
      address = older && decodeHtml(older);
    }
    assert.deepEqual([seen.length, new Set(seen).size], [120, 120]);
  });
});

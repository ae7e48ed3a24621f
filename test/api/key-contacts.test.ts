/** Whom the page at /docs names to readers who have no key. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createKeyContacts, renderKeyContacts } from '../../src/web/api/docs-page/key-contacts.ts';
import { createFixture } from '../support/fixture.ts';
import { sendRequest } from '../support/http-client.ts';
import { waitUntil } from '../support/wait-until.ts';

const { store, a, b, startServer } = await createFixture({ after });

/**
 * A server of its own, because each reads the contacts once a minute. A page does not wait long for them.
 *
 * @param expected of the page, once it has the contacts
 * @returns the part about keys, as HTML and as Markdown
 */
async function readSections(
  environment: Record<string, string> = {},
  expected = /(?:)/,
): Promise<[html: string, markdown: string]> {
  const { port } = await startServer(environment);
  await waitUntil('the contacts', async () => expected.test((await sendRequest(port, '/docs')).text));
  const html = (await sendRequest(port, '/docs')).text;
  const markdown = (await sendRequest(port, '/docs.md')).text;
  assert.doesNotMatch(html + markdown, /whom to ask/);
  return [
    html.split('id="get-a-key"')[1]?.split('<h2')[0] ?? '',
    markdown.split('## Get a key')[1]?.split('\n## ')[0] ?? '',
  ];
}

test('of several municipalities, only those that publish for everyone are named, with their contacts', async () => {
  await store.editOrganization(a, { contactName: 'Büro <A>', contactEmail: 'daten@a.example' });
  await store.editOrganization(b, { contactName: 'Hidden office' });
  for (const section of await readSections())
    assert.doesNotMatch(section, /Musterstadt|Beispielburg|Hidden|Büro/);

  await store.editOrganization(a, { licenseName: 'CC0-1.0', slug: 'musterstadt', openData: 'on' });
  const [html, markdown] = await readSections({}, /each issues its own keys/);
  for (const section of [html, markdown]) {
    assert.match(section, /each issues its own keys/);
    assert.doesNotMatch(section, /Beispielburg|Hidden/);
  }
  assert.match(
    html,
    /<a [^>]*href="\/open\/musterstadt">Musterstadt<\/a>, Büro &lt;A&gt;, <a [^>]*href="mailto:daten@a.example">/,
  );
  assert.match(
    markdown,
    /- Musterstadt, <http:\/\/[^>]+\/open\/musterstadt>, Büro \\<A\\>, <mailto:daten@a\.example>/,
  );
});

test('the setting of the operator comes before the contacts of municipalities', async () => {
  for (const [address, href] of [
    ['daten@bücher.example', 'mailto:daten@xn--bcher-kva.example'],
    ['https://stadt.example/schluessel', 'https://stadt.example/schluessel'],
    ['tel:+49-721-1330', 'tel:+49-721-1330'],
  ] as const) {
    const [html, markdown] = await readSections({ ROSTRA_KEY_CONTACT: address });
    assert.ok(html.includes(`href="${href}"`), html);
    assert.ok(markdown.includes(`<${href}>`), markdown);
    assert.doesNotMatch(html + markdown, /Musterstadt/);
  }
});

test('the only municipality is named with its contact, also without open data, and not named without a contact', async () => {
  await store.removeOrganization(a);
  const [html, markdown] = await readSections({}, /Beispielburg, Hidden office/);
  for (const section of [html, markdown]) assert.match(section, /Beispielburg, Hidden office/);
  await store.editOrganization(b, { contactName: null });
  for (const section of await readSections())
    assert.doesNotMatch(section, /Beispielburg|Ask the municipality/);
});

test('the page does not wait for a database that does not answer, and an error of it hides the contacts only', async () => {
  const hanging = createKeyContacts({ listPublicContacts: () => new Promise(() => undefined) }, undefined);
  const startedMs = performance.now();
  assert.equal(String(renderKeyContacts(await hanging())), '');
  assert.ok(performance.now() - startedMs < 2_000);
  const failing = createKeyContacts(
    { listPublicContacts: () => Promise.reject(new Error('down')) },
    undefined,
  );
  assert.equal(String(renderKeyContacts(await failing())), '');
});

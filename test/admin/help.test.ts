/** Pages that somebody opens for the first time explain themselves. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { messages } from '../../src/web/messages/languages.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import { createFormClient, createSignedInClient, decodeHtml, signIn } from '../support/form-client.ts';
import { createImportPageStates } from '../support/import-page-states.ts';

const fixture = await createFixtureWithServer({ after });
const { server, store, a } = fixture;
const { runs } = await createImportPageStates(fixture, a);
const anna = await createSignedInClient(server, store, a);

const base = `/admin/organizations/${a}`;
const pages = {
  importFile: `${base}/imports/new`,
  settings: `${base}/imports/${runs.detected}/steps`,
  dryRun: `${base}/imports/${runs.checked}/steps`,
  sources: `${base}/sources`,
  locations: `${base}/settings/locations`,
  openData: `${base}/open-data`,
  keys: `${base}/keys`,
  accounts: `${base}/accounts`,
} satisfies Record<keyof typeof messages.en.help, string>;

for (const language of ['de', 'en'] as const)
  test(`pages answer the first question in their language: ${language}`, async () => {
    const client = createFormClient(server.address, language);
    await signIn(client, anna.email);
    for (const [topic, path] of Object.entries(pages)) {
      const { title, paragraphs } = messages[language].help[topic as keyof typeof pages];
      const body = decodeHtml((await client.get(path)).body);
      const [, answer = ''] = body.split(`<summary class="kern-body">${title}</summary>`);
      const shown = [...(answer.split('</details>')[0] ?? '').matchAll(/<p class="kern-body">([^<]+)<\/p>/g)];
      assert.deepEqual(
        shown.map(([, paragraph]) => paragraph),
        paragraphs,
        topic,
      );
    }
  });

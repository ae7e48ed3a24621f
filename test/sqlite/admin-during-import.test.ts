import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createInvitationSignIn, launchBrowser } from '../support/browser.ts';
import { createFixtureWithServerProcess } from '../support/fixture.ts';

const fixture = await createFixtureWithServerProcess({ after });
const { server, store } = fixture;
const signInByInvitation = createInvitationSignIn(await launchBrowser({ after }), server, store);

test('during an import pages are readable; a form gets an error and keeps its input', async (t) => {
  const { page } = await signInByInvitation(fixture.a);
  await page.getByRole('link', { name: 'Issue a key' }).click();
  await page.getByLabel('Name').fill('During an import');
  const over = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const importing = store.write(fixture.a, async () => {
    begun.resolve();
    await over.promise;
  });
  t.after(() => over.resolve());
  await begun.promise;
  const reading = await page.context().newPage();
  await reading.goto(`${server.address}/admin/organizations/${fixture.a}/keys`);
  await reading.getByRole('heading', { name: 'Integrations / API keys' }).waitFor();
  const before = performance.now();
  await page.getByRole('button', { name: 'Issue key' }).click({ timeout: 20_000 });
  await page.getByText('The database is busy or unavailable').first().waitFor({ timeout: 20_000 });
  assert.ok(performance.now() - before < 15_000);
  over.resolve();
  await importing;
  await page.getByRole('link', { name: 'Back to the form' }).click();
  assert.equal(await page.getByLabel('Name').inputValue(), 'During an import');
  await page.getByRole('button', { name: 'Issue key' }).click();
  await page.getByRole('heading', { name: 'New key' }).waitFor();
  const issued = (await store.listKeys(fixture.a)).filter(({ name }) => name === 'During an import');
  assert.equal(issued.length, 1);
});

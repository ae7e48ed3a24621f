/** Approvals with the keyboard alone, in both languages: one person asks, another one returns it, and then approves it. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { addClientCookies, launchBrowser, openBrowserContext } from '../../support/browser.ts';
import { createFixture } from '../../support/fixture.ts';
import { createSignedInClient } from '../../support/form-client.ts';
import { createKeyboardUser } from '../../support/keyboard-user.ts';
import { createSubmission } from '../../support/records.ts';
import { createSignedInMunicipality } from '../../support/signed-in-municipality.ts';

const fixture = await createFixture({ after });
const { store } = fixture;
const server = await fixture.startServer();
const browser = await launchBrowser({ after });

const words = {
  en: {
    ...{ approvals: 'Approvals', ask: 'Ask for approval', kind: 'Correction of a record', title: /^Title/ },
    ...{
      reason: /^Reason/,
      comment: /^Why it was returned/,
      return: 'Return',
      asked: 'You have asked for approval.',
    },
    ...{ approve: 'Approve and publish the correction', returned: 'The request has been returned.' },
    approved: 'The request has been approved.',
  },
  de: {
    ...{ approvals: 'Freigaben', ask: 'Um Freigabe bitten', kind: 'Berichtigung eines Datensatzes' },
    ...{ title: /^Titel/, reason: /^Begründung/, comment: /^Grund der Rückgabe/, return: 'Zurückgeben' },
    ...{ asked: 'Sie haben um Freigabe gebeten.', approve: 'Freigeben und Berichtigung veröffentlichen' },
    ...{ returned: 'Die Bitte um Freigabe wurde zurückgegeben.', approved: 'Die Freigabe wurde erteilt.' },
  },
};

for (const [language, text] of Object.entries(words)) {
  test(`the keyboard alone asks, returns and approves in ${language}`, async () => {
    const name = `Approving ${language}`;
    const { id, page, user, path, readSubmissions } = await createSignedInMunicipality(
      fixture,
      server,
      browser,
      name,
    );
    await store.editOrganization(id, { approval: 'on' });
    const record = createSubmission(1, { id: crypto.randomUUID(), title: 'Broken lamp' });
    await fixture.putRecords(id, [{ kind: 'submission', ...record }]);
    const context = await openBrowserContext(browser);
    await addClientCookies(context, await createSignedInClient(server, store, id), server);
    const other = await context.newPage();
    const colleague = createKeyboardUser(other, name);

    const ask = async () => {
      await page.goto(`${path}/data/submissions/${record.id}/correct?language=${language}`);
      await user.enter(text.title, 'Broken street lamp');
      await user.enter(text.reason, 'It is a street lamp.');
      await user.press(text.ask, text.kind);
      await page.getByText(text.asked).waitFor();
      await other.goto(`${path}/approvals?language=${language}`);
      await colleague.press(text.kind, text.kind);
    };
    await ask();
    await colleague.press(text.return, text.kind);
    await colleague.enter(text.comment, 'Which street?');
    await colleague.press(text.return, text.kind);
    await other.getByText(text.returned).waitFor();
    await ask();
    assert.equal((await readSubmissions())[0]?.title ?? 'Broken lamp', 'Broken lamp');
    await colleague.press(text.approve, text.kind);
    await other.getByText(text.approved).waitFor();
    const document = await store.findExtension(id, 'submission', record.id);
    assert.match(document ?? '', /Broken street lamp/);
  });
}

/** One-time links are sent by email, and never stored. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Scope } from '../support/files.ts';
import { createFixture } from '../support/fixture.ts';
import { createFormClient, createSignedInClient, decodeHtml, password } from '../support/form-client.ts';
import { startSmtpServer } from '../support/smtp-server.ts';

async function startServerWithMail(scope: Scope) {
  const fixture = await createFixture(scope);
  const smtp = await startSmtpServer(scope);
  const server = await fixture.startServer({
    ROSTRA_SMTP_URL: smtp.url,
    ROSTRA_MAIL_FROM: 'rostra@stadt.example',
    ROSTRA_PUBLIC_URL: 'https://api.stadt.example',
  });
  return { fixture, smtp, server };
}

test('an invitation is sent in the language of the inviter, and the link sets the password', async (t) => {
  const { fixture, smtp, server } = await startServerWithMail(t);
  const anna = await createSignedInClient(server, fixture.store, fixture.a);
  const path = `/admin/organizations/${fixture.a}/accounts/new`;
  const sent = await anna.submitForm(`${path}?language=de`, {
    email: 'bernd@stadt.example',
    'permission.import': '1',
  });
  assert.equal(sent.status, 303, sent.body);
  const page = await anna.open(sent.location ?? '');
  assert.match(page.body, /Der Link wurde an bernd@stadt\.example versandt/);
  const [mail] = smtp.received;
  assert.equal(smtp.received.length, 1);
  assert.equal(mail?.recipient, 'bernd@stadt.example');
  assert.equal(mail.subject, 'Ihr Zugang zu Rostra – Musterstadt');
  assert.match(mail.text, /Aufgaben: Importieren/);
  assert.ok(mail.text.includes(anna.email));
  assert.doesNotMatch(mail.raw, /^List-Unsubscribe/m);
  const link = /https:\/\/api\.stadt\.example(\/admin\/invitation\/\S+)/.exec(mail.text)?.[1] ?? '';
  assert.deepEqual(await fixture.sql('SELECT * FROM mail_message', []), []);
  const bernd = createFormClient(server.address, 'de');
  const { body } = await bernd.get(link);
  assert.match(body, /<h1[^>]*>Zugang einrichten</);
  assert.match(body, /Ihre Aufgaben für die Kommune „Musterstadt“:.*Lesen.*Importieren/s);
  assert.equal((await bernd.submitForm(link, { password })).status, 303);
});

test('without a public URL, a one-time link leads to the machine itself, whatever host the browser names', async (t) => {
  const fixture = await createFixture(t);
  const server = await fixture.startServer({ ROSTRA_TRUSTED_PROXIES: '127.0.0.1' });
  const olga = await createSignedInClient(server, fixture.store);
  const invited = await olga.submitForm('/admin/accounts/new', {
    email: 'bernd@stadt.example',
    kind: 'operator',
  });
  const page = await olga.get(invited.location ?? '', { 'x-forwarded-host': 'elsewhere.example' });
  const [, origin, path = ''] =
    /<textarea[^>]*>(http[^<]*?)(\/admin\/invitation\/[^<]+)</.exec(page.body) ?? [];
  assert.equal(origin, `http://localhost:${server.port}`);
  assert.match(page.body, /The link works only on the computer that runs Rostra/);
  const bernd = createFormClient(server.address);
  assert.equal((await bernd.submitForm(path, { password })).status, 303);
});

test('an invitation that cannot be sent leaves the link to copy, and a form sent twice sends one message', async (t) => {
  const { fixture, smtp, server } = await startServerWithMail(t);
  const olga = await createSignedInClient(server, fixture.store);
  const bernd = await createSignedInClient(server, fixture.store, fixture.a);
  smtp.answerRecipient = () => ({ code: 550, text: '5.1.1 No such user' });
  const invite = `/admin/accounts/${bernd.account.id}/invite`;
  const failed = await olga.submitForm(invite);
  const page = await olga.open(failed.location ?? '');
  assert.match(page.body, /The link could not be sent by email/);
  assert.match(decodeHtml(page.body), /<textarea[^>]*>https:\/\/api\.stadt\.example\/admin\/invitation\//);
  assert.match(await server.waitForLine(/an invitation could not be sent/), /5\.1\.1 No such user/);
  assert.ok(server.lines.every((line) => !line.includes('/admin/invitation/') || line.includes(':secret')));
  smtp.answerRecipient = () => undefined;
  const fields = { form: 'one form' };
  await olga.submitForm(invite, fields);
  await olga.submitForm(invite, fields);
  assert.equal(smtp.received.length, 1);
});

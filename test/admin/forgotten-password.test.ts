/** A forgotten password: a link by email, and a response that does not reveal accounts. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { forgottenPasswordPath as path } from '../../src/web/admin/pages/forgotten-password.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import {
  createAccount,
  createFormClient,
  createSignedInClient,
  password,
  signIn,
} from '../support/form-client.ts';
import { byNight } from '../support/nightly.ts';
import { createProtectedClient } from '../support/page-states.ts';
import { startSmtpServer } from '../support/smtp-server.ts';

const fixture = await createFixtureWithServer({ after });
const { store, a } = fixture;
const smtp = await startSmtpServer({ after });
const server = await fixture.startServer({
  ROSTRA_SMTP_URL: smtp.url,
  ROSTRA_MAIL_FROM: 'rostra@stadt.example',
  ROSTRA_PUBLIC_URL: 'https://api.stadt.example',
  ROSTRA_OIDC_ISSUER: 'https://login.stadt.example',
  ROSTRA_OIDC_CLIENT_ID: 'rostra',
});
const stranger = (language?: string) => createFormClient(server.address, language);
const newPassword = 'several unrelated quiet words';

async function request(email: string, language?: string) {
  const count = smtp.received.length;
  const response = await stranger(language).submitForm(path, { email });
  assert.deepEqual([response.status, response.location], [303, `${path}?sent`], response.body);
  const mail = (await smtp.waitForMails(count + 1))[count];
  assert.equal(mail?.recipient, email);
  return { mail, link: /https:\/\/api\.stadt\.example(\/admin\/invitation\/\S+)/.exec(mail.text)?.[1] ?? '' };
}

suite('a forgotten password', () => {
  test('is replaced with a link from the email, once, and the second factor stays', async () => {
    const anna = await createProtectedClient(server, fixture, a);
    assert.match((await stranger().get('/admin/sign-in')).body, new RegExp(`href="${path}"`));
    const { link, mail } = await request(anna.email);
    assert.equal(mail.subject, 'New password for Rostra');
    const visitor = stranger();
    const page = await visitor.get(link);
    assert.match(page.body, /Your second factor stays the same/);
    assert.doesNotMatch(page.body, /will be removed/);
    const response = await visitor.submitForm(link, { password: newPassword });
    assert.deepEqual([response.status, response.location], [303, '/admin/sign-in/code']);
    assert.equal((await visitor.get('/admin/account')).status, 303, 'the code is still required');
    assert.equal((await store.findAccount(anna.email))?.hasSecondFactor, true);
    assert.equal((await anna.get('/admin/account')).status, 303, 'the other browser is signed out');
    assert.equal((await stranger().get(link)).status, 410);
    assert.equal((await signIn(stranger(), anna.email)).status, 422);
  });

  test('is in the audit log: who asked is unknown, who set it is not', async () => {
    const bert = await createSignedInClient(server, store, a);
    const { link } = await request(bert.email);
    const visitor = stranger();
    await visitor.submitForm(link, { password: newPassword });
    const { body } = await visitor.get(
      `/admin/organizations/${a}/audit?actor=Not+signed+in&action=password.reset_requested`,
    );
    assert.match(
      body,
      /<td[^>]*>[\s\S]*Not signed in[\s\S]*New password requested[\s\S]*account-[\s\S]*<\/td>/,
    );
    const events = await store.listAuditEvents(a, undefined, 100);
    const actors = events
      .filter(({ subject }) => subject === bert.email)
      .map((event) => [event.action, event.actor]);
    // Events of the same millisecond have no order.
    assert.deepEqual(actors.slice(0, 3).toSorted(), [
      ['password.reset_requested', 'anonymous'],
      ['password.set', bert.email],
      ['signed_in', bert.email],
    ]);
  });

  test('has the same response for an unknown account, before any message is sent', async () => {
    const { email } = await createSignedInClient(server, store, a);
    const release = Promise.withResolvers<undefined>();
    smtp.answerMessage = () => release.promise;
    const count = smtp.received.length;
    const [known, unknown] = await Promise.all(
      [email, 'niemand@stadt.example'].map(async (each) => {
        const client = stranger();
        const { status, location = '' } = await client.submitForm(path, { email: each });
        const page = await client.get(location);
        return { status, location, body: page.body.replaceAll(/value="[^"]*"/g, '') };
      }),
    );
    assert.equal(smtp.received.length, count);
    release.resolve(undefined);
    smtp.answerMessage = () => undefined;
    await smtp.waitForMails(count + 1);
    assert.deepEqual(known, unknown);
    assert.match(known?.body ?? '', /If there is an account with this email address/);
    assert.equal(smtp.received.at(-1)?.recipient, email);
    // A response that waits for the message would end with its timeout.
    assert.ok(server.lines.every((line) => !line.includes('could not be sent')));
  });

  test('leaves the link of an invitation valid, until one of both is used', async () => {
    const invited = await createAccount(store, a);
    const { link } = await request(invited.email);
    for (const each of [invited.link, link]) assert.equal((await stranger().get(each)).status, 200);
    assert.equal((await stranger().submitForm(link, { password })).status, 303);
    assert.equal((await stranger().get(invited.link)).status, 410);
  });

  test('is replaced within one hour, and with the latest link only', async () => {
    const { email, account } = await createSignedInClient(server, store, a);
    const { link: first } = await request(email);
    const { link } = await request(email);
    assert.equal((await stranger().get(first)).status, 410);
    const age = (ms: number) =>
      fixture.sql(`UPDATE invitation SET expires_at_ms = expires_at_ms - ${ms} WHERE account_id = $1`, [
        account.id,
      ]);
    await age(3_500_000);
    assert.equal((await stranger().get(link)).status, 200);
    await age(100_000);
    const expired = await stranger().get(link);
    assert.equal(expired.status, 410);
    assert.ok(expired.body.includes(`href="${path}"`));
  });

  test('causes three messages an hour, and unknown accounts have the same limit', {
    skip: byNight('it sends many messages'),
  }, async () => {
    const { email } = await createSignedInClient(server, store, a);
    for (let asked = 0; asked < 3; asked += 1) await request(email);
    const count = smtp.received.length;
    const ask = async (each: string) => stranger().submitForm(path, { email: each });
    for (let asked = 0; asked < 3; asked += 1) assert.equal((await ask('fremd@stadt.example')).status, 303);
    const [known, unknown] = await Promise.all([ask(email), ask('fremd@stadt.example')]);
    assert.deepEqual([known?.status, unknown?.status], [429, 429]);
    assert.match(known?.body ?? '', new RegExp(`value="${email}"[\\s\\S]*Too many requests`));
    assert.equal(smtp.received.length, count);
  });

  test('of an account with single sign-on only is explained in the email', async () => {
    const { email, account } = await createAccount(store, a);
    await store.bindIdentity(account.id, 'https://login.stadt.example', 'subject', '');
    const { mail, link } = await request(email, 'de');
    assert.equal(mail.subject, 'Neues Passwort für Rostra');
    assert.match(mail.text, /zentrale Anmeldung/);
    assert.match(mail.text, /https:\/\/api\.stadt\.example\/admin\/sign-in\n/);
    assert.equal(link, '');
  });

  test('needs an email address', async () => {
    const { status, body } = await stranger().submitForm(path, { email: 'anna' });
    assert.equal(status, 422);
    assert.match(body, /value="anna"[\s\S]*Enter an email address/);
  });

  test('has a page that names whom to ask, if emails are not configured', async () => {
    const client = createFormClient(fixture.server.address);
    const { status, body } = await client.get(path);
    assert.equal(status, 200);
    assert.match(body, /Ask an administrator of your municipality for a one-time link/);
    assert.doesNotMatch(body, /<form method="post"[^>]*class="page-form"/);
  });
});

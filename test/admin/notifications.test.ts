/** Notifications by e-mail: what is sent to whom, once, and in which language. */
import '../support/fast-timers.ts';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, suite, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Store } from '../../src/domain/store.ts';
import { createFixture, type Fixture } from '../support/fixture.ts';
import { createAccount, createSignedInClient } from '../support/form-client.ts';
import { type ReceivedMail, type SmtpTestServer, startSmtpServer } from '../support/smtp-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const dayMs = 86_400_000;
const publicUrl = 'https://api.stadt.example';

const mailSettings = ({ url }: SmtpTestServer) => ({
  ROSTRA_SMTP_URL: url,
  ROSTRA_MAIL_FROM: 'Rostra <rostra@stadt.example>',
  ROSTRA_PUBLIC_URL: publicUrl,
  ROSTRA_TIME_ZONE: 'Europe/Berlin',
});

const fixture = await createFixture({ after });
const { store, sql } = fixture;
const plain = await fixture.startServer();

async function addMunicipality(name: string) {
  const { id } = await store.addOrganization(`${name} ${randomUUID().slice(0, 8)}`, randomUUID());
  await store.editOrganization(id, { timeZone: 'Europe/Berlin' });
  return id;
}

async function addAdministrator(organizationId: string | undefined, language: 'de' | 'en') {
  const client = await createSignedInClient(plain, store, organizationId);
  await sql('UPDATE account SET language = $2 WHERE id = $1', [client.account.id, language]);
  return client;
}

const issueLongKey = async (organizationId: string, leftMs: number, name = 'Portal') => {
  const key = await fixture.issueKey(organizationId, { name, expiresAt: new Date(Date.now() + leftMs).toISOString() });
  await sql("UPDATE api_key SET created_at = '2026-01-01T00:00:00.000Z' WHERE id = $1", [key.id]);
  return key;
};

const sentTo = (server: SmtpTestServer, email: string): ReceivedMail[] =>
  server.received.filter(({ recipient }) => recipient === email);

test('a key that expires in two weeks is announced once to its administrators, in their language', async (t) => {
  const town = await addMunicipality('Musterstadt');
  const [anna, bernd, reader] = [
    await addAdministrator(town, 'de'),
    await addAdministrator(town, 'en'),
    await createAccount(store, town),
  ];
  const key = await issueLongKey(town, 13.5 * dayMs, 'Portal der Stadt');
  const smtp = await startSmtpServer(t);
  await fixture.startServer(mailSettings(smtp));
  await smtp.waitForMails(2);
  await setTimeout(1_500);
  assert.equal(smtp.received.length, 2);
  const [german] = sentTo(smtp, anna.email);
  console.log(german?.raw);
  const [english] = sentTo(smtp, bernd.email);
  console.log(english?.text);
});

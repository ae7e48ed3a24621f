/** Several processes with several workers share one queue of emails. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { createFixture, type Fixture } from '../support/fixture.ts';
import { createSignedInClient } from '../support/form-client.ts';
import { type SmtpTestServer, startSmtpServer } from '../support/smtp-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const dayMs = 86_400_000;
const keys = 20;

const issueKeys = async ({ issueKey, sql, a }: Fixture, count: number) => {
  const expiresAt = new Date(Date.now() + 5 * dayMs).toISOString();
  for (let index = 0; index < count; index += 1) await issueKey(a, { name: `Key ${index}`, expiresAt });
  await sql("UPDATE api_key SET created_at = '2026-01-01T00:00:00.000Z' WHERE created_at > $1", ['2026']);
};

const createEnvironment = ({ url }: SmtpTestServer) => ({
  ROSTRA_SMTP_URL: url,
  ROSTRA_MAIL_FROM: 'rostra@stadt.example',
  ROSTRA_PUBLIC_URL: 'https://api.stadt.example',
  NODE_OPTIONS: `--import ${new URL('../support/fast-timers.ts', import.meta.url)}`,
});

test('two servers with two workers each send every message once', async (t) => {
  const fixture = await createFixture(t);
  const plain = await fixture.startServer();
  const readers = [
    await createSignedInClient(plain, fixture.store, fixture.a),
    await createSignedInClient(plain, fixture.store, fixture.a),
  ];
  const smtp = await startSmtpServer(t);
  smtp.answerMessage = () => setTimeout(20, undefined);
  const environment = { ...createEnvironment(smtp), ROSTRA_WORKERS: '2' };
  await Promise.all([fixture.startServerProcess(environment), fixture.startServerProcess(environment)]);
  await issueKeys(fixture, keys);
  await smtp.waitForMails(keys * readers.length);
  await setTimeout(2_000);
  assert.equal(smtp.received.length, keys * readers.length);
  assert.equal(new Set(smtp.received.map(({ messageId }) => messageId)).size, keys * readers.length);
});

test('a message of a killed server is sent by another one when its lease ends', async (t) => {
  const fixture = await createFixture(t);
  await createSignedInClient(await fixture.startServer(), fixture.store, fixture.a);
  await issueKeys(fixture, 1);
  const smtp = await startSmtpServer(t);
  let attempts = 0;
  smtp.answerMessage = async () => {
    attempts += 1;
    // The first process never gets an answer.
    return attempts === 1 ? new Promise(() => undefined) : undefined;
  };
  const killed = await fixture.startServerProcess(createEnvironment(smtp));
  await waitUntil('an attempt', () => attempts === 1);
  await killed.kill();
  await fixture.startServerProcess(createEnvironment(smtp));
  await setTimeout(1_500);
  assert.equal(attempts, 1, 'the lease has not ended');
  await fixture.sql("UPDATE mail_message SET due_at_ms = 0 WHERE state = 'queued'", []);
  await smtp.waitForMails(1);
  await setTimeout(1_000);
  assert.equal(attempts, 2);
});

test('a server that stops during an attempt does not stay alive to record its result', async (t) => {
  const fixture = await createFixture(t);
  await createSignedInClient(await fixture.startServer(), fixture.store, fixture.a);
  await issueKeys(fixture, 1);
  const smtp = await startSmtpServer(t);
  let isAnswering = false;
  smtp.answerMessage = async () => {
    isAnswering = true;
    await setTimeout(3_000);
    return undefined;
  };
  const server = await fixture.startServerProcess({ ...createEnvironment(smtp), ROSTRA_STOP_TIMEOUT: '1' });
  await waitUntil('an attempt', () => isAnswering);
  const stopped = server.stop();
  const inTime = setTimeout(30_000, 'alive', { ref: false });
  assert.equal(await Promise.race([stopped, inTime]), 0);
});

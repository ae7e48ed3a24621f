/** Several processes with several workers share one queue of emails. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFixture, type Fixture } from '../support/fixture.ts';
import { createSignedInClient } from '../support/form-client.ts';
import { runMailRounds } from '../support/mail-rounds.ts';
import { type SmtpTestServer, startSmtpServer } from '../support/smtp-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const dayMs = 86_400_000;
const keys = 4;

const issueKeys = async ({ issueKey, sql, a }: Fixture, count: number) => {
  const expiresAt = new Date(Date.now() + 5 * dayMs).toISOString();
  for (let index = 0; index < count; index += 1) await issueKey(a, { name: `Key ${index}`, expiresAt });
  await sql("UPDATE api_key SET created_at = '2026-01-01T00:00:00.000Z' WHERE created_at > $1", ['2026']);
};

const createSettings = ({ url }: SmtpTestServer) => ({
  ROSTRA_SMTP_URL: url,
  ROSTRA_MAIL_FROM: 'rostra@stadt.example',
  ROSTRA_PUBLIC_URL: 'https://api.stadt.example',
});

const createEnvironment = (smtp: SmtpTestServer) => ({
  ...createSettings(smtp),
  NODE_OPTIONS: `--import ${new URL('../support/fast-timers.ts', import.meta.url)}`,
});

test('several servers and workers send every message once', async (t) => {
  const fixture = await createFixture(t);
  const plain = await fixture.startServer();
  const readers = [
    await createSignedInClient(plain, fixture.store, fixture.a),
    await createSignedInClient(plain, fixture.store, fixture.a),
  ];
  const smtp = await startSmtpServer(t);
  const senders = 3;
  const concurrent = Promise.withResolvers<void>();
  let sending = 0;
  // Each process sends one message at a time.
  smtp.answerMessage = () => {
    sending += 1;
    if (sending === senders) concurrent.resolve();
    return concurrent.promise.then(() => undefined);
  };
  const environment = createEnvironment(smtp);
  await Promise.all([
    fixture.startServerProcess({ ...environment, ROSTRA_WORKERS: '2' }),
    fixture.startServerProcess(environment),
  ]);
  await issueKeys(fixture, keys);
  const count = keys * readers.length;
  const readMessages = () =>
    fixture.sql<{ state: string; attempts: number }>('SELECT state, attempts FROM mail_message', []);
  await waitUntil('sent messages', async () => {
    const messages = await readMessages();
    return messages.length === count && messages.every(({ state }) => state === 'sent');
  });
  assert.ok((await readMessages()).every(({ attempts }) => Number(attempts) === 1));
  assert.equal(smtp.received.length, count);
  assert.equal(new Set(smtp.received.map(({ messageId }) => messageId)).size, count);
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
  await fixture.startServer(createSettings(smtp));
  await runMailRounds();
  assert.equal(attempts, 1, 'the lease has not ended');
  await fixture.sql("UPDATE mail_message SET due_at_ms = 0 WHERE state = 'queued'", []);
  await runMailRounds();
  assert.equal(smtp.received.length, 1);
  await runMailRounds();
  assert.equal(attempts, 2);
});

test('a server that stops during an attempt does not stay alive to record its result', async (t) => {
  const fixture = await createFixture(t);
  await createSignedInClient(await fixture.startServer(), fixture.store, fixture.a);
  await issueKeys(fixture, 1);
  const smtp = await startSmtpServer(t);
  const answer = Promise.withResolvers<undefined>();
  let isAnswering = false;
  smtp.answerMessage = () => {
    isAnswering = true;
    return answer.promise;
  };
  const server = await fixture.startServerProcess({ ...createEnvironment(smtp), ROSTRA_STOP_TIMEOUT: '1' });
  await waitUntil('an attempt', () => isAnswering);
  const stopped = server.stop();
  await server.waitForLine(/"stopped"/);
  answer.resolve(undefined);
  assert.equal(await stopped, 0);
});

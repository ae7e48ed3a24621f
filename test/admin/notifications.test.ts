/** Notifications by email: their content, their readers, and what happens if the SMTP server refuses them. */
import '../support/clock-offset.ts';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { suite, test } from 'node:test';
import { type Permission, toPermissions } from '../../src/domain/accounts/account.ts';
import { commandLine } from '../../src/domain/accounts/actor.ts';
import type { Reason } from '../../src/domain/reasons/reason.ts';
import { emptySourceDefinition } from '../../src/domain/sources/import-source.ts';
import { setClockOffset } from '../support/clock-offset.ts';
import type { Scope } from '../support/files.ts';
import { createFixture } from '../support/fixture.ts';
import { createFormClient, createSignedInClient, fetchCsrfToken } from '../support/form-client.ts';
import { runMailRounds } from '../support/mail-rounds.ts';
import { byNight } from '../support/nightly.ts';
import { beginRun } from '../support/recorded-runs.ts';
import { createSession, createSubmission, formatSessionId, formatSubmissionId } from '../support/records.ts';
import { type ReceivedMail, type SmtpTestServer, startSmtpServer } from '../support/smtp-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const publicUrl = 'https://api.stadt.example';

const toTimestamp = (ms: number) => new Date(ms).toISOString();
const toDay = (ms: number) => toTimestamp(ms).slice(0, 10);

const mailSettings = ({ url }: Pick<SmtpTestServer, 'url'>) => ({
  ROSTRA_SMTP_URL: url,
  ROSTRA_MAIL_FROM: 'Rostra für Städte <rostra@stadt.example>',
  ROSTRA_PUBLIC_URL: publicUrl,
  ROSTRA_TIME_ZONE: 'Europe/Berlin',
});

/** A database, a server without email, and functions that create people and events. */
async function createTown(scope: Scope, name = 'Müngersdorf am Rhein') {
  const fixture = await createFixture(scope);
  const { store, sql } = fixture;
  const plain = await fixture.startServer();
  const { id: town } = await store.addOrganization(name, randomUUID());
  await store.editOrganization(town, { timeZone: 'Europe/Berlin' });
  return {
    ...fixture,
    plain,
    town,
    addAccount: async (organizationId: string | undefined, language: 'de' | 'en') => {
      const client = await createSignedInClient(plain, store, organizationId);
      await sql('UPDATE account SET language = $2 WHERE id = $1', [client.account.id, language]);
      return client;
    },
    /** Issues a key that is a year old. */
    issueOldKey: async (leftMs: number, keyName = 'Portal der Stadt') => {
      const expiresAt = toTimestamp(Date.now() + leftMs);
      const key = await fixture.issueKey(town, { name: keyName, expiresAt });
      const createdAt = toTimestamp(Date.now() - 365 * dayMs);
      await sql('UPDATE api_key SET created_at = $2 WHERE id = $1', [key.id, createdAt]);
      return { ...key, expiresAt };
    },
    /** Makes queued messages due, as if their delay had passed. */
    hurry: () => sql("UPDATE mail_message SET due_at_ms = 0 WHERE state = 'queued' AND lease_token IS NULL"),
    readStates: async (kind: string) => {
      const rows = await sql('SELECT state FROM mail_message WHERE kind = $1 ORDER BY created_at_ms', [kind]);
      return (rows as { state: string }[]).map(({ state }) => state);
    },
  };
}

const sentTo = ({ received }: SmtpTestServer, { email }: { email: string }): ReceivedMail[] =>
  received.filter(({ recipient }) => recipient === email);

async function receiveMails(smtp: SmtpTestServer, count: number): Promise<ReceivedMail[]> {
  await runMailRounds();
  return smtp.waitForMails(count);
}

suite('a key that expires soon', { concurrency: 1 }, () => {
  test('is announced to the administrators of its municipality, each in their language', async (t) => {
    const { store, town, a, addAccount, issueOldKey, ...fixture } = await createTown(t);
    const anna = await addAccount(town, 'de');
    const bernd = await addAccount(town, 'en');
    const others = [await addAccount(a, 'de'), await addAccount(undefined, 'de')];
    const key = await issueOldKey(13.5 * dayMs);
    await store.editKey(
      { organizationId: town, id: key.id },
      { contact: 'Erika Groß <portal@stadt.example>', purpose: 'Startseite' },
    );
    const smtp = await startSmtpServer(t);
    await fixture.startServer(mailSettings(smtp));
    await receiveMails(smtp, 2);
    await runMailRounds();
    assert.equal(smtp.received.length, 2);
    for (const other of others) assert.deepEqual(sentTo(smtp, other), []);
    const [german] = sentTo(smtp, anna) as [ReceivedMail];
    const [english] = sentTo(smtp, bernd) as [ReceivedMail];
    assert.equal(
      german.subject,
      'API-Schlüssel „Portal der Stadt“ läuft in 14 Tagen ab – Müngersdorf am Rhein',
    );
    assert.equal(english.subject, 'API key “Portal der Stadt” expires in 14 days – Müngersdorf am Rhein');
    const page = `${publicUrl}/admin/organizations/${town}/keys/${key.id}`;
    const found = await store.findKey(town, key.id);
    for (const mail of [german, english]) {
      assert.equal(mail.from?.name, 'Rostra für Städte');
      assert.ok(mail.text?.includes(`:\n${page}\n`), mail.text);
      assert.ok(mail.html?.includes(`<a href="${page}"`), mail.html);
      for (const fact of [found?.prefix ?? '', 'Portal der Stadt', 'Startseite']) {
        assert.ok(mail.text?.includes(`: ${fact}\n`), mail.text);
        assert.ok(mail.html?.includes(`>${fact}<`), mail.html);
      }
      assert.ok(mail.html?.includes('Erika Groß &lt;portal@stadt.example&gt;'), mail.html);
      assert.doesNotMatch(mail.html ?? '', /<(img|script|link|iframe)\b|src=|url\(/);
    }
    const expiry = (locale: string) =>
      new Intl.DateTimeFormat(locale, {
        timeZone: 'Europe/Berlin',
        dateStyle: 'full',
        timeStyle: 'short',
      }).format(new Date(key.expiresAt));
    assert.ok(german.text?.includes(expiry('de-DE')), german.text);
    assert.ok(english.text?.includes(expiry('en-GB')), english.text);
    assert.match(german.html ?? '', /<html lang="de">/);
    assert.match(german.text ?? '', /Zuletzt verwendet: noch nie/);
  });

  test('is announced again three days before, also if the server was restarted, and never twice', {
    skip: byNight('by day others send each kind of message'),
  }, async (t) => {
    const { town, addAccount, issueOldKey, ...fixture } = await createTown(t);
    await addAccount(town, 'en');
    await issueOldKey(20 * dayMs, 'Later');
    const smtp = await startSmtpServer(t);
    t.after(() => setClockOffset(0));
    for (const [daysLater, subjects] of [
      [0, []],
      [7, ['in 13 days']],
      [8, []],
      [18, ['in 2 days']],
      [19, []],
      [21, []],
    ] as const) {
      setClockOffset(daysLater * dayMs);
      const before = smtp.received.length;
      const server = await fixture.startServer(mailSettings(smtp));
      await runMailRounds();
      await runMailRounds();
      await server.stop();
      const sent = smtp.received.slice(before).map(({ subject }) => /in \d+ days/.exec(subject ?? '')?.[0]);
      assert.deepEqual(sent, subjects, `after ${daysLater} days`);
    }
  });

  test('is not announced if it was issued for a shorter time, was replaced, or was revoked', async (t) => {
    const { town, addAccount, issueOldKey, issueKey, store, ...fixture } = await createTown(t);
    await addAccount(town, 'de');
    await issueKey(town, { name: 'One week', expiresAt: toTimestamp(Date.now() + 7 * dayMs) });
    const replaced = await issueOldKey(5 * dayMs, 'Replaced');
    const successor = await issueKey(town, { name: 'Successor' });
    await fixture.sql('UPDATE api_key SET predecessor_id = $2 WHERE id = $1', [successor.id, replaced.id]);
    const revoked = await issueOldKey(5 * dayMs, 'Revoked');
    await store.revokeKey({ organizationId: town, id: revoked.id });
    const smtp = await startSmtpServer(t);
    await fixture.startServer(mailSettings(smtp));
    await issueOldKey(5 * dayMs, 'Announced');
    await receiveMails(smtp, 1);
    await runMailRounds();
    assert.deepEqual(
      smtp.received.map(({ subject }) => /“(.+)”|„(.+)“/.exec(subject ?? '')?.[2]),
      ['Announced'],
    );
  });

  test('is announced, and a message of an unknown kind stays queued', async (t) => {
    const { town, addAccount, issueOldKey, readStates, sql, ...fixture } = await createTown(t);
    const { account } = await addAccount(town, 'en');
    await sql(
      `INSERT INTO mail_message (organization_id, account_id, kind, subject_id, event, state, created_at_ms, due_at_ms)
      VALUES ($1, $2, 'later_kind', '', 'x', 'queued', $3, 0)`,
      [town, account.id, Date.now()],
    );
    await issueOldKey(5 * dayMs);
    const smtp = await startSmtpServer(t);
    await fixture.startServer(mailSettings(smtp));
    await receiveMails(smtp, 1);
    assert.deepEqual(await readStates('later_kind'), ['queued']);
  });

  test('is not announced if it was revoked or extended before the message was sent, and again if it was shortened', async (t) => {
    const { town, addAccount, issueOldKey, store, hurry, readStates, ...fixture } = await createTown(t);
    await addAccount(town, 'en');
    const [revoked, extended] = [
      await issueOldKey(5 * dayMs, 'Revoked'),
      await issueOldKey(5 * dayMs, 'Extended'),
    ];
    const smtp = await startSmtpServer(t);
    smtp.answerRecipient = () => ({ code: 451, text: '4.7.1 Try again later' });
    await fixture.startServer(mailSettings(smtp));
    await waitUntil('two attempts', async () => {
      await runMailRounds();
      const attempted = await store.listUndeliveredMail();
      return attempted.length === 2;
    });
    await store.revokeKey({ organizationId: town, id: revoked.id });
    await store.editKey(
      { organizationId: town, id: extended.id },
      { expiresAt: toTimestamp(Date.now() + 90 * dayMs) },
    );
    smtp.answerRecipient = () => undefined;
    await hurry();
    await runMailRounds();
    assert.deepEqual(await readStates('key_expiry'), ['void', 'void']);
    assert.deepEqual(smtp.received, []);
    await store.editKey({ organizationId: town, id: extended.id }, { expiresAt: extended.expiresAt });
    const [mail] = await receiveMails(smtp, 1);
    assert.match(mail?.subject ?? '', /“Extended” expires in 5 days/);
  });
});

suite('imports', { concurrency: 1 }, () => {
  test('that failed, stalled, or are overdue are reported to administrators and operators, once', async (t) => {
    const { town, a, addAccount, store, sql, ...fixture } = await createTown(t);
    const anna = await addAccount(town, 'de');
    const olga = await addAccount(undefined, 'en');
    const others = await addAccount(a, 'de');
    const ago = (ms: number) => toTimestamp(Date.now() - ms);
    const begin = (organizationId: string, format: string, sources: string) =>
      beginRun(store, { organizationId, format, sources });
    const failed = await begin(town, 'rostra', '/srv/anliegen.csv');
    const problem: Reason = { code: 'field-missing', field: 'createdAt' };
    const reasons: Reason[] = [
      { code: 'file-empty', file: '<b>a</b>.csv' },
      { code: 'all-rejected', count: 2_000, problem },
    ];
    await store.endRun(failed, 'failed', { code: 'several', reasons });
    await sql('UPDATE import_run SET started_at = $2, heartbeat_at = $2, ended_at = $2 WHERE id = $1', [
      failed.id,
      ago(hourMs),
    ]);
    const stale = await begin(town, 'survey-table', '/srv/umfrage.xlsx');
    await sql('UPDATE import_run SET started_at = $2, heartbeat_at = $2 WHERE id = $1', [
      stale.id,
      ago(2 * hourMs),
    ]);
    const repeated = await begin(a, 'rostra', '/srv/repeated.csv');
    await store.endRun(repeated, 'failed', { code: 'no-records' });
    await sql('UPDATE import_run SET started_at = $2, heartbeat_at = $2, ended_at = $2 WHERE id = $1', [
      repeated.id,
      ago(hourMs),
    ]);
    await store.endRun(await begin(a, 'rostra', '/srv/repeated.csv'), 'done', undefined);
    const recent = await begin(a, 'table', '/srv/recent.csv');
    await store.endRun(recent, 'failed', { code: 'no-records' });
    for (const [name, changes] of [
      [
        'Anliegen',
        `failing_since = '${ago(2 * dayMs)}', error = '{"code":"address-is-web-page","url":"https://daten.example/"}'`,
      ],
      [
        'Kurz gestört',
        `failing_since = '${ago(2 * hourMs)}', error = '{"code":"english","message":"HTTP 502"}'`,
      ],
      ['Veraltet', `stale_at = '${ago(hourMs)}'`],
    ] as const) {
      await store.addSource(town, {
        ...emptySourceDefinition,
        ...{ name, format: 'rostra', url: 'https://daten.example/', intervalMs: dayMs },
      });
      await sql(`UPDATE import_source SET ${changes} WHERE organization_id = $1 AND name = $2`, [town, name]);
    }
    const smtp = await startSmtpServer(t);
    await fixture.startServer(mailSettings(smtp));
    await receiveMails(smtp, 2);
    await runMailRounds();
    assert.equal(smtp.received.length, 2);
    assert.deepEqual(sentTo(smtp, others), []);
    const [german] = sentTo(smtp, anna) as [ReceivedMail];
    const [english] = sentTo(smtp, olga) as [ReceivedMail];
    assert.equal(german.subject, 'Importe prüfen – Müngersdorf am Rhein');
    assert.equal(english.subject, 'Imports of municipalities need attention');
    for (const mail of [german, english]) {
      const sources = [...(mail.text ?? '').matchAll(/^(?:Quelle|Source): (.+)$/gm)].map(
        ([, source]) => source,
      );
      assert.deepEqual(
        new Set(sources),
        new Set([
          '/srv/anliegen.csv',
          '/srv/umfrage.xlsx',
          'Anliegen (https://daten.example/)',
          'Veraltet (https://daten.example/)',
        ]),
      );
    }
    assert.ok(german.html?.includes('&lt;b&gt;a&lt;/b&gt;.csv ist leer.'), german.html);
    assert.ok(english.html?.includes('&lt;b&gt;a&lt;/b&gt;.csv is empty.'), english.html);
    assert.match(german.text ?? '', /Keiner der 2\.000 Datensätze wurde übernommen.+ „Eingereicht“ fehlt\./);
    assert.match(english.text ?? '', /All 2,000 records were rejected.+ “Submitted” is missing\./);
    assert.ok(german.text?.includes('https://daten.example/ liefert eine Webseite (HTML)'));
    assert.ok(german.text?.includes(`${publicUrl}/admin/organizations/${town}/imports`));
    assert.ok(english.text?.includes(`${publicUrl}/admin/imports\n`));
    assert.equal(english.text?.match(/Municipality: Müngersdorf am Rhein/g)?.length, 4);
    assert.match(german.text ?? '', /Fehlermeldung: https:\/\/daten\.example\/ liefert eine Webseite/);
    assert.match(german.text ?? '', /Status: Quelle überfällig/);
  });

  test('that succeeded before the message was sent are not reported', async (t) => {
    const { town, addAccount, store, sql, hurry, readStates, ...fixture } = await createTown(t);
    await addAccount(town, 'de');
    const source = { organizationId: town, format: 'rostra', sources: 'anliegen.csv' };
    const failed = await beginRun(store, source);
    await store.endRun(failed, 'failed', { code: 'no-records' });
    const at = toTimestamp(Date.now() - hourMs);
    await sql('UPDATE import_run SET started_at = $2, heartbeat_at = $2, ended_at = $2 WHERE id = $1', [
      failed.id,
      at,
    ]);
    const smtp = await startSmtpServer(t);
    smtp.answerMessage = () => ({ code: 452, text: '4.3.1 Mail system full' });
    await fixture.startServer(mailSettings(smtp));
    await runMailRounds();
    assert.equal((await store.listUndeliveredMail()).length, 1);
    await store.endRun(await beginRun(store, source), 'done', undefined);
    smtp.answerMessage = () => undefined;
    await hurry();
    await runMailRounds();
    assert.deepEqual(await readStates('import_failure'), ['void']);
    assert.deepEqual(smtp.received, []);
  });
});

test('failed and overdue maintenance is reported to operators, once, unless a later run has succeeded', async (t) => {
  const { town, addAccount, store, sql, hurry, readStates, ...fixture } = await createTown(t);
  const administrator = await addAccount(town, 'de');
  const olga = await addAccount(undefined, 'en');
  const otto = await addAccount(undefined, 'de');
  const record = (
    kind: 'backup' | 'drill' | 'prune',
    daysAgo: number,
    outcome: 'succeeded' | 'failed' = 'succeeded',
  ) => {
    const at = toTimestamp(Date.now() - daysAgo * dayMs);
    const detail = outcome === 'failed' ? { error: 'The disk\r\n\u2028is <full>.' } : {};
    return store.recordMaintenanceRun({ kind, startedAt: at, finishedAt: at, outcome, detail });
  };
  await record('backup', 1);
  await record('backup', 0, 'failed');
  await record('drill', 40);
  await record('prune', 30);
  const smtp = await startSmtpServer(t);
  await fixture.startServer(mailSettings(smtp));
  await receiveMails(smtp, 2);
  await runMailRounds();
  assert.equal(smtp.received.length, 2);
  assert.deepEqual(sentTo(smtp, administrator), []);
  const [english] = sentTo(smtp, olga) as [ReceivedMail];
  const [german] = sentTo(smtp, otto) as [ReceivedMail];
  assert.equal(english.subject, 'Maintenance of Rostra needs attention');
  assert.equal(german.subject, 'Wartung von Rostra prüfen');
  assert.match(
    english.text ?? '',
    /^Task: Backup\nStatus: Failed\nFailed at: .+\nError message: The disk is <full>\.\n\nTask: Test of a restore\nStatus: Overdue\nOverdue since: .+\n\nRun “rostra doctor”/m,
  );
  assert.match(german.text ?? '', /^Aufgabe: Datensicherung\nStatus: fehlgeschlagen\n/m);
  assert.match(english.html ?? '', /The disk is &lt;full&gt;/);
  await record('backup', 0);
  await record('drill', 0);
  await record('prune', 36);
  smtp.answerRecipient = () => ({ code: 451, text: '4.7.1 Try again later' });
  await sql('UPDATE mail_message SET created_at_ms = created_at_ms - $1', [1.5 * dayMs]);
  await runMailRounds();
  assert.equal((await store.listUndeliveredMail()).length, 2);
  await record('prune', 0);
  smtp.answerRecipient = () => undefined;
  await hurry();
  await runMailRounds();
  assert.equal(smtp.received.length, 2);
  assert.deepEqual((await readStates('maintenance_failure')).toSorted(), ['sent', 'sent', 'void', 'void']);
});

test('a key that was rejected on three of the last seven days is reported once', async (t) => {
  const { town, addAccount, issueKey, sql, ...fixture } = await createTown(t);
  await addAccount(town, 'de');
  const keys = {
    often: await issueKey(town, { name: 'Often', requestLimit: 5_000 }),
    twice: await issueKey(town, { name: 'Twice' }),
    before: await issueKey(town, { name: 'Before' }),
  };
  const insertUsage = (id: string, daysAgo: number, operation: string, status: number) =>
    sql(
      'INSERT INTO key_usage_daily (organization_id, key_id, day, operation, status, requests) VALUES ($1, $2, $3, $4, $5, 300)',
      [town, id, toDay(Date.now() - daysAgo * dayMs), operation, status],
    );
  const reject = async (id: string, daysAgo: number) => {
    await insertUsage(id, daysAgo, 'listSubmissions', 200);
    await insertUsage(id, daysAgo, 'listSubmissions', 429);
    await insertUsage(id, daysAgo, 'listSessions', 429);
  };
  for (const daysAgo of [1, 3, 6, 9]) await reject(keys.often.id, daysAgo);
  for (const daysAgo of [1, 2, 8, 9]) await reject(keys.twice.id, daysAgo);
  for (const daysAgo of [3, 4, 5]) await reject(keys.before.id, daysAgo);
  const smtp = await startSmtpServer(t);
  const server = await fixture.startServer(mailSettings(smtp));
  await receiveMails(smtp, 1);
  await runMailRounds();
  await server.stop();
  t.after(() => setClockOffset(0));
  setClockOffset(dayMs);
  await reject(keys.often.id, 1);
  await fixture.startServer(mailSettings(smtp));
  await runMailRounds();
  const [mail] = smtp.received;
  assert.equal(smtp.received.length, 1);
  assert.equal(
    mail?.subject,
    'API-Schlüssel „Often“ erreicht häufig die Höchstzahl der Anfragen – Müngersdorf am Rhein',
  );
  assert.match(mail.text ?? '', /an 3 der letzten 7 Tage/);
  assert.match(mail.text ?? '', /Abgelehnte Anfragen: 1\.800 in den letzten 7 Tagen/);
  assert.match(mail.text ?? '', /Höchstzahl der Anfragen: 5\.000 Anfragen je 24 Stunden/);
});

suite('the SMTP server', { concurrency: 1 }, () => {
  test('may refuse a message for a while: it is sent later, once, with the same Message-ID', {
    skip: byNight('by day others send each kind of message'),
  }, async (t) => {
    const { town, addAccount, issueOldKey, hurry, runCli, ...fixture } = await createTown(t);
    const anna = await addAccount(town, 'de');
    await issueOldKey(5 * dayMs);
    const smtp = await startSmtpServer(t);
    const seen: string[] = [];
    smtp.answerMessage = () => {
      seen.push('refused');
      return seen.length < 3 ? { code: 451, text: '4.7.1 Greylisted' } : undefined;
    };
    const server = await fixture.startServer(mailSettings(smtp));
    await runMailRounds();
    assert.equal(JSON.parse(await runCli('mail', 'list', '--json')).length, 1);
    const list = await runCli('mail', 'list');
    assert.match(
      list,
      new RegExp(`${anna.email} +key_expiry +queued +1 +\\S+ \\S+ +.*451 4\\.7\\.1 Greylisted`),
    );
    await waitUntil('three attempts', async () => {
      await hurry();
      await runMailRounds();
      return seen.length === 3;
    });
    await receiveMails(smtp, 1);
    await runMailRounds();
    assert.equal(smtp.received.length, 1);
    await server.waitForLine(/email could not be sent; it will be sent again/);
  });

  test('may refuse a recipient for good: operators see it, others receive their messages', async (t) => {
    const { town, addAccount, issueOldKey, runCli, ...fixture } = await createTown(t);
    const [anna, bernd] = [await addAccount(town, 'de'), await addAccount(town, 'de')];
    await issueOldKey(5 * dayMs);
    const smtp = await startSmtpServer(t);
    smtp.answerRecipient = (address) =>
      address === anna.email ? { code: 550, text: '5.1.1 No such user' } : undefined;
    const server = await fixture.startServer(mailSettings(smtp));
    await receiveMails(smtp, 1);
    await server.waitForLine(/"email could not be sent"/);
    await runMailRounds();
    assert.deepEqual(
      smtp.received.map(({ recipient }) => recipient),
      [bernd.email],
    );
    const list = JSON.parse(await runCli('mail', 'list', '--json'));
    assert.equal(list.length, 1);
    assert.equal(list[0].email, anna.email);
    assert.equal(list[0].state, 'failed');
    assert.equal(list[0].nextAttemptAt, null);
    assert.match(list[0].error, /550 5\.1\.1 No such user/);
  });

  test('may be down or reject the login: messages wait, and the log never contains the password', {
    skip: byNight('by day others send each kind of message'),
  }, async (t) => {
    const { town, addAccount, issueOldKey, hurry, store, ...fixture } = await createTown(t);
    await addAccount(town, 'de');
    await issueOldKey(5 * dayMs);
    const stopped = await startSmtpServer(t, { login: { user: 'rostra', password: 'geheim' } });
    await stopped.stop();
    const down = await fixture.startServer(mailSettings(stopped));
    await runMailRounds();
    assert.equal((await store.listUndeliveredMail()).length, 1);
    await down.stop();
    const smtp = await startSmtpServer(t, {
      port: stopped.port,
      login: { user: 'rostra', password: 'geheim' },
    });
    const wrong = await fixture.startServer(
      mailSettings({ url: smtp.url.replace(':geheim@', ':geheimer@') }),
    );
    await waitUntil('a rejected login', async () => {
      await hurry();
      await runMailRounds();
      const [mail] = await store.listUndeliveredMail();
      return mail?.error?.includes('535') === true && mail.state === 'queued';
    });
    await wrong.stop();
    const [mail] = await store.listUndeliveredMail();
    for (const text of [...down.lines, ...wrong.lines, mail?.error ?? ''])
      assert.ok(!text.includes('geheim'), text);
    await hurry();
    await fixture.startServer(mailSettings(smtp));
    await receiveMails(smtp, 1);
  });
});

test('names and sources cannot add headers, recipients or markup', async (t) => {
  const { town, addAccount, issueOldKey, ...fixture } = await createTown(
    t,
    'Stadt "A" <b>&amp;\u2028Bcc: evil@example.org',
  );
  const anna = await addAccount(town, 'en');
  await issueOldKey(5 * dayMs, 'x\u2029Bcc: evil@example.org <script>alert(1)</script> بوابة =?UTF-8?Q?y?=');
  const smtp = await startSmtpServer(t);
  await fixture.startServer(mailSettings(smtp));
  const [mail] = await receiveMails(smtp, 1);
  assert.deepEqual(
    mail?.to?.map(({ address }) => address),
    [anna.email],
  );
  assert.equal(mail.bcc, undefined);
  const headers = mail.raw.slice(0, mail.raw.indexOf('\r\n\r\n'));
  assert.deepEqual(headers.match(/^[\w-]+(?=:)/gm)?.toSorted(), [
    'Auto-Submitted',
    'Content-Type',
    'Date',
    'From',
    'List-Unsubscribe',
    'List-Unsubscribe-Post',
    'MIME-Version',
    'Message-ID',
    'Subject',
    'To',
  ]);
  assert.ok(
    mail.subject?.startsWith('API key “x Bcc: evil@example.org <script>alert(1)</script> بوابة'),
    mail.subject,
  );
  assert.doesNotMatch(mail.html ?? '', /<script|<b>/);
  assert.match(mail.html ?? '', /&lt;script&gt;alert\(1\)/);
});

suite('unsubscribing', { concurrency: 1 }, () => {
  test('needs one POST without signing in, and concerns only that kind of messages', async (t) => {
    const { town, addAccount, issueOldKey, plain, store, sql, ...fixture } = await createTown(t);
    const anna = await addAccount(town, 'de');
    const bernd = await addAccount(town, 'de');
    await issueOldKey(5 * dayMs);
    const smtp = await startSmtpServer(t);
    await fixture.startServer(mailSettings(smtp));
    await receiveMails(smtp, 2);
    const [mail] = sentTo(smtp, anna) as [ReceivedMail];
    const url = /^List-Unsubscribe: <https:\/\/api\.stadt\.example(\/\S+)>\r$/m.exec(mail.raw)?.[1] ?? '';
    assert.match(mail.raw, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
    assert.ok(mail.text?.includes(url) && mail.html?.includes(url));
    const visitor = createFormClient(plain.address);
    const page = await visitor.get(url);
    assert.equal(page.status, 200);
    assert.match(page.body, new RegExp(`stop emails about “Expiring keys” to ${anna.email}\\?`));
    assert.deepEqual(await store.listDisabledNotifications(anna.account.id), []);
    // As mail programs send it (RFC 8058): without cookies, as multipart.
    const body = new FormData();
    body.set('List-Unsubscribe', 'One-Click');
    const response = await fetch(plain.address + url, { method: 'POST', body });
    assert.equal(response.status, 200, await response.text());
    assert.deepEqual(await store.listDisabledNotifications(anna.account.id), ['key_expiry']);
    assert.deepEqual(await store.listDisabledNotifications(bernd.account.id), []);
    assert.match((await visitor.get(url)).body, /already unsubscribed/);
    await issueOldKey(2 * dayMs, 'Second');
    await receiveMails(smtp, 3);
    await runMailRounds();
    assert.equal(sentTo(smtp, anna).length, 1);
    assert.equal(sentTo(smtp, bernd).length, 2);
    const events = await store.listAuditEvents(town, undefined, 100);
    const event = events.find(({ action }) => action === 'notifications.edited');
    assert.equal(event?.subject, anna.email);
    assert.equal(event.actor, anna.email);
    assert.deepEqual(event.changes, [{ field: 'disabledNotifications', before: null, after: 'key_expiry' }]);
    const log = await anna.get(`/admin/organizations/${town}/audit`);
    assert.match(log.body, /Emails switched off: <[^>]*>empty → Expiring keys</);
  });

  test('works with a form and with URL-encoded bodies, and rejects unknown links', async (t) => {
    const { town, addAccount, plain, store } = await createTown(t);
    const anna = await addAccount(town, 'de');
    const token = await store.getUnsubscribeToken(anna.account.id, 'key_limit');
    const german = createFormClient(plain.address, 'de');
    const response = await german.submitForm(`/admin/unsubscribe/${token}`);
    assert.equal(response.status, 200);
    assert.match(response.body, /Sie erhalten diese E-Mails nicht mehr/);
    const again = await german.send(`/admin/unsubscribe/${token}`, 'List-Unsubscribe=One-Click');
    assert.equal(again.status, 200);
    for (const unknown of [token.replace(/.$/, 'x'), 'x', `${token}x`, '%00', 'a'.repeat(43)]) {
      if (unknown === token) continue;
      assert.equal((await german.get(`/admin/unsubscribe/${unknown}`)).status, 404, unknown);
      assert.equal((await german.post(`/admin/unsubscribe/${unknown}`, {})).status, 404, unknown);
    }
    assert.deepEqual(await store.listDisabledNotifications(anna.account.id), ['key_limit']);
    assert.equal(
      (await store.listAuditEvents(town, undefined, 100)).filter(
        ({ action }) => action === 'notifications.edited',
      ).length,
      1,
    );
  });

  test('from a kind that a later version has added works, and lasts when other kinds are chosen', async (t) => {
    const { town, addAccount, plain, store, sql } = await createTown(t);
    const anna = await addAccount(town, 'en');
    const token = 'l'.repeat(43);
    await sql(
      'INSERT INTO notification_setting (account_id, kind, enabled, unsubscribe_token) VALUES ($1, $2, 1, $3)',
      [anna.account.id, 'later_kind', token],
    );
    const visitor = createFormClient(plain.address);
    const url = `/admin/unsubscribe/${token}`;
    assert.match((await visitor.get(url)).body, /stop emails about “later_kind”/);
    assert.equal((await visitor.submitForm(url)).status, 200);
    const listDisabled = () => store.listDisabledNotifications(anna.account.id);
    assert.deepEqual(await listDisabled(), ['later_kind']);
    await anna.post('/admin/account/notifications', { token: await fetchCsrfToken(anna), key_expiry: 'on' });
    assert.ok((await listDisabled()).includes('later_kind'), String(await listDisabled()));
    const log = await anna.get(`/admin/organizations/${town}/audit`);
    assert.match(log.body, /Emails switched off: .*later_kind/);
  });
});

suite('a request for approval', { concurrency: 1 }, () => {
  test('is announced to those who may approve it, and its end to the person who asked', async (t) => {
    const { store, town, addAccount, sql, ...fixture } = await createTown(t);
    const anna = await addAccount(town, 'de');
    const bernd = await addAccount(town, 'en');
    const reader = await createSignedInClient(fixture.plain, store, town, 'reader');
    const smtp = await startSmtpServer(t);
    await fixture.startServer(mailSettings(smtp));
    const askAbout = (subject: string) =>
      store.askForApproval(
        {
          ...{ organizationId: town, kind: 'undo', subject, payload: '{"runId":"secret"}' },
          accountId: anna.account.id,
        },
        { name: anna.email, address: '' },
      );
    const returned = await askAbout('Mängelmelder');
    await receiveMails(smtp, 1);
    await runMailRounds();
    const [asked] = sentTo(smtp, bernd) as [ReceivedMail];
    assert.equal(
      asked.subject,
      'Approval requested: Undo of an import (Mängelmelder) – Müngersdorf am Rhein',
    );
    assert.ok(asked.text.includes(`${anna.email} asks you to approve`), asked.text);
    assert.match(asked.text, /until\s+somebody\s+approves\s+it/);
    assert.ok(asked.text.includes(`${publicUrl}/admin/organizations/${town}/approvals/${returned.id}`));
    assert.doesNotMatch(asked.text, /secret/);
    const by = { name: bernd.email, address: '' };
    await store.returnApprovalRequest(returned, bernd.account.id, 'Bitte den Stand prüfen.', by);
    await receiveMails(smtp, 2);
    const [answer] = sentTo(smtp, anna) as [ReceivedMail];
    assert.equal(
      answer.subject,
      'Rückgängigmachen eines Imports (Mängelmelder): zurückgegeben – Müngersdorf am Rhein',
    );
    assert.ok(answer.text.includes('Grund der Rückgabe: Bitte den Stand prüfen.'), answer.text);

    const late = await askAbout('Rat');
    const withdrawn = await askAbout('Haushalt');
    await store.withdrawApprovalRequest(withdrawn, { name: anna.email, address: '' });
    await store.withdrawApprovalRequest(await askAbout('Kita'), by);
    await sql('UPDATE approval_request SET asked_at = $2 WHERE id = $1', [
      late.id,
      toTimestamp(Date.now() - 31 * dayMs),
    ]);
    await store.setNotifications(bernd.account.id, ['approval_asked'], by);
    await askAbout('Switched off');
    await receiveMails(smtp, 4);
    await runMailRounds();
    assert.deepEqual(
      sentTo(smtp, anna)
        .map(({ subject }) => subject.split(' – ')[0])
        .sort(),
      [...['(Kita): zurückgezogen', '(Mängelmelder): zurückgegeben', '(Rat): verfallen']].map(
        (end) => `Rückgängigmachen eines Imports ${end}`,
      ),
    );
    const ofOther = sentTo(smtp, anna).find(({ subject }) => subject.includes('zurückgezogen'));
    assert.match(ofOther?.text ?? '', new RegExp(`Entschieden von: ${bernd.email}`));
    assert.equal(sentTo(smtp, bernd).length, 1);
    assert.equal(sentTo(smtp, reader).length, 0);
  });

  test('is announced to those with the task of its kind, which they still have when the message is sent', async (t) => {
    const { store, town, addAccount, hurry, readStates, ...fixture } = await createTown(t);
    const anna = await addAccount(town, 'en');
    const smtp = await startSmtpServer(t);
    const server = await fixture.startServer(mailSettings(smtp));
    const addEnglish = async (task: Permission) => {
      const client = await createSignedInClient(server, store, town, [task]);
      await store.setLanguage(client.account.id, 'en');
      return client;
    };
    const publisher = await addEnglish('publish');
    const manager = await addEnglish('accounts');
    const former = await addEnglish('publish');
    for (const [client, isOffered] of [
      [publisher, true],
      [manager, true],
      [await addEnglish('keys'), false],
    ] as const)
      assert.equal((await client.get('/admin/account')).body.includes('name="approval_asked"'), isOffered);
    smtp.answerRecipient = () => ({ code: 451, text: '4.7.1 Try again later' });
    for (const kind of ['approval_off', 'open_data'] as const)
      await store.askForApproval(
        { organizationId: town, kind, subject: '', payload: '{}', accountId: anna.account.id },
        { name: anna.email, address: '' },
      );
    await waitUntil('three attempts', async () => {
      await runMailRounds();
      return (await store.listUndeliveredMail()).length === 3;
    });
    await store.changeRole(former.account.id, town, toPermissions(['accounts']));
    smtp.answerRecipient = () => undefined;
    await hurry();
    await receiveMails(smtp, 3);
    await runMailRounds();
    const readSubjects = (client: { email: string }) =>
      sentTo(smtp, client).map(({ subject }) => subject.split(' – ')[0]);
    assert.deepEqual(readSubjects(publisher), ['Approval requested: Open data']);
    assert.deepEqual(readSubjects(manager), ['Approval requested: Approvals switched off']);
    assert.deepEqual(readSubjects(former), ['Approval requested: Approvals switched off']);
    assert.deepEqual(readSubjects(anna), []);
    assert.ok((await readStates('approval_asked')).includes('void'));
  });
});

suite('publications of colleagues', { concurrency: 1 }, () => {
  /** A town with published records, and functions that publish as a person. */
  async function createPublishingTown(t: Scope) {
    const fixture = await createTown(t);
    const { store, town, sql } = fixture;
    await fixture.putRecords(town, [
      ...[1, 2].map((n) => ({ kind: 'submission' as const, ...createSubmission(n) })),
      { kind: 'session', ...createSession(1, { submissions: [] }) },
    ]);
    const actor = ({ email }: { email: string }) => ({ name: email, address: '' });
    const session = { organizationId: town, kind: 'session', id: formatSessionId(1) } as const;
    return {
      ...fixture,
      actor,
      session,
      submission: { organizationId: town, kind: 'submission', id: formatSubmissionId(1) } as const,
      /** @param changed the number of published records that it has changed */
      importAs: async (person: { email: string }, url: string, changed: number) => {
        const id = randomUUID();
        await store.queueRun(
          {
            ...{ organizationId: town, id, sourceName: null, input: { kind: 'endpoint', url } },
            definition: { ...emptySourceDefinition, format: 'oparl', name: 'Rat', url },
          },
          actor(person),
        );
        await sql(
          `UPDATE import_run SET state = 'done', outcome = 'done', ended_at = started_at, read = $2, inserted = 0, changed = $2,
            unchanged = 0, removed = 0, ignored = 0, rejected = 0 WHERE id = $1`,
          [id, changed],
        );
      },
      /** The mail rounds of the morning after. */
      waitForMorning: async (smtp: SmtpTestServer, count: number) => {
        setClockOffset(25 * hourMs);
        t.after(() => setClockOffset(0));
        await fixture.startServer(mailSettings(smtp));
        const mails = await receiveMails(smtp, count);
        await runMailRounds();
        return mails;
      },
    };
  }

  test('are reported to the others with the task, the day after, once, with the words of the audit log', async (t) => {
    const { store, town, a, addAccount, actor, session, submission, importAs, ...fixture } =
      await createPublishingTown(t);
    const anna = await addAccount(town, 'de');
    const bernd = await addAccount(town, 'en');
    const others = [
      await createSignedInClient(fixture.plain, store, town, ['import', 'keys', 'accounts']),
      await addAccount(a, 'en'),
      await addAccount(undefined, 'en'),
    ];
    await store.setName(anna.account.id, 'Anna Größe');
    await importAs(anna, 'https://council.example/changed', 3);
    await importAs(anna, 'https://council.example/nothing', 0);
    await store.unpublishRecord(submission, 'Names <a> person', actor(anna));
    await store.revertRecordDecision(submission, actor(anna));
    await store.removeRecord(session, 'Erasure', actor(anna));
    await store.editOrganization(town, { contactEmail: 'a@stadt.example', slug: 'town' }, actor(anna));
    await store.editOrganization(town, { licenseName: 'CC0-1.0' }, actor(anna));
    await store.editOrganization(town, { openData: 'on' }, actor(anna));
    const smtp = await startSmtpServer(t);
    const server = await fixture.startServer(mailSettings(smtp));
    await runMailRounds();
    await runMailRounds();
    assert.deepEqual(smtp.received, [], 'the day has not ended');
    const { body } = await bernd.get(`/admin/organizations/${town}/audit`);
    await server.stop();
    await fixture.waitForMorning(smtp, 1);
    for (const other of [anna, ...others]) assert.deepEqual(sentTo(smtp, other), []);
    assert.deepEqual(await fixture.readStates('publication_digest'), ['sent']);
    const [mail, ...further] = sentTo(smtp, bernd) as [ReceivedMail];
    assert.deepEqual(further, []);
    assert.equal(mail.subject, 'Publications of colleagues – Müngersdorf am Rhein');
    const lines = (mail.text ?? '').split('\n').filter((line) => line.includes(' – Anna Größe, '));
    assert.deepEqual(
      lines.map((line) => line.slice(0, line.indexOf(' – Anna'))),
      [
        'Municipality edited: Open data: on',
        `Record removed for good: Session ${session.id}`,
        `Decision on a record taken back: Submission ${submission.id}`,
        `Record unpublished: Submission ${submission.id}`,
        'Import started: https://council.example/changed',
      ],
    );
    assert.match(lines[0] ?? '', /, \w+day,? \d+ \w+ \d{4} at \d\d:\d\d CES?T$/);
    assert.doesNotMatch(mail.text ?? '', /Names|Erasure|nothing/, 'reasons stay in the audit log');
    assert.ok(mail.text?.includes(`${publicUrl}/admin/organizations/${town}/audit?from=`), mail.text);
    assert.match(mail.text ?? '', /Stop emails about publications of colleagues/);
    for (const line of lines) assert.ok(body.includes((line.split(':')[0] ?? '').trim()), line);
  });

  test('are those of the others for each of two people, and not reported if switched off, or on the day after the next', async (t) => {
    const { store, town, addAccount, actor, submission, importAs, ...fixture } =
      await createPublishingTown(t);
    const anna = await addAccount(town, 'de');
    const bernd = await addAccount(town, 'en');
    const carla = await addAccount(town, 'de');
    await store.setNotifications(carla.account.id, ['publication_digest'], actor(carla));
    await importAs(bernd, 'https://council.example/bernd', 1);
    await store.unpublishRecord(submission, 'x', actor(anna));
    await store.unpublishRecord({ ...submission, id: formatSubmissionId(2) }, 'x', {
      name: commandLine,
      address: '',
    });
    const smtp = await startSmtpServer(t);
    await fixture.waitForMorning(smtp, 2);
    assert.deepEqual(sentTo(smtp, carla), []);
    const [german] = sentTo(smtp, anna) as [ReceivedMail];
    const [english] = sentTo(smtp, bernd) as [ReceivedMail];
    assert.equal(german.subject, 'Veröffentlichungen anderer – Müngersdorf am Rhein');
    assert.match(german.text ?? '', /Import gestartet: https:\/\/council\.example\/bernd – account-/);
    assert.match(
      german.text ?? '',
      /Veröffentlichung eines Datensatzes zurückgenommen: Anliegen \S+ – Befehlszeile, /,
    );
    assert.ok(!german.text?.includes(submission.id) && english.text?.includes(submission.id));
    assert.match(english.text ?? '', / – Command line, /);
    assert.doesNotMatch(english.text ?? '', /Import started/);
    setClockOffset(49 * hourMs);
    await runMailRounds();
    await runMailRounds();
    assert.equal(smtp.received.length, 2);
  });
});

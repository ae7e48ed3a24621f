import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, suite, test } from 'node:test';
import { assertFails, assertSucceeds, createCliWorkspace, runCli } from '../../support/cli-workspace.ts';
import { findFreePort } from '../../support/free-port.ts';
import { createSelfSignedCertificate } from '../../support/self-signed-certificate.ts';
import { type SmtpTestServer, startSmtpServer } from '../../support/smtp-server.ts';

const workspace = await createCliWorkspace({ after });
const certificate = createSelfSignedCertificate();
const authorityFile = workspace.writeFile('authority.pem', certificate.cert);
const login = { user: 'rostra@stadt.example', password: 'geheim:/@ %&ß' };

const createEnvironment = (url: string, from = 'Rostra <rostra@stadt.example>') => ({
  ROSTRA_SMTP_URL: url,
  ROSTRA_MAIL_FROM: from,
  ROSTRA_PUBLIC_URL: 'https://api.stadt.example',
});

const sendTestMail = (url: string, extra: Record<string, string> = {}, to = 'operator@stadt.example') =>
  runCli(['mail', 'test', to], { environment: { ...createEnvironment(url), ...extra } });

/** Asserts that the command fails with this message, without a stack trace and without the password. */
async function assertNotSent(
  url: string,
  message: RegExp,
  extra: Record<string, string> = {},
  to = 'operator@stadt.example',
): Promise<void> {
  const environment = { ...createEnvironment(url), ...extra };
  const { stderr } = await assertFails(['mail', 'test', to], 1, message, { environment });
  assert.match(stderr, /^The message was not sent\. /);
  for (const secret of [login.password, encodeURIComponent(login.password), 'geheim'])
    assert.ok(!stderr.includes(secret), stderr);
}

const withParameter = ({ url }: SmtpTestServer, parameter: string) => `${url}/?${parameter}`;

suite('rostra mail test', { concurrency: 4 }, () => {
  test('sends a message as text and HTML, and prints the answer of the server', async (t) => {
    const server = await startSmtpServer(t);
    const { code, stdout, stderr } = await runCli(['mail', 'test', 'jürgen.groß@müller.example'], {
      environment: createEnvironment(server.url, 'Rostra für Köln <rostra@köln.example>'),
    });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^250 2\.0\.0 kept as 1\n$/);
    assert.match(stderr, /127\.0\.0\.1 accepted the message to jürgen\.groß@müller\.example/);
    const [mail] = server.received;
    assert.equal(mail?.subject, 'Test message from Rostra');
    assert.equal(mail.from?.name, 'Rostra für Köln');
    assert.match(mail.raw, /^From: =\?UTF-8\?\S+\?= <rostra@xn--kln-sna\.example>\r$/m);
    assert.match(mail.recipient, /^jürgen\.groß@(xn--mller-kva|müller)\.example$/);
    assert.match(mail.messageId ?? '', /^<[\w-]+@(xn--kln-sna|köln)\.example>$/);
    assert.match(mail.raw, /^Auto-Submitted: auto-generated\r$/m);
    assert.doesNotMatch(mail.raw, /^List-Unsubscribe/m);
    for (const body of [mail.text, mail.html]) assert.match(body ?? '', /Rostra can send emails/);
    assert.match(mail.html ?? '', /<html lang="en">/);
  });

  test('uses STARTTLS and TLS from the first byte, and logs in', async (t) => {
    for (const implicitTls of [false, true]) {
      const server = await startSmtpServer(t, { tls: certificate, implicitTls, login });
      const url = implicitTls ? server.url : withParameter(server, 'requireTLS=true');
      const { code, stderr } = await sendTestMail(url, { NODE_EXTRA_CA_CERTS: authorityFile });
      assert.equal(code, 0, stderr);
      assert.deepEqual(
        server.received.map(({ user, encrypted }) => ({ user, encrypted })),
        [{ user: login.user, encrypted: true }],
      );
    }
  });

  test('rejects an untrusted certificate unless the URL says so', async (t) => {
    for (const implicitTls of [false, true]) {
      const server = await startSmtpServer(t, { tls: certificate, implicitTls, login });
      await assertNotSent(
        withParameter(server, 'requireTLS=true'),
        /self-signed certificate.+set NODE_EXTRA_CA_CERTS/,
      );
      const trusting = withParameter(server, 'requireTLS=true&tls.rejectUnauthorized=false');
      assert.equal((await sendTestMail(trusting)).code, 0);
      assert.equal(server.received.length, 1);
    }
  });

  test('sends no password to a server that does not offer the required STARTTLS', async (t) => {
    const server = await startSmtpServer(t, { login });
    await assertNotSent(withParameter(server, 'requireTLS=true'), /does not offer STARTTLS/);
    assert.equal(server.connections, 1);
    assert.deepEqual(server.received, []);
  });

  test('names the remedy for a wrong and for a missing login, without the password', async (t) => {
    const server = await startSmtpServer(t, { login });
    const wrong = server.url.replace(encodeURIComponent(login.password), 'geheim-falsch');
    await assertNotSent(
      wrong,
      /535 5\.7\.8 Authentication failed for \*\*\*\. Check the user name and the password/,
    );
    await assertNotSent(`smtp://127.0.0.1:${server.port}`, /530.+requires a login/i);
  });

  test('prints why the server refuses the recipient or the message', async (t) => {
    const server = await startSmtpServer(t);
    server.answerRecipient = () => ({ code: 550, text: '5.1.1 No such user' });
    await assertNotSent(server.url, /550 5\.1\.1 No such user\. The server does not accept the recipient/);
    server.answerRecipient = () => undefined;
    server.answerMessage = () => ({ code: 554, text: '5.7.1 Looks like spam' });
    await assertNotSent(server.url, /554 5\.7\.1 Looks like spam/);
  });

  test('reports a server that is down, unknown, or not an SMTP server', async (t) => {
    await assertNotSent(
      `smtp://127.0.0.1:${await findFreePort()}`,
      /No server listens on 127\.0\.0\.1, port \d+/,
    );
    await assertNotSent('smtp://mail.invalid', /Check the host name mail\.invalid/);
    const other = createServer((socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(
      0,
      '127.0.0.1',
    );
    t.after(() => other.close());
    await once(other, 'listening');
    await assertNotSent(`smtp://127.0.0.1:${(other.address() as AddressInfo).port}`, /Check ROSTRA_SMTP_URL/);
  });

  // The command waits for ten seconds.
  test('reports a silent server', async (t) => {
    const sockets: { destroy(): void }[] = [];
    const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
    t.after(() => {
      for (const socket of sockets) socket.destroy();
      silent.close();
    });
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    await assertNotSent(
      `smtp://${encodeURIComponent(login.user)}:geheim@127.0.0.1:${port}`,
      /did not answer on port \d+ in time/,
    );
  });

  test('requires the settings of email and a valid recipient', async () => {
    await assertFails(
      ['mail', 'test', 'a@b.example'],
      2,
      /Set ROSTRA_PUBLIC_URL, ROSTRA_SMTP_URL, ROSTRA_MAIL_FROM/,
    );
    await assertFails(['mail', 'test', 'niemand'], 2, /must be an email address/);
    await assertFails(['mail', 'test', 'a@b.example\r\nBcc: c@d.example'], 2, /must be an email address/);
  });
});

suite('the settings of email', { concurrency: 4 }, () => {
  test('are rejected if they are incomplete', async () => {
    const { ROSTRA_SMTP_URL, ROSTRA_MAIL_FROM, ROSTRA_PUBLIC_URL } =
      createEnvironment('smtp://u:geheim@127.0.0.1');
    await assertFails(workspace.withDatabase('serve'), 2, /ROSTRA_SMTP_URL requires ROSTRA_MAIL_FROM/, {
      environment: { ROSTRA_SMTP_URL, ROSTRA_PUBLIC_URL },
    });
    const { stderr } = await assertFails(
      workspace.withDatabase('serve'),
      2,
      /ROSTRA_SMTP_URL requires ROSTRA_PUBLIC_URL/,
      {
        environment: { ROSTRA_SMTP_URL, ROSTRA_MAIL_FROM },
      },
    );
    assert.ok(!stderr.includes('geheim'));
  });

  test('are rejected without the URL in the message', async () => {
    for (const [url, message] of [
      ['mail.stadt.example', /must be a URL such as smtp:/],
      ['smtp://', /must be a URL such as smtp:/],
      ['http://u:geheim@mail.stadt.example', /must be a URL such as smtp:/],
      ['smtp://u:geheim@mail.stadt.example/path', /must be a URL such as smtp:/],
      ['smtp://u:geheim@mail.stadt.example:99999', /must be a URL such as smtp:/],
      ['smtp://u:geheim%@mail.stadt.example', /special characters in percent-encoding/],
      ['smtp://u@mail.stadt.example', /must have a user name and a password/],
      ['smtp://u:geheim%0d%0aRSET@mail.stadt.example', /must have a user name and a password/],
      ['smtp://u:geheim@mail.stadt.example?debug=true&logger=true', /no other parameters than requireTLS/],
      ['smtp://u:geheim@mail.stadt.example?ignoreTLS=yes', /no other parameters than requireTLS/],
      ['smtp://u:geheim@mail.stadt.example?ignoreTLS=true&requireTLS=true', /not have both/],
    ] as const) {
      const environment = createEnvironment(url);
      const { stderr } = await assertFails(['mail', 'test', 'a@b.example'], 2, message, { environment });
      assert.ok(!stderr.includes('geheim'), stderr);
    }
    for (const from of ['Rostra', '<>', 'a@b, c@d', 'x <a@b> <c@d>', 'A\nB <a@b.example>'])
      await assertFails(['mail', 'test', 'a@b.example'], 2, /ROSTRA_MAIL_FROM must be an address/, {
        environment: createEnvironment('smtp://127.0.0.1', from),
      });
  });

  test('are accepted with the password in a file', async (t) => {
    const server = await startSmtpServer(t, { login });
    const { ROSTRA_SMTP_URL, ...environment } = createEnvironment(server.url);
    const file = workspace.writeFile('smtp-url', `${ROSTRA_SMTP_URL}\n`);
    await assertSucceeds(['mail', 'test', 'a@b.example'], {
      environment: { ...environment, ROSTRA_SMTP_URL_FILE: file },
    });
    assert.equal(server.received.length, 1);
  });
});

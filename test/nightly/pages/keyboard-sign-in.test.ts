/** Sign-in with the keyboard alone: with a password, a second factor, and a link for a forgotten password. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { followTo, launchBrowser, openBrowserContext } from '../../support/browser.ts';
import { createFixture } from '../../support/fixture.ts';
import { createSignedInClient, password } from '../../support/form-client.ts';
import { findFreePort } from '../../support/free-port.ts';
import { createKeyboardUser, type KeyboardUser } from '../../support/keyboard-user.ts';
import { startSmtpServer } from '../../support/smtp-server.ts';

const fixture = await createFixture({ after });
const { store } = fixture;
const smtp = await startSmtpServer({ after });
const port = String(await findFreePort());
const server = await fixture.startServer({
  ROSTRA_PORT: port,
  ROSTRA_PUBLIC_URL: `http://127.0.0.1:${port}`,
  ROSTRA_SMTP_URL: smtp.url,
  ROSTRA_MAIL_FROM: 'rostra@stadt.example',
});
const browser = await launchBrowser({ after });
const municipality = 'Musterstadt';

async function openSignIn(task: string) {
  const { email } = await createSignedInClient(server, store, fixture.a);
  const page = await (await openBrowserContext(browser)).newPage();
  await page.goto(`${server.address}/admin/sign-in`);
  return { page, email, user: createKeyboardUser(page, task) };
}

async function enterPassword(user: KeyboardUser, email: string, heading: string): Promise<void> {
  await user.enter('Email address', email);
  await user.enter('Password', password);
  await user.activate(heading);
}

const readSecret = async (page: Page) =>
  (await page.locator('main code').first().innerText()).replaceAll(' ', '');

test('the keyboard alone signs in with a password after a wrong one, and signs out', async () => {
  const { page, email, user } = await openSignIn('sign-in');
  await user.enter('Email address', email);
  await user.enter('Password', 'wrong password');
  await user.activate('Sign in');
  await enterPassword(user, email, municipality);
  await user.press('Sign out', 'Sign in');
  await page.getByText('You have signed out.').waitFor();
});

test('the keyboard alone sets up a second factor with recovery codes, and signs in with a code', async () => {
  const { page, email, user } = await openSignIn('second-factor');
  await enterPassword(user, email, municipality);
  await user.press(`My account: ${email}`, 'My account');
  await user.press('Set up second factor', 'Set up second factor');
  const app = new TOTP({ secret: await readSecret(page) });
  await user.enter(/^Code/, '000000');
  await user.activate('Set up second factor');
  await user.enter(/^Code/, app.generate());
  await user.activate('Recovery codes');
  await user.press('Create recovery codes', 'Recovery codes');
  const [recoveryCode = ''] = (await page.getByLabel('Recovery codes').inputValue()).split('\n');
  await user.press('I have stored the codes', municipality);
  await user.press('Sign out', 'Sign in');
  await enterPassword(user, email, 'Second factor');
  // The code of the set-up works once.
  await user.enter(/^Code/, app.generate({ timestamp: Date.now() + 30_000 }));
  await user.activate(municipality);
  await user.press('Sign out', 'Sign in');
  await enterPassword(user, email, 'Second factor');
  await user.moveTo('Use a recovery code');
  await followTo(page, () => page.keyboard.press('Enter'));
  await user.enter(/^Recovery code/, recoveryCode);
  await user.activate(municipality);
});

test('the keyboard alone replaces a forgotten password with the link of an email', async () => {
  const { page, email, user } = await openSignIn('forgotten-password');
  await user.press('Forgotten your password?', 'Forgotten your password?');
  await user.enter('Email address', email);
  await user.activate('Forgotten your password?');
  await page.getByText('we have sent a message').waitFor();
  const [mail] = await smtp.waitForMails(1);
  const [link = ''] = /http:\/\/127\.0\.0\.1:\S+\/admin\/invitation\/\S+/.exec(mail?.text ?? '') ?? [];
  await page.goto(link);
  await user.enter(/^New password/, 'several unrelated quiet words');
  await user.activate(municipality);
  assert.equal(smtp.received.length, 1);
});

/** Pages of servers with other settings: e-mail, single sign-on, a required second factor. */
import type { Page } from 'playwright-core';
import { forgottenPasswordPath } from '../../src/web/admin/pages/forgotten-password.ts';
import { sendFields, submitPageForm } from './browser.ts';
import type { Scope } from './files.ts';
import type { Fixture } from './fixture.ts';
import { createAccount } from './form-client.ts';
import { findFreePort } from './free-port.ts';
import type { PageState } from './page-states.ts';
import type { Server } from './server.ts';
import { startSmtpServer } from './smtp-server.ts';

/** Servers on the database of the page states, by their special setting. */
export interface ConfiguredServers {
  mail: Server;
  singleSignOn: Server;
  secondFactor: Server;
  /** Account whose address the mail server refuses. */
  unreachableAccountId: string;
}

export async function startConfiguredServers(
  scope: Scope,
  { store, startServer }: Fixture,
  organizationId: string,
): Promise<ConfiguredServers> {
  const smtp = await startSmtpServer(scope);
  const unreachable = await createAccount(store, organizationId);
  smtp.answerRecipient = (address) =>
    address === unreachable.email ? { code: 550, text: '5.1.1 No such user' } : undefined;
  const port = String(await findFreePort());
  return {
    mail: await startServer({
      ROSTRA_PORT: port,
      ROSTRA_PUBLIC_URL: `http://127.0.0.1:${port}`,
      ROSTRA_SMTP_URL: smtp.url,
      ROSTRA_MAIL_FROM: 'rostra@stadt.example',
    }),
    singleSignOn: await startServer({
      ROSTRA_PUBLIC_URL: 'https://api.stadt.example',
      ROSTRA_OIDC_ISSUER: 'https://login.stadt.example',
      ROSTRA_OIDC_CLIENT_ID: 'rostra',
    }),
    secondFactor: await startServer({ ROSTRA_SECOND_FACTOR: 'required' }),
    unreachableAccountId: unreachable.account.id,
  };
}

const inviteAgain = async (page: Page, address: string) => {
  await page.goto(address);
  await submitPageForm(page);
};

export const configuredPageStates: readonly PageState[] = [
  {
    name: 'account-notifications',
    as: 'administrator',
    open: (page, { configured }) => page.goto(`${configured.mail.address}/admin/account?done=notifications`),
  },
  {
    name: 'account-notifications-of-operator',
    as: 'operator',
    byNight: true,
    open: (page, { configured }) => page.goto(`${configured.mail.address}/admin/account`),
  },
  {
    name: 'account-invited-by-mail',
    as: 'operator',
    byNight: true,
    open: async (page, { configured, otherAccountId }) => {
      await inviteAgain(page, `${configured.mail.address}/admin/accounts/${otherAccountId}/invite`);
      await page.locator('details summary').last().click();
    },
  },
  {
    name: 'account-invited-mail-failed',
    as: 'administrator',
    open: (page, { configured, municipalityPath }) =>
      inviteAgain(
        page,
        `${configured.mail.address}${municipalityPath}/accounts/${configured.unreachableAccountId}/invite`,
      ),
  },
  {
    name: 'forgotten-password',
    as: 'nobody',
    open: (page, { configured }) => page.goto(configured.mail.address + forgottenPasswordPath),
  },
  {
    name: 'forgotten-password-sent',
    as: 'nobody',
    byNight: true,
    open: async (page, { configured }) => {
      await page.goto(configured.mail.address + forgottenPasswordPath);
      await page.locator('#email').fill('niemand@stadt.example');
      await submitPageForm(page);
    },
  },
  {
    name: 'sign-in-with-provider',
    as: 'nobody',
    byNight: true,
    open: (page, { configured }) => page.goto(`${configured.singleSignOn.address}/admin/sign-in`),
  },
  {
    name: 'sign-in-with-provider-and-interrupted-form',
    as: 'nobody',
    byNight: true,
    open: async (page, { configured, municipalityPath }) => {
      await page.goto(`${configured.singleSignOn.address}/admin/sign-in`);
      await sendFields(page, `${municipalityPath}/keys/new`, { name: 'Portal' });
    },
  },
  {
    name: 'second-factor-required',
    as: 'administrator',
    byNight: true,
    open: (page, { configured, municipalityPath }) =>
      page.goto(`${configured.secondFactor.address}${municipalityPath}`),
  },
];

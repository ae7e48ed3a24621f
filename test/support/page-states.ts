/** Every page of the admin area in every state, with long and unusual data, for screenshots and accessibility checks. */

import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { recordKinds } from '../../src/contract/resources/changes.ts';
import { permissionsByRole } from '../../src/domain/accounts/account.ts';
import type { ApprovalKind, ApprovalRequest } from '../../src/domain/approvals/approval-request.ts';
import { generateKey, hashForStorage } from '../../src/domain/keys/api-key.ts';
import type { StoredKey } from '../../src/domain/keys/stored-key.ts';
import type { RecordReference } from '../../src/domain/records/record-decision.ts';
import type { ImportRecord } from '../../src/domain/records/records.ts';
import type { RejectedRecord } from '../../src/domain/runs/run-history.ts';
import type { Store } from '../../src/domain/store.ts';
import { demoMunicipalities } from '../../src/program/demo/generate-demo-municipalities.ts';
import { deriveSourceId } from '../../src/store/runs/import-sources.ts';
import { isTenantAccess } from '../../src/web/admin/access.ts';
import { listNavigation } from './admin-routes.ts';
import { addClientCookies, followTo, sendFields, submitPageForm } from './browser.ts';
import {
  type ConfiguredServers,
  configuredPageStates,
  startConfiguredServers,
} from './configured-page-states.ts';
import type { Scope } from './files.ts';
import { createFixture, type Fixture, issueKey } from './fixture.ts';
import {
  createAccount,
  createFormClient,
  createSignedInClient,
  type FormClient,
  type InvitedAccount,
  password,
} from './form-client.ts';
import {
  createImportPageStates,
  type ImportPageStates,
  importPageStates,
  insertDryRun,
} from './import-page-states.ts';
import { beginRun } from './recorded-runs.ts';
import { createSession, createSubmission } from './records.ts';
import type { Server } from './server.ts';
import { waitUntil } from './wait-until.ts';

/**
 * `newcomer` is the administrator of the municipality without data; `returning` is an administrator whose last
 * authentication is an hour old; `protected` is an administrator with a second factor; `shared` has roles in two
 * municipalities.
 */
export type Role =
  | 'nobody'
  | 'reader'
  | 'administrator'
  | 'returning'
  | 'protected'
  | 'shared'
  | 'operator'
  | 'pendingSecondFactor'
  | 'newcomer';

export interface PageStatesFixture {
  store: Store;
  server: Server;
  /** Path of a municipality with data. */
  municipalityPath: string;
  /** Path of a municipality without data. */
  emptyMunicipalityPath: string;
  keys: Record<'used' | 'revoked' | 'long' | 'expiring' | 'replaced' | 'successor', StoredKey>;
  /** Issues another key of the municipality with data. */
  issueKey: () => Promise<{ id: string }>;
  /** Adds a municipality whose statistics take long. @returns its path, and a function that changes its data */
  createUncountedMunicipality: () => Promise<{ path: string; change: () => Promise<void> }>;
  configured: ConfiguredServers;
  /** Forgets wrong passwords and codes, and makes the last authentication recent: many pages take longer than its limit. */
  renewAuthentication: () => Promise<void>;
  /** Ids of published records. */
  published: Record<'submission' | 'unusual' | 'session' | 'survey', string>;
  /** Id of an unpublished submission, session and survey. */
  unpublished: string;
  /** Id of a corrected survey. */
  corrected: string;
  /** Ids of imports. */
  imports: Record<'withRejections' | 'failed' | 'stale' | 'synchronized' | 'undone', string>;
  importStates: ImportPageStates;
  /** Paths of requests in a municipality with approvals, and its path. */
  approvals: Record<'path' | 'import' | 'correction' | 'own' | 'returned' | 'gone', string>;
  /** Signed-in browsers. */
  clients: Record<Exclude<Role, 'nobody' | 'newcomer' | 'shared'>, FormClient> &
    Record<'newcomer' | 'shared', FormClient & InvitedAccount>;
  invitationPath: string;
  /** Link in an email to an administrator. */
  unsubscribePath: string;
  otherAccountId: string;
}

export interface PageState {
  name: string;
  as: Role;
  /** By day the accessibility checks leave it out, because other states show elements like those of this one. */
  byNight?: true;
  /** The page belongs to no municipality. */
  hasNoHeader?: true;
  open: (page: Page, fixture: PageStatesFixture) => Promise<unknown>;
}

const longName =
  `Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft ${'Bürgerbeteiligungsplattformschnittstelle '.repeat(3)}`
    .slice(0, 200)
    .padEnd(200, '.');
const rightToLeft = 'بوابة البيانات المفتوحة (2026) – مدينة';

/** The other sources of the municipality with data are imported. */
const secondSource = { format: 'oparl', name: `Ratsinformationssystem ${longName.slice(0, 60)}` };

const openPath =
  (path: string) =>
  (page: Page, { server }: PageStatesFixture) =>
    goToPage(page, server.address + path);
const openMunicipalityPath =
  (path: string) =>
  (page: Page, { server, municipalityPath }: PageStatesFixture) =>
    goToPage(page, `${server.address}${municipalityPath}${path}`);

/** Fails if a page outside is shown, such as that of a sign-in. */
async function goToPage(page: Page, url: string): Promise<void> {
  await page.goto(url);
  const shown = page.url();
  assert.ok(shown.startsWith(url), shown);
}
const openKey =
  (key: keyof PageStatesFixture['keys'], action = '') =>
  (page: Page, { server, municipalityPath, keys }: PageStatesFixture) =>
    page.goto(`${server.address}${municipalityPath}/keys/${keys[key].id}${action}`);
const openImport =
  (run: keyof PageStatesFixture['imports']) =>
  (page: Page, { server, municipalityPath, imports }: PageStatesFixture) =>
    page.goto(`${server.address}${municipalityPath}/imports/${imports[run]}`);
/** On wide screens the menu is always open. */
const openMenu = async (page: Page) => {
  const toggle = page.locator('[popovertarget=menu]').first();
  if (await toggle.isVisible()) await toggle.click();
};
const typeMunicipality = async (page: Page, words: string) => {
  await openMenu(page);
  await page.locator('#organization-search').pressSequentially(words);
};

/** Every entry of the navigation, for example `keys` and `admin-accounts`. */
const navigationStates = listNavigation().map(({ path, access }): PageState => {
  const below = path.replace('/admin/organizations/:organizationId', '');
  const isOfMunicipality = below !== path;
  return {
    name: below === '' ? 'home' : below.slice(1).replaceAll('/', '-'),
    as: isTenantAccess(access) ? 'administrator' : 'operator',
    open: isOfMunicipality ? openMunicipalityPath(below) : openPath(path),
  };
});

/** Of the first note on a record. */
const noteId = '00000000-0000-4000-8000-00000000eeee';

/** Of records that equal unpublished ones. */
const matchingId = '00000000-0000-4000-8000-00000000dddd';

/** Of the municipality with data. */
const openSlug = 'musterstadt';

/** With a popup, and the list of areas. */
const openMap =
  (query: string) =>
  async (page: Page, { server }: PageStatesFixture) => {
    await goToPage(page, `${server.address}/open/${openSlug}/submissions/map${query}`);
    await page.locator('#map .folded-section summary').click();
    await page.locator('path.map-area').first().dispatchEvent('click');
    await page.locator('.leaflet-popup-content').waitFor();
  };

/** Pages of open data. */
const openStates: readonly PageState[] = [
  { name: 'open', as: 'nobody', open: openPath(`/open/${openSlug}`) },
  { name: 'open-downloads', as: 'nobody', open: openPath(`/open/${openSlug}/downloads`) },
  {
    name: 'open-unknown',
    as: 'nobody',
    byNight: true,
    hasNoHeader: true,
    open: openPath('/open/unknown'),
  },
  { name: 'open-all-years', as: 'nobody', byNight: true, open: openPath(`/open/${openSlug}?period=all`) },
  ...['submissions', 'sessions', 'surveys'].map(
    (list): PageState => ({
      name: `open-${list}`,
      as: 'nobody',
      byNight: true,
      open: openPath(`/open/${openSlug}/${list}`),
    }),
  ),
  {
    name: 'open-submissions-found',
    as: 'nobody',
    open: openPath(`/open/${openSlug}/submissions?words=radweg&status=in_review&from=2024-01-01`),
  },
  {
    name: 'open-submissions-wrong',
    as: 'nobody',
    byNight: true,
    open: openPath(`/open/${openSlug}/submissions?words=%2B&from=2026-05-01&to=2026-04-01`),
  },
  { name: 'open-map', as: 'nobody', open: openMap('') },
  { name: 'open-map-area', as: 'nobody', byNight: true, open: openMap('?area=-180,-90,180,90') },
  {
    name: 'open-map-empty',
    as: 'nobody',
    byNight: true,
    open: openPath(`/open/${openSlug}/submissions/map?words=nirgends`),
  },
  ...(['submission', 'unusual', 'session', 'survey'] as const).map(
    (kind): PageState => ({
      name: `open-${kind}`,
      as: 'nobody',
      ...(kind !== 'submission' && { byNight: true }),
      open: (page, { server, published }) =>
        goToPage(
          page,
          `${server.address}/open/${openSlug}/${kind === 'unusual' ? 'submission' : kind}s/${published[kind]}`,
        ),
    }),
  ),
];

export const pageStates: readonly PageState[] = [
  ...openStates,
  ...navigationStates,
  { name: 'sign-in', as: 'nobody', byNight: true, open: openPath('/admin/sign-in') },
  {
    name: 'sign-in-ended',
    as: 'nobody',
    byNight: true,
    open: openPath('/admin/sign-in?ended=nothing'),
  },
  {
    name: 'sign-in-with-interrupted-form',
    as: 'nobody',
    open: async (page, fixture) => {
      await openPath('/admin/sign-in')(page, fixture);
      await sendFields(page, `${fixture.municipalityPath}/keys/new`, { name: longName });
    },
  },
  {
    name: 'interrupted-form',
    as: 'nobody',
    byNight: true,
    open: async (page, fixture) => {
      const { account, email } = fixture.clients.newcomer;
      await openPath('/admin/sign-in')(page, fixture);
      await sendFields(page, '/admin/sign-in', {
        ...{ email, password, return: `${fixture.municipalityPath}/keys/new` },
        ...{ 'entry.author': account.id, 'entry.name': longName },
      });
    },
  },
  {
    name: 'form-of-other-account',
    as: 'administrator',
    byNight: true,
    open: async (page, fixture) => {
      await openMunicipalityPath('/keys/new')(page, fixture);
      await sendFields(page, `${fixture.municipalityPath}/keys/new`, { author: 'other', reopen: '1' });
    },
  },
  { name: 'sign-in-failed', as: 'nobody', byNight: true, open: openPath('/admin/sign-in?failed=1') },
  {
    name: 'sign-in-missing',
    as: 'nobody',
    byNight: true,
    open: async (page, fixture) => {
      await openPath('/admin/sign-in')(page, fixture);
      await submitPageForm(page);
    },
  },
  {
    name: 'forgotten-password-without-mail',
    as: 'nobody',
    byNight: true,
    open: openPath('/admin/sign-in/forgotten-password'),
  },
  { name: 'not-found', as: 'nobody', open: openPath('/admin/nowhere') },
  {
    name: 'invitation',
    as: 'nobody',
    open: (page, { server, invitationPath }) => page.goto(server.address + invitationPath),
  },
  {
    name: 'invitation-short',
    as: 'nobody',
    byNight: true,
    open: async (page, { server, invitationPath }) => {
      await page.goto(server.address + invitationPath);
      await page.locator('#password').fill('kurz');
      await submitPageForm(page);
    },
  },
  {
    name: 'unsubscribe',
    as: 'nobody',
    open: (page, { server, unsubscribePath }) => page.goto(server.address + unsubscribePath),
  },
  {
    name: 'unsubscribe-done',
    as: 'nobody',
    byNight: true,
    open: async (page, { server, unsubscribePath }) => {
      await page.goto(server.address + unsubscribePath);
      if ((await page.locator('.page-form').count()) > 0) await submitPageForm(page);
    },
  },
  { name: 'unsubscribe-unknown', as: 'nobody', byNight: true, open: openPath('/admin/unsubscribe/none') },
  { name: 'invitation-expired', as: 'nobody', byNight: true, open: openPath('/admin/invitation/none') },
  { name: 'code', as: 'pendingSecondFactor', open: openPath('/admin/sign-in/code') },
  {
    name: 'code-wrong',
    as: 'pendingSecondFactor',
    byNight: true,
    open: async (page, fixture) => {
      await openPath('/admin/sign-in/code')(page, fixture);
      await page.locator('#code').fill('12');
      await submitPageForm(page);
    },
  },
  {
    name: 'organization-new-wrong',
    as: 'operator',
    open: async (page, fixture) => {
      await openPath('/admin/organizations/new')(page, fixture);
      await submitPageForm(page);
    },
  },
  {
    name: 'home-empty',
    as: 'newcomer',
    byNight: true,
    open: (page, { server, emptyMunicipalityPath }) => page.goto(server.address + emptyMunicipalityPath),
  },
  {
    name: 'keys-by-name',
    as: 'administrator',
    byNight: true,
    open: openMunicipalityPath('/keys?sort=name&order=ascending&state=active'),
  },
  { name: 'keys-last-page', as: 'administrator', byNight: true, open: openMunicipalityPath('/keys?page=5') },
  {
    name: 'keys-none-found',
    as: 'administrator',
    byNight: true,
    open: openMunicipalityPath('/keys?words=nirgends'),
  },
  {
    name: 'keys-empty',
    as: 'newcomer',
    byNight: true,
    open: (page, { server, emptyMunicipalityPath }) =>
      page.goto(`${server.address}${emptyMunicipalityPath}/keys`),
  },
  { name: 'key-new', as: 'administrator', byNight: true, open: openMunicipalityPath('/keys/new') },
  {
    name: 'key-new-wrong',
    as: 'administrator',
    open: async (page, fixture) => {
      await openMunicipalityPath('/keys/new?expires=2020-01-01&limit=viele')(page, fixture);
      await page.locator('#name').fill('x'.repeat(201));
      await submitPageForm(page);
    },
  },
  {
    name: 'key-issued',
    as: 'administrator',
    open: async (page, fixture) => {
      await openMunicipalityPath('/keys/new')(page, fixture);
      await page.locator('#name').fill('Open-Data-Portal');
      await submitPageForm(page);
    },
  },
  {
    name: 'key-issued-before',
    as: 'administrator',
    byNight: true,
    open: openKey('used', '/issued'),
  },
  { name: 'key', as: 'administrator', open: openKey('used') },
  { name: 'key-use-of-7-days', as: 'administrator', byNight: true, open: openKey('used', '?days=7') },
  {
    name: 'key-use-unfolded',
    as: 'reader',
    byNight: true,
    open: async (page, fixture) => {
      await openKey('used', '?days=90')(page, fixture);
      for (const summary of await page.locator('summary').all()) await summary.click();
    },
  },
  { name: 'key-long-name', byNight: true, as: 'administrator', open: openKey('long') },
  { name: 'key-revoked', as: 'administrator', byNight: true, open: openKey('revoked') },
  { name: 'key-expiring', as: 'administrator', byNight: true, open: openKey('expiring') },
  { name: 'key-replaced', as: 'administrator', byNight: true, open: openKey('replaced') },
  { name: 'key-successor', byNight: true, as: 'administrator', open: openKey('successor') },
  { name: 'key-found', byNight: true, as: 'administrator', open: openKey('used', '?found') },
  { name: 'key-found-revoked', as: 'administrator', byNight: true, open: openKey('revoked', '?found') },
  {
    name: 'keys-foreign',
    as: 'administrator',
    byNight: true,
    open: openMunicipalityPath('/keys?words=sk_rostra_&pasted=1'),
  },
  {
    name: 'keys-unknown',
    as: 'administrator',
    byNight: true,
    open: openMunicipalityPath('/keys?words=sk_rostra_______&pasted=1'),
  },
  {
    name: 'keys-expiring',
    as: 'administrator',
    byNight: true,
    open: openMunicipalityPath('/keys?state=expiring'),
  },
  { name: 'key-edit', as: 'administrator', open: openKey('expiring', '/edit') },
  {
    name: 'key-edit-unsaved',
    as: 'administrator',
    byNight: true,
    open: openKey('expiring', '/edit?purpose=Karte'),
  },
  { name: 'key-edit-revoked', as: 'administrator', byNight: true, open: openKey('revoked', '/edit') },
  {
    name: 'key-edit-wrong',
    as: 'administrator',
    byNight: true,
    open: async (page, fixture) => {
      await openKey('expiring', '/edit')(page, fixture);
      await page.locator('#contact').fill('x'.repeat(201));
      await page.locator('#limit').fill('viele');
      await submitPageForm(page);
    },
  },
  {
    name: 'key-rotated',
    as: 'administrator',
    byNight: true,
    open: async (page, { server, municipalityPath, issueKey }) => {
      const { id } = await issueKey();
      await page.goto(`${server.address}${municipalityPath}/keys/${id}/rotate`);
      await submitPageForm(page);
    },
  },
  { name: 'key-rotate-replaced', as: 'administrator', byNight: true, open: openKey('replaced', '/rotate') },
  { name: 'key-rotate', as: 'administrator', open: openKey('used', '/rotate') },
  { name: 'key-rotate-revoked', as: 'administrator', byNight: true, open: openKey('revoked', '/rotate') },
  { name: 'key-revoke', as: 'administrator', byNight: true, open: openKey('used', '/revoke') },
  { name: 'key-revoke-again', as: 'administrator', byNight: true, open: openKey('revoked', '/revoke') },
  {
    name: 'published-of-source',
    as: 'administrator',
    byNight: true,
    open: openMunicipalityPath(`/published?period=all&source=${deriveSourceId(secondSource)}`),
  },
  {
    name: 'published-empty',
    as: 'newcomer',
    byNight: true,
    open: (page, { server, emptyMunicipalityPath }) =>
      page.goto(`${server.address}${emptyMunicipalityPath}/published`),
  },
  {
    name: 'data-submissions',
    as: 'administrator',
    byNight: true,
    open: openMunicipalityPath('/data/submissions'),
  },
  {
    name: 'data-submissions-found',
    as: 'administrator',
    byNight: true,
    open: openMunicipalityPath('/data/submissions?words=radweg&status=in_review&from=2024-01-01'),
  },
  {
    name: 'data-submissions-none-found',
    as: 'administrator',
    byNight: true,
    open: openMunicipalityPath('/data/submissions?words=nirgends'),
  },
  {
    name: 'data-submissions-wrong',
    as: 'administrator',
    byNight: true,
    open: openMunicipalityPath('/data/submissions?words=%2B&from=2026-05-01&to=2026-04-01'),
  },
  {
    name: 'data-submissions-empty',
    as: 'newcomer',
    byNight: true,
    open: (page, { server, emptyMunicipalityPath }) =>
      page.goto(`${server.address}${emptyMunicipalityPath}/data/submissions`),
  },
  {
    name: 'data-submission',
    as: 'administrator',
    byNight: true,
    open: (page, { server, municipalityPath, published }) =>
      page.goto(`${server.address}${municipalityPath}/data/submissions/${published.submission}`),
  },
  {
    name: 'data-submission-unusual',
    as: 'administrator',
    open: (page, { server, municipalityPath, published }) =>
      page.goto(`${server.address}${municipalityPath}/data/submissions/${published.unusual}`),
  },
  {
    name: 'data-note-rejected',
    as: 'administrator',
    open: async (page, { server, municipalityPath, published }) => {
      await page.goto(`${server.address}${municipalityPath}/data/submissions/${published.unusual}`);
      await submitPageForm(page);
    },
  },
  { name: 'data-sessions', as: 'administrator', byNight: true, open: openMunicipalityPath('/data/sessions') },
  {
    name: 'data-session',
    as: 'administrator',
    open: (page, { server, municipalityPath, published }) =>
      page.goto(`${server.address}${municipalityPath}/data/sessions/${published.session}`),
  },
  {
    name: 'data-unpublish',
    as: 'administrator',
    byNight: true,
    open: (page, { server, municipalityPath, published }) =>
      page.goto(`${server.address}${municipalityPath}/data/submissions/${published.unusual}/unpublish`),
  },
  {
    name: 'data-unpublish-rejected',
    as: 'administrator',
    byNight: true,
    open: async (page, { server, municipalityPath, published }) => {
      await page.goto(`${server.address}${municipalityPath}/data/sessions/${published.session}/unpublish`);
      await submitPageForm(page);
    },
  },
  {
    name: 'data-unpublished',
    as: 'administrator',
    byNight: true,
    open: (page, { server, municipalityPath, unpublished }) =>
      page.goto(`${server.address}${municipalityPath}/data/submissions/${unpublished}?unpublished`),
  },
  {
    name: 'data-survey-unpublish',
    as: 'administrator',
    byNight: true,
    open: (page, { server, municipalityPath, published }) =>
      page.goto(`${server.address}${municipalityPath}/data/surveys/${published.survey}/unpublish`),
  },
  ...recordKinds.flatMap((kind) =>
    ['revert', 'remove', `notes/${noteId}/delete`].map(
      (action): PageState => ({
        name: `data-${kind}-${action.replace(/\/.*/, '')}`,
        as: 'administrator',
        // The forms of all kinds have the same elements.
        ...(kind !== 'submission' && { byNight: true }),
        open: (page, { server, municipalityPath, unpublished }) =>
          page.goto(`${server.address}${municipalityPath}/data/${kind}s/${unpublished}/${action}`),
      }),
    ),
  ),
  ...recordKinds.map(
    (kind): PageState => ({
      name: `data-${kind}-allow`,
      as: 'administrator',
      ...(kind !== 'submission' && { byNight: true }),
      open: openMunicipalityPath(`/data/${kind}s/${matchingId}/allow`),
    }),
  ),
  {
    name: 'data-submission-correct',
    as: 'administrator',
    open: async (page, { server, municipalityPath, published }) => {
      await page.goto(`${server.address}${municipalityPath}/data/submissions/${published.unusual}/correct`);
      await submitPageForm(page);
    },
  },
  {
    name: 'data-session-correct',
    as: 'administrator',
    open: (page, { server, municipalityPath, published }) =>
      page.goto(`${server.address}${municipalityPath}/data/sessions/${published.session}/correct`),
  },
  {
    name: 'data-survey-correct',
    as: 'administrator',
    open: async (page, { server, municipalityPath, published }) => {
      await page.goto(`${server.address}${municipalityPath}/data/surveys/${published.survey}/correct`);
      await submitPageForm(page);
    },
  },
  {
    name: 'data-survey-corrected',
    as: 'administrator',
    byNight: true,
    open: (page, { server, municipalityPath, corrected }) =>
      page.goto(`${server.address}${municipalityPath}/data/surveys/${corrected}?corrected`),
  },
  { name: 'data-decisions', as: 'administrator', open: openMunicipalityPath('/data/decisions') },
  { name: 'data-surveys', as: 'administrator', byNight: true, open: openMunicipalityPath('/data/surveys') },
  {
    name: 'data-survey',
    as: 'administrator',
    open: (page, { server, municipalityPath, published }) =>
      page.goto(`${server.address}${municipalityPath}/data/surveys/${published.survey}`),
  },
  { name: 'data-try', as: 'administrator', byNight: true, open: openMunicipalityPath('/data/try') },
  {
    name: 'data-try-response',
    as: 'administrator',
    open: openMunicipalityPath('/data/try?operation=listSubmissions&parameter.limit=2&run=1'),
  },
  {
    name: 'data-try-error',
    as: 'administrator',
    byNight: true,
    open: openMunicipalityPath('/data/try?operation=listSubmissions&parameter.limit=2000&run=1'),
  },
  {
    name: 'imports-empty',
    as: 'newcomer',
    byNight: true,
    open: (page, { server, emptyMunicipalityPath }) =>
      page.goto(`${server.address}${emptyMunicipalityPath}/imports`),
  },
  { name: 'import', as: 'administrator', open: openImport('withRejections') },
  { name: 'import-failed', as: 'administrator', byNight: true, open: openImport('failed') },
  { name: 'import-synchronized', as: 'administrator', open: openImport('synchronized') },
  { name: 'import-stale', byNight: true, as: 'administrator', open: openImport('stale') },
  { name: 'import-undone', as: 'administrator', byNight: true, open: openImport('undone') },
  {
    name: 'settings-saved',
    as: 'administrator',
    byNight: true,
    open: openMunicipalityPath('/settings?saved'),
  },
  {
    name: 'settings-unsaved',
    as: 'administrator',
    byNight: true,
    open: openMunicipalityPath('/settings?attribution=Daten%3A+Musterstadt&licenseName=CC0-1.0'),
  },
  {
    name: 'settings-wrong',
    as: 'administrator',
    byNight: true,
    open: async (page, fixture) => {
      await openMunicipalityPath('/settings')(page, fixture);
      await page.locator('#license').selectOption('other');
      await page.locator('#licenseUrl').fill(`ftp://${longName}`);
      await page.locator('#contactEmail').fill('niemand');
      await page.locator('#attribution').fill(longName.repeat(6));
      await submitPageForm(page);
    },
  },
  {
    name: 'settings-logo-wrong',
    as: 'administrator',
    byNight: true,
    open: async (page, fixture) => {
      await openMunicipalityPath('/settings')(page, fixture);
      const file = { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') };
      await page.locator('#logo').setInputFiles(file);
      await followTo(page, () => page.locator('form[enctype] button[type=submit]').click());
    },
  },
  {
    name: 'settings-redaction',
    as: 'administrator',
    open: async (page, fixture) => {
      await openMunicipalityPath('/settings/redaction')(page, fixture);
      await page.locator('#terms').fill(`${longName}\nCustomer number = /K-[0-9]{6}/`);
      await page.locator('#sample').fill(`${longName} K-123456 ${longName}`);
      await followTo(page, () => page.locator('button[value=preview]').click());
    },
  },
  {
    name: 'settings-locations',
    as: 'administrator',
    open: openMunicipalityPath('/settings/locations?saved'),
  },
  {
    name: 'settings-locations-wrong',
    as: 'administrator',
    open: async (page, fixture) => {
      await openMunicipalityPath('/settings/locations')(page, fixture);
      await page.locator('#topics').fill(longName.repeat(20));
      await followTo(page, () => page.locator('main form button').click());
    },
  },
  { name: 'approval-off', as: 'administrator', open: openMunicipalityPath('/settings/approval') },
  ...(['import', 'correction', 'own', 'returned', 'gone'] as const).map(
    (name): PageState => ({
      name: `approval-${name}`,
      as: 'operator',
      open: (page, { server, approvals }) => goToPage(page, server.address + approvals[name]),
    }),
  ),
  {
    name: 'approval-return-wrong',
    as: 'operator',
    open: async (page, { server, approvals }) => {
      await page.goto(server.address + approvals.import);
      await followTo(page, () =>
        page
          .getByRole('button', { name: 'Zurückgeben' })
          .or(page.getByRole('button', { name: 'Return' }))
          .click(),
      );
    },
  },
  ...(
    ['approvals', 'settings/approval', 'data/submissions/00000000-0000-4000-8000-0000000a0001'] as const
  ).map(
    (below): PageState => ({
      name: `approving-${below.split('/').at(0)}`,
      as: 'operator',
      open: (page, { server, approvals }) => goToPage(page, `${server.address}${approvals.path}/${below}`),
    }),
  ),
  { name: 'open-data', as: 'administrator', open: openMunicipalityPath('/open-data?on') },
  {
    name: 'open-data-wrong',
    as: 'newcomer',
    open: async (page, { server, emptyMunicipalityPath }) => {
      await page.goto(`${server.address}${emptyMunicipalityPath}/open-data`);
      await page.locator('#slug').fill(longName);
      await followTo(page, () => page.locator('button[value=on]').click());
    },
  },
  {
    name: 'settings-empty',
    as: 'newcomer',
    byNight: true,
    open: (page, { server, emptyMunicipalityPath }) =>
      page.goto(`${server.address}${emptyMunicipalityPath}/settings`),
  },
  {
    name: 'audit-filtered',
    as: 'administrator',
    byNight: true,
    open: openMunicipalityPath('/audit?action=organization.edited&from=2020-01-01'),
  },
  {
    name: 'audit-none-found',
    as: 'administrator',
    byNight: true,
    open: openMunicipalityPath('/audit?actor=niemand'),
  },
  { name: 'account', as: 'administrator', byNight: true, open: openPath('/admin/account') },
  {
    name: 'account-done',
    as: 'administrator',
    byNight: true,
    open: openPath('/admin/account?done=password'),
  },
  { name: 'account-password', as: 'administrator', open: openPath('/admin/account/password') },
  { name: 'account-name', as: 'administrator', open: openPath('/admin/account/name') },
  {
    name: 'second-factor',
    as: 'administrator',
    open: openPath('/admin/account/second-factor'),
  },
  {
    name: 'recovery-code',
    as: 'pendingSecondFactor',
    byNight: true,
    open: openPath('/admin/sign-in/recovery-code'),
  },
  {
    name: 'recovery-code-wrong',
    as: 'pendingSecondFactor',
    byNight: true,
    open: async (page, fixture) => {
      await openPath('/admin/sign-in/recovery-code')(page, fixture);
      await page.locator('#code').fill('x');
      await submitPageForm(page);
    },
  },
  { name: 'account-few-codes', as: 'protected', byNight: true, open: openPath('/admin/account') },
  { name: 'recovery-codes', as: 'protected', open: openPath('/admin/account/recovery-codes?done=1') },
  {
    name: 'recovery-codes-created',
    as: 'protected',
    byNight: true,
    open: async (page, fixture) => {
      await openPath('/admin/account/recovery-codes')(page, fixture);
      await submitPageForm(page);
    },
  },
  { name: 'keys-of-reader', as: 'reader', byNight: true, open: openMunicipalityPath('/keys') },
  { name: 'insufficient-role', as: 'reader', byNight: true, open: openMunicipalityPath('/keys/new') },
  { name: 'confirm', as: 'administrator', open: openPath('/admin/confirm') },
  {
    name: 'confirmed-in-tab',
    as: 'administrator',
    byNight: true,
    open: openPath('/admin/confirm?done=1'),
  },
  {
    name: 'confirm-wrong',
    as: 'administrator',
    byNight: true,
    open: async (page, fixture) => {
      await openPath('/admin/confirm')(page, fixture);
      await page.locator('#currentPassword').fill('falsch');
      await submitPageForm(page);
    },
  },
  {
    name: 'confirm-form',
    as: 'returning',
    byNight: true,
    open: async (page, fixture) => {
      await openMunicipalityPath('/keys/new')(page, fixture);
      await page.locator('#name').fill('Open-Data-Portal');
      await submitPageForm(page);
    },
  },
  {
    name: 'form-out-of-date',
    as: 'administrator',
    byNight: true,
    open: async (page, fixture) => {
      await openMunicipalityPath('/keys/new')(page, fixture);
      await page.locator('#name').fill('Open-Data-Portal');
      await page
        .locator('.page-form [name=token]')
        .evaluate((input) => input.setAttribute('value', 'forged'));
      await submitPageForm(page);
    },
  },
  {
    name: 'imports-of-all-none',
    as: 'operator',
    byNight: true,
    open: openPath('/admin/imports?words=nirgends'),
  },
  { name: 'sources-of-all', as: 'operator', byNight: true, open: openPath('/admin/imports/sources') },
  {
    name: 'organizations-none-found',
    as: 'operator',
    byNight: true,
    open: openPath('/admin/organizations?words=nirgends'),
  },
  {
    name: 'accounts-none-found',
    as: 'operator',
    byNight: true,
    open: openPath('/admin/accounts?words=nirgends'),
  },
  { name: 'account-new', as: 'operator', byNight: true, open: openPath('/admin/accounts/new') },
  {
    name: 'accounts-of-municipality',
    as: 'administrator',
    byNight: true,
    open: openMunicipalityPath('/accounts?done=role'),
  },
  {
    name: 'account-of-municipality-new',
    as: 'administrator',
    byNight: true,
    open: openMunicipalityPath('/accounts/new'),
  },
  {
    name: 'account-role',
    as: 'administrator',
    byNight: true,
    open: (page, { server, municipalityPath, otherAccountId }) =>
      page.goto(`${server.address}${municipalityPath}/accounts/${otherAccountId}/role`),
  },
  {
    name: 'account-remove-last',
    as: 'operator',
    byNight: true,
    open: (page, { server, clients }) =>
      page.goto(`${server.address}/admin/accounts/${clients.newcomer.account.id}/remove`),
  },
  {
    name: 'account-new-wrong',
    as: 'operator',
    open: async (page, fixture) => {
      await openPath('/admin/accounts/new?email=niemand')(page, fixture);
      await submitPageForm(page);
    },
  },
  {
    name: 'account-invite',
    as: 'operator',
    byNight: true,
    open: (page, { server, otherAccountId }) =>
      page.goto(`${server.address}/admin/accounts/${otherAccountId}/invite`),
  },
  {
    name: 'account-invited',
    as: 'operator',
    byNight: true,
    open: async (page, { server, otherAccountId }) => {
      await page.goto(`${server.address}/admin/accounts/${otherAccountId}/invite`);
      await submitPageForm(page);
    },
  },
  {
    name: 'account-remove',
    as: 'operator',
    byNight: true,
    open: (page, { server, otherAccountId }) =>
      page.goto(`${server.address}/admin/accounts/${otherAccountId}/remove`),
  },
  {
    name: 'audit-of-all-none-found',
    as: 'operator',
    byNight: true,
    open: openPath('/admin/audit?actor=niemand&action=key.revoked&from=2020-01-01'),
  },
  {
    name: 'imports-of-all-failed',
    as: 'operator',
    byNight: true,
    open: openPath('/admin/imports?state=failed'),
  },
  {
    name: 'imports-of-all-stale',
    as: 'operator',
    byNight: true,
    open: openPath('/admin/imports?state=stale'),
  },
  {
    name: 'sources-of-all-failing',
    as: 'operator',
    byNight: true,
    open: openPath('/admin/imports/sources?state=failing'),
  },
  { name: 'home-of-operator', as: 'operator', byNight: true, open: openMunicipalityPath('') },
  { name: 'home-of-reader', as: 'reader', byNight: true, open: openMunicipalityPath('') },
  { name: 'key-of-reader', as: 'reader', byNight: true, open: openKey('expiring') },
  { name: 'imports-of-reader', as: 'reader', byNight: true, open: openMunicipalityPath('/imports') },
  { name: 'audit-of-reader', as: 'reader', byNight: true, open: openMunicipalityPath('/audit') },
  { name: 'account-of-reader', as: 'reader', byNight: true, open: openPath('/admin/account') },
  { name: 'not-found-signed-in', as: 'reader', byNight: true, open: openPath('/admin/nowhere') },
  {
    name: 'published-in-a-year',
    as: 'reader',
    byNight: true,
    open: openMunicipalityPath(`/published?period=${new Date().getUTCFullYear() - 1}`),
  },
  {
    name: 'published-in-all-years',
    as: 'reader',
    byNight: true,
    open: openMunicipalityPath('/published?period=all'),
  },
  {
    name: 'published-counting',
    as: 'operator',
    byNight: true,
    open: async (page, { server, createUncountedMunicipality }) => {
      const { path } = await createUncountedMunicipality();
      await page.goto(`${server.address}${path}/published`);
      await page.locator('.reload').waitFor();
    },
  },
  {
    name: 'published-counting-again',
    as: 'operator',
    byNight: true,
    open: async (page, { server, createUncountedMunicipality }) => {
      const { path, change } = await createUncountedMunicipality();
      const address = `${server.address}${path}/published`;
      await page.goto(address);
      await waitUntil('the statistics', async () => {
        await page.goto(address);
        return (await page.locator('.reload').count()) === 0;
      });
      await change();
      await page.goto(address);
      await page.locator('.reload').waitFor();
    },
  },
  {
    name: 'menu',
    as: 'operator',
    byNight: true,
    open: async (page, fixture) => {
      await openMunicipalityPath('/keys')(page, fixture);
      await openMenu(page);
    },
  },
  {
    name: 'menu-suggestions',
    byNight: true,
    as: 'operator',
    open: async (page, fixture) => {
      await openMunicipalityPath('/keys')(page, fixture);
      await typeMunicipality(page, 'Samt');
      await page.getByRole('option').first().waitFor();
      await page.keyboard.press('ArrowDown');
    },
  },
  {
    name: 'menu-no-suggestions',
    as: 'operator',
    byNight: true,
    open: async (page, fixture) => {
      await openPath('/admin/organizations')(page, fixture);
      await typeMunicipality(page, 'nirgends');
      await page.locator('.organization-search [role=status]:not(:empty)').waitFor({ state: 'attached' });
    },
  },
  {
    name: 'account-new-suggestions',
    as: 'operator',
    byNight: true,
    open: async (page, fixture) => {
      await openPath('/admin/accounts/new')(page, fixture);
      await page.locator('#organization').pressSequentially('Samt');
      await page.getByRole('option').first().waitFor();
    },
  },
  {
    name: 'account-of-municipality-invite',
    as: 'administrator',
    byNight: true,
    open: (page, { server, municipalityPath, otherAccountId }) =>
      page.goto(`${server.address}${municipalityPath}/accounts/${otherAccountId}/invite`),
  },
  {
    name: 'account-of-municipality-remove',
    as: 'administrator',
    byNight: true,
    open: (page, { server, municipalityPath, otherAccountId }) =>
      page.goto(`${server.address}${municipalityPath}/accounts/${otherAccountId}/remove`),
  },
  { name: 'municipalities-of-account', as: 'shared', byNight: true, open: openPath('/admin/organizations') },
  { name: 'account-with-two-roles', as: 'shared', byNight: true, open: openPath('/admin/account') },
  {
    name: 'account-remove-role',
    as: 'administrator',
    byNight: true,
    open: (page, { server, municipalityPath, clients }) =>
      page.goto(`${server.address}${municipalityPath}/accounts/${clients.shared.account.id}/remove`),
  },
  {
    name: 'account-role-added',
    as: 'administrator',
    byNight: true,
    open: openMunicipalityPath('/accounts?done=role-added'),
  },
  {
    name: 'account-role-of-operator',
    as: 'operator',
    byNight: true,
    open: (page, { server, municipalityPath, otherAccountId }) =>
      page.goto(`${server.address}${municipalityPath}/accounts/${otherAccountId}/role`),
  },
  {
    name: 'second-factor-remove',
    as: 'protected',
    byNight: true,
    open: openPath('/admin/account/second-factor/remove'),
  },
  ...importPageStates,
  ...configuredPageStates,
];

/** Starts a server, creates municipalities with and without data, and signs in one browser per role. */
export async function createPageStatesFixture(scope: Scope): Promise<PageStatesFixture> {
  const fixture = await createFixture(scope);
  const { store } = fixture;
  const [demo] = demoMunicipalities;
  if (demo === undefined) throw new Error('the demo has no municipality');
  await store.addOrganization(demo.name, demo.id);
  await store.editOrganization(demo.id, {
    ...demo.organization,
    logo: demo.readLogo(),
    slug: openSlug,
    openData: 'on',
  });
  await fixture.putRecords(demo.id, [...demo.records()]);
  await store.write(demo.id, (writer) => writer.put([{ kind: 'submission', ...createSubmission(2) }]), {
    source: { ...secondSource, redaction: { kinds: [], country: 'DE', patterns: {} }, follows: undefined },
  });
  const { id: empty } = await store.addOrganization(
    `Samtgemeinde ${'Neuanfang'.repeat(12)}`,
    '00000000-0000-4000-8000-0000000000ff',
  );
  const server = await fixture.startServer({ ROSTRA_RATE_LIMIT: '1000', ROSTRA_TIME_ZONE: 'Europe/Berlin' });

  const names = ['Open-Data-Portal', 'Website der Stadt', 'Forschungsprojekt „Beteiligung“', 'Lokalzeitung'];
  for (let index = 0; index < 200; index += 1) {
    const expiresAt =
      index % 7 === 0 ? '2020-01-01T00:00:00.000Z' : index % 5 === 0 ? '2030-12-31T22:59:59.999Z' : undefined;
    const { id } = await issueKey(store, demo.id, { name: `${names[index % 4]} ${index + 1}`, expiresAt });
    if (index % 9 === 0) await store.revokeKey({ organizationId: demo.id, id });
  }
  await issueKey(store, demo.id, { name: rightToLeft });
  const long = (await issueKey(store, demo.id, { name: longName })).id;
  const revoked = (await issueKey(store, demo.id, { name: 'Verloren' })).id;
  await store.revokeKey({ organizationId: demo.id, id: revoked });
  const expiring = (
    await issueKey(store, demo.id, {
      name: 'Stadtplan',
      expiresAt: new Date(Date.now() + 6 * 86_400_000).toISOString(),
      contact: 'Amt für Geoinformation, Durchwahl 123',
      purpose: `Zeigt Anliegen auf dem Stadtplan. ${longName}`,
    })
  ).id;
  const replaced = (await issueKey(store, demo.id, { name: 'Bürger-App' })).id;
  const successor = await store.rotateKey(
    { organizationId: demo.id, id: replaced },
    {
      organizationId: demo.id,
      name: 'Bürger-App',
      requestLimit: undefined,
      expiresAt: undefined,
      ...hashForStorage(generateKey()),
    },
    new Date(Date.now() + 3 * 86_400_000).toISOString(),
  );
  const used = await issueKey(store, demo.id, { name: 'Open-Data-Portal', requestLimit: 40 });
  const authorization = `Bearer ${used.secret}`;
  for (let request = 0; request < 45; request += 1)
    await (await fetch(`${server.address}/api/v1/me`, { headers: { authorization } })).arrayBuffer();
  await insertPastUsage(fixture, demo.id, used.id, [
    ['listSubmissions', 200, 20_000],
    ['getSubmission', 200, 3_700],
    ['getSubmission', 404, 90],
    ['listSubmissions', 429, 1_200],
    ['listChanges', 503, 4],
  ]);
  await insertRejectedRequests(fixture, demo.id, used.id);
  await insertPastUsage(fixture, demo.id, revoked, [['listSubmissions', 401, 400]]);

  const administrator = await createSignedInClient(server, store, demo.id);
  const key = async (id: string) => (await store.findKey(demo.id, id)) as StoredKey;
  const published = await findPublishedRecords(fixture, demo.id);
  const unpublished = await unpublishRecords(fixture, demo.id, administrator.email);
  await addNotes(store, { organizationId: demo.id, kind: 'submission', id: published.unusual });
  for (const kind of recordKinds) await addNotes(store, { organizationId: demo.id, kind, id: unpublished });
  const invited = await createAccount(store, demo.id);
  const returning = await createReturningClient(server, fixture, demo.id);
  const shared = await createSignedInClient(server, store, demo.id);
  const operator = await createSignedInClient(server, store);
  await store.addRole(shared.account.id, empty, permissionsByRole.reader);
  return {
    store,
    server,
    municipalityPath: `/admin/organizations/${demo.id}`,
    emptyMunicipalityPath: `/admin/organizations/${empty}`,
    keys: {
      used: await key(used.id),
      revoked: await key(revoked),
      long: await key(long),
      expiring: await key(expiring),
      replaced: await key(replaced),
      successor: await key(successor.id),
    },
    createUncountedMunicipality: () => createUncountedMunicipality(fixture),
    renewAuthentication: async () => {
      await fixture.sql('DELETE FROM attempt', []);
      await fixture.sql(
        `UPDATE login_session SET reauthenticated_at_ms = $1,
          created_at_ms = CASE WHEN pending_second_factor = 1 THEN $1 ELSE created_at_ms END
        WHERE account_id <> $2`,
        [Date.now(), returning.account.id],
      );
    },
    configured: await startConfiguredServers(scope, fixture, demo.id),
    issueKey: () => issueKey(store, demo.id, { name: 'Website der Stadt' }),
    published,
    unpublished,
    corrected: await correctSurvey(fixture, demo.id, administrator.email),
    imports: await createImportRuns(fixture, demo.id),
    importStates: await createImportPageStates(fixture, demo.id),
    approvals: await createApprovals(fixture, operator.account.id, operator.email),
    clients: {
      administrator,
      reader: await createSignedInClient(server, store, demo.id, 'reader'),
      protected: await createProtectedClient(server, fixture, demo.id),
      returning,
      shared,
      operator,
      newcomer: await createSignedInClient(server, store, empty),
      pendingSecondFactor: await createClientPendingSecondFactor(server, fixture, demo.id),
    },
    invitationPath: invited.link,
    unsubscribePath: `/admin/unsubscribe/${await store.getUnsubscribeToken(administrator.account.id, 'key_expiry')}`,
    otherAccountId: (await createAccount(store, demo.id)).account.id,
  };
}

/** A municipality with approvals, and a request of each kind of page. */
async function createApprovals(
  fixture: Fixture,
  operatorId: string,
  operator: string,
): Promise<PageStatesFixture['approvals']> {
  const { store, putRecords } = fixture;
  const { id: organizationId } = await store.addOrganization('Freigabestadt', randomUUID());
  await store.editOrganization(organizationId, { approval: 'on' });
  const id = '00000000-0000-4000-8000-0000000a0001';
  await putRecords(organizationId, [{ kind: 'submission', ...createSubmission(1, { id, title: longName }) }]);
  const run = await insertDryRun(fixture, organizationId);
  const path = `/admin/organizations/${organizationId}`;
  const ask = async (kind: ApprovalKind, subject: string, values: object, by: string = randomUUID()) => {
    const name = by === operatorId ? operator : 'removed@stadt.example';
    const request = { organizationId, kind, subject, payload: JSON.stringify(values), accountId: by };
    return store.askForApproval(request, { name, address: '' });
  };
  const toPath = (request: ApprovalRequest) => `${path}/approvals/${request.id}`;
  const returned = await ask('open_data', '', { openData: 'on' });
  const comment = `Bitte erst mit dem Datenschutz klären. ${longName}`;
  await store.returnApprovalRequest(returned, operatorId, comment, { name: operator, address: '' });
  const changes = { title: { before: 'Vorher', after: `${longName} ${rightToLeft}` } };
  return {
    path,
    returned: toPath(returned),
    import: toPath(await ask('import', run, { accepted: ['phone'] })),
    correction: toPath(await ask('correction', `submission/${id}`, { changes, reason: 'Falscher Titel' })),
    own: toPath(await ask('open_data', '', { openData: 'on', slug: 'freigabestadt' }, operatorId)),
    gone: toPath(await ask('source_run', longName, { url: 'https://stadt.example' })),
  };
}

/** @returns the id */
async function unpublishRecords(
  { store, putRecords }: Fixture,
  organizationId: string,
  administrator: string,
): Promise<string> {
  const id = '00000000-0000-4000-8000-00000000bbbb';
  const description = 'Die Laterne vor dem Haus von Frau Muster, Lindenweg 12, ist defekt.';
  const createRecords = (id: string): ImportRecord[] => [
    {
      kind: 'submission',
      ...createSubmission(1, {
        id,
        referenceNumber: 'M 12/2004',
        description,
        createdAt: '2004-03-01T09:15:00.000Z',
      }),
    },
    { kind: 'session', ...createSession(1, { id, date: '2004-03-01' }) },
    createQuestionnaire(id, 'Umfrage 2004'),
  ];
  await putRecords(organizationId, createRecords(id));
  const reason = 'Nennt den Namen und die Anschrift einer Privatperson. Die Quelle wird berichtigt.';
  for (const kind of recordKinds)
    await store.unpublishRecord({ organizationId, kind, id }, reason, { name: administrator, address: '' });
  await putRecords(organizationId, createRecords(matchingId));
  return id;
}

/** @returns the id */
async function correctSurvey(
  { store, putRecords }: Fixture,
  organizationId: string,
  administrator: string,
): Promise<string> {
  const id = '00000000-0000-4000-8000-00000000cccc';
  await putRecords(organizationId, [createQuestionnaire(id, '10036 (2003)')]);
  const texts = { title: 'Radverkehr in der Innenstadt (2003)', questionTexts: ['Wie oft fahren Sie Rad?'] };
  const by = { name: administrator, address: '' };
  await store.correctSurvey({ organizationId, id }, texts, 'Die Datei hatte keinen Titel.', by);
  return id;
}

const createQuestionnaire = (surveyId: string, title: string): ImportRecord => ({
  kind: 'survey',
  surveyId,
  title,
  status: 'archived',
  totalResponses: 40,
  questions: [
    {
      questionText: '10036',
      questionType: 'single_choice',
      options: [{ optionText: 'Täglich', responseCount: 40 }],
    },
  ],
});

async function addNotes(store: Store, record: RecordReference): Promise<void> {
  const by = {
    name: 'a.very.long.address.of.a.colleague@buergerbeteiligung.musterstadt.example',
    address: '',
  };
  const long = `${'Grundstücksverkehrsgenehmigungszuständigkeitsübertragungsverordnung'.repeat(3)}\n\nZweiter Absatz.`;
  const text = 'Frau Meier hat angerufen: Die Antwort kommt bis Freitag.';
  await store.addRecordNote(record, { id: noteId, text }, by);
  await store.addRecordNote(record, { id: randomUUID(), text: long }, by);
}

/** Chooses records to show, and adds a submission with unusual texts. */
async function findPublishedRecords(
  { store, putRecords }: Fixture,
  organizationId: string,
): Promise<PageStatesFixture['published']> {
  const unusual = '00000000-0000-4000-8000-00000000aaaa';
  await putRecords(organizationId, [
    {
      kind: 'submission',
      ...createSubmission(0, {
        id: unusual,
        referenceNumber: longName,
        description: `${rightToLeft}\n\n<script>alert(1)</script> ${longName}\n${'wort '.repeat(400)}`,
        status: `${rightToLeft} ${'x'.repeat(150)}`,
        topicCategoryName: longName,
        priorityLevel: 'urgent',
        supportCount: 2_147_483_647,
        hasAttachments: true,
        protocolUrl: `https://ris.stadt.example/${'protokoll/'.repeat(40)}`,
        createdAt: '2003-03-01T09:15:00.000Z',
        statusChangedAt: longName,
        title: longName,
        sourceUrl: `https://ris.stadt.example/${'vorlage/'.repeat(40)}`,
        answer: `${longName}\n\n${longName}`,
        sourceStatus: longName,
        documents: [
          {
            title: longName,
            url: `https://ris.stadt.example/${'datei/'.repeat(40)}`,
            mediaType: `${'x'.repeat(60)}/${'x'.repeat(60)}`,
          },
          { title: rightToLeft, url: 'https://ris.stadt.example/datei', mediaType: null },
        ],
      }),
    },
  ]);
  const list = async (documents: Buffer) =>
    JSON.parse(`[${documents}]`) as { id: string; submissionCount?: number }[];
  const readFirst = async (name: 'submissions' | 'sessions') => {
    const first = {
      list: name,
      filters: [],
      isExtended: false,
      direction: 'desc' as const,
      after: undefined,
      limit: 100,
    };
    return list((await store.readListPage(organizationId, first)).documents);
  };
  const submissions = await readFirst('submissions');
  const sessions = await readFirst('sessions');
  const surveys = await store.listSurveys(organizationId);
  return {
    submission: submissions[0]?.id ?? '',
    unusual,
    session: sessions.find(({ submissionCount = 0 }) => submissionCount > 1)?.id ?? '',
    survey: surveys.find(({ status }) => status === 'closed')?.id ?? '',
  };
}

/** Its submissions have many statuses in many months. */
async function createUncountedMunicipality({ store, putRecords }: Fixture) {
  const { id } = await store.addOrganization(`Großstadt ${randomUUID()}`, randomUUID());
  const put = (count: number, description: string) =>
    putRecords(
      id,
      Array.from({ length: count }, (_, index) => {
        const year = 1996 + (index % 30);
        const fields = {
          id: `00000000-0000-4000-8000-${id.slice(0, 8)}${String(index).padStart(4, '0')}`,
          description,
          // Many names need many statements, so the page does not wait for them.
          status: `Schritt ${index}`,
          topicCategoryName: `Thema ${index}`,
          createdAt: `${year}-03-01T09:15:00.000Z`,
          statusChangedAt: `${year}-03-01T09:15:00.000Z`,
        };
        return { kind: 'submission' as const, ...createSubmission(0, fields) };
      }),
    );
  await put(900, 'Radweg');
  return { path: `/admin/organizations/${id}`, change: () => put(1, 'Radweg und Gehweg') };
}

/** Inserts usage of past days. @param peaks operation, status and the most requests of one day */
export async function insertPastUsage(
  { sql, store }: Fixture,
  organizationId: string,
  keyId: string,
  peaks: readonly (readonly [operation: string, status: number, requests: number])[],
): Promise<void> {
  await store.assertReady();
  for (let back = 1; back < 30; back += 1) {
    if (back % 6 === 0) continue;
    const day = new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
    for (const [operation, status, most] of peaks) {
      const requests = Math.round(most * (1 - ((back * 7_919) % 15_000) / 20_000));
      await sql('INSERT INTO key_usage_daily VALUES ($1, $2, $3, $4, $5, $6)', [
        ...[organizationId, keyId, day, operation, status, requests],
      ]);
    }
  }
}

/** Inserts 50 rejected requests of past hours. */
export async function insertRejectedRequests(
  { sql }: Fixture,
  organizationId: string,
  keyId: string,
): Promise<void> {
  const rejections = [
    ['getSubmission', 404, 'Resource not found.', null],
    [
      'listSubmissions',
      400,
      'The parameter "statuss" is unknown. Did you mean "status"? Allowed: status, priorityLevel, committeeName, topicCategoryName, cursor, limit.',
      'statuss',
    ],
    ['unknown', 405, 'This URL supports only GET and HEAD.', null],
    ['listChanges', 503, 'The service is temporarily unavailable: try again in 5 seconds.', null],
    ['listSubmissions', 429, 'The rate limit of this key is exhausted: try again in 1800 seconds.', null],
  ] as const;
  for (let back = 0; back < 50; back += 1) {
    const [operation, status, message, parameter] = rejections[back % 5] as (typeof rejections)[number];
    const at = new Date(Date.now() - back * 5_000_000).toISOString();
    await sql('INSERT INTO rejected_request VALUES ($1, $2, $3, $4, $5, $6, $7, $8)', [
      ...[organizationId, keyId, at, randomUUID(), operation, status, message, parameter],
    ]);
  }
}

/** Creates 60 finished imports, and one import for each state. */
async function createImportRuns(
  { sql, store }: Fixture,
  organizationId: string,
): Promise<PageStatesFixture['imports']> {
  const begin = async (sources: string, format = 'rostra') =>
    beginRun(store, { organizationId, format, sources }, { name: longName, address: '' });
  const none = { read: 0, inserted: 0, changed: 0, unchanged: 0, removed: 0, ignored: 0, rejected: 0 };
  for (let index = 0; index < 60; index += 1) {
    const run = await begin('/srv/uebergabe/anliegen.csv, /srv/uebergabe/sitzungen.json');
    await store.updateRun(run, { ...none, read: 1_234_567, unchanged: 1_234_560, changed: 7 }, [], 0);
    await store.endRun(run, index % 9 === 0 ? 'interrupted' : 'done', undefined);
  }
  const stale = await begin('/srv/uebergabe/unterbrochen.ndjson');
  await sql("UPDATE import_run SET heartbeat_at = '2026-03-01T09:15:00.000Z' WHERE id = $1", [stale.id]);
  const withRejections = await begin(`/srv/${longName}/${rightToLeft}.csv`);
  const rejections = Array.from(
    { length: 40 },
    (_, line): RejectedRecord => ({
      source: `/srv/${longName}/${rightToLeft}.csv`,
      line: line % 2 === 0 ? line + 100_000 : null,
      entry: line % 2 === 0 ? null : line,
      id: line % 3 === 0 ? null : `https://${'x'.repeat(180)}`,
      reason: { code: 'text-too-long', field: 'topicCategoryName', max: 200, length: 506 },
    }),
  );
  await store.updateRun(
    withRejections,
    { ...none, read: 2_500, inserted: 2_090, rejected: 410 },
    rejections,
    0,
  );
  await store.endRun(withRejections, 'done', undefined);
  const synchronized = await begin(`https://ris.stadt.example/oparl/${'koerperschaft/'.repeat(8)}`, 'oparl');
  await store.updateRun(synchronized, { ...none, read: 12_400, unchanged: 12_000, ignored: 400 }, [], 0);
  await store.endRun(synchronized, 'done', undefined);
  const failed = await begin('standard input', 'survey-table');
  await store.endRun(failed, 'failed', {
    code: 'json-truncated',
    file: `/srv/${longName}.json`,
    entry: 1500,
  });
  return {
    withRejections: withRejections.id,
    failed: failed.id,
    stale: stale.id,
    synchronized: synchronized.id,
    undone: await createUndoneImport(store, organizationId),
  };
}

/** The first import of the source has no support counts, the second is undone. @returns the id of the second */
async function createUndoneImport(store: Fixture['store'], organizationId: string): Promise<string> {
  const importSubmission = async (name: string, n: number) => {
    const source = { format: 'open311', name };
    const run = await beginRun(store, {
      organizationId,
      format: 'open311',
      sources: `${name}.json`,
      source,
    });
    const redaction = { kinds: [], country: 'DE', patterns: {} };
    const record = { kind: 'submission' as const, ...createSubmission(n, { supportCount: 0 }) };
    await store.write(organizationId, (writer) => writer.put([record]), {
      source: { ...source, redaction, follows: undefined },
      runId: run.id,
    });
    await store.endRun(run, 'done', undefined, false, undefined, [
      { kind: 'email', count: 1_234, isRedacted: true },
      { kind: longName, count: 2, isRedacted: true },
      { kind: 'address', count: 56, isRedacted: false },
    ]);
    return run;
  };
  await importSubmission(`Mängelmelder ${longName}`, 901);
  const undone = await importSubmission('Rückgängig', 902);
  await store.undoImport(undone, async (records) => [...records], false);
  return undone.id;
}

async function createReturningClient(
  server: Server,
  { store, sql }: Fixture,
  organizationId: string,
): Promise<FormClient & InvitedAccount> {
  const client = await createSignedInClient(server, store, organizationId);
  const statement = 'UPDATE login_session SET reauthenticated_at_ms = reauthenticated_at_ms - 3600000';
  await sql(`${statement} WHERE account_id = $1`, [client.account.id]);
  return client;
}

/** Creates a browser whose user has entered the password of an account with a second factor, but not the code. */
async function createClientPendingSecondFactor(
  server: Server,
  fixture: Fixture,
  organizationId: string,
): Promise<FormClient> {
  const { email } = await createProtectedClient(server, fixture, organizationId);
  const pendingClient = createFormClient(server.address);
  await pendingClient.submitForm('/admin/sign-in', { email, password });
  return pendingClient;
}

/** Creates an account with a second factor and returns its signed-in browser. */
export async function createProtectedClient(
  server: Server,
  { store }: Fixture,
  organizationId: string,
): Promise<FormClient & InvitedAccount> {
  const client = await createSignedInClient(server, store, organizationId);
  const { account, email } = client;
  const loginSession = (
    await store.listLoginSessions(account.id, { idleMs: 3_600_000, maxAgeMs: 3_600_000 })
  )[0];
  if (loginSession === undefined) throw new Error('missing login session');
  await store.setSecondFactor(account.id, randomBytes(20), loginSession, { name: email, address: '' });
  return client;
}

export interface Appearance {
  language: 'de' | 'en';
  theme: 'light' | 'dark';
  width: number;
  /** `active`: the colours of the system replace those of the page. */
  forcedColors?: 'active' | 'none';
}

/** Opens a browser profile that is signed in with a role. */
export function openContextAs(
  browser: Browser,
  { clients, server }: PageStatesFixture,
  role: Role,
  appearance: Appearance,
): Promise<BrowserContext> {
  return openClientContext(browser, server, role === 'nobody' ? undefined : clients[role], appearance);
}

/** Opens a browser profile with the cookies of a client. */
export async function openClientContext(
  browser: Browser,
  server: Server,
  client: FormClient | undefined,
  { language, theme, width, forcedColors = 'none' }: Appearance,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    locale: language === 'de' ? 'de-DE' : 'en-GB',
    colorScheme: theme,
    reducedMotion: 'reduce',
    forcedColors,
    viewport: { width, height: 800 },
  });
  context.setDefaultTimeout(60_000);
  if (client !== undefined) await addClientCookies(context, client, server);
  return context;
}

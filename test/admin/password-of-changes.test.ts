/** Which forms of the admin area ask for the password if it was entered more than fifteen minutes ago. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, suite, test } from 'node:test';
import { listAdminRoutes, listDeclaredRoutes } from '../support/admin-routes.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import {
  createSignedInClient,
  type FormClient,
  fetchCsrfToken,
  type InvitedAccount,
  type PageResponse,
  password,
} from '../support/form-client.ts';
import { createPng } from '../support/images.ts';

const fixture = await createFixtureWithServer({ after });
const { server, store, a } = fixture;
const ofOrganization = '/admin/organizations/:organizationId';

/** An unlocked browser must not suffice for these. */
const asking = [
  '/admin/account/password',
  '/admin/account/recovery-codes',
  '/admin/account/second-factor',
  '/admin/account/second-factor/remove',
  ...['/admin/accounts', `${ofOrganization}/accounts`].flatMap((path) => [
    `${path}/new`,
    `${path}/:accountId/invite`,
    `${path}/:accountId/remove`,
  ]),
  `${ofOrganization}/accounts/:accountId/role`,
  ...['new', ':keyId/edit', ':keyId/rotate', ':keyId/revoke'].map((path) => `${ofOrganization}/keys/${path}`),
  ...['submissions/:submissionId', 'sessions/:sessionId', 'surveys/:surveyId'].flatMap((path) =>
    ['correct', 'unpublish', 'remove', 'revert', 'allow'].map(
      (action) => `${ofOrganization}/data/${path}/${action}`,
    ),
  ),
  ...['key', 'confirm', 'retry'].map((path) => `${ofOrganization}/imports/:runId/steps/${path}`),
  ...['edit', 'key', 'run', 'undo', 'remove'].map((path) => `${ofOrganization}/sources/:sourceName/${path}`),
  `${ofOrganization}/open-data`,
  `${ofOrganization}/settings`,
  `${ofOrganization}/settings/redaction`,
  `${ofOrganization}/settings/locations`,
  `${ofOrganization}/settings/approval`,
  `${ofOrganization}/approvals/:requestId/approve`,
  `${ofOrganization}/logo`,
];

const search = 'only searches';
const dryRun = 'prepares a dry run: the confirmation that publishes its result asks';
const signingIn = 'is part of signing in';
const lessAccess = 'only ends access';
const ownName = 'only changes how colleagues see the user';

/** The others, with the reason. */
const notAsking: Record<string, string> = {
  '/admin/sign-in': signingIn,
  '/admin/sign-in/code': signingIn,
  '/admin/sign-in/recovery-code': signingIn,
  '/admin/confirm': 'is the password',
  '/admin/sign-out': lessAccess,
  '/admin/account/name': ownName,
  '/admin/account/sign-out-everywhere': lessAccess,
  '/admin/account/sessions/:loginSessionId/end': lessAccess,
  '/admin/invitation/:secret': 'requires a one-time link',
  '/admin/account/notifications': 'selects emails of the account',
  '/admin/unsubscribe/:token': 'requires a secret of an email, and ends these emails',
  '/admin/organizations/new': 'adds an empty municipality: its keys, accounts and imports ask',
  '/admin/organizations': search,
  '/admin/accounts': search,
  '/admin/imports': search,
  '/admin/imports/sources': search,
  '/admin/keys': search,
  '/admin/audit': search,
  ...Object.fromEntries(
    ['accounts', 'keys', 'audit', 'data/submissions', 'data/sessions', 'data/surveys', 'data/try'].map(
      (path) => [`${ofOrganization}/${path}`, search],
    ),
  ),
  [`${ofOrganization}/imports/new`]: dryRun,
  ...Object.fromEntries(
    ['', '/sheet', '/titles', '/replace', '/statuses', '/option', '/survey'].map((path) => [
      `${ofOrganization}/imports/:runId/steps${path}`,
      dryRun,
    ]),
  ),
  ...Object.fromEntries(
    ['submissions/:submissionId', 'sessions/:sessionId', 'surveys/:surveyId'].flatMap((path) =>
      ['', '/notes/:noteId/delete'].map((end) => [
        `${ofOrganization}/data/${path}${end}`,
        'concerns notes, which are never published',
      ]),
    ),
  ),
  [`${ofOrganization}/approvals/:requestId/return`]: 'publishes nothing',
  [`${ofOrganization}/approvals/:requestId/withdraw`]: 'publishes nothing',
  [`${ofOrganization}/imports/:runId/steps/cancel`]: 'ends a run that has published nothing',
};

const paths = (await listAdminRoutes(store, undefined))
  .filter((route) => /^(\w+, )*POST /.test(route))
  .map((route) => route.replace(/^.* /, ''));

const olga = await createSignedInClient(server, store);
const token = await fetchCsrfToken(olga);

test('every form of the admin area either asks for the password, or has a reason not to', () => {
  const listed = new Set([...asking, ...Object.keys(notAsking)]);
  assert.equal(listed.size, asking.length + Object.keys(notAsking).length);
  assert.deepEqual([...new Set(paths).symmetricDifference(listed)], []);
  for (const { path, post, requiresRecentAuth } of listDeclaredRoutes())
    if (post !== undefined && requiresRecentAuth !== undefined) assert.ok(asking.includes(path), path);
});

const makeStale = ({ account }: InvitedAccount) =>
  fixture.sql('UPDATE login_session SET reauthenticated_at_ms = 0 WHERE account_id = $1', [account.id]);

const toPath = (path: string) =>
  path
    .replace(':organizationId', a)
    .replace(/:\w+Id/, randomUUID())
    .replace(/:\w+/, 'x');

const toFormData = (fields: Record<string, string>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
};

const countEvents = async () => (await store.listAuditEvents(undefined, undefined, 10_000)).length;

suite('with a password that was entered more than fifteen minutes ago', async () => {
  const multipart = new Set(
    listDeclaredRoutes()
      .filter(({ receivesUpload, maxFileBytes }) => receivesUpload || maxFileBytes !== undefined)
      .map(({ path }) => path),
  );

  for (const path of asking)
    test(`${path} asks for it in both encodings of forms, and changes nothing`, async () => {
      await makeStale(olga);
      const before = await countEvents();
      const portalKey = 'key-of-a-portal';
      const entries = { name: 'New', action: 'on', slug: 'new', terms: 'new', portalKey };
      const fields = { token, form: randomUUID(), ...entries };
      const encoded = await olga.post(toPath(path), fields);
      assert.equal(encoded.status, 200);
      assert.match(encoded.body, /Confirm your identity/);
      assert.ok(!encoded.body.includes(portalKey), 'the page shows a secret');
      assert.match(
        encoded.body,
        /(?:name="reopen" value="1"|href="\/admin")><span class="kern-label">Cancel/,
      );
      const parts = await olga.send(toPath(path), toFormData(fields));
      // All other routes reject this encoding.
      assert.equal(parts.status, multipart.has(path) ? 200 : 400);
      if (multipart.has(path)) assert.match(parts.body, /Confirm your identity/);
      assert.equal(await countEvents(), before);
    });
});

/** Sends the page that asks for the password, with it. */
function confirm(client: FormClient, asked: PageResponse, currentPassword = password): Promise<PageResponse> {
  assert.match(asked.body, /Confirm your identity/);
  return client.sendForm(asked, { currentPassword });
}

test('a logo is carried through the question for the password', async () => {
  const client = await createSignedInClient(server, store, a);
  const settings = `/admin/organizations/${a}/settings`;
  const form = toFormData({ token: await fetchCsrfToken(client), initial: '' });
  form.set('logo', new File([new Uint8Array(createPng())], 'x.png'));
  await makeStale(client);
  const asked = await client.send(`/admin/organizations/${a}/logo`, form);
  const wrong = await confirm(client, asked, 'wrong');
  assert.equal(wrong.status, 422);
  assert.equal((await store.findOrganization(a))?.logo, null);
  assert.equal((await confirm(client, wrong)).location, `${settings}?logo=saved`);
  assert.equal((await store.findOrganization(a))?.logo?.width, 24);
});

test('open data is on, and searched, only after the password', async () => {
  const client = await createSignedInClient(server, store, a);
  await store.editOrganization(a, { licenseName: 'CC-BY-4.0' });
  await makeStale(client);
  const path = `/admin/organizations/${a}/open-data`;
  const asked = await client.submitForm(path, { slug: 'musterstadt', index: 'on', action: 'on' });
  assert.equal((await store.findOrganization(a))?.openData, 'off');
  assert.equal((await confirm(client, asked)).location, `${path}?on`);
  const { openData, openDataIndex } = (await store.findOrganization(a)) ?? {};
  assert.deepEqual([openData, openDataIndex], ['on', 'on']);
});

test('words to replace are previewed without the password, and saved with it', async () => {
  const client = await createSignedInClient(server, store, a);
  await makeStale(client);
  const path = `/admin/organizations/${a}/settings/redaction`;
  const preview = await client.submitForm(path, { terms: 'Linde', sample: 'Die Linde', action: 'preview' });
  assert.match(preview.body, /Die \[/);
  const asked = await client.submitForm(path, { terms: 'Linde', action: 'save' });
  assert.equal((await store.findOrganization(a))?.redactionTerms, null);
  assert.equal((await confirm(client, asked)).status, 303);
  assert.equal((await store.findOrganization(a))?.redactionTerms, 'Linde');
});

/** A form that a sign-in or a question for the password interrupts is shown again as it was sent, on every page with a form. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { listDeclaredRoutes } from '../support/admin-routes.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import { createAccount, createSignedInClient, decodeHtml, type FormClient } from '../support/form-client.ts';
import { createImportPageStates } from '../support/import-page-states.ts';
import { formatSessionId, formatSubmissionId } from '../support/records.ts';

const fixture = await createFixtureWithServer({ after });
const { server, store, a } = fixture;
const administrator = await createSignedInClient(server, store, a);
const operator = await createSignedInClient(server, store);
const { runs, sources } = await createImportPageStates(fixture, a);
const other = await createAccount(store, a);
const [key] = await store.listKeys(a);
const [survey] = await store.listSurveys(a);
const request = await store.askForApproval(
  { organizationId: a, kind: 'approval_off', subject: '', payload: '{}', accountId: other.account.id },
  { name: other.email, address: '' },
);

const municipality = '/admin/organizations/:organizationId';

/** The parts of an address that its route leaves open; several if the page has forms of several kinds. */
const pages: Readonly<Record<string, readonly Record<string, string>[]>> = {
  [`${municipality}/keys/:keyId/rotate`]: [{ keyId: (await fixture.issueKey(a)).id }],
  [`${municipality}/keys/:keyId/edit`]: [{ keyId: key?.id ?? '' }],
  [`${municipality}/data/submissions/:submissionId`]: [{ submissionId: formatSubmissionId(1) }],
  [`${municipality}/data/sessions/:sessionId`]: [{ sessionId: formatSessionId(1) }],
  [`${municipality}/data/surveys/:surveyId`]: [{ surveyId: survey?.id ?? '' }],
  [`${municipality}/data/submissions/:submissionId/unpublish`]: [{ submissionId: formatSubmissionId(1) }],
  [`${municipality}/data/submissions/:submissionId/remove`]: [{ submissionId: formatSubmissionId(1) }],
  [`${municipality}/data/submissions/:submissionId/correct`]: [{ submissionId: formatSubmissionId(1) }],
  [`${municipality}/data/sessions/:sessionId/unpublish`]: [{ sessionId: formatSessionId(1) }],
  [`${municipality}/data/sessions/:sessionId/remove`]: [{ sessionId: formatSessionId(1) }],
  [`${municipality}/data/sessions/:sessionId/correct`]: [{ sessionId: formatSessionId(1) }],
  [`${municipality}/data/surveys/:surveyId/unpublish`]: [{ surveyId: survey?.id ?? '' }],
  [`${municipality}/data/surveys/:surveyId/remove`]: [{ surveyId: survey?.id ?? '' }],
  [`${municipality}/data/surveys/:surveyId/correct`]: [{ surveyId: survey?.id ?? '' }],
  [`${municipality}/imports/:runId/steps`]: [
    { runId: runs.detected },
    { runId: runs.detected, query: '?settings=1&format=survey-rows' },
    { runId: runs.checked, query: '?settings=1' },
  ],
  [`${municipality}/imports/:runId/steps/sheet`]: [{ runId: runs.sheetChosen }, { runId: runs.sheets }],
  [`${municipality}/imports/:runId/steps/titles`]: [{ runId: runs.checked, query: '?table=parks.tsv' }],
  [`${municipality}/imports/:runId/steps/statuses`]: [{ runId: runs.checked, from: '/steps' }],
  [`${municipality}/sources/:sourceName/edit`]: [
    { sourceName: sources.uploaded },
    { sourceName: sources.failing },
  ],
  [`${municipality}/accounts/:accountId/role`]: [{ accountId: other.account.id }],
  [`${municipality}/approvals/:requestId/return`]: [{ requestId: request.id }],
  ...Object.fromEntries(
    [
      'keys/new',
      'imports/new',
      'settings',
      'settings/redaction',
      'settings/locations',
      'open-data',
      'accounts/new',
      'data/try',
    ].map((path) => [`${municipality}/${path}`, [{}]]),
  ),
  '/admin/organizations/new': [{}],
  '/admin/account/name': [{}],
  '/admin/accounts/new': [{}],
};

/** Nobody enters anything there that the next page does not show. */
const withoutEntries = new RegExp(
  [
    '/sign-in/',
    '/(keys|organizations|accounts|imports|sources|audit|submissions|sessions|surveys)$',
    '/(revoke|revert|allow|run|undo|invite|logo|key|replace|survey|option|confirm|retry|cancel|approve|withdraw|approval|delete)$',
    '/sources/:sourceName/remove$',
    '/accounts/:accountId/remove$',
  ].join('|'),
);

interface Control {
  name: string;
  kind: string;
  value: string;
  /** Of a choice. */
  isChosen: boolean;
}

const readAttribute = (tag: string, name: string) => {
  const value = new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? undefined : decodeHtml(value);
};

/** The controls of the forms that lead to a path. */
function listControls(body: string, path: string): Control[] {
  const forms = [...body.matchAll(/<form method="post" action="([^"]+)"[^>]*>([\s\S]*?)<\/form>/g)].filter(
    ([, action = '']) => decodeHtml(action).split('?')[0] === path,
  );
  return forms.flatMap(([, , content = '']) =>
    [
      ...content.matchAll(
        /<input[^>]*>|<textarea([^>]*)>\n?([\s\S]*?)<\/textarea>|<select[\s\S]*?<\/select>/g,
      ),
    ].flatMap(([control, , text = '']): Control[] => {
      const name = readAttribute(control, 'name') ?? '';
      if (control.startsWith('<textarea'))
        return [{ name, kind: 'text', value: decodeHtml(text), isChosen: false }];
      if (control.startsWith('<select'))
        return [...control.matchAll(/<option[^>]*>/g)].map(([option]) => ({
          ...{ name, kind: 'choice', value: readAttribute(option, 'value') ?? '' },
          isChosen: option.includes(' selected'),
        }));
      const kind = readAttribute(control, 'type') ?? 'text';
      const value = readAttribute(control, 'value') ?? '';
      return [{ name, kind, value, isChosen: control.includes(' checked') }];
    }),
  );
}

const newTexts: Record<string, string> = {
  number: '7',
  date: '2031-05-06',
  'datetime-local': '2031-05-06T07:08',
  time: '07:08',
};

/** Fields that decide on the meaning of others. */
const isKept = (name: string) => /^(?:(?:column|second|shown|use|datePattern)\.|headings$)/.test(name);

/** Other entries than the page has: another text, another choice, each box the other way round. */
function changeEntries(controls: readonly Control[]): [string, string][] {
  const byName = Map.groupBy(controls, ({ name }) => name);
  return [...byName].flatMap(([name, group]): [string, string][] => {
    const [{ kind, value }] = group as [Control];
    if (kind === 'hidden') return group.map((one) => [name, one.value]);
    if (kind === 'password' || kind === 'file' || kind === 'submit') return [];
    if (kind === 'checkbox')
      return group.filter(({ isChosen }) => !isChosen).map((one) => [name, one.value || 'on']);
    if (kind === 'choice' || kind === 'radio') {
      const [own, others] = [
        group.find(({ isChosen }) => isChosen),
        group.filter(({ isChosen }) => !isChosen),
      ];
      const chosen = isKept(name) ? (own ?? others[0]) : others.at(-1);
      return [[name, chosen?.value ?? '']];
    }
    return [[name, isKept(name) ? value : (newTexts[kind] ?? 'Ändern & „7“')]];
  });
}

/** What the form would send. */
const listEntries = (controls: readonly Control[]): [string, string][] => {
  const chosen = new Set(controls.filter(({ isChosen }) => isChosen).map(({ name }) => name));
  const firsts = new Map(controls.toReversed().map((control) => [control.name, control]));
  return controls.flatMap((control): [string, string][] => {
    const { name, kind, value, isChosen } = control;
    if (['password', 'file', 'submit'].includes(kind)) return [];
    if (kind === 'checkbox' || kind === 'radio') return isChosen ? [[name, value || 'on']] : [];
    // A list without a chosen entry sends its first one.
    if (kind === 'choice')
      return isChosen || (!chosen.has(name) && firsts.get(name) === control) ? [[name, value]] : [];
    return [[name, value]];
  });
};

const sort = (entries: readonly [string, string][]) => [
  ...new Set(entries.map((entry) => entry.join(' = ')).sort()),
];

const isOwn = ([name]: [string, string]) => !['token', 'form', 'author'].includes(name);

async function assertReopens(
  client: FormClient,
  author: string,
  path: string,
  place: Record<string, string>,
) {
  const { from, query = '' } = place;
  const shown = from === undefined ? path : path.replace(/\/[^/]+$/, '');
  const page = await client.open(shown + query);
  assert.equal(page.status, 200, path);
  const controls = listControls(page.body, path);
  const entries = changeEntries(controls);
  assert.ok(entries.some(isOwn), `${path} has a form with entries`);
  const form = new URLSearchParams([...entries, ['reopen', '1']]);
  form.set('author', author);
  const reopened = await client.send(path, form.toString(), {
    'content-type': 'application/x-www-form-urlencoded',
  });
  assert.equal(reopened.status, 200, `${path} is shown again, and not ${reopened.location}`);
  const sent = listEntries(listControls(reopened.body, path)).filter(isOwn);
  assert.deepEqual(sort(sent), sort(entries.filter(isOwn)), path + query);
}

const forms = listDeclaredRoutes().filter(({ path, get, post, access }) => {
  return get && post && access !== 'public' && !withoutEntries.test(path);
});

test('every page with a form is one of those whose entries are compared', () => {
  assert.deepEqual(forms.map(({ path }) => path).sort(), Object.keys(pages).sort());
});

for (const { path: route, access } of forms)
  test(`${route} shows an interrupted form again as it was sent`, async () => {
    const client = access === 'operator' ? operator : administrator;
    for (const place of pages[route] ?? []) {
      const path = route
        .replace(':organizationId', a)
        .replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(place[name] ?? ''));
      await assertReopens(client, client.account.id, path, place);
    }
  });

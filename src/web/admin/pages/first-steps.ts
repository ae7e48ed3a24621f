/** The checklist for the first day of a municipality. It disappears when everything is done. */

import type { SetupState } from '../../../domain/organizations/organization-overview.ts';
import { badge, link, paragraph, section } from '../../ui/components.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import { may, type TenantContext } from '../requests/page-context.ts';
import { openDataPath, organizationPath } from '../ui/navigation.ts';

interface Step {
  name: string;
  hint: string;
  path: string;
  isDone: boolean;
  /** The list of a municipality that has published data does not wait for it. */
  isOptional?: boolean;
}

/** Somebody can read the data that is published: programs with a key, or everyone. */
export const isReadable = ({ organization }: TenantContext, { hasKeys }: SetupState): boolean =>
  hasKeys || organization.openData === 'on';

export const isSetUp = (context: TenantContext, setup: SetupState): boolean =>
  listSteps(context, setup).every(({ isDone }) => isDone);

/** All steps, for a municipality that has not published anything yet. */
export function stepList(context: TenantContext, setup: SetupState): SafeHtml {
  const steps = listSteps(context, setup);
  return section(
    context.text.firstSteps.title,
    html`${progress(context, steps)}<ol class="task-list">${steps.map((step) => stepItem(context, step))}</ol>`,
  );
}

/** The steps that are left, until only optional ones are. */
export function openSteps(context: TenantContext, setup: SetupState): SafeHtml {
  const steps = listSteps(context, setup);
  const open = steps.filter(({ isDone }) => !isDone);
  if (open.every(({ isOptional }) => isOptional)) return html``;
  return section(
    context.text.firstSteps.title,
    html`${progress(context, steps)}<ul class="task-list">${open.map((step) => stepItem(context, step))}</ul>`,
  );
}

function progress({ text, format }: TenantContext, steps: readonly Step[]): SafeHtml {
  const done = steps.filter(({ isDone }) => isDone).length;
  return paragraph(text.firstSteps.progress(format.number(done), format.number(steps.length)));
}

const stepItem = ({ text }: TenantContext, { name, hint, path, isDone }: Step): SafeHtml =>
  isDone
    ? html`<li class="task-list__item"><span class="task-list__text kern-body">${name}</span>${badge('success', text.firstSteps.done)}</li>`
    : html`<li class="task-list__item"><span class="task-list__text">${link(path, name)}<span class="kern-body kern-body--small">${hint}</span></span></li>`;

/** Accounts see only the steps that they may take. */
const listSteps = (context: TenantContext, setup: SetupState): Step[] => [
  ...listMunicipalSteps(context, setup),
  secondFactorStep(context),
];

function listMunicipalSteps(context: TenantContext, setup: SetupState): Step[] {
  const { text, organization, loginSession } = context;
  const path = organizationPath(organization);
  const words = text.firstSteps;
  // A key or a public page is enough, and a warning asks for missing settings then.
  const isOptional = isReadable(context, setup);
  const invite = {
    name: words.accounts,
    hint: words.accountsHint,
    path: `${path}/accounts/new`,
    isDone: setup.hasAccounts,
  };
  const publish = {
    name: words.data,
    hint: words.dataHint,
    path: `${path}/imports/new`,
    isDone: setup.hasPublishedData,
  };
  const open = {
    name: words.publicPage,
    hint: words.publicPageHint,
    path: openDataPath(context),
    isDone: organization.openData === 'on',
    isOptional,
  };
  const issue = {
    name: words.key,
    hint: words.keyHint,
    path: `${path}/keys/new`,
    isDone: setup.hasKeys,
    isOptional,
  };
  const describe = {
    name: words.settings,
    hint: words.settingsHint,
    path: `${path}/settings`,
    isDone: organization.contact !== null && organization.license !== null,
    isOptional,
  };
  return [
    ...(loginSession.account.isOperator ? [invite] : []),
    ...(may(context, 'import') ? [publish] : []),
    ...(may(context, 'publish') ? [open] : []),
    ...(may(context, 'keys') ? [issue] : []),
    ...(may(context, 'accounts') ? [describe] : []),
  ];
}

function secondFactorStep({ text, loginSession }: TenantContext): Step {
  const { hasSecondFactor, hasPassword } = loginSession.account;
  return {
    name: text.firstSteps.secondFactor,
    hint: text.firstSteps.secondFactorHint,
    path: '/admin/account/second-factor',
    // With single sign-on, the provider decides about a second factor.
    isDone: hasSecondFactor || !hasPassword,
  };
}

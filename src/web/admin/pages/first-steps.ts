/** The checklist for the first day of a municipality. It disappears when everything is done. */

import type { SetupState } from '../../../domain/organizations/organization-overview.ts';
import { badge, link, paragraph, section } from '../../ui/components.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import { may, type TenantContext } from '../requests/page-context.ts';
import { organizationPath } from '../ui/navigation.ts';

interface Step {
  name: string;
  hint: string;
  path: string;
  isDone: boolean;
}

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

/** The steps that are left. */
export function openSteps(context: TenantContext, setup: SetupState): SafeHtml {
  const steps = listSteps(context, setup);
  const open = steps.filter(({ isDone }) => !isDone);
  if (open.length === 0) return html``;
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
  const { accounts, accountsHint, data, dataHint, key, keyHint, settings, settingsHint } = text.firstSteps;
  const invite = {
    name: accounts,
    hint: accountsHint,
    path: `${path}/accounts/new`,
    isDone: setup.hasAccounts,
  };
  const publish = {
    name: data,
    hint: dataHint,
    path: `${path}/imports/new`,
    isDone: setup.hasPublishedData,
  };
  const issue = { name: key, hint: keyHint, path: `${path}/keys/new`, isDone: setup.hasKeys };
  const describe = {
    name: settings,
    hint: settingsHint,
    path: `${path}/settings`,
    isDone: organization.contact !== null && organization.license !== null,
  };
  return [
    ...(loginSession.account.isOperator ? [invite] : []),
    ...(may(context, 'import') ? [publish] : []),
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

/** The checklist for the first day of a municipality. It disappears when everything is done. */

import type { SetupState } from '../../../domain/organizations/organization-overview.ts';
import { badge, link, paragraph, section } from '../../ui/components.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import { mayEdit, type TenantContext } from '../requests/page-context.ts';
import { organizationPath } from '../ui/navigation.ts';

interface Step {
  name: string;
  hint: string;
  path: string;
  isDone: boolean;
}

/** Accounts see only the steps that they may take. */
export function firstSteps(context: TenantContext, setup: SetupState): SafeHtml {
  const { text, format } = context;
  const steps = [...(mayEdit(context) ? listMunicipalSteps(context, setup) : []), secondFactorStep(context)];
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return html``;
  const items = steps.map(({ name, hint, path, isDone }) =>
    isDone
      ? html`<li class="task-list__item"><span class="task-list__text kern-body">${name}</span>${badge('success', text.firstSteps.done)}</li>`
      : html`<li class="task-list__item"><span class="task-list__text">${link(path, name)}<span class="kern-body kern-body--small">${hint}</span></span></li>`,
  );
  const progress = paragraph(text.firstSteps.progress(format.number(done), format.number(steps.length)));
  return section(text.firstSteps.title, html`${progress}<ol class="task-list">${items}</ol>`);
}

function listMunicipalSteps({ text, organization, loginSession }: TenantContext, setup: SetupState): Step[] {
  const path = organizationPath(organization);
  const { accounts, accountsHint, data, dataHint, key, keyHint, settings, settingsHint } = text.firstSteps;
  const invite = {
    name: accounts,
    hint: accountsHint,
    path: `${path}/accounts/new`,
    isDone: setup.hasAccounts,
  };
  return [
    ...(loginSession.account.isOperator ? [invite] : []),
    { name: data, hint: dataHint, path: `${path}/imports/new`, isDone: setup.hasPublishedData },
    { name: key, hint: keyHint, path: `${path}/keys/new`, isDone: setup.hasKeys },
    {
      name: settings,
      hint: settingsHint,
      path: `${path}/settings`,
      isDone: organization.contact !== null && organization.license !== null,
    },
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

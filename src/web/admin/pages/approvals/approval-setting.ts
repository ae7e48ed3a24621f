/** The switch of approvals: with it, nobody publishes alone. One person switches it on, two switch it off. */

import { approvingPermissions } from '../../../../domain/accounts/account.ts';
import { announcement, button, paragraph } from '../../../ui/components.ts';
import { html } from '../../../ui/html.ts';
import type { AdminContext } from '../../admin-context.ts';
import { form } from '../../forms/forms.ts';
import { currentActor, type TenantContext } from '../../requests/page-context.ts';
import type { AdminResponse, Page } from '../../requests/response-types.ts';
import type { Route } from '../../route.ts';
import { approvalSettingPath, askNote, nobodyElseNote, waitingNote } from '../../ui/approval-note.ts';
import { publishOrAsk } from './publishing-actions.ts';

export function approvalSettingRoutes(admin: AdminContext): Route[] {
  const { store } = admin;

  async function settingPage(context: TenantContext): Promise<Page> {
    const { text, organization, query } = context;
    const { approvals } = text;
    const words = approvals.setting;
    const isOn = organization.approval === 'on';
    const notes = isOn
      ? await askNote(store, context, 'accounts', words.offHint)
      : await Promise.all(approvingPermissions.map((each) => nobodyElseNote(store, context, each)));
    const body = html`${query.has('on') && isOn ? announcement(words.switchedOn) : ''}
${await waitingNote(store, context, ['approval_off'], '')}
${paragraph(words.status[organization.approval])}
${paragraph(words.intro)}${paragraph(words.covered)}${paragraph(words.notCovered)}
${notes}
${form(context, html`<div class="actions">${isOn ? button(approvals.askAction(words.switchOff), 'secondary') : button(words.switchOn)}</div><input type="hidden" name="approval" value="${isOn ? 'off' : 'on'}">`)}`;
    return { title: words.title, body };
  }

  async function submit(context: TenantContext, values: URLSearchParams): Promise<AdminResponse> {
    const { organization } = context;
    if (values.get('approval') !== 'on')
      return organization.approval === 'off'
        ? { redirectTo: approvalSettingPath(context) }
        : publishOrAsk(admin, context, 'approval_off', '', {});
    await store.editOrganization(organization.id, { approval: 'on' }, currentActor(context));
    return { redirectTo: `${approvalSettingPath(context)}?on` };
  }

  return [
    {
      path: '/admin/organizations/:organizationId/settings/approval',
      access: 'accounts',
      requiresRecentAuth: true,
      get: settingPage,
      post: submit,
    },
  ];
}

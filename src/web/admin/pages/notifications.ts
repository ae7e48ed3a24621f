/** The emails that an account receives: a section of its page. */

import { listNotificationKinds } from '../../../domain/accounts/mail.ts';
import { button } from '../../ui/components.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import type { AdminContext } from '../admin-context.ts';
import { csrfField } from '../forms/forms.ts';
import { currentActor, type SignedInContext } from '../requests/page-context.ts';
import type { Route } from '../route.ts';

const path = '/admin/account/notifications';

/** undefined without email, and for roles without notifications. */
export async function notificationSection(
  { store, mailer }: AdminContext,
  context: SignedInContext,
): Promise<SafeHtml | undefined> {
  const { text, loginSession } = context;
  const { account } = loginSession;
  const kinds = listNotificationKinds(account);
  if (mailer === undefined || kinds.length === 0) return undefined;
  const disabled = await store.listDisabledNotifications(account.id);
  const { title, legend, hint, kinds: labels, save } = text.notifications;
  const choices = kinds.map(
    (kind) => html`<div class="kern-form-check">
<input class="kern-form-check__checkbox" type="checkbox" id="notify-${kind}" name="${kind}" value="on"${disabled.includes(kind) ? '' : html` checked`} aria-describedby="notify-${kind}-hint">
<label class="kern-label" for="notify-${kind}">${labels[kind].label}</label>
<div class="kern-hint" id="notify-${kind}-hint">${labels[kind].hint}</div>
</div>`,
  );
  return html`<section id="notifications"><h2 class="kern-heading-medium">${title}</h2>
<form method="post" action="${path}">
${csrfField(context)}
<fieldset class="kern-fieldset notification-kinds" aria-describedby="notifications-hint">
<legend class="kern-label">${legend}</legend>
<div class="kern-hint" id="notifications-hint">${hint(account.email)}</div>
<div class="kern-fieldset__body">${choices}</div>
</fieldset>
<div class="actions">${button(save, 'secondary')}</div>
</form></section>`;
}

export function notificationRoutes({ store }: AdminContext): Route[] {
  return [
    {
      path,
      access: 'signedIn',
      post: async (context, values) => {
        const { account } = context.loginSession;
        const disabled = listNotificationKinds(account).filter((kind) => !values.has(kind));
        await store.setNotifications(account.id, disabled, currentActor(context));
        return { redirectTo: '/admin/account?done=notifications' };
      },
    },
  ];
}

/**
 * The link in emails that switches one kind of them off, without signing in. Opening it changes nothing, because mail
 * servers open links to check them; a form or one POST of the mail program does (RFC 8058).
 */

import { alert, announcement, button, link, paragraph } from '../../ui/components.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import type { AdminContext } from '../admin-context.ts';
import { form } from '../forms/forms.ts';
import type { PageContext } from '../requests/page-context.ts';
import type { Page } from '../requests/response-types.ts';
import type { Route } from '../route.ts';

const tokenPattern = /^[\w-]{43}$/;

export function unsubscribeRoutes({ store }: AdminContext): Route[] {
  const find = async ({ params: { token = '' } }: PageContext) =>
    tokenPattern.test(token) ? store.findUnsubscribeToken(token) : undefined;

  async function show(context: PageContext): Promise<Page> {
    const { text } = context;
    const found = await find(context);
    if (found === undefined) return unknownPage(context);
    if (!found.isEnabled) return resultPage(context, paragraph(text.unsubscribe.already));
    const kinds: Readonly<Record<string, { label: string }>> = text.notifications.kinds;
    const question = text.unsubscribe.question(kinds[found.kind]?.label ?? found.kind, found.email);
    return {
      title: text.unsubscribe.title,
      body: html`${paragraph(question)}${form(context, button(text.unsubscribe.title))}`,
    };
  }

  async function unsubscribe(context: PageContext): Promise<Page> {
    const { text, params, clientAddress } = context;
    const found = await find(context);
    if (found === undefined) return unknownPage(context);
    await store.unsubscribe(params.token ?? '', clientAddress);
    return resultPage(context, announcement(text.unsubscribe.done));
  }

  return [
    {
      path: '/admin/unsubscribe/:token',
      access: 'public',
      acceptsForeignForms: true,
      get: show,
      post: unsubscribe,
    },
  ];
}

function resultPage({ text }: PageContext, result: SafeHtml): Page {
  const more = paragraph(link('/admin/account#notifications', text.unsubscribe.toAccount));
  return { title: text.unsubscribe.title, body: html`${result}${more}` };
}

function unknownPage({ text }: PageContext): Page {
  const { title, unknown, unknownHint, toAccount } = text.unsubscribe;
  const more = paragraph(link('/admin/account#notifications', toAccount));
  return { title, body: html`${alert('warning', unknown, paragraph(unknownHint))}${more}`, status: 404 };
}

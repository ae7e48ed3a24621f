import { html } from '@remix-run/html-template';
import { actionLink, alert, paragraph } from '../../ui/components.ts';
import type { PageContext } from '../page-context.ts';
import type { Page } from '../response-types.ts';

/** For readers who open a page that only administrators may use. */
export function insufficientRolePage({ text }: PageContext): Page {
  const { title, hint } = text.insufficientRole;
  const body = html`${alert('danger', title, paragraph(hint))}${actionLink('/admin', text.errorPage.toStart)}`;
  return { title, body, status: 403 };
}

/** @param back URL of the submitted form with its fields filled in */
export function errorPage({ text }: PageContext, status: number, back: string | undefined): Page {
  const { title, hint } = text.errors[status] ?? (text.errors[500] as { title: string; hint: string });
  const keepsForm = back !== undefined && (status === 403 || status === 503);
  const way = keepsForm
    ? actionLink(back, text.errorPage.toForm)
    : actionLink('/admin', text.errorPage.toStart);
  return { title, body: html`${alert('danger', title, paragraph(hint))}${way}`, status };
}

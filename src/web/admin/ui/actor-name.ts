import type { NamelessActor } from '../../../domain/accounts/actor.ts';
import { userText } from '../../ui/components.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import type { ViewContext } from '../../ui/view-context.ts';
import type { PageContext } from '../requests/page-context.ts';

/** The actor of the audit log, after the name of the person if the account has one. */
export function actorName(actor: string, context: PageContext): SafeHtml {
  const person = context.personNames.get(actor);
  const shown = userText(actorText(actor, context));
  return person === undefined ? shown : html`${userText(person)} <span class="kern-hint">${shown}</span>`;
}

export const actorText = (actor: string, { text }: ViewContext): string =>
  Object.hasOwn(text.audit.actors, actor) ? text.audit.actors[actor as NamelessActor] : actor;

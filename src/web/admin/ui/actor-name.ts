import type { NamelessActor } from '../../../domain/accounts/actor.ts';
import { userText } from '../../ui/components.ts';
import type { SafeHtml } from '../../ui/html.ts';
import type { ViewContext } from '../../ui/view-context.ts';

/** The name of an actor in the audit log. */
export const actorName = (name: string, context: ViewContext): SafeHtml => userText(actorText(name, context));

export const actorText = (name: string, { text }: ViewContext): string =>
  Object.hasOwn(text.audit.actors, name) ? text.audit.actors[name as NamelessActor] : name;

import type { HelpTopic } from '../../messages/en/help.ts';
import { paragraph } from '../../ui/components.ts';
import { folded } from '../../ui/folded-content.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import type { PageContext } from '../requests/page-context.ts';

/** The answer to a question of people who open a page for the first time. */
export function help({ text }: PageContext, topic: HelpTopic): SafeHtml {
  const { title, paragraphs } = text.help[topic];
  return folded(title, html`${paragraphs.map((sentence) => paragraph(sentence))}`);
}

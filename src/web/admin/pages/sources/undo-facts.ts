/** What an undo would do. */
import type { LastImport } from '../../../../domain/runs/undo.ts';
import { alert, descriptionList, link, paragraph } from '../../../ui/components.ts';
import { html, type SafeHtml } from '../../../ui/html.ts';
import type { TenantContext } from '../../requests/page-context.ts';
import { organizationPath } from '../../ui/navigation.ts';

export function undoFacts(
  { text, format, organization }: TenantContext,
  sourceName: string,
  last: LastImport,
): SafeHtml {
  const words = text.importSteps.undo;
  return html`${alert('warning', words.question(sourceName), paragraph(`${words.lastRun}: `, format.time(last.startedAt)))}
${paragraph(words.consequence)}
${descriptionList([
  [words.removed, format.number(last.inserted)],
  [words.restored, format.number(last.replaced)],
  last.surveys > 0 && [words.surveys, format.number(last.surveys)],
  [words.until, format.time(last.expiresAt)],
])}
${paragraph(link(`${organizationPath(organization)}/imports/${last.runId}`, text.importSteps.result.toRun))}`;
}

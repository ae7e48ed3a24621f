/** The last import of a source, and what its undo would do. */
import type { ImportRunReference } from '../../../../domain/runs/run-history.ts';
import type { LastImport } from '../../../../domain/runs/undo.ts';
import type { StoredSource } from '../../../../domain/sources/import-source.ts';
import { alert, descriptionList, link, paragraph } from '../../../ui/components.ts';
import { html, type SafeHtml } from '../../../ui/html.ts';
import type { AdminContext } from '../../admin-context.ts';
import type { TenantContext } from '../../requests/page-context.ts';
import { organizationPath } from '../../ui/navigation.ts';

/** Imports of another format with the same name belong to another source. */
export async function findLastImport(
  { store }: Pick<AdminContext, 'store'>,
  { organization }: TenantContext,
  { name, format }: StoredSource,
): Promise<LastImport | undefined> {
  const imports = await store.listLastImports(organization.id);
  return imports.find(({ source }) => source.name === name && source.format === format);
}

/** @returns undefined if the run has changed nothing, or is not the last import of its source */
export async function findLastImportOfRun(
  { store }: Pick<AdminContext, 'store'>,
  { organizationId, id }: ImportRunReference,
): Promise<LastImport | undefined> {
  return (await store.listLastImports(organizationId)).find(({ runId }) => runId === id);
}

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

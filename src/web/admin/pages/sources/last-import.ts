/** The last import of a source, which pages offer to undo. */
import type { ImportRunReference } from '../../../../domain/runs/run-history.ts';
import type { LastImport } from '../../../../domain/runs/undo.ts';
import type { StoredSource } from '../../../../domain/sources/import-source.ts';
import type { AdminContext } from '../../admin-context.ts';
import type { TenantContext } from '../../requests/page-context.ts';

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

/** Stored sources of a provisioning file. */
import { resolve } from 'node:path';
import { listSourceChanges } from '../../../domain/sources/audited-source-changes.ts';
import {
  emptySourceDefinition,
  pickDefinition,
  type SourceDefinition,
} from '../../../domain/sources/import-source.ts';
import type { Store } from '../../../domain/store.ts';
import { InputError, runAll } from '../../../ingest/input-error.ts';
import { readOptionFile } from '../../../ingest/readers/read-file-named-by-option.ts';
import { checkSourceDefinition } from '../../../ingest/runs/check-source-definition.ts';
import { getSourceOptions } from '../../../ingest/runs/source-options.ts';
import type { Config } from '../../config/settings.ts';
import { editDefinition } from '../sources/source-flags.ts';
import type { OrganizationEntry, SourceEntry } from './file-schema.ts';
import type { PlannedOrganization, Planner } from './plan-organizations.ts';

/** @param folder that names of files are relative to */
export async function planSources(
  { plan, problems }: Planner,
  organizations: ReadonlyMap<OrganizationEntry, PlannedOrganization>,
  store: Store,
  config: Config,
  folder: string,
): Promise<void> {
  const wanted = [...organizations].flatMap(([{ values }, organization]) =>
    (values.sources ?? []).flatMap((entry) => {
      const { name, format } = entry.values;
      return name === undefined ? [] : [{ organization, entry, name, format }];
    }),
  );
  const stored = store.walkProvisionedSources(
    wanted.map(({ organization, name }) => ({ organizationId: organization.id, name })),
  );
  const seen = new Set<string>();
  for (const { organization, entry, name, format } of wanted) {
    const { value: before } = await stored.next();
    const key = `${organization.id} ${name}`;
    if (seen.has(key)) problems.add(entry.offset, `The source ${name} occurs twice.`);
    seen.add(key);
    if (format === undefined) continue;
    const start = before === undefined ? { ...emptySourceDefinition, name, format } : pickDefinition(before);
    if (start.format !== format) {
      const at = entry.offsets.format ?? entry.offset;
      problems.add(at, `The source ${name} has the format ${start.format}, which cannot be changed.`);
      continue;
    }
    try {
      const definition = await readDefinition(entry.values, start, config, folder);
      const fields = listSourceChanges(before, definition);
      if (before !== undefined && fields.length === 0) {
        plan.unchanged += 1;
        continue;
      }
      plan.sources.push({ organizationId: organization.id, definition });
      const action = before === undefined ? 'add' : 'change';
      plan.changes.push({ action, kind: 'source', name, organization: organization.name, fields });
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.add(entry.offset, `Source ${name}: ${error.message}`);
    }
  }
}

/** @throws InputError for an invalid definition */
async function readDefinition(
  entry: SourceEntry['values'],
  start: SourceDefinition,
  config: Config,
  folder: string,
): Promise<SourceDefinition> {
  const definition = editDefinition(start, entry);
  return checkSourceDefinition(definition, config, () => ({
    ...start.options,
    ...readOptionTexts(definition, entry.options ?? {}, folder),
  }));
}

/** Options that name a file get its content. @throws InputError */
function readOptionTexts(
  definition: SourceDefinition,
  given: Readonly<Record<string, string>>,
  folder: string,
): Record<string, string> {
  const known = getSourceOptions(definition);
  return Object.fromEntries(
    runAll(
      Object.entries(given).map(([name, text]) => () => [
        name,
        known[name]?.isFile ? readOptionFile(resolve(folder, text)) : text,
      ]),
    ),
  );
}

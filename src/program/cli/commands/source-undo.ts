/** `rostra source undo`: restores the state before the last import of a source. */

import type { Organization } from '../../../domain/organizations/organization.ts';
import type { ImportRunReference, UndoCounts } from '../../../domain/runs/run-history.ts';
import type { LastImport, RedactRestored } from '../../../domain/runs/undo.ts';
import { createRestoredRedactor } from '../../../ingest/runs/redact-restored-records.ts';
import { holdRun } from '../../../ingest/runs/run-under-lease.ts';
import type { OpenedStore } from '../../../store/open.ts';
import { exitCodes } from '../../process/exit-codes.ts';
import { CommandError } from '../command-error.ts';
import { confirm } from '../confirm.ts';
import { argument, defineStoreCommand, flag, json, option, organization, yes } from '../define-command.ts';
import { requireOrganization } from '../find-organization.ts';
import { formatTime, print, printJson } from '../output.ts';

export const undoSource = defineStoreCommand({
  name: 'undo',
  summary: 'undo the last import of a source',
  description:
    'Restores the published records as they were before the last import of a source, all or none. An import can be undone for 30 days, unless one of its records was changed later. Surveys stay as they are. Words of the municipality are replaced as in every import; other texts that the import was the first to redact are published unredacted again. Asks for confirmation; without a terminal, --yes is required.',
  arguments: {
    name: argument('[name]', 'the --source of the import; without it, the source without a name'),
  },
  options: {
    organization,
    format: option('format', 'format of the source, if several have the same name'),
    dryRun: flag('check whether the import can be undone, and change nothing'),
    yes,
    json,
  },
  readers: ['import'],
  run: async ({ name, ...flags }, store, config) => {
    const organization = await requireOrganization(store, flags.organization);
    const imports = await store.listLastImports(organization.id);
    const last = chooseImport(imports, name ?? '', flags.format, organization);
    const run = { organizationId: organization.id, id: last.runId };
    const isDryRun = flags.dryRun === true;
    // Reports an obstacle before the question.
    const redact = createRestoredRedactor(organization, config);
    const expected = await store.undoImport(run, redact, true);
    if (!isDryRun && !flags.yes) await confirm('undo', describe(last, expected, organization));
    const undone = isDryRun ? expected : await undoAlone(store, run, redact, organization);
    printResult(last, undone, flags);
  },
});

/** @throws CommandError if an import of the municipality is running */
async function undoAlone(
  store: OpenedStore,
  run: ImportRunReference,
  redact: RedactRestored,
  { name }: Organization,
): Promise<UndoCounts> {
  const { signal } = new AbortController();
  const undone = await holdRun(store, run, signal, () => store.undoImport(run, redact, false));
  if (undone !== undefined) return undone;
  throw new CommandError(
    `An import of ${name} is running. Wait until it ends. If it was killed, try again after one minute. Nothing was undone.`,
  );
}

/** @throws CommandError if no source matches, or several whose last import can be undone */
function chooseImport(
  imports: readonly LastImport[],
  name: string,
  format: string | undefined,
  { name: organization }: Organization,
): LastImport {
  const named = imports.filter(
    ({ source }) => source.name === name && (format === undefined || source.format === format),
  );
  const available = named.filter(({ state }) => state === 'available');
  // Of imports that cannot be undone any longer, the reason of one is enough.
  const matching = available.length > 0 ? available : named.slice(0, 1);
  const [last, ...others] = matching;
  if (last === undefined) {
    const what = name === '' ? 'a source without a name' : `the source "${name}"`;
    const known = imports.map(({ source }) => describeSource(source)).join(', ');
    throw new CommandError(
      `There is nothing to undo: ${organization} has no import of ${what}${format === undefined ? '' : ` in the format ${format}`} that changed records in the last 30 days.${known === '' ? '' : ` There are imports of ${known}.`}`,
    );
  }
  if (others.length > 0)
    throw new CommandError(
      `Several sources match. Name one with --format: ${matching.map(({ source }) => source.format).join(', ')}.`,
      exitCodes.usage,
    );
  return last;
}

const describeSource = ({ name, format }: LastImport['source']) =>
  name === '' ? `${format} without a name` : `"${name}" (${format})`;

const describe = (
  { startedAt, sources }: LastImport,
  { removed, restored }: UndoCounts,
  { name }: Organization,
) =>
  `the import of ${sources} into ${name} of ${formatTime(startedAt)} (records to remove: ${removed}, to restore: ${restored})`;

function printResult(
  { runId, startedAt, sources }: LastImport,
  undone: UndoCounts,
  { dryRun, json }: { dryRun: true | undefined; json: true | undefined },
): void {
  if (json) {
    printJson({ run: runId, ...undone, dryRun: dryRun === true });
    return;
  }
  print(
    dryRun
      ? `Dry run: nothing was undone. The undo of the import of ${sources} of ${formatTime(startedAt)} would result in:`
      : `Undid the import of ${sources} of ${formatTime(startedAt)}.`,
  );
  for (const name of ['removed', 'restored'] as const)
    print(`${name.padEnd(10)} ${String(undone[name]).padStart(10)}`);
  if (undone.surveys > 0)
    print(`Surveys cannot be undone: ${undone.surveys} stay as the import published them.`);
}

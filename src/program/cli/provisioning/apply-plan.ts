/** Writes a plan to the database. */
import { maxProvisionedSources } from '../../../domain/installation/provisioning-store.ts';
import type { Store } from '../../../domain/store.ts';
import { StoreConflictError, StoreUnavailableError } from '../../../domain/store-errors.ts';
import { splitIntoChunks } from '../../../platform/split-into-chunks.ts';
import { CommandError } from '../command-error.ts';
import { printError } from '../output.ts';
import type { Plan } from './plan.ts';

const progressIntervalMs = 5_000;

interface Step {
  /** Number of changes of the plan. */
  changes: number;
  run(): Promise<unknown>;
}

/**
 * Adds all new municipalities, keys and accounts in one transaction, and writes sources in batches. Every other change has
 * its own transaction.
 *
 * @throws CommandError with the number of completed changes
 */
export async function applyPlan(store: Store, plan: Plan): Promise<void> {
  const total = plan.changes.length;
  let done = 0;
  const timer = setInterval(() => printError(`${done} of ${total} changes are applied.`), progressIntervalMs);
  try {
    for (const { changes, run } of listSteps(store, plan)) {
      await run();
      done += changes;
    }
  } catch (error) {
    if (!(error instanceof StoreConflictError || error instanceof StoreUnavailableError)) throw error;
    throw new CommandError(
      `${error.message}\n${done} of ${total} changes were applied. Run the command again to continue.`,
    );
  } finally {
    clearInterval(timer);
  }
}

function listSteps(store: Store, plan: Plan): Step[] {
  const { organizations, keys, accounts, roles } = plan.additions;
  // The plan has a line for each role of a new account.
  const operators = accounts.filter(({ isOperator }) => isOperator);
  const added = organizations.length + keys.length + roles.length + operators.length;
  const toStep = (edit: Plan['edits'][number]): Step => ({ changes: 1, run: () => edit(store) });
  return [
    ...plan.organizationEdits.map(toStep),
    ...(added > 0 ? [{ changes: added, run: () => store.addProvisioned(plan.additions) }] : []),
    ...plan.edits.map(toStep),
    ...splitIntoChunks(plan.sources, maxProvisionedSources).map((sources) => ({
      changes: sources.length,
      run: () => store.writeProvisionedSources(sources),
    })),
  ];
}

/**
 * Failed runs of maintenance that an SQLite database could not record, for example on a full disk. An empty file beside it needs
 * no space (docs/decisions/0123).
 */
import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { type MaintenanceKind, maintenanceKinds } from '../../domain/installation/maintenance-run.ts';

export interface UnrecordedFailures {
  add(kind: MaintenanceKind): void;
  remove(kind: MaintenanceKind): void;
  /** Time of the last one of each kind. */
  list(): Map<MaintenanceKind, string>;
}

export function createUnrecordedFailures(database: string): UnrecordedFailures {
  const locate = (kind: MaintenanceKind) => `${database}-failed-${kind}`;
  const remove = (kind: MaintenanceKind) => rmSync(locate(kind), { force: true });
  return {
    add: (kind) => {
      remove(kind);
      closeSync(openSync(locate(kind), 'wx', 0o600));
    },
    remove,
    list: () =>
      new Map(
        maintenanceKinds.flatMap((kind) => {
          const found = statSync(locate(kind), { throwIfNoEntry: false });
          return found === undefined ? [] : [[kind, found.mtime.toISOString()] as const];
        }),
      ),
  };
}

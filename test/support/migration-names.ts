/** Names of the migrations of this project. A test may add one beside those that others add. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from './checkout.ts';

/** Without `.sql`, in order. Both engines have the same. */
export const migrationNames: readonly string[] = readdirSync(join(checkout, 'migrations/sqlite'))
  .map((file) => file.slice(0, -'.sql'.length))
  .sort();

export const lastMigrationNumber = Number(migrationNames.at(-1)?.slice(0, 4));

export const formatMigrationNumber = (number: number): string => String(number).padStart(4, '0');

export const nextMigrationNumber = formatMigrationNumber(lastMigrationNumber + 1);

/** The migration of `second-migration.ts`. */
export const secondMigrationName = `${nextMigrationNumber}_second`;

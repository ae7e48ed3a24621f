/** The folders of files that belong to the database. */
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { isPostgresUrl } from '../../domain/installation/is-postgres-url.ts';
import type { Config } from './settings.ts';

const locate = (database: string, name: string) =>
  isPostgresUrl(database) ? `./data/${name}` : `${database}-${name}`;

export const locateUploads = ({ uploadFolder, database }: Config): string =>
  uploadFolder ?? locate(database, 'uploads');

export const locateOpenData = ({ openDataFolder, database }: Config): string =>
  openDataFolder ?? locate(database, 'open-data');

/**
 * The folders whose disk can become full, by their content.
 *
 * @param backup path of the last backup; undefined: no backup was made yet
 */
export const listFolders = (config: Config, backup: unknown): Record<string, string> => ({
  ...(!isPostgresUrl(config.database) && { database: dirname(config.database) }),
  uploads: locateUploads(config),
  open_data: locateOpenData(config),
  temporary_files: tmpdir(),
  ...(typeof backup === 'string' && { backups: dirname(backup) }),
});

/** The folders of files that belong to the database. */
import { isPostgresUrl } from '../domain/is-postgres-url.ts';
import type { Config } from './settings.ts';

const locate = (database: string, name: string) =>
  isPostgresUrl(database) ? `./data/${name}` : `${database}-${name}`;

export const locateUploads = ({ uploadFolder, database }: Config): string =>
  uploadFolder ?? locate(database, 'uploads');

export const locateOpenData = ({ openDataFolder, database }: Config): string =>
  openDataFolder ?? locate(database, 'open-data');

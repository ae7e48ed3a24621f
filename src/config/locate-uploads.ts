import { isPostgresUrl } from '../domain/is-postgres-url.ts';
import type { Config } from './settings.ts';

/** @returns the folder for uploaded files */
export function locateUploads({ uploadFolder, database }: Config): string {
  return uploadFolder ?? (isPostgresUrl(database) ? './data/uploads' : `${database}-uploads`);
}

/** Which program serves which database. */

import { isPostgresUrl } from '../../domain/installation/is-postgres-url.ts';
import { readBuild } from '../../platform/build-info.ts';
import type { Config } from '../config/settings.ts';

export const getEngineName = ({ database }: Pick<Config, 'database'>): 'postgresql' | 'sqlite' =>
  isPostgresUrl(database) ? 'postgresql' : 'sqlite';

/** Fields of the first line of the log. */
export const describeBuild = (config: Pick<Config, 'database'>, version: string) => ({
  version,
  commit: readBuild().commit,
  engine: getEngineName(config),
});

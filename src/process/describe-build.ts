/** Which program serves which database. */
import { readBuild } from '../assets/build.ts';
import type { Config } from '../config/settings.ts';
import { isPostgresUrl } from '../domain/is-postgres-url.ts';

export const getEngineName = ({ database }: Pick<Config, 'database'>): 'postgresql' | 'sqlite' =>
  isPostgresUrl(database) ? 'postgresql' : 'sqlite';

/** Fields of the first line of the log. */
export const describeBuild = (config: Pick<Config, 'database'>, version: string) => ({
  version,
  commit: readBuild().commit,
  engine: getEngineName(config),
});

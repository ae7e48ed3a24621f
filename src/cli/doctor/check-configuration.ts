/** Checks of the configuration and of the versions of programs. */
import { ConfigurationError, findUnknownVariables } from '../../config/read-config.ts';
import { type SettingName, settings, toEnvironmentName } from '../../config/settings.ts';
import type { DatabaseInspection } from '../../store/open.ts';
import { didYouMean } from '../../text/did-you-mean.ts';
import { type Check, critical, ok, warning } from './finding.ts';

/** @param readAll reads all settings, or throws a ConfigurationError */
export function createConfigurationCheck(
  environment: Record<string, string | undefined>,
  readAll: () => void,
): Check {
  return {
    name: 'configuration',
    run: async () => {
      const unknownNames = findUnknownVariables(environment);
      const known = (Object.keys(settings) as SettingName[]).map(toEnvironmentName);
      const findings = unknownNames.map((name) => {
        const near = didYouMean(name, known);
        return warning(
          `${name} is not a setting and has no effect.`,
          near === undefined ? 'Remove it.' : `Did you mean ${near}?`,
        );
      });
      try {
        readAll();
      } catch (error) {
        if (!(error instanceof ConfigurationError)) throw error;
        const remedy =
          'Correct it: docs/settings.md lists all settings. Commands that use this value do not start.';
        return [...error.problems.map((problem) => critical(problem, remedy)), ...findings];
      }
      const given = known.filter((name) => environment[name] || environment[`${name}_FILE`]);
      const count = given.length === 1 ? 'one is' : `${given.length} are`;
      return findings.length > 0 ? findings : [ok(`All settings are valid; ${count} set.`)];
    },
  };
}

const minNodeMajor = 26;
const supportedPostgres = { min: 15, max: 18 };

/** @param inspection undefined: the database cannot be read */
export function createVersionCheck(
  version: string,
  inspect: () => Promise<DatabaseInspection | undefined>,
  nodeVersion = process.versions.node,
): Check {
  return {
    name: 'versions',
    run: async () => {
      const major = Number.parseInt(nodeVersion, 10);
      const inspection = await inspect();
      const programs = [
        `Rostra ${version}`,
        `Node.js ${nodeVersion}`,
        ...(inspection === undefined ? [] : [`${inspection.engine} ${inspection.version}`]),
      ].join(', ');
      if (major < minNodeMajor)
        return [critical(`${programs}: Node.js is too old.`, `Install Node.js ${minNodeMajor} or newer.`)];
      if (inspection?.engine !== 'PostgreSQL') return [ok(`${programs}.`)];
      const { min, max } = supportedPostgres;
      const postgresMajor = Number.parseInt(inspection.version, 10);
      if (postgresMajor < min)
        return [critical(`${programs}: PostgreSQL is too old.`, `Upgrade PostgreSQL to ${min} or newer.`)];
      if (postgresMajor > max)
        return [
          warning(
            `${programs}: this PostgreSQL is newer than all tested versions.`,
            `Rostra is tested with PostgreSQL ${min} to ${max}.`,
          ),
        ];
      return [ok(`${programs}.`)];
    },
  };
}

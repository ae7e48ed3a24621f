/** Checks of the configuration and of the versions of programs. */

import { didYouMean } from '../../../platform/did-you-mean.ts';
import { judgeSecurityTxtExpiry } from '../../config/judge-security-txt-expiry.ts';
import { ConfigurationError, findUnknownVariables } from '../../config/read-config.ts';
import { type SettingName, settings, toEnvironmentName } from '../../config/settings.ts';
import { type Checks, critical, ok, warning } from './run-checks.ts';

const minNodeMajor = 26;
const supportedPostgres = { min: 15, max: 18 };

export const configurationChecks: Checks = {
  configuration: async ({ variables, readSettings, readCollector }) => {
    const known = (Object.keys(settings) as SettingName[]).map(toEnvironmentName);
    const findings = findUnknownVariables(variables).map((name) => {
      const near = didYouMean(name, known);
      return warning(
        `${name} is not a setting and has no effect.`,
        near === undefined ? 'Remove it.' : `Did you mean ${near}?`,
      );
    });
    try {
      const problem = judgeSecurityTxtExpiry(readSettings(), Date.now());
      if (problem !== undefined) findings.push(warning(problem, 'Set ROSTRA_SECURITY_EXPIRES.'));
      readCollector();
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      const remedy =
        'Correct it: docs/settings.md lists all settings. Commands that use this value do not start.';
      return [...error.problems.map((problem) => critical(problem, remedy)), ...findings];
    }
    if (findings.length > 0) return findings;
    const given = known.filter((name) => variables[name] || variables[`${name}_FILE`]);
    const count = given.length === 1 ? 'one is' : `${given.length} are`;
    return ok(`All settings are valid; ${count} set.`);
  },

  versions: async ({ version, findInspection }) => {
    const { node } = process.versions;
    const inspection = await findInspection();
    const programs = [
      `Rostra ${version}`,
      `Node.js ${node}`,
      ...(inspection === undefined ? [] : [`${inspection.engine} ${inspection.version}`]),
    ].join(', ');
    if (Number.parseInt(node, 10) < minNodeMajor)
      return critical(`${programs}: Node.js is too old.`, `Install Node.js ${minNodeMajor} or newer.`);
    const { min, max } = supportedPostgres;
    const major = inspection?.engine === 'PostgreSQL' ? Number.parseInt(inspection.version, 10) : min;
    if (major < min)
      return critical(`${programs}: PostgreSQL is too old.`, `Upgrade PostgreSQL to ${min} or newer.`);
    if (major > max)
      return warning(
        `${programs}: this PostgreSQL is newer than all tested versions.`,
        `Rostra is tested with PostgreSQL ${min} to ${max}.`,
      );
    return ok(`${programs}.`);
  },
};

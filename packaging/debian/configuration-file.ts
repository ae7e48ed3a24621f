/**
 * `/etc/rostra/rostra.conf`: every setting with its explanation. It is not a file of the package: `rostra init` changes it, so
 * dpkg would ask about it in every upgrade, and fail without a terminal.
 */
import { composeConfigFile, type FileValues } from '../../src/program/config/compose-config-file.ts';

/** The settings that differ from the default in the package. */
const packageValues: FileValues = {
  database: ['/var/lib/rostra/rostra.db'],
  uploadFolder: ['/var/lib/rostra/uploads'],
  workers: ['2', 'With 1, Rostra needs less memory, but "systemctl reload rostra" fails.'],
};

const note = `
# Apply changes with "systemctl reload rostra", which fails no request. See rostra.conf(5).`;

export const createConfigurationFile = (): string => composeConfigFile(packageValues, note);

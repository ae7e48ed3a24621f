import { organizationPath } from '../../ui/navigation.ts';

export const sourcePath = (organization: { id: string }, name: string): string =>
  `${organizationPath(organization)}/sources/${encodeURIComponent(name)}`;

/** @param source path of the source */
export const portalKeyPath = (source: string): string => `${source}/key`;

import { organizationPath } from '../../ui/navigation.ts';

/** URL path of the page of a source, whose name is percent-encoded. */
export const sourcePath = (organization: { id: string }, name: string): string =>
  `${organizationPath(organization)}/sources/${encodeURIComponent(name)}`;

/** @param source path of the source */
export const portalKeyPath = (source: string): string => `${source}/key`;

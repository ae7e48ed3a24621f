import { organizationPath } from '../../ui/navigation.ts';

export const sourcePath = (organization: { id: string }, name: string): string =>
  `${organizationPath(organization)}/sources/${encodeURIComponent(name)}`;

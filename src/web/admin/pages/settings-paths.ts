/** Addresses of settings that have pages of their own. */
import type { TenantContext } from '../requests/page-context.ts';
import { organizationPath } from '../ui/navigation.ts';

export const openDataPath = ({ organization }: Pick<TenantContext, 'organization'>): string =>
  `${organizationPath(organization)}/open-data`;

export const approvalSettingPath = ({ organization }: Pick<TenantContext, 'organization'>): string =>
  `${organizationPath(organization)}/settings/approval`;

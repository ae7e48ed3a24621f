/** Names of the actions in the audit log. */
import type { AuditAction } from '../../../domain/admin-area-store.ts';

export const actions: Record<AuditAction, string> = {
  'organization.added': 'Municipality added',
  'organization.edited': 'Municipality edited',
  'organization.removed': 'Municipality removed',
  'record.removed': 'Record removed',
  'account.added': 'Account added',
  'account.invited': 'One-time link created',
  'account.removed': 'Account removed',
  'account.role_changed': 'Role changed',
  'identity.bound': 'Account linked to single sign-on',
  'password.set': 'Password set',
  'second_factor.set': 'Second factor set up',
  'second_factor.removed': 'Second factor removed',
  'notifications.edited': 'Notifications changed',
  'recovery_codes.created': 'Recovery codes created',
  'recovery_code.used': 'Recovery code used',
  signed_in: 'Signed in',
  signed_out: 'Signed out',
  signed_out_everywhere: 'Signed out everywhere',
  'key.issued': 'Key issued',
  'key.edited': 'Key edited',
  'key.rotated': 'Key rotated',
  'key.revoked': 'Key revoked',
};

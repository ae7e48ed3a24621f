/** Replaces and removes the logo of a municipality. Its forms are on the page with the settings. */
import { maxLogoBytes, parseLogo } from '../../domain/logo.ts';
import type { AdminContext } from '../admin-context.ts';
import { currentActor, type TenantContext } from '../page-context.ts';
import type { AdminResponse } from '../response-types.ts';
import type { Route } from '../route.ts';
import { describeInitial, settingsPath } from './logo-section.ts';
import { openSettings, settingsPage } from './organization-settings.ts';

export function organizationLogoRoutes({ store }: AdminContext): Route[] {
  async function save(context: TenantContext, entered: URLSearchParams): Promise<AdminResponse> {
    const { organization, uploadedFile } = context;
    const { errors } = context.text.organizationSettings.logo;
    const reject = (error: string) => settingsPage(context, openSettings(context), error);
    if (entered.get('initial') !== describeInitial(organization.logo)) return reject(errors.changedMeanwhile);
    const isRemoval = entered.get('action') === 'remove';
    if (!isRemoval && uploadedFile === undefined) return reject(errors.missing);
    const logo = uploadedFile === undefined || isRemoval ? null : parseLogo(uploadedFile);
    if (typeof logo === 'string') return reject(errors[logo]);
    await store.editOrganization(organization.id, { logo }, currentActor(context));
    return { redirectTo: `${settingsPath(context)}?logo=${isRemoval ? 'removed' : 'saved'}` };
  }

  return [
    {
      path: '/admin/organizations/:organizationId/logo',
      access: 'administrator',
      maxFileBytes: maxLogoBytes,
      // After signing in, the browser returns to the path of the form, without the file.
      get: async (context) => ({ redirectTo: settingsPath(context) }),
      post: save,
    },
  ];
}

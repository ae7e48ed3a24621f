/** The logo of a municipality: part of its settings, with forms of its own. */

import type { Logo } from '../../../domain/organizations/organization.ts';
import { announcement, button, paragraph, section } from '../../ui/components.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import { fileField } from '../forms/file-field.ts';
import { csrfField } from '../forms/forms.ts';
import { logoPath } from '../logo-route.ts';
import type { TenantContext } from '../requests/page-context.ts';

export const settingsPath = ({ organization }: TenantContext) =>
  `/admin/organizations/${organization.id}/settings`;

/** The logo that the form was opened with, because somebody else may change it meanwhile. */
export const describeInitial = (logo: Logo | null) => logo?.url ?? '';

/** The image at a size for the header of a page. */
const logoImage = (logo: Logo, alternative: string): SafeHtml =>
  html`<img class="logo" src="${logoPath(logo)}" width="${logo.width}" height="${logo.height}" alt="${alternative}">`;

/** @param error why a new logo was rejected */
export function logoSection(context: TenantContext, error: string | undefined): SafeHtml {
  const { text, format, organization, query } = context;
  const { intro, alternative, facts, none, file, hint, upload, replace, saved, removed } =
    text.organizationSettings.logo;
  const { logo } = organization;
  const done = error === undefined ? query.get('logo') : undefined;
  const present =
    logo === null
      ? paragraph(none)
      : html`<figure class="logo-figure">${logoImage(logo, alternative(organization.name))}
<figcaption class="kern-body kern-body--small">${facts(format.number(logo.width), format.number(logo.height))}</figcaption></figure>`;
  const uploadForm = html`<form method="post" action="${logoFormPath(context)}" enctype="multipart/form-data" class="page-form" novalidate>
${csrfField(context)}
<input type="hidden" name="initial" value="${describeInitial(logo)}">
${fileField({ name: 'logo', label: file, hint, error, accept: 'image/png,image/jpeg,image/webp' })}
<div class="actions">${button(logo === null ? upload : replace, 'secondary')}</div>
</form>`;
  return section(
    text.organizationSettings.labels.logo,
    html`${done === 'saved' ? announcement(saved) : done === 'removed' ? announcement(removed) : ''}
${paragraph(intro)}${present}${uploadForm}${logo === null ? '' : removalForm(context, logo)}`,
  );
}

const logoFormPath = ({ organization }: TenantContext) => `/admin/organizations/${organization.id}/logo`;

const removalForm = (context: TenantContext, logo: Logo): SafeHtml =>
  html`<form method="post" action="${logoFormPath(context)}" class="page-form">
${csrfField(context)}
<input type="hidden" name="initial" value="${describeInitial(logo)}">
<input type="hidden" name="action" value="remove">
<div class="actions">${button(context.text.organizationSettings.logo.remove, 'tertiary')}</div>
</form>`;

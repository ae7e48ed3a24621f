import type { License } from '../../contract/resources/organization.ts';
import { findUsualLicense } from '../../domain/organizations/licenses.ts';
import { userText } from './components.ts';
import { html, type SafeHtml } from './html.ts';
import type { ViewContext } from './view-context.ts';

/** The name of a licence, with a link to its text if its address is known. */
export function licenseLink({ text }: ViewContext, license: License): SafeHtml {
  const names: Readonly<Record<string, string>> = text.organizationSettings.licenseChoice.usual;
  const url = license.url ?? findUsualLicense(license)?.url;
  const name = userText(names[license.name ?? ''] ?? license.name ?? url ?? '');
  return url === undefined
    ? name
    : html`<a class="kern-link" href="${url}" rel="license noopener noreferrer">${name}</a>`;
}

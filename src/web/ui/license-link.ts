import type { License } from '../../contract/resources/organization.ts';
import { findUsualLicense } from '../../domain/organizations/licenses.ts';
import { userText } from './components.ts';
import { html, type SafeHtml } from './html.ts';

/** The name of a licence, with a link to its text if its address is known. @param names of usual licences, by their identifiers */
export function licenseLink(license: License, names: Readonly<Record<string, string>> = {}): SafeHtml {
  const url = license.url ?? findUsualLicense(license)?.url;
  const name = userText(names[license.name ?? ''] ?? license.name ?? url ?? '');
  return url === undefined
    ? name
    : html`<a class="kern-link" href="${url}" rel="license noopener noreferrer">${name}</a>`;
}

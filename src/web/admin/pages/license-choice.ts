/** The choice of a usual licence, which has a known address, or of another one, which has fields of its own. */

import { normalizeLicenseName, usualLicenses } from '../../../domain/organizations/licenses.ts';
import { select } from '../../ui/components.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import type { PageContext } from '../requests/page-context.ts';
import type { FormErrors } from '../requests/response-types.ts';

const identifiers = Object.keys(usualLicenses) as (keyof typeof usualLicenses)[];

const fieldName = 'license';
const none = '';
const other = 'other';

interface License {
  licenseName: string;
  licenseUrl: string;
}

/** Replaces the choice of a usual licence, or of none, with the licence's name and address. */
export function enterChosenLicense(entered: URLSearchParams): void {
  const choice = entered.get(fieldName);
  const identifier = identifiers.find((known) => known === choice);
  if (identifier === undefined && choice !== none) return;
  entered.delete(fieldName);
  entered.set('licenseName', identifier ?? '');
  entered.set('licenseUrl', identifier ? usualLicenses[identifier].url : '');
}

/** Whether a text names a licence, however its identifier is written. */
const namesLicense = (text: string, name: string) =>
  name !== '' && normalizeLicenseName(text).includes(normalizeLicenseName(name));

/** Whether the attribution names the licence that the entered one replaces. */
export function namesFormerLicense(former: string, entered: URLSearchParams): boolean {
  const license = entered.get('licenseName') ?? '';
  const isReplaced = license !== former && !namesLicense(license, former);
  return isReplaced && namesLicense(entered.get('attribution') ?? '', former);
}

export const isOtherLicenseMissing = (entered: URLSearchParams): boolean =>
  entered.get(fieldName) === other &&
  ['licenseName', 'licenseUrl'].every((name) => entered.get(name)?.trim() === '');

function findChoice(entered: URLSearchParams, { licenseName, licenseUrl }: License): string {
  if (entered.get(fieldName) === other) return other;
  if (licenseName === '' && licenseUrl === '') return none;
  return (
    identifiers.find((known) => known === licenseName && usualLicenses[known].url === licenseUrl) ?? other
  );
}

/** The choice has the errors of the fields of another licence while these are hidden. */
export function showLicenseErrors(
  entered: URLSearchParams,
  license: License,
  errors: FormErrors,
): FormErrors {
  const { licenseName, licenseUrl, ...others } = errors;
  const error = licenseName ?? licenseUrl;
  const isHidden = findChoice(entered, license) !== other;
  return isHidden && error !== undefined ? { [fieldName]: error, ...others } : errors;
}

/**
 * @param ownFields of another licence
 * @param ownWords of the field, and of the choice of no licence
 */
export function licenseFields(
  { text }: PageContext,
  entered: URLSearchParams,
  license: License,
  errors: FormErrors,
  ownFields: SafeHtml[],
  ownWords: { hint?: string; none?: string } = {},
): SafeHtml {
  const words = { ...text.organizationSettings.licenseChoice, ...ownWords };
  const choices = [
    { value: none, text: words.none },
    ...identifiers.map((value) => ({ value, text: words.usual[value] })),
    { value: other, text: words.other },
  ];
  return html`<div class="license-choice">
${select(fieldName, words.label, choices, findChoice(entered, license), errors[fieldName], words.hint)}
<div class="own-license">${ownFields}</div>
</div>`;
}

/** Texts of the page about a municipality. */
import type { OrganizationField } from '../../../domain/organization.ts';

type Field = Exclude<OrganizationField, 'name'>;

const labels: Record<Field, string> = {
  timeZone: 'Time zone',
  licenseName: 'Licence',
  licenseUrl: 'URL of the licence',
  contactName: 'Contact: person or office',
  contactEmail: 'Contact: email address',
  contactUrl: 'Contact: web page',
  attribution: 'Attribution',
};

const hints: Record<Field, string> = {
  timeZone:
    'Imports read times without a time zone in this zone. A change applies to later imports; published times stay.',
  licenseName: 'SPDX identifier, such as CC-BY-4.0 or DL-DE-BY-2.0, or the name of another licence.',
  licenseUrl: 'Address of the text of the licence, such as https://creativecommons.org/licenses/by/4.0/.',
  contactName: 'For questions about the data.',
  contactEmail: 'Use the address of an office rather than of a person.',
  contactUrl: 'Address of a page with further contacts.',
  attribution: 'How others should name the source, such as “Data: Musterstadt, CC BY 4.0”.',
};

// The summary of errors lists several fields, so each message names its field.
const tooLong = (field: Field, max: string) =>
  `${labels[field]}: enter at most ${max} characters, without line breaks.`;
const wrongUrl = (field: Field) => `${labels[field]}: enter an address that begins with https:// or http://.`;

const errors: Record<Field, string> = {
  timeZone: 'Choose a time zone.',
  licenseName: tooLong('licenseName', '200'),
  licenseUrl: wrongUrl('licenseUrl'),
  contactName: tooLong('contactName', '200'),
  contactEmail: 'Enter an email address, such as opendata@musterstadt.example.',
  contactUrl: wrongUrl('contactUrl'),
  attribution: tooLong('attribution', '1,000'),
};

export const organizationDetails = {
  organizationDetails: {
    title: 'Licence and contact',
    intro:
      'The API publishes these details together with the name of the municipality, so that others can use the data correctly. All holders of an API key can read them.',
    labels,
    hints,
    errors,
    changedMeanwhile: (stored: string) =>
      `Somebody else changed this field in the meantime. Its saved value is now ${stored === '' ? 'empty' : `“${stored}”`}. Check it and save again.`,
    submit: 'Save',
    saved: 'The details have been saved',
  },
};

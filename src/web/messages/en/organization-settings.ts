/** Texts of the settings of a municipality. */
import { type LogoProblem, roundMaxLogoKilobytes } from '../../../domain/organizations/logo.ts';
import type {
  OrganizationChanges,
  OrganizationField,
} from '../../../domain/organizations/organization-fields.ts';
import { publications } from '../../../domain/reasons/en/publications.ts';

const labels: Record<keyof OrganizationChanges, string> = {
  name: 'Name of the municipality',
  timeZone: 'Time zone',
  language: 'Language of the data',
  country: 'Country',
  licenseName: 'Name of the licence',
  licenseUrl: 'Web address of the licence',
  contactName: 'Contact: person or office',
  contactEmail: 'Contact: email address',
  contactUrl: 'Contact: web page',
  attribution: 'Attribution',
  accentColor: 'Colour',
  redactionTerms: 'Words to replace',
  locationDecimals: 'Decimal places of locations',
  topicsWithoutLocation: 'Topics without a location',
  slug: 'Name in the address',
  ...publications.openData,
  approval: 'Approval by another person',
  logo: 'Logo',
};

/** The others have pages of their own. */
type FormField = Exclude<
  OrganizationField,
  | 'redactionTerms'
  | 'locationDecimals'
  | 'topicsWithoutLocation'
  | 'slug'
  | 'openData'
  | 'openDataIndex'
  | 'approval'
>;

// The summary of errors lists several fields, so each message names its field.
const tooLong = (field: FormField, max: string) =>
  `${labels[field]}: enter at most ${max} characters, without line breaks.`;
const wrongUrl = (field: FormField) =>
  `${labels[field]}: enter a full address, such as https://www.musterstadt.example/data.`;

const quote = (value: string): string => (value === '' ? 'empty' : `“${value}”`);

export const organizationSettings = {
  title: 'Settings',
  intro:
    'These details, except language, country and colour, are published so that others can use the data correctly. Everyone with an API key can read them.',
  labels,
  openDataStates: publications.openDataStates,
  hints: {
    name: 'The name that the public knows, such as Musterstadt.',
    timeZone:
      'Imports use this time zone for times without one. A change affects later imports only: published times stay the same.',
    language:
      'Rostra writes words in this language into published texts, such as [e-mail] in place of an address.',
    country:
      'Rostra recognises telephone numbers and number plates of this country, and reads ambiguous dates the way they are written there.',
    licenseName: 'Use its SPDX identifier, such as ODbL-1.0, if it has one.',
    licenseUrl: 'Page with the text of the licence, such as https://opendatacommons.org/licenses/odbl/1-0/.',
    contactName:
      'For questions about the data, and for people who need an API key. The page at /docs is public.',
    contactEmail: 'Use the address of an office rather than a person.',
    contactUrl: 'Page with other ways to contact you.',
    attribution:
      'How users of the data should name the source, such as “Data: Musterstadt, CC\u00a0BY\u00a04.0”.',
    accentColor:
      'The colour of your municipality, such as #004f9f. The public page shows it as a bar, in links and in buttons. Where its contrast is too low, it is shown darker or lighter.',
  } satisfies Record<FormField, string>,
  errors: {
    name: 'Name of the municipality: enter 1 to 200 characters, without line breaks.',
    timeZone: 'Time zone: choose one from the list.',
    language: 'Language of the data: choose one from the list.',
    country: 'Country: choose one from the list.',
    licenseName: tooLong('licenseName', '200'),
    licenseUrl: wrongUrl('licenseUrl'),
    contactName: tooLong('contactName', '200'),
    contactEmail: 'Enter an email address, such as opendata@musterstadt.example.',
    contactUrl: wrongUrl('contactUrl'),
    attribution: tooLong('attribution', '1,000'),
    accentColor: 'Colour: enter # and six characters, each a digit or a letter from a to f, such as #004f9f.',
  } satisfies Record<FormField, string>,
  groups: {
    municipality: 'Municipality',
    license: 'Licence of the data',
    contact: 'Contact',
    publicPages: 'Public page',
  },
  nameTaken: 'Another municipality has this name. Choose another one.',
  changedMeanwhile: (label: string, before: string, stored: string) =>
    `Somebody else changed “${label}” in the meantime (before: ${quote(before)}, now: ${quote(stored)}). Check it and save again.`,
  unsaved: 'These changes have not been saved',
  unsavedFields: (names: string) =>
    `These fields differ from the saved settings: ${names}. Nothing is published until you save.`,
  discard: 'Discard changes',
  saved: 'The settings have been saved',
  savedWithoutLicense: 'The settings have been saved. Without a licence, open data is now off.',
  ofInstallation: (value: string) => `Default (${value})`,
  accentPreview: {
    sample: 'Example',
    light: 'On a light background',
    dark: 'On a dark background',
    unchanged: 'unchanged',
    changed: (shade: string) => `as ${shade}`,
  },
  licenseChoice: {
    /** @param license empty: no licence is chosen */
    namesFormer: (former: string, name: string, license: string) =>
      `The attribution still names the former licence (${former}). ${license === '' ? 'Remove the licence from the attribution.' : `Change it, for example to “Data: ${name}, ${license}”.`}`,
    label: 'Licence',
    hint: 'It says what others may do with the data.',
    none: 'No licence yet',
    usual: {
      'DL-DE-BY-2.0': 'Data licence Germany – attribution – version 2.0',
      'DL-DE-ZERO-2.0': 'Data licence Germany – Zero – version 2.0',
      'CC-BY-4.0': 'Creative Commons Attribution 4.0 (CC BY 4.0)',
      'CC0-1.0': 'Creative Commons Zero 1.0 (CC0)',
    },
    other: 'Another licence',
    missing: 'Name of the licence: enter it, or choose “No licence yet”.',
  },
  logo: {
    intro:
      'The logo or coat of arms is shown in the admin area and on the public page. The API publishes its address, and anyone can open the image without a key.',
    alternative: (name: string) => `Logo of ${name}`,
    facts: (width: string, height: string) => `${width} × ${height} pixels`,
    none: 'There is no logo yet.',
    file: 'Image file',
    hint: `PNG, JPEG or WebP, at most ${roundMaxLogoKilobytes} kB and 2,000 pixels on each side.`,
    upload: 'Save logo',
    replace: 'Replace logo',
    remove: 'Remove logo',
    saved: 'The logo has been saved',
    removed: 'The logo has been removed',
    errors: {
      missing: 'Choose an image file.',
      tooLarge: `The file is larger than ${roundMaxLogoKilobytes} kB. Save the image with fewer pixels or stronger compression.`,
      notAnImage: 'The file is not a PNG, JPEG or WebP image. Save the image in one of these formats.',
      damaged: 'The file is damaged, or it contains more than the image. Save the image again.',
      animated: 'The image is animated. Choose a still image.',
      tooManyPixels: 'The image is wider or taller than 2,000 pixels. Make it smaller.',
      changedMeanwhile:
        'Somebody else changed the logo in the meantime. Check the current logo and try again.',
    } satisfies Record<LogoProblem | 'missing' | 'changedMeanwhile', string>,
  },
};

/** The fields of a municipality, its licence, contact and logo. */
import type { Static, TSchema } from 'typebox';
import Type from 'typebox';
import { limits, nullable, uuid, webUrl, word } from '../field-schemas.ts';

export const License = Type.Object(
  {
    name: nullable(
      word('SPDX identifier of the licence, or its name if it has no such identifier.', 'CC-BY-4.0'),
    ),
    url: nullable(webUrl('Text or terms of the licence.', 'https://creativecommons.org/licenses/by/4.0/')),
  },
  { title: 'License', description: 'Licence of the data. At least one of the members is not null.' },
);

export type License = Static<typeof License>;

export const Contact = Type.Object(
  {
    name: nullable(word('Person, office or team.', 'Open data office')),
    email: nullable(
      Type.String({
        minLength: 3,
        pattern: '^[^\\s@]+@[^\\s@]+$',
        maxLength: 254,
        description: 'E-mail address.',
        examples: ['opendata@musterstadt.example'],
      }),
    ),
    url: nullable(webUrl('Page with further contacts.', 'https://www.musterstadt.example/opendata')),
  },
  {
    title: 'Contact',
    description: 'Contact for questions about the data. At least one of the members is not null.',
  },
);

export type Contact = Static<typeof Contact>;

/** Pixels of each side. */
export const maxLogoSide = 2_000;

const pixels = (side: string) =>
  Type.Integer({
    minimum: 1,
    maximum: maxLogoSide,
    format: 'int32',
    description: `${side} in pixels.`,
    examples: [320],
  });

export const Logo = Type.Object(
  {
    url: Type.String({
      format: 'uri-reference',
      pattern: '/logos/[0-9a-f]{32}\\.(png|jpeg|webp)$',
      minLength: 1,
      maxLength: limits.url,
      description:
        'Address of the image. It needs no API key, and its content never changes: a new logo has a new address. If the installation does not know its public address, this is a path on its server.',
      examples: ['https://data.example/logos/3f2a91c07be4d5a866d10b0c9f1e2a7d.png'],
    }),
    mediaType: Type.String({
      enum: ['image/png', 'image/jpeg', 'image/webp'],
      description: 'Media type of the image.',
      examples: ['image/png'],
    }),
    width: pixels('Width'),
    height: pixels('Height'),
  },
  { title: 'Logo', description: 'Logo or coat of arms of a municipality.' },
);

export const Organization = Type.Object(
  {
    id: uuid('Identifier of the municipality: `organization_id` in `/me`.'),
    name: word('Name of the municipality.', 'Musterstadt'),
    timeZone: Type.String({
      pattern: '^[A-Za-z0-9_+/-]+$',
      minLength: 1,
      maxLength: 100,
      description:
        'IANA time zone of the municipality. `date` and `timeSlot` of sessions are local times of this zone.',
      examples: ['Europe/Berlin'],
    }),
    license: Type.Union([Type.Ref('License'), Type.Null()], {
      description: 'Licence of the data; null if it is not set.',
    }),
    contact: Type.Union([Type.Ref('Contact'), Type.Null()], {
      description: 'Contact for questions about the data; null if it is not set.',
    }),
    attribution: nullable(
      word(
        'Text with which reusers name the source of the data; null if it is not set.',
        'Data: Musterstadt, CC BY 4.0',
        limits.name,
      ),
    ),
    logo: Type.Union([Type.Ref('Logo'), Type.Null()], {
      description: 'Logo or coat of arms; null if it is not set.',
    }),
    locationDecimals: Type.Union([Type.Integer({ minimum: 3, maximum: 4, format: 'int32' }), Type.Null()], {
      description:
        'Decimals of the coordinates in `location` of submissions: 3 (about 100 metres) or 4 (about 10 metres); null if no location is published.',
      examples: [3, null],
    }),
  },
  { title: 'Organization', description: 'The municipality whose data the API key reads.' },
);

const groups: Readonly<Record<string, { properties: Record<string, TSchema> }>> = {
  license: License,
  contact: Contact,
  logo: Logo,
};

interface FlatField {
  name: string;
  /** Keys that lead to the value. The first value may be null. */
  path: readonly [name: string, member?: string];
  schema: TSchema;
}

/** The values of a municipality on one level, in the order of the API: `license.url` is `licenseUrl`. */
export const flatOrganizationFields: readonly FlatField[] = Object.entries(Organization.properties).flatMap(
  ([name, schema]): FlatField[] =>
    groups[name] === undefined
      ? [{ name, path: [name], schema }]
      : Object.entries(groups[name].properties).map(([member, ofMember]) => ({
          name: `${name}${member[0]?.toUpperCase()}${member.slice(1)}`,
          path: [name, member],
          schema: ofMember,
        })),
);

/** @returns the keys that lead to a value: `license` and `url` for `licenseUrl` */
export const findPropertyPath = (name: string): FlatField['path'] =>
  flatOrganizationFields.find((field) => field.name === name)?.path ?? [name];

type Values = Record<string, unknown>;

export function flattenOrganization(organization: object): Values {
  const values = organization as Readonly<Record<string, Values | null>>;
  return Object.fromEntries(
    flatOrganizationFields.map(({ name, path: [first, member] }) => [
      name,
      member === undefined ? values[first] : (values[first]?.[member] ?? null),
    ]),
  );
}

/** @returns the municipality as the API publishes it */
export function unflattenOrganization(flat: Readonly<Values>): Values {
  const organization: Values = {};
  for (const { name, path } of flatOrganizationFields) {
    const [first, member] = path;
    if (member === undefined) organization[first] = flat[name];
    else organization[first] = { ...(organization[first] as Values | undefined), [member]: flat[name] };
  }
  for (const name of Object.keys(groups))
    if (Object.values(organization[name] as Values).every((value) => value === null))
      organization[name] = null;
  return organization;
}

/**
 * Extension fields are those of submissions and sessions beyond the specification: these, which may be null or an empty list, and
 * `createdOn`, which the API computes. Only operations that the specification lacks return them.
 */
import Type from 'typebox';
import { type Field, type Fields, type FieldValues, toProperties } from '../field.ts';
import { limits, list, nullable, text, webUrl, word } from '../field-schemas.ts';

type ExtensionField = Field & { importDefault: null | readonly [] };

const title = {
  schema: nullable(
    word(
      'Title in the source, without the rest of the text; null if it is unknown.',
      'A safe way to school',
      limits.name,
    ),
  ),
  importDefault: null,
  redaction: 'text',
  fromColumn: { kind: 'title', description: 'Title.' },
} as const satisfies ExtensionField;

const sourceUrl = {
  schema: nullable(
    webUrl(
      'URL of the page in the system of the source; null if it is unknown.',
      'https://council.example.org/papers/142',
    ),
  ),
  importDefault: null,
  redaction: 'link',
  fromColumn: { kind: 'word', description: 'URL of the page in the system of the source.' },
} as const satisfies ExtensionField;

/** RFC 6838, section 4.2, in lower case. */
export const mediaTypePattern = '^[a-z0-9][a-z0-9!#$&^_.+-]*/[a-z0-9][a-z0-9!#$&^_.+-]*$';

const documentLinkFields = {
  title: {
    schema: word('Title of the document in the source, not the name of its file.', 'Minutes', limits.name),
    redaction: 'text',
  },
  url: {
    schema: webUrl(
      'URL of the document in the system of the source, which may remove it.',
      'https://council.example.org/files/8812.pdf',
    ),
    redaction: 'link',
  },
  mediaType: {
    schema: nullable(
      Type.String({
        pattern: mediaTypePattern,
        minLength: 3,
        maxLength: limits.mediaType,
        description:
          'Media type of the document, in lower case and without parameters; null if it is unknown.',
        examples: ['application/pdf'],
      }),
    ),
    importDefault: null,
  },
} as const satisfies Fields;

export const DocumentLink = Type.Object(toProperties(documentLinkFields), {
  title: 'DocumentLink',
  description: 'A document of a submission or session, in the system of the source.',
});

export interface DocumentLink extends FieldValues<typeof documentLinkFields> {}

const documents = {
  schema: Type.Unsafe<DocumentLink[]>(
    list(
      'DocumentLink',
      'Documents in the system of the source, in its order. Empty if it names none.',
      limits.documents,
    ),
  ),
  importDefault: [],
  composedOf: documentLinkFields,
  fromColumn: {
    kind: 'links',
    description:
      'URLs of documents, several in a cell apart by blanks, line breaks, `|` or `;`. Each has the name of its column as title.',
  },
} as const satisfies ExtensionField;

/** RFC 7946, section 3.1.2. */
export const Point = Type.Object(
  {
    type: Type.String({ const: 'Point', description: 'Always `Point`.', examples: ['Point'] }),
    coordinates: Type.Array(Type.Number({ minimum: -180, maximum: 180 }), {
      minItems: 2,
      maxItems: 2,
      description:
        'Longitude, then latitude, in degrees of WGS 84. At most the number of decimals that `locationDecimals` of the municipality gives.',
      examples: [[13.405, 52.52]],
    }),
  },
  { title: 'Point', description: 'A point of GeoJSON (RFC 7946).' },
);

export interface Point {
  type: 'Point';
  coordinates: [longitude: number, latitude: number];
}

const submissionExtension = {
  title,
  sourceUrl,
  answer: {
    schema: nullable(
      text(
        'What the municipality replied to the submission, as plain text; null if it is unknown.',
        'The crossing is part of the programme for next year.',
        limits.description,
      ),
    ),
    importDefault: null,
    redaction: 'text',
    fromColumn: { kind: 'markup', description: 'What the municipality replied.' },
  },
  sourceStatus: {
    schema: nullable(
      word(
        'Status or result in the words of the source; null if it is unknown. `status` has the recommended word for it.',
        'Approved with changes',
        limits.name,
      ),
    ),
    importDefault: null,
    redaction: 'text',
    fromColumn: {
      kind: 'line',
      description: 'Status or result in the words of the source. Default: the cells of `status`.',
    },
  },
  documents,
  location: {
    schema: Type.Unsafe<Point | null>(
      Type.Union([Type.Ref('Point'), Type.Null()], {
        description:
          'Where the submission applies, rounded by the municipality; null if it is unknown, or if the municipality does not publish it. A rounded point can be on another property.',
      }),
    ),
    importDefault: null,
    composedOf: 'point',
    fromColumn: {
      kind: 'point',
      description:
        'Latitude and longitude, in one column or in two. Only published if the municipality and the source allow it.',
    },
  },
} as const satisfies Record<string, ExtensionField>;

const sessionExtension = {
  title,
  sourceUrl,
  place: {
    schema: nullable(
      word(
        'Where the session takes place, such as room, building and town; null if it is unknown.',
        'Old Town Hall, council chamber',
        limits.name,
      ),
    ),
    importDefault: null,
    redaction: 'text',
    fromColumn: { kind: 'line', description: 'Room, building or town.' },
  },
  documents,
} as const satisfies Record<string, ExtensionField>;

/** By kind of records. A field of both kinds has the same declaration. */
export const extensionFields = { submission: submissionExtension, session: sessionExtension };

export type ExtendedKind = keyof typeof extensionFields;

export const extendedKinds = Object.keys(extensionFields) as ExtendedKind[];

/** Names of the fields, by kind. */
export const extensionNames: Readonly<Record<ExtendedKind, readonly string[]>> = {
  submission: Object.keys(submissionExtension),
  session: Object.keys(sessionExtension),
};

type Empty<Of extends Fields> = {
  [Name in keyof Of]: Of[Name]['importDefault'] extends null ? null : never[];
};

const createEmpty = <Kind extends ExtendedKind>(kind: Kind) =>
  Object.fromEntries(
    Object.entries(extensionFields[kind]).map(([name, { importDefault }]: [string, ExtensionField]) => [
      name,
      importDefault,
    ]),
  ) as Empty<(typeof extensionFields)[Kind]>;

/** The values of a record whose source has none of these fields. */
export const emptyExtension = {
  submission: createEmpty('submission'),
  session: createEmpty('session'),
};

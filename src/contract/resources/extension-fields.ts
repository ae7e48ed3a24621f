/**
 * Extension fields are those of submissions and sessions beyond the specification: these, which may be null, and `createdOn`, which the
 * API computes. Only operations that the specification lacks return them.
 */
import type { Field } from '../field.ts';
import { limits, nullable, text, webUrl, word } from '../field-schemas.ts';

type ExtensionField = Field & { importDefault: null };

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

const createEmpty = <Kind extends ExtendedKind>(kind: Kind) =>
  Object.fromEntries(extensionNames[kind].map((name) => [name, null])) as Record<
    keyof (typeof extensionFields)[Kind],
    null
  >;

/** The values of a record whose source has none of these fields. */
export const emptyExtension = {
  submission: createEmpty('submission'),
  session: createEmpty('session'),
};

/**
 * Extension fields are those of submissions and sessions beyond the specification: these texts, which may be null, and `createdOn`, which
 * the API computes. Only operations that the specification lacks return them.
 */
import type { Field } from '../field.ts';
import { limits, nullable, webUrl, word } from '../field-schemas.ts';

export const extensionFields = {
  title: {
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
  },
  sourceUrl: {
    schema: nullable(
      webUrl(
        'URL of the page in the system of the source; null if it is unknown.',
        'https://council.example.org/papers/142',
      ),
    ),
    importDefault: null,
    redaction: 'link',
    fromColumn: { kind: 'word', description: 'URL of the page in the system of the source.' },
  },
} as const satisfies Record<string, Field & { schema: ReturnType<typeof nullable>; importDefault: null }>;

/** The values of a record whose source has none of these fields. */
export const emptyExtension = Object.fromEntries(
  Object.keys(extensionFields).map((name) => [name, null]),
) as Record<keyof typeof extensionFields, null>;

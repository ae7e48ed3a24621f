/** The documents of a record, from all formats alike. */
import { limits } from '../../contract/field-schemas.ts';
import { type DocumentLink, mediaTypePattern } from '../../contract/resources/extension-fields.ts';
import {
  type DocumentKind,
  getPlaceholderWords,
  type Language,
} from '../../domain/organizations/placeholder-words.ts';
import { InvalidFieldError, type Reason } from '../../domain/reasons/reason.ts';
import { percentEncodeUrl } from '../../domain/values/web-url.ts';
import { findAddressProblem } from './document-address.ts';
import { isObject } from './field-validation.ts';
import { convertMarkupLine } from './html-to-text.ts';
import type { ImportObserver } from './import-observer.ts';

/** As a source has it. Formats need not check the values. */
export interface SourceDocument {
  /** Names a document without a title. */
  kind: DocumentKind;
  title?: unknown;
  /** By precedence. */
  addresses: readonly unknown[];
  mediaType?: unknown;
}

/** @param language of the municipality @returns the value of `documents` */
export function toDocuments(
  found: readonly SourceDocument[],
  { language, observer }: { language: Language; observer: ImportObserver },
): DocumentLink[] {
  const { documents: names } = getPlaceholderWords(language);
  const problems = createProblemNotes(observer);
  return found.flatMap(({ kind, title, addresses, mediaType }) => {
    const url = chooseAddress(addresses);
    if (url === undefined) return [];
    const name = convertTitle(title);
    if (name === undefined) problems.add({ code: 'document-title-too-long', max: limits.name });
    return [{ title: name || names[kind], url, mediaType: mediaType as string | null }];
  });
}

/** Blanks and `|` are no part of an address. A comma and a semicolon can be, unless the next address follows. */
const betweenAddresses = /[\s|]+|[;,](?=[\s|]|https?:|$)/i;

/** The addresses in a cell. */
export const splitAddresses = (text: string): string[] =>
  text.split(betweenAddresses).filter((address) => address !== '');

/** Of the same document, one may have a signature that expires, and another not. */
function chooseAddress(addresses: readonly unknown[]): string | undefined {
  const given = addresses
    .filter((address) => typeof address === 'string')
    .map((address) => address.trim())
    .filter((address) => address !== '');
  // Of a single one, the caller finds the problem.
  if (given.length < 2) return given[0];
  return given.find((address) => findAddressProblem(address) === undefined) ?? given[0];
}

/** Longer markup is no title. */
const maxMarkupLength = 10 * limits.name;

/**
 * A longer title is not cut: redaction would not find a name or a telephone number that the cut divides.
 *
 * @returns an empty text without a title; undefined for a title that is too long
 */
function convertTitle(title: unknown): string | undefined {
  if (typeof title !== 'string') return '';
  if (title.length > maxMarkupLength) return undefined;
  const text = convertMarkupLine(title);
  return text.length > limits.name && [...text].length > limits.name ? undefined : text;
}

/** Notes each problem of a record once, because notes count records. */
function createProblemNotes(observer: ImportObserver) {
  const noted = new Set<string>();
  return {
    add: (reason: Reason) => {
      if (noted.has(reason.code)) return;
      noted.add(reason.code);
      observer.onLeftOutValue?.(reason);
    },
  };
}

/**
 * Leaves out documents whose address cannot be published, repetitions of an address, and those beyond the limit, and writes media
 * types in one form.
 *
 * @param validate returns a document in the form in which it is stored, or throws InvalidFieldError, which leaves it out. Without it,
 *   the caller validates the documents
 */
export function selectDocuments(
  given: readonly unknown[],
  observer: ImportObserver,
  validate: (entry: unknown) => unknown = (entry) => entry,
): unknown[] {
  const problems = createProblemNotes(observer);
  const selected = new Map<unknown, unknown>();
  for (const entry of given) {
    const document = isObject(entry) ? normalizeDocument(entry) : entry;
    const { url } = (isObject(document) ? document : {}) as { url?: unknown };
    const problem = typeof url === 'string' ? findAddressProblem(url) : undefined;
    const key = typeof url === 'string' ? url : entry;
    if (problem !== undefined) problems.add(problem);
    else if (selected.has(key)) continue;
    else if (selected.size === limits.documents) {
      problems.add({ code: 'list-too-long', field: 'documents', max: limits.documents });
      break;
    } else {
      try {
        selected.set(key, validate(document));
      } catch (error) {
        if (!(error instanceof InvalidFieldError)) throw error;
        problems.add(error.reason);
      }
    }
  }
  return [...selected.values()];
}

const normalizeDocument = ({ url, mediaType, ...document }: Record<string, unknown>) => ({
  ...document,
  url: typeof url === 'string' ? percentEncodeUrl(url.trim()) : url,
  mediaType: normalizeMediaType(mediaType),
});

const isMediaType = new RegExp(mediaTypePattern);

/** Without parameters, in lower case (RFC 6838, section 4.2). @returns null for an unknown or invalid one */
function normalizeMediaType(given: unknown): string | null {
  if (typeof given !== 'string') return null;
  const [type = ''] = given.slice(0, limits.name).split(';', 1);
  const text = type.trim().toLowerCase();
  return text.length <= limits.mediaType && isMediaType.test(text) ? text : null;
}

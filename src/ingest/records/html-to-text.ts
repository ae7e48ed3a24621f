/** Converts HTML to text, because the API publishes no markup. */
import { compile, type HtmlToTextOptions } from 'html-to-text';
import { InvalidFieldError } from '../../domain/reasons/reason.ts';

/** Elements that break lines. */
const blockElements =
  'address article aside blockquote br center dd dir div dl dt fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 ' +
  'header hgroup hr li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul';

const inlineElements =
  'a abbr acronym applet area audio b base basefont bdi bdo big blink body button canvas caption cite code col colgroup data ' +
  'datalist del details dfn dialog em embed font frame head html i iframe img input ins kbd label legend link map mark marquee ' +
  'math meta meter nobr noscript object optgroup option output param picture progress q rp rt ruby s samp script select slot ' +
  'small source span strike strong style sub sup svg template textarea time title track tt u var video wbr';

/** Elements that office programs paste, such as `<o:p>`. */
const officeElement = '(?:o|v|w|m|st1):[a-z]+';

const toAlternatives = (names: string) => names.replaceAll(' ', '|');

const blockTag = new RegExp(`<(?:${toAlternatives(blockElements)})[\\s/>]`, 'i');
const tagOrComment = `/?(?:${toAlternatives(`${blockElements} ${inlineElements}`)}|${officeElement})[\\s/>]|!--|!doctype\\s`;
const reference = '(?:#\\d{1,7}|#x[\\da-f]{1,6}|[a-z][a-z\\d]{1,31});';

const markup = new RegExp(`<(?:${tagOrComment})|&${reference}`, 'i');
const literalBracket = new RegExp(`<(?!${tagOrComment})`, 'gi');
const literalAmpersand = new RegExp(`&(?!${reference})`, 'gi');

/** Limits the time and the memory of a conversion. */
const maxLength = 1_000_000;
const maxTags = 10_000;
const maxDepth = 200;

const paragraphBreaks = { leadingLineBreaks: 2, trailingLineBreaks: 2 };
const rowBreaks = { leadingLineBreaks: 1, trailingLineBreaks: 1 };

const options: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxDepth, ellipsis: '…' },
  selectors: [
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'img', format: 'skip' },
    { selector: 'hr', format: 'block', options: paragraphBreaks },
    { selector: 'blockquote', format: 'block', options: paragraphBreaks },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
      selector,
      options: { ...paragraphBreaks, uppercase: false },
    })),
    { selector: 'ul', options: { itemPrefix: '- ' } },
    { selector: 'tr', format: 'block', options: rowBreaks },
    ...['td', 'th'].map((selector) => ({ selector, format: 'inlineSurround', options: { suffix: ' ' } })),
  ],
};

const convertBlocks = compile(options);

/** Preserves white space in texts without block elements, because a person typed it. No text contains NUL. */
const convertInlines = compile({ ...options, whitespaceCharacters: '\0' });

/** Names of references with their characters. */
const decodedNames = new Map<string, string>();

/**
 * @param reference with its ampersand; that of a name has its semicolon
 * @returns undefined for an unknown name and an invalid number
 */
export function decodeReference(reference: string): string | undefined {
  const name = reference.slice(1).replace(/;$/, '');
  if (name.startsWith('#')) {
    const codePoint = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return codePoint <= 0x10_ff_ff ? String.fromCodePoint(codePoint) : undefined;
  }
  const known = decodedNames.get(name);
  if (known !== undefined) return known;
  const decoded = convertInlines(reference);
  if (decoded === reference) return undefined;
  decodedNames.set(name, decoded);
  return decoded;
}

/**
 * Removes tags, comments, scripts and style sheets, and decodes character references once. Paragraphs, lines and list
 * items stay separate.
 *
 * A text is markup if it has a tag of an HTML element, a comment or a character reference with its semicolon. Any other
 * text is returned as it is, and so are brackets and ampersands that begin none of these: `a < b & c`, `<3`, `x<y>z`,
 * `<anna@example.org>`.
 *
 * @throws InvalidFieldError for markup that is too large to be converted
 */
export function convertMarkup(text: string): string {
  if (!markup.test(text)) return text;
  if (text.length > maxLength) throw new InvalidFieldError({ code: 'markup-too-long', max: maxLength });
  const references = text.replace(literalAmpersand, '&amp;');
  // An unclosed bracket does not start a tag.
  const end = references.lastIndexOf('>') + 1;
  const tags = references.slice(0, end).replace(literalBracket, '&lt;');
  const html = tags + references.slice(end).replaceAll('<', '&lt;');
  if (html.split('<', maxTags + 2).length > maxTags + 1)
    throw new InvalidFieldError({ code: 'too-many-tags', max: maxTags });
  const convert = blockTag.test(html) ? convertBlocks : convertInlines;
  // Editors insert no-break spaces, which would break searches for phrases.
  return convert(html)
    .replaceAll('\u00a0', ' ')
    .split('\n')
    .map((line: string) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Converts an answer. One whose markup is too large stays as it is: it is longer than published answers, so it is left out. */
export function convertAnswer(text: string): string {
  try {
    return convertMarkup(text.trim());
  } catch (error) {
    if (!(error instanceof InvalidFieldError)) throw error;
    return text;
  }
}

/** Converts a text of one line, such as a name or a title. */
export function convertMarkupLine(text: string): string {
  return convertMarkup(text).replace(/\s+/g, ' ').trim();
}

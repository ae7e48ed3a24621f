/** Text with HTML markup as plain text. */

/** Names of the characters U+00A0 to U+00FF in their order (HTML 4.01, 24.2). */
const latin1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute ' +
  'micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring ' +
  'AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml ' +
  'times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil ' +
  'egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ' +
  'ugrave uacute ucirc uuml yacute thorn yuml';

const characters = new Map<string, string>([
  ...latin1.split(' ').map((name, index): [string, string] => [name, String.fromCodePoint(0xa0 + index)]),
  ...Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", euro: '€', hellip: '…', bull: '•' }),
  ...Object.entries({ ndash: '–', mdash: '—', lsquo: '‘', rsquo: '’', sbquo: '‚', ldquo: '“', rdquo: '”' }),
  ...Object.entries({ bdquo: '„', lsaquo: '‹', rsaquo: '›', trade: '™', OElig: 'Œ', oelig: 'œ' }),
  // Editors write it for a space that they must not lose; here it would only be in the way of a search.
  ['nbsp', ' '],
]);

/**
 * A tag begins with a letter right behind the bracket, so that "5 < 6" and "<3" stay. No bracket may stand in
 * it, which keeps the search linear whatever the text.
 */
const tag = /<(\/?)([a-z][a-z0-9]*)(?:[\s/][^<>]*)?>|<![^<>]*>/gi;

const paragraph = /^(?:p|div|h[1-6]|ul|ol|dl|blockquote|pre|table|section|article|figure|hr)$/;
const line = /^(?:br|li|tr|dt|dd|figcaption)$/;
const unread = /^(?:script|style)$/;

/**
 * Tags are taken out and entities decoded; paragraphs stay apart by a blank line, lines by a line break. The
 * line breaks of a text that has no tags for them are kept.
 */
export function plainText(html: string): string {
  const marked = [...html.matchAll(tag)].some(([, , name = '']) => breakOf(name.toLowerCase()) !== '');
  let text = '';
  let from = 0;
  let isText = true;
  const add = (part: string) => {
    if (isText) text += marked ? part.replace(/\s+/g, ' ') : part;
  };
  for (const { 0: whole, 1: closing, 2: given = '', index } of html.matchAll(tag)) {
    add(html.slice(from, index));
    from = index + whole.length;
    const name = given.toLowerCase();
    if (isText) text += breakOf(name, closing !== '');
    if (unread.test(name)) isText = closing !== '';
  }
  add(html.slice(from));
  return tidied(decoded(text));
}

/** A line begins with its tag, and ends where the next one begins. */
function breakOf(tagName: string, closing = false): string {
  if (paragraph.test(tagName)) return '\n\n';
  return line.test(tagName) && !closing ? '\n' : '';
}

/** What is no entity stays as it is written. */
function decoded(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z][a-z\d]{1,7}));/gi,
    (whole, decimal, hex, name) => {
      if (name !== undefined) return characters.get(name) ?? whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
      return isCharacter ? String.fromCodePoint(code) : whole;
    },
  );
}

function tidied(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((each) => each.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

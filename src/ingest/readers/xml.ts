/**
 * Reads XML documents (W3C XML 1.0 and 1.1) record by record. Memory holds one record element of limited length.
 * Document types are rejected, so only the five predefined entities exist, and nothing is fetched or expanded.
 */
import { SaxesParser } from 'saxes';
import { InputError } from '../input-error.ts';
import type { SourceLocation } from '../records/parsed-record.ts';
import { decodeText, detectEncoding } from './encoding.ts';
import { peek } from './peek.ts';

/** Text, or child elements by name. Repeated elements are a list. */
type XmlValue = string | { [name: string]: XmlValue | XmlValue[] };

interface XmlElement {
  /** Line of the start tag. */
  location: SourceLocation;
  value: XmlValue;
}

/** Levels of elements. */
const maxDepth = 64;

/** Characters of a record element, or between two tags elsewhere. */
const maxLength = 4 * 1024 * 1024;

/**
 * Ignores attributes, comments, and text beside elements.
 *
 * @param element name of the record elements; nested ones are part of the outer one
 * @param checkRoot receives the name of the root element; it throws if this is not the expected document
 * @throws InputError if the document or the rest of it is invalid, after the records before the error
 */
export async function* readXml(
  name: string,
  bytes: AsyncGenerator<Buffer>,
  element: string,
  checkRoot: (root: string) => void,
): AsyncGenerator<XmlElement> {
  const { head, content } = await peek(name, bytes);
  const parser = createParser(name, element, checkRoot);
  for await (const text of withEnd(decodeText(name, content, detectXmlEncoding(name, head)))) {
    const { found, failure } = parser.write(text);
    yield* found;
    if (failure !== undefined) throw failure;
  }
}

/** Adds null, which ends the document for the parser. */
async function* withEnd(texts: AsyncIterable<string>): AsyncGenerator<string | null> {
  yield* texts;
  yield null;
}

/** The byte order mark has precedence over the declaration; the default is UTF-8 (XML 1.0, section 4.3.3). */
function detectXmlEncoding(name: string, head: Buffer): string {
  const declaration = head.toString('latin1', 0, 256);
  const detected = detectEncoding(head);
  if (detected.startsWith('utf-16') || declaration.startsWith('\xef\xbb\xbf')) return detected;
  const declared = /<\?xml\s[^<>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(declaration)?.[1] ?? 'utf-8';
  // The declaration was readable, so the document is not UTF-16. Some programs write a wrong declaration.
  if (/^utf-?16/i.test(declared)) return 'utf-8';
  try {
    return new TextDecoder(declared).encoding;
  } catch {
    throw new InputError({ code: 'xml-encoding-unknown', file: name, encoding: declared });
  }
}

/** A record element, or an element inside it, without its end tag. */
interface OpenElement {
  name: string;
  line: number;
  text: string;
  children: { [name: string]: XmlValue | XmlValue[] } | undefined;
}

function createParser(name: string, element: string, checkRoot: (root: string) => void) {
  const parser = new SaxesParser({ position: false });
  /** The current record element and the open elements inside it. */
  const open: OpenElement[] = [];
  const found: XmlElement[] = [];
  let depth = 0;
  /** Position of the last end of a record element. */
  let lastEnd = -1;
  /** Start of the text in memory. */
  let held = { position: 0, line: 1 };
  const releaseText = () => {
    if (open.length === 0) held = { position: parser.position, line: parser.line };
  };
  const addText = (text: string) => {
    const inner = open.at(-1);
    if (inner !== undefined) inner.text += text;
  };
  parser.on('doctype', () => {
    throw new InputError({ code: 'xml-with-doctype', file: name, line: parser.line });
  });
  parser.on('opentagstart', (tag) => {
    depth += 1;
    if (depth > maxDepth)
      throw new InputError({ code: 'xml-too-deep', file: name, max: maxDepth, line: parser.line });
    if (depth === 1) checkRoot(tag.name);
    releaseText();
    if (open.length > 0 || tag.name === element)
      open.push({ name: tag.name, line: parser.line, text: '', children: undefined });
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    depth -= 1;
    const closed = open.pop();
    const outer = open.at(-1);
    if (closed !== undefined) {
      const value = closed.children ?? closed.text;
      if (outer !== undefined) addChild(outer, closed.name, value);
      else {
        found.push({ location: { source: name, line: closed.line }, value });
        lastEnd = parser.position;
      }
    }
    releaseText();
  });

  return {
    /** @param text the next part of the document; null: the end */
    write: (text: string | null): { found: XmlElement[]; failure: InputError | undefined } => {
      let failure: InputError | undefined;
      try {
        parser.write(text);
        if (parser.position - held.position > maxLength)
          failure = new InputError({
            code: 'xml-element-too-large',
            file: name,
            mebibytes: maxLength / 1024 / 1024,
            line: held.line,
          });
      } catch (error) {
        failure =
          error instanceof InputError
            ? error
            : createSyntaxError(name, held.line, parser.line, error as Error);
        // The parser reports the end of an element before it reports that the end tag has another name.
        if (lastEnd === parser.position) found.pop();
      }
      return { found: found.splice(0), failure };
    },
  };
}

function addChild(outer: OpenElement, name: string, value: XmlValue): void {
  // Without a prototype, because an element may have the name "constructor".
  outer.children ??= Object.create(null) as NonNullable<OpenElement['children']>;
  const known = outer.children[name];
  if (known === undefined) outer.children[name] = value;
  else if (Array.isArray(known)) known.push(value);
  else outer.children[name] = [known, value];
}

/** The parser notices a bare ampersand only at the next semicolon, so the message names a range of lines. */
function createSyntaxError(name: string, from: number, to: number, { message }: Error): InputError {
  const detail = message.slice(0, 100).replace(/\.$/, '');
  return new InputError({ code: 'xml-malformed', file: name, from, to, detail });
}

/**
 * XML documents (W3C XML 1.0 and 1.1), one element of interest at a time. Memory holds one such element up to a
 * bound, whatever the size of the document. Document types are refused, so no entity but the five predefined
 * ones has a meaning, and nothing is ever fetched or expanded.
 */
import { SaxesParser } from 'saxes';
import { InputError, type SourceLocation } from '../parsed-record.ts';
import { decodeText, detectEncoding } from './encoding.ts';
import { peek } from './input-files.ts';

/** Text, or elements by their names where the element has some; one that is repeated is a list. */
export type XmlValue = string | { [name: string]: XmlValue | XmlValue[] };

export interface XmlElement {
  /** With the line of its start tag. */
  location: SourceLocation;
  value: XmlValue;
}

/** Elements within elements, the outermost included. */
const maximumDepth = 64;

/** Characters of one element of interest, or of what lies between two tags elsewhere. */
const maximumLength = 4 * 1024 * 1024;

/**
 * Attributes, comments and text beside elements are passed over.
 *
 * @param element name of the elements that are given; one within another belongs to that
 * @param checkRoot told the name of the outermost element; it throws where this is not what was expected
 * @throws InputError when the document, or the rest of it, cannot be read; what was read before is given first
 */
export async function* readXml(
  name: string,
  bytes: AsyncGenerator<Buffer>,
  element: string,
  checkRoot: (root: string) => void,
): AsyncGenerator<XmlElement> {
  const { head, content } = await peek(name, bytes);
  const parser = createParser(name, element, checkRoot);
  for await (const text of withEnd(decodeText(name, content, declaredEncoding(name, head)))) {
    const { found, failure } = parser.write(text);
    yield* found;
    if (failure !== undefined) throw failure;
  }
}

/** As the parser takes it: null stands for the end. */
async function* withEnd(texts: AsyncIterable<string>): AsyncGenerator<string | null> {
  yield* texts;
  yield null;
}

/** A byte order mark counts before the declaration, and that before UTF-8 (XML 1.0, section 4.3.3). */
function declaredEncoding(name: string, head: Buffer): string {
  const declaration = head.toString('latin1', 0, 256);
  const marked = detectEncoding(head);
  if (marked.startsWith('utf-16') || declaration.startsWith('\xef\xbb\xbf')) return marked;
  const declared = /<\?xml\s[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(declaration)?.[1] ?? 'utf-8';
  // What can be read like this is not UTF-16; programs that write text into memory first declare it all the same.
  if (/^utf-?16/i.test(declared)) return 'utf-8';
  try {
    return new TextDecoder(declared).encoding;
  } catch {
    throw new InputError(`${name} declares an encoding that is not known, "${declared}": save it as UTF-8.`);
  }
}

/** An element of interest, or one within it, that is not closed yet. */
interface OpenElement {
  name: string;
  line: number;
  text: string;
  children: { [name: string]: XmlValue | XmlValue[] } | undefined;
}

/** Builds the elements of interest out of tags and texts, and passes over the others. */
function createCollector(name: string, element: string) {
  const open: OpenElement[] = [];
  const found: XmlElement[] = [];
  return {
    found,
    isWithin: () => open.length > 0,
    begin: (tag: string, line: number) => {
      if (open.length > 0 || tag === element) open.push({ name: tag, line, text: '', children: undefined });
    },
    addText: (text: string) => {
      const inner = open.at(-1);
      if (inner !== undefined) inner.text += text;
    },
    /** @returns whether that was the end of an element of interest */
    end: (): boolean => {
      const closed = open.pop();
      if (closed === undefined) return false;
      const value = closed.children ?? closed.text;
      const outer = open.at(-1);
      if (outer === undefined) found.push({ location: { source: name, line: closed.line }, value });
      else addChild(outer, closed.name, value);
      return outer === undefined;
    },
  };
}

function createParser(name: string, element: string, checkRoot: (root: string) => void) {
  const parser = new SaxesParser({ position: false });
  const { found, isWithin, begin, addText, end } = createCollector(name, element);
  let depth = 0;
  let lastEnd = -1;
  /** Where what is held in memory begins. */
  let held = { position: 0, line: 1 };
  const release = () => {
    if (!isWithin()) held = { position: parser.position, line: parser.line };
  };
  parser.on('doctype', () => {
    throw documentType(name, parser.line);
  });
  parser.on('opentagstart', (tag) => {
    depth += 1;
    if (depth > maximumDepth) throw tooDeep(name, parser.line);
    if (depth === 1) checkRoot(tag.name);
    release();
    begin(tag.name, parser.line);
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    depth -= 1;
    if (end()) lastEnd = parser.position;
    release();
  });

  return {
    /** @param text the next of the document; null: its end */
    write: (text: string | null): { found: XmlElement[]; failure: InputError | undefined } => {
      let failure: InputError | undefined;
      try {
        parser.write(text);
        if (parser.position - held.position > maximumLength) failure = tooLong(name, held.line);
      } catch (error) {
        failure =
          error instanceof InputError ? error : malformed(name, held.line, parser.line, error as Error);
        // The end of an element is told before its end tag turns out to be that of another one.
        if (lastEnd === parser.position) found.pop();
      }
      return { found: found.splice(0), failure };
    },
  };
}

function addChild(outer: OpenElement, name: string, value: XmlValue): void {
  // Without a prototype, as an element may be called "constructor".
  outer.children ??= Object.create(null) as NonNullable<OpenElement['children']>;
  const known = outer.children[name];
  if (known === undefined) outer.children[name] = value;
  else if (Array.isArray(known)) known.push(value);
  else outer.children[name] = [known, value];
}

function documentType(name: string, line: number): InputError {
  return new InputError(
    `${name} has a document type (DOCTYPE), which may define entities and is never read: remove it, at line ${line} or before.`,
  );
}

function tooDeep(name: string, line: number): InputError {
  return new InputError(
    `${name} has elements within elements more than ${maximumDepth} deep, at line ${line}: nothing in a record is.`,
  );
}

function tooLong(name: string, line: number): InputError {
  return new InputError(
    `${name} has an element, text or comment of more than ${maximumLength / 1024 / 1024} MiB, from line ${line} on: leave it out, or split it.`,
  );
}

/** A bare ampersand shows only where the next semicolon stands, so the beginning is told as well. */
function malformed(name: string, from: number, to: number, { message }: Error): InputError {
  const where = from === to ? `at line ${to}` : `between lines ${from} and ${to}`;
  const reason = message.slice(0, 100).replace(/\.$/, '');
  return new InputError(
    `${name} is not well-formed XML ${where}: ${reason}. It may end early: fetch or export it again.`,
  );
}

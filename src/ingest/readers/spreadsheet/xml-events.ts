/** Reads the XML inside spreadsheets as events, with limits. Names come without their namespace prefix. */
import { SaxesParser } from 'saxes';
import { InputError } from '../../input-error.ts';

interface XmlHandlers {
  open(name: string, attributes: Attributes): void;
  text?(text: string): void;
  close?(name: string): void;
}

export type Attributes = Readonly<Record<string, string>>;

/** Levels of elements. */
const maxDepth = 256;

/** Characters without a tag. */
const maxTextLength = 8 * 1024 * 1024;

export const withoutPrefix = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Attributes of OpenDocument have prefixes, which differ between programs. */
export function findAttribute(attributes: Attributes, name: string): string | undefined {
  if (attributes[name] !== undefined) return attributes[name];
  for (const key in attributes) if (withoutPrefix(key) === name) return attributes[key];
  return undefined;
}

/**
 * Calls the handlers for each chunk, and yields after it, so that the caller can pass on results.
 *
 * @param name of the file, for messages
 * @throws InputError for XML that is not well-formed, and for document types, which may define entities
 */
export async function* parseXml(
  name: string,
  content: AsyncIterable<Buffer>,
  handlers: XmlHandlers,
): AsyncGenerator<undefined> {
  const parser = new SaxesParser({ position: false, xmlns: false });
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let depth = 0;
  let lengthWithoutTag = 0;
  parser.on('doctype', () => {
    throw new InputError({ code: 'sheet-with-doctype', file: name });
  });
  parser.on('opentag', (tag) => {
    depth += 1;
    lengthWithoutTag = 0;
    if (depth > maxDepth) throw new InputError({ code: 'sheet-too-deep', file: name, max: maxDepth });
    handlers.open(withoutPrefix(tag.name), tag.attributes);
  });
  if (handlers.text) {
    parser.on('text', handlers.text);
    parser.on('cdata', handlers.text);
  }
  parser.on('closetag', (tag) => {
    depth -= 1;
    lengthWithoutTag = 0;
    handlers.close?.(withoutPrefix(tag.name));
  });
  const write = (text: string | null) => {
    try {
      parser.write(text);
    } catch (error) {
      if (error instanceof InputError) throw error;
      throw createDamageError(name);
    }
  };
  for await (const chunk of content) {
    const text = decode(name, decoder, chunk);
    lengthWithoutTag += text.length;
    if (lengthWithoutTag > maxTextLength) throw new InputError({ code: 'sheet-text-too-long', file: name });
    write(text);
    yield;
  }
  write(null);
  yield;
}

/** Parses a whole document. @throws InputError */
export async function readXmlPart(
  name: string,
  content: AsyncIterable<Buffer>,
  handlers: XmlHandlers,
): Promise<void> {
  for await (const _ of parseXml(name, content, handlers));
}

function decode(name: string, decoder: TextDecoder, chunk: Buffer): string {
  try {
    return decoder.decode(chunk, { stream: true });
  } catch {
    throw createDamageError(name);
  }
}

export const createDamageError = (name: string) => new InputError({ code: 'sheet-damaged', file: name });

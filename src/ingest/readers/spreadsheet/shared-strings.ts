/**
 * The shared strings of a workbook (ECMA-376, part 1, 18.4). Cells refer to them by number. Memory holds some blocks of
 * them, and a temporary file the others: a large workbook has hundreds of megabytes of texts.
 */
import { readSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import { InputError } from '../../input-error.ts';
import { createTemporaryFile } from '../temporary-file.ts';
import { decodeEscapes } from './xlsx-escapes.ts';
import { readXmlPart } from './xml-events.ts';

export interface SharedStrings {
  /** @returns undefined for a number that does not exist */
  get(index: number): string | undefined;
  close(): void;
}

const blockLength = 256;
const maxStrings = 50_000_000;

/** Characters. Excel allows 32,767. */
const maxTextLength = 100_000;

/** Characters of the blocks in memory. */
const maxCachedLength = 8 * 1024 * 1024;

/** @throws InputError */
export async function readSharedStrings(
  name: string,
  content: AsyncIterable<Buffer>,
): Promise<SharedStrings> {
  const blocks = createBlockFile();
  let block: string[] = [];
  let text = '';
  let isText = false;
  let phonetic = false;
  let count = 0;
  const flush = () => {
    if (block.length > 0) blocks.add(block);
    block = [];
  };
  try {
    await readXmlPart(name, content, {
      open: (element) => {
        if (element === 'si') text = '';
        else if (element === 'rPh') phonetic = true;
        else if (element === 't') isText = !phonetic;
      },
      text: (part) => {
        if (isText) text += part;
      },
      close: (element) => {
        if (element === 't') isText = false;
        else if (element === 'rPh') phonetic = false;
        else if (element === 'si') {
          count += 1;
          if (text.length > maxTextLength) throw new InputError({ code: 'sheet-cell-too-long', file: name });
          if (count > maxStrings)
            throw new InputError({ code: 'sheet-too-many-texts', file: name, max: maxStrings });
          block.push(decodeEscapes(text));
          if (block.length === blockLength) flush();
        }
      },
    });
    flush();
  } catch (error) {
    blocks.close();
    throw error;
  }
  return {
    get: (index) =>
      index >= 0 ? blocks.read(Math.floor(index / blockLength))?.[index % blockLength] : undefined,
    close: blocks.close,
  };
}

/** Blocks of texts by number, in a temporary file with a cache. */
function createBlockFile() {
  const cache = new LRUCache<number, string[]>({
    maxSize: maxCachedLength,
    memoMethod: (number) => load(number),
    sizeCalculation: (block) => block.reduce((sum, text) => sum + text.length, blockLength),
  });
  const offsets: number[] = [0];
  const { file, write, remove } = createTemporaryFile('texts');
  const load = (number: number): string[] => {
    const [start = 0, end = 0] = offsets.slice(number, number + 2);
    const bytes = Buffer.allocUnsafe(end - start);
    readSync(file, bytes, 0, bytes.length, start);
    return JSON.parse(bytes.toString()) as string[];
  };
  return {
    // Texts of the parser share memory with the text around them, so the cache has only texts from the file.
    add: (block: string[]) => {
      const bytes = Buffer.from(JSON.stringify(block));
      write(bytes);
      offsets.push((offsets.at(-1) as number) + bytes.length);
    },
    read: (number: number): string[] | undefined =>
      number < offsets.length - 1 ? cache.memo(number) : undefined,
    close: remove,
  };
}

/** Opens OpenDocument spreadsheets (.ods; OASIS OpenDocument 1.3). */
import { SaxesParser } from 'saxes';
import type { Entry } from 'yauzl';
import { InputError } from '../../input-error.ts';
import type { ZipArchive } from '../zip-archive.ts';
import { readOdsMergedCells, readOdsRows } from './ods-rows.ts';
import type { Workbook } from './workbook.ts';
import { type Attributes, createDamageError, findAttribute, readXmlPart } from './xml-events.ts';

const manifest = 'META-INF/manifest.xml';
const encryptedPackage = 'encrypted-package';

export const isOpenDocument = (archive: ZipArchive): boolean =>
  archive.entries.get(manifest) !== undefined &&
  (archive.entries.get('content.xml') !== undefined || archive.entries.get(encryptedPackage) !== undefined);

/** @throws InputError for encrypted and damaged spreadsheets, and for other documents */
export async function openOds(name: string, archive: ZipArchive): Promise<Workbook> {
  await assertPlainSpreadsheet(name, archive);
  const content = archive.entries.get('content.xml');
  if (content === undefined) throw createDamageError(name);
  const tables = await listTables(name, archive, content);
  return {
    sheets: tables.map(({ tableName, isHidden }, index) => ({
      name: tableName,
      isHidden,
      readRows: () => readOdsRows(name, archive.read(content), index),
      readMergedCells: (lastRow) => readOdsMergedCells(name, archive.read(content), index, lastRow),
    })),
  };
}

async function assertPlainSpreadsheet(name: string, archive: ZipArchive): Promise<void> {
  let isEncrypted = archive.entries.get(encryptedPackage) !== undefined;
  let mediaType = '';
  await readXmlPart(name, archive.read(archive.entries.get(manifest) as Entry), {
    open: (element, attributes) => {
      if (element === 'encryption-data') isEncrypted = true;
      else if (element === 'file-entry' && findAttribute(attributes, 'full-path') === '/')
        mediaType = findAttribute(attributes, 'media-type') ?? '';
    },
  });
  if (isEncrypted) throw new InputError({ code: 'spreadsheet-encrypted', file: name });
  if (mediaType !== '' && !mediaType.includes('opendocument.spreadsheet'))
    throw new InputError({ code: 'file-is-opendocument', file: name });
}

interface Table {
  tableName: string;
  isHidden: boolean;
}

/** Start tags of tables and of the styles that may hide them. */
const startTag = /<(?:\w+:)?(table|style|table-properties)\s(?:[^<>"']|"[^<"]*"|'[^<']*')*>/g;

/** Characters that a tag may have, for one that is split between two chunks. */
const maxTagLength = 4096;

/** A search of the text, because parsing all rows twice takes twice the time. */
async function listTables(name: string, archive: ZipArchive, content: Entry): Promise<Table[]> {
  const tables: Table[] = [];
  const hiddenStyles = new Set<string>();
  let style = '';
  const addTag = (element: string, attributes: Attributes) => {
    if (element === 'style') style = findAttribute(attributes, 'name') ?? '';
    else if (element === 'table-properties' && findAttribute(attributes, 'display') === 'false')
      hiddenStyles.add(style);
    else if (element === 'table' && findAttribute(attributes, 'is-sub-table') !== 'true')
      tables.push({
        tableName: findAttribute(attributes, 'name') ?? '',
        isHidden: hiddenStyles.has(findAttribute(attributes, 'style-name') ?? ''),
      });
  };
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of archive.read(content)) {
    text += decoder.decode(chunk, { stream: true });
    let end = Math.max(0, text.length - maxTagLength);
    for (const { 0: tag, 1: element = '', index } of text.matchAll(startTag)) {
      addTag(element, parseAttributes(name, tag));
      end = Math.max(end, index + tag.length);
    }
    text = text.slice(end);
  }
  return tables;
}

function parseAttributes(name: string, tag: string): Attributes {
  const parser = new SaxesParser({ position: false, xmlns: false });
  let attributes: Attributes = {};
  parser.on('opentag', (parsed) => {
    attributes = parsed.attributes;
  });
  try {
    parser.write(tag);
  } catch {
    throw createDamageError(name);
  }
  return attributes;
}

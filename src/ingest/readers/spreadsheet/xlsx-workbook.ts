/** Opens Excel workbooks (.xlsx, .xlsm; ECMA-376, also its strict variant). Formulas, macros and links are never executed. */
import { posix } from 'node:path';
import type { Entry } from 'yauzl';
import { InputError } from '../../input-error.ts';
import type { ZipArchive } from '../zip-archive.ts';
import {
  classifyBuiltInFormat,
  classifyNumberFormat,
  maxFormatLength,
  type NumberKind,
} from './cell-text.ts';
import { readSharedStrings, type SharedStrings } from './shared-strings.ts';
import type { Workbook } from './workbook.ts';
import { readMergedCells } from './xlsx-merged-cells.ts';
import { readSheetRows } from './xlsx-rows.ts';
import { createDamageError, findAttribute, readXmlPart } from './xml-events.ts';

interface Relationship {
  id: string;
  /** Last segment of its URI, such as `worksheet`. */
  type: string;
  /** Name of the entry in the archive. */
  target: string;
}

const rootRelationships = '_rels/.rels';

export const isXlsx = (archive: ZipArchive): boolean =>
  archive.entries.get('[Content_Types].xml') !== undefined &&
  archive.entries.get(rootRelationships) !== undefined;

/** @throws InputError for a damaged workbook, and for other documents of Office */
export async function openXlsx(
  name: string,
  archive: ZipArchive,
  resources: AsyncDisposableStack,
): Promise<Workbook> {
  const [document] = (await readRelationships(name, archive, rootRelationships, '')).filter(
    ({ type }) => type === 'officeDocument',
  );
  const path = document?.target ?? '';
  if (path.endsWith('.bin')) throw new InputError({ code: 'file-is-xlsb', file: name });
  if (!path.includes('workbook') && !archive.entries.get('xl/workbook.xml'))
    throw new InputError({ code: 'file-is-office', file: name });
  const { sheets, is1904 } = await readWorkbookPart(name, archive, path);
  const folder = posix.dirname(path);
  const relationships = await readRelationships(
    name,
    archive,
    `${folder}/_rels/${posix.basename(path)}.rels`,
    folder,
  );
  const findPart = (type: string) => {
    const target = relationships.find((relationship) => relationship.type === type)?.target;
    return target === undefined ? undefined : archive.entries.get(target);
  };
  const formats = await readNumberFormats(name, archive, findPart('styles'));
  let sharedStrings: Promise<SharedStrings> | undefined;
  const openSharedStrings = async () => {
    const part = findPart('sharedStrings');
    if (part === undefined) return undefined;
    sharedStrings ??= readSharedStrings(name, archive.read(part)).then((opened) => {
      resources.defer(() => opened.close());
      return opened;
    });
    return await sharedStrings;
  };
  return {
    sheets: sheets.flatMap(({ sheetName, isHidden, relationshipId }) => {
      const relationship = relationships.find(({ id }) => id === relationshipId);
      // The others are sheets with a chart only.
      if (relationship?.type !== 'worksheet') return [];
      const entry = archive.entries.get(relationship.target);
      if (entry === undefined) throw createDamageError(name);
      return [
        {
          name: sheetName,
          isHidden,
          readRows: async function* () {
            const context = { sharedStrings: await openSharedStrings(), formats, is1904 };
            yield* readSheetRows(name, archive.read(entry), context);
          },
          readMergedCells: (lastRow: number) => readMergedCells(archive.read(entry), lastRow),
        },
      ];
    }),
  };
}

async function readRelationships(
  name: string,
  archive: ZipArchive,
  path: string,
  folder: string,
): Promise<Relationship[]> {
  const entry = archive.entries.get(path);
  if (entry === undefined) throw createDamageError(name);
  const relationships: Relationship[] = [];
  await readXmlPart(name, archive.read(entry), {
    open: (element, { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode }) => {
      // External targets are never opened.
      if (element !== 'Relationship' || mode === 'External') return;
      const resolved = target.startsWith('/') ? target.slice(1) : posix.join(folder, target);
      relationships.push({ id, type: type.slice(type.lastIndexOf('/') + 1), target: resolved });
    },
  });
  return relationships;
}

async function readWorkbookPart(name: string, archive: ZipArchive, path: string) {
  const entry = archive.entries.get(path);
  if (entry === undefined) throw createDamageError(name);
  const sheets: { sheetName: string; isHidden: boolean; relationshipId: string }[] = [];
  let is1904 = false;
  await readXmlPart(name, archive.read(entry), {
    open: (element, attributes) => {
      if (element === 'workbookPr') is1904 = ['1', 'true', 'on'].includes(attributes.date1904 ?? '');
      if (element === 'sheet')
        sheets.push({
          sheetName: attributes.name ?? '',
          isHidden: (attributes.state ?? 'visible') !== 'visible',
          relationshipId: findAttribute(attributes, 'id') ?? '',
        });
    },
  });
  return { sheets, is1904 };
}

/** @returns the kind of number by the style of a cell */
async function readNumberFormats(
  name: string,
  archive: ZipArchive,
  part: Entry | undefined,
): Promise<NumberKind[]> {
  if (part === undefined) return [];
  const custom = new Map<string, NumberKind>();
  const formats: NumberKind[] = [];
  let isInCellFormats = false;
  await readXmlPart(name, archive.read(part), {
    open: (element, { numFmtId: id = '0', formatCode = '' }) => {
      if (element === 'numFmt') {
        if (formatCode.length > maxFormatLength)
          throw new InputError({ code: 'sheet-format-too-long', file: name, max: maxFormatLength });
        custom.set(id, classifyNumberFormat(formatCode));
      }
      if (element === 'cellXfs') isInCellFormats = true;
      else if (element === 'xf' && isInCellFormats)
        formats.push(custom.get(id) ?? classifyBuiltInFormat(Number(id)));
    },
    close: (element) => {
      if (element === 'cellXfs') isInCellFormats = false;
    },
  });
  return formats;
}

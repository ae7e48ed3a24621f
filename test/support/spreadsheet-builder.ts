/** Builds spreadsheets from the XML of their cells. */
import { buildZip, type ZipContent } from './zip-builder.ts';

export interface SheetContent {
  name: string;
  /** XML inside `sheetData` or `table:table`. */
  rows: string;
  /** Excel: `hidden` or `veryHidden`; OpenDocument: any text hides it. */
  state?: string;
  /** Excel: XML after `sheetData`, such as merged cells. */
  after?: string;
}

export interface XlsxOptions {
  sharedStrings?: readonly string[];
  /** Number formats of the styles 1, 2, …; a number is a built-in one. */
  formats?: readonly (string | number)[];
  is1904?: boolean;
  /** Further files, such as macros. */
  others?: readonly ZipContent[];
}

export const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Cells with texts, as rows of a sheet of Excel, from A1 on. */
export const toXlsxRows = (rows: readonly (readonly string[])[]): string =>
  rows
    .map(
      (cells) =>
        `<row>${cells.map((cell) => `<c t="inlineStr"><is><t>${escapeXml(cell)}</t></is></c>`).join('')}</row>`,
    )
    .join('');

const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

const toRelationships = (targets: readonly (readonly [type: string, target: string])[]) =>
  `${xml}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${targets
    .map(
      ([type, target], index) =>
        `<Relationship Id="rId${index + 1}" Type="${relationships}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;

export function listXlsxParts(sheets: readonly SheetContent[], options: XlsxOptions = {}): ZipContent[] {
  const { sharedStrings = [], formats = [], is1904 = false, others = [] } = options;
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const custom = formats.flatMap((format, index) =>
    typeof format === 'string'
      ? [`<numFmt numFmtId="${200 + index}" formatCode="${escapeXml(format)}"/>`]
      : [],
  );
  const styles = [
    '<xf numFmtId="0"/>',
    ...formats.map(
      (format, index) => `<xf numFmtId="${typeof format === 'string' ? 200 + index : format}"/>`,
    ),
  ];
  return [
    { name: '[Content_Types].xml', content: `${xml}<Types/>` },
    { name: '_rels/.rels', content: toRelationships([['officeDocument', 'xl/workbook.xml']]) },
    {
      name: 'xl/workbook.xml',
      content: `${xml}<workbook ${main} xmlns:r="${relationships}"><workbookPr date1904="${is1904}"/><sheets>${sheets
        .map(
          ({ name, state = 'visible' }, index) =>
            `<sheet name="${escapeXml(name)}" sheetId="${index + 1}" state="${state}" r:id="rId${index + 3}"/>`,
        )
        .join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: toRelationships([
        ['sharedStrings', 'sharedStrings.xml'],
        ['styles', '/xl/styles.xml'],
        ...sheets.map((_, index) => ['worksheet', `worksheets/sheet${index + 1}.xml`] as const),
      ]),
    },
    {
      name: 'xl/sharedStrings.xml',
      content: `${xml}<sst ${main}>${sharedStrings.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    },
    {
      name: 'xl/styles.xml',
      content: `${xml}<styleSheet ${main}><numFmts>${custom.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${styles.join('')}</cellXfs></styleSheet>`,
    },
    ...sheets.map(({ rows, after = '' }, index) => ({
      name: `xl/worksheets/sheet${index + 1}.xml`,
      content: `${xml}<worksheet ${main}><sheetData>${rows}</sheetData>${after}</worksheet>`,
    })),
    ...others,
  ];
}

export const buildXlsx = (sheets: readonly SheetContent[], options: XlsxOptions = {}): Buffer =>
  buildZip(listXlsxParts(sheets, options));

/** Cells with texts, as rows of a sheet of OpenDocument. */
export const toOdsRows = (rows: readonly (readonly string[])[]): string =>
  rows
    .map(
      (cells) =>
        `<table:table-row>${cells
          .map((cell) =>
            cell === ''
              ? '<table:table-cell/>'
              : `<table:table-cell office:value-type="string"><text:p>${escapeXml(cell)}</text:p></table:table-cell>`,
          )
          .join('')}</table:table-row>`,
    )
    .join('');

export function listOdsParts(sheets: readonly SheetContent[], manifest = ''): ZipContent[] {
  const uri = 'urn:oasis:names:tc:opendocument:xmlns';
  const namespaces = ['office', 'style', 'table', 'text', 'draw']
    .map((name) => `xmlns:${name}="${uri}:${name}:1.0"`)
    .join(' ');
  return [
    { name: 'mimetype', content: 'application/vnd.oasis.opendocument.spreadsheet', method: 'store' },
    {
      name: 'META-INF/manifest.xml',
      content: `${xml}<manifest:manifest xmlns:manifest="${uri}:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/>${manifest}</manifest:manifest>`,
    },
    {
      name: 'content.xml',
      content: `${xml}<office:document-content ${namespaces} xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"><office:automatic-styles><style:style style:name="shown" style:family="table"><style:table-properties table:display="true"/></style:style><style:style style:name="hidden" style:family="table"><style:table-properties table:display="false"/></style:style></office:automatic-styles><office:body><office:spreadsheet>${sheets
        .map(
          ({ name, rows, state }) =>
            `<table:table table:name="${escapeXml(name)}" table:style-name="${state === undefined ? 'shown' : 'hidden'}">${rows}</table:table>`,
        )
        .join('')}</office:spreadsheet></office:body></office:document-content>`,
    },
  ];
}

export const buildOds = (sheets: readonly SheetContent[], manifest = ''): Buffer =>
  buildZip(listOdsParts(sheets, manifest));

/**
 * The files that a municipality publishes for everyone: each table as CSV, each kind of record as NDJSON, locations as GeoJSON, and
 * their description.
 */
import { Readable } from 'node:stream';
import { createCsvStream, type SpreadsheetDelimiter } from '../../contract/dataset/csv.ts';
import { createDataPackage, type TableTerms } from '../../contract/dataset/data-package.ts';
import { composeFeatures, geoJsonName, geoJsonType } from '../../contract/dataset/geojson.ts';
import { createPartRows, createRows, surveyLevels } from '../../contract/dataset/rows.ts';
import {
  dataPackageName,
  type Row,
  type Table,
  tablesByKind,
  toCsvName,
} from '../../contract/dataset/tables.ts';
import { recordKinds } from '../../contract/resources/changes.ts';
import { createDayReader } from '../../domain/records/created-on.ts';
import { joinSurveyPart, type SurveyPart, surveyClosings } from '../../domain/records/join-survey-json.ts';
import type { PublishedDataset } from '../../domain/records/published-dataset.ts';
import { type PublishedContent, publishedParts } from '../../domain/records/published-extent.ts';
import type { RecordKind } from '../../domain/records/records.ts';
import { isSliceUsedUp, waitForSlice } from '../../platform/time-slices.ts';

/** Formats of the files with the published data. */
export type DownloadForm = 'csv' | SpreadsheetForm | 'ndjson' | 'geojson';

/** By the end of the address. */
export const spreadsheetForms = { excel: ';', 'excel-comma': ',' } as const satisfies Record<
  string,
  SpreadsheetDelimiter
>;

export type SpreadsheetForm = keyof typeof spreadsheetForms;

const spreadsheetFormNames = Object.keys(spreadsheetForms) as SpreadsheetForm[];

export const toSpreadsheetName = ({ name }: Pick<Table, 'name'>, form: SpreadsheetForm): string =>
  `${name}.${form}.csv`;

export interface OpenFile {
  contentType: string;
  /** Of a file with published data. */
  download?: { kind: RecordKind; table: string; form: DownloadForm };
  /** Its content has addresses of this installation. */
  needsPublicUrl?: true;
  /** Its content changes with the `PublishedExtent`, which differs within a version of the data. */
  describesExtent?: true;
  /** The file does not exist without sessions of this committee. */
  committee?: string;
  /** @returns the content, in pieces */
  read(dataset: PublishedDataset): Readable;
}

/** Whether a file with published data is listed. The other files exist, too: their addresses stay valid. */
export const hasRows = (
  { kind, table, form }: Pick<NonNullable<OpenFile['download']>, 'kind' | 'table'> & { form?: DownloadForm },
  { kinds, parts }: PublishedContent,
): boolean => {
  const part = publishedParts.find((name) => name === (form === 'geojson' ? 'locations' : table));
  return kinds.includes(kind) && (part === undefined || parts.includes(part));
};

export interface AddressedFile {
  /** End of the address, after the slug. */
  path: string;
  /** On the disk. */
  name: string;
  file: OpenFile;
}

/** Of lines that are written at once. */
const pieceLength = 65_536;

const csvType = 'text/csv; charset=utf-8; header=present';

function listFilesOfKind(kind: RecordKind): [name: string, file: OpenFile][] {
  const tables: readonly Table[] = tablesByKind[kind];
  const [{ name: ofRecords } = { name: kind }] = tables;
  const lines: OpenFile = {
    contentType: 'application/x-ndjson; charset=utf-8',
    download: { kind, table: ofRecords, form: 'ndjson' },
    read: (dataset) => Readable.from(readLines(dataset, kind)),
  };
  return [
    ...tables.flatMap((table, index): [string, OpenFile][] => [
      [toCsvName(table), createCsvFile(kind, table, index, 'csv')],
      ...spreadsheetFormNames.map((form): [string, OpenFile] => [
        toSpreadsheetName(table, form),
        createCsvFile(kind, table, index, form),
      ]),
    ]),
    [`${ofRecords}.ndjson`, lines],
    ...(kind === 'submission' ? [[geoJsonName, geoJsonFile] satisfies [string, OpenFile]] : []),
  ];
}

const geoJsonFile: OpenFile = {
  contentType: geoJsonType,
  download: { kind: 'submission', table: tablesByKind.submission[0].name, form: 'geojson' },
  read: (dataset) => Readable.from(composeFeatures(readDocumentRows(dataset, 'submission', 0))),
};

/** @param index of the table among those of the kind */
const createCsvFile = (
  kind: RecordKind,
  table: Table,
  index: number,
  form: 'csv' | SpreadsheetForm,
): OpenFile => ({
  contentType: csvType,
  download: { kind, table: table.name, form },
  read: (dataset) => {
    const rows = Readable.from(readRows(dataset, kind, index));
    const csv = createCsvStream(table, form === 'csv' ? undefined : spreadsheetForms[form]);
    rows.on('error', (error) => csv.destroy(error));
    // Its reader may not have begun when the rows fail, and an error without a listener would end the process.
    csv.on('error', () => undefined);
    return rows.pipe(csv);
  },
});

function readLines(dataset: PublishedDataset, kind: RecordKind): AsyncGenerator<string> {
  return kind === 'survey' ? readSurveyLines(dataset) : readDocumentLines(dataset, kind);
}

async function* readDocumentLines(
  dataset: PublishedDataset,
  kind: Exclude<RecordKind, 'survey'>,
): AsyncGenerator<string> {
  const readDay = createDayReader(readTimeZone(dataset));
  for await (const documents of dataset.readDocuments(kind)) {
    let lines = '';
    for (const document of documents)
      lines += `${document.slice(0, -1)},"createdOn":"${readDay(document)}"}\n`;
    if (lines !== '') yield lines;
  }
}

const readTimeZone = ({ organization }: Pick<PublishedDataset, 'organization'>): string =>
  JSON.parse(organization).timeZone;

/** Pieces of lines. */
async function* readSurveyLines(dataset: PublishedDataset): AsyncGenerator<string> {
  let piece = '';
  let previous: SurveyPart['level'] | undefined;
  for await (const part of dataset.readSurveys('option')) {
    if (part.level === 'survey' && previous !== undefined) {
      piece += `${surveyClosings[previous]}\n`;
      previous = undefined;
    }
    piece += joinSurveyPart(part, previous);
    previous = part.level;
    if (isSliceUsedUp()) await waitForSlice();
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  if (previous !== undefined) yield `${piece}${surveyClosings[previous]}\n`;
}

function readRows(dataset: PublishedDataset, kind: RecordKind, index: number): AsyncGenerator<Row> {
  return kind === 'survey' ? readSurveyRows(dataset, index) : readDocumentRows(dataset, kind, index);
}

async function* readDocumentRows(
  dataset: PublishedDataset,
  kind: Exclude<RecordKind, 'survey'>,
  index: number,
): AsyncGenerator<Row> {
  const timeZone = readTimeZone(dataset);
  for await (const documents of dataset.readDocuments(kind))
    for (const document of documents)
      for (const row of createRows(kind, JSON.parse(document), timeZone)[index] ?? []) {
        yield row;
        if (isSliceUsedUp()) await waitForSlice();
      }
}

async function* readSurveyRows(dataset: PublishedDataset, index: number): AsyncGenerator<Row> {
  const wanted = surveyLevels[index] ?? 'option';
  const createRow = createPartRows();
  for await (const { level, document } of dataset.readSurveys(wanted)) {
    const row = createRow(level, level === wanted || level === 'survey' ? JSON.parse(document) : {});
    if (level === wanted) yield row;
    if (isSliceUsedUp()) await waitForSlice();
  }
}

async function* describeTables({ organization, readLicenses }: PublishedDataset): AsyncGenerator<string> {
  const described: NonNullable<Parameters<typeof createDataPackage>[0]> = JSON.parse(organization);
  const licenses = await readLicenses();
  const terms = recordKinds.flatMap((kind) => {
    const { sources, hasOthers } = licenses[kind];
    if (sources.length === 0) return [];
    const all = [...(hasOthers ? [described.license] : []), ...sources.map(({ license }) => license)];
    const ofTable = {
      licenses: all.filter((license) => license !== null),
      sources: sources.map(({ name }) => name),
    };
    return tablesByKind[kind].map(({ name }): [string, TableTerms] => [name, ofTable]);
  });
  const tables = Object.values(tablesByKind).flat();
  yield `${JSON.stringify(createDataPackage(described, tables, new Map(terms)), null, 2)}\n`;
}

/** By the name at the end of the address. */
export const openFiles: ReadonlyMap<string, OpenFile> = new Map(
  recordKinds.flatMap(listFilesOfKind).concat([
    [
      dataPackageName,
      {
        contentType: 'application/json; charset=utf-8',
        read: (dataset) => Readable.from(describeTables(dataset)),
      },
    ],
  ]),
);

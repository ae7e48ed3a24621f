/** The page with the files of a municipality. */

import { geoJsonName } from '../../../contract/dataset/geojson.ts';
import { dataPackageName, type Table, tablesByKind, toCsvName } from '../../../contract/dataset/tables.ts';
import { recordKinds } from '../../../contract/resources/changes.ts';
import { link, paragraph, table } from '../../ui/components.ts';
import { folded } from '../../ui/folded-content.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import type { OpenContext } from '../open-context.ts';
import {
  hasRows,
  openFiles,
  type SpreadsheetForm,
  spreadsheetForms,
  toSpreadsheetName,
} from '../open-files.ts';
import type { OpenPage, PageRoute } from './page-layout.ts';

async function renderDownloads(context: OpenContext): Promise<OpenPage> {
  const { text, organization } = context;
  const words = text.openDataPages;
  return {
    title: words.downloads,
    description: words.downloadsDescription(organization.name),
    body: downloadTable(context),
    isIndexed: true,
  };
}

export const downloadsPage: PageRoute = { render: renderDownloads, parameters: [] };

function downloadTable(context: OpenContext): SafeHtml {
  const { text, content } = context;
  const words = text.openDataPages;
  const isSuitable = (form: SpreadsheetForm) => spreadsheetForms[form] === text.audit.delimiter;
  const forms = (Object.keys(spreadsheetForms) as SpreadsheetForm[]).toSorted(
    (one, other) => Number(isSuitable(other)) - Number(isSuitable(one)),
  );
  const rows = recordKinds
    .flatMap((kind) => tablesByKind[kind].filter(({ name }) => hasRows({ kind, table: name }, content)))
    .map((each: Table) => [
      words.tables[each.name] ?? each.name,
      download(context, toCsvName(each)),
      html`${forms.map((form) => html`<div>${download(context, toSpreadsheetName(each, form))}</div>`)}`,
      download(context, `${each.name}.ndjson`),
      folded(words.columns(each.columns.length), columnNames(each)),
    ]);
  const headings = [words.table, words.csv, words.excel, words.ndjson, words.columnNames];
  const files =
    rows.length === 0
      ? ''
      : html`${paragraph(words.downloadsHint)}
${table(words.downloads, headings, rows, { cards: '' })}`;
  const locations = content.parts.includes('locations')
    ? paragraph(words.geoJson, ' ', download(context, geoJsonName))
    : '';
  return html`${files}
${locations}
${paragraph(words.dataPackage, ' ', download(context, dataPackageName))}`;
}

const columnNames = ({ columns }: Table): SafeHtml =>
  html`<ul class="kern-list">${columns.map(({ name }) => html`<li><code>${name}</code></li>`)}</ul>`;

function download({ home, format, fileSizes }: OpenContext, name: string): SafeHtml | string {
  if (!openFiles.has(name)) return '–';
  const size = fileSizes.get(name);
  // A narrow column breaks the name between its parts.
  const parts = name.split(/(?=[._-])/).map((part) => html`<wbr>${part}`);
  return html`${link(`${home.path}/${name}`, html`${parts}`)}${size === undefined ? '' : ` (${format.fileSize(size)})`}`;
}

/** The map of submissions: their number in each cell, the same as a list, and the submissions themselves. */
import { InvalidParameterError } from '../../../contract/parse-query.ts';
import { metresPerStep } from '../../../domain/organizations/location-rules.ts';
import { link, numeric, paragraph, searchResult, section, table } from '../../ui/components.ts';
import { foldedSection } from '../../ui/folded-content.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import { parseTimeCursor, type TimeCursor, timePager } from '../../ui/list-page.ts';
import {
  isValid,
  parseSubmissionQuery,
  type SubmissionQuery,
  submissionForm,
  submissionLink,
  submissionParameters,
  submissionTable,
} from '../../ui/records/published-submissions.ts';
import { findRecords, hasFilters, searchPageSize, wordsNotice } from '../../ui/records/search-results.ts';
import { type Area, findMap, listLocated, type SubmissionMap, toArea } from '../map-cells.ts';
import type { OpenContext } from '../open-context.ts';
import { changeArea, countDecimals } from './map-links.ts';
import { mapDataPath, mapHead, mapPath, type OpenPage, type PageRoute } from './page-layout.ts';
import { lacksSupport, searchForm } from './record-lists-and-details.ts';

const parameters = [...submissionParameters, 'area'];

/** NaN: not a number of degrees. */
const parseDegrees = (text: string): number[] =>
  text.split(',').map((part) => (/^-?\d{1,3}(\.\d{1,6})?$/.test(part) ? Number(part) : Number.NaN));

/** The location that a link to the map marks. @throws InvalidParameterError */
function parsePoint({ query }: OpenContext): number[] | undefined {
  const text = query.get('point');
  if (text === null) return undefined;
  const point = parseDegrees(text);
  if (point.length === 2 && !point.some(Number.isNaN)) return point;
  throw new InvalidParameterError(
    'point',
    'The parameter "point" must be a longitude and a latitude in degrees, separated by a comma, such as 13.405,52.52.',
  );
}

/** @throws InvalidParameterError */
function parseArea(context: OpenContext): Area | undefined {
  const text = context.query.get('area');
  if (text === null) return undefined;
  const stepsPerDegree = 10 ** countDecimals(context);
  const bounds = parseDegrees(text);
  // Without the error of the multiplication, which would leave out points at the bounds.
  const [west = Number.NaN, south, east, north] = bounds.map((bound) =>
    Number((bound * stepsPerDegree).toFixed(3)),
  );
  if (
    bounds.length === 4 &&
    south !== undefined &&
    east !== undefined &&
    north !== undefined &&
    west <= east &&
    south <= north
  )
    return {
      // Math.ceil(-0.4) is -0.
      west: Math.ceil(west) + 0,
      south: Math.ceil(south) + 0,
      east: Math.floor(east),
      north: Math.floor(north),
    };
  throw new InvalidParameterError(
    'area',
    'The parameter "area" must be the western, southern, eastern and northern bound in degrees, separated by commas, such as 13.4,52.51,13.41,52.52.',
  );
}

/** The searches of a client wait for each other: each reads thousands of records. @param after the rows come after it */
const readMap = (context: OpenContext, { words, filters }: SubmissionQuery, after?: TimeCursor) =>
  context.searchInTurn(() =>
    findRecords(words, async (searched) => {
      const { openDataPages } = context.store;
      const area = parseArea(context);
      const search = { filters, words: searched, decimals: countDecimals(context), area };
      const map = await findMap(openDataPages, context.dataVersion, search);
      return {
        ...map,
        rows: after === undefined ? map.newest : await listLocated(openDataPages, search, after),
      };
    }),
  );

const hasLocations = ({ content }: OpenContext): boolean => content.parts.includes('locations');

async function renderMap(context: OpenContext): Promise<OpenPage | undefined> {
  if (!hasLocations(context)) return undefined;
  const { text, organization, store } = context;
  const words = text.openDataPages;
  const asked = parseSubmissionQuery(context);
  const toForm = (fields: SafeHtml[]) => searchForm(context, mapPath, fields);
  const form = await submissionForm(context, { store: store.openDataPages, toForm }, asked);
  const found = isValid(asked) ? await readMap(context, asked, parseTimeCursor(context.query)) : undefined;
  const hasMap = found !== undefined && found.located > 0;
  return {
    title: words.map,
    description: words.mapDescription(organization.name),
    head: hasMap ? mapHead : undefined,
    body: html`${form}${wordsNotice(context, found)}${found && summary(context, found)}${hasMap ? await content(context, found) : ''}`,
    parents: [{ path: context.recordsAddress('submissions'), name: text.terms.submissions }],
    isIndexed: !hasFilters(context),
    status: found === undefined ? 400 : 200,
    isPreliminary: found?.isWithoutWords === true,
  };
}

type FoundMap = Awaited<ReturnType<typeof readMap>>;

function summary(context: OpenContext, { located, examined }: SubmissionMap): SafeHtml {
  const { text, format, path, query } = context;
  const words = text.openDataPages;
  const area = parseArea(context);
  const whole = changeArea(query, undefined);
  return html`${searchResult(located === 0 ? words.noLocation : words.located(located, format.number(located)))}
${area && paragraph(`${words.area}: ${describeArea(context, area)}. `, link(path + whole, words.wholeMap))}
${examined === undefined ? '' : paragraph(words.mapBound(format.number(examined)))}`;
}

const formatBounds = ({ west, south, east, north }: Area, decimals: number): string =>
  [west, south, east, north].map((steps) => (steps / 10 ** decimals).toFixed(decimals)).join(',');

function describeArea(context: OpenContext, { west, south, east, north }: Area): string {
  const { text, format } = context;
  const show = (steps: number) => format.number(steps / 10 ** countDecimals(context));
  const range = (from: number, to: number) =>
    text.openDataPages.degrees(show(from), from === to ? undefined : show(to));
  return text.openDataPages.coordinates(range(south, north), range(west, east));
}

async function content(context: OpenContext, found: FoundMap): Promise<SafeHtml> {
  const { text, organization, store } = context;
  const words = text.openDataPages;
  const shown = found.rows.slice(0, searchPageSize);
  const documents = await store.openDataPages.readSubmissions(
    organization.id,
    shown.map(({ id }) => id),
  );
  const older = found.rows.length > shown.length ? shown.at(-1) : undefined;
  const submissions = html`${await submissionTable(context, documents, found.words, await lacksSupport(context))}${timePager(context, older)}`;
  return html`${mapFigure(context)}
${found.listed.cells.length > 1 ? foldedSection(words.areas, await areaTable(context, found)) : ''}
${section(text.terms.submissions, submissions)}`;
}

function describePoint(context: OpenContext, point: readonly number[]): string {
  const [x = 0, y = 0] = point.map((degrees) => Math.round(degrees * 10 ** countDecimals(context)) + 0);
  return context.text.openDataPages.markedArea(
    describeArea(context, { west: x, south: y, east: x, north: y }),
  );
}

/** Without scripts, the lists below say the same. */
function mapFigure(context: OpenContext): SafeHtml {
  const { text, home, path, query, mapBackground } = context;
  const words = text.openDataPages;
  const data = `${home.path}/${mapDataPath}${changeArea(query, query.get('area') ?? undefined)}`;
  const areas = changeArea(query, '');
  const keys = words.counts.map(
    (name, index) => html`<li><span class="map-key map-area--${index}"></span> ${name}</li>`,
  );
  const point = parsePoint(context);
  return html`<noscript><p class="kern-body">${words.mapNeedsScript}</p></noscript>
<figure class="map-figure" data-map="${data}" data-point="${point?.join() ?? ''}" data-areas="${path}${areas}" data-tiles="${mapBackground?.tiles ?? ''}" hidden>
<div class="map${mapBackground ? ' map--tiles' : ''}" role="application" aria-label="${words.map}" aria-describedby="map-hint" data-zoom-in="${words.zoomIn}" data-zoom-out="${words.zoomOut}" data-one="${words.located(1, '1')}" data-several="${words.located(2, '#')}" data-show="${words.showArea}"></div>
<figcaption class="kern-hint"><ul class="inline-list map-legend">${keys}</ul>
<div id="map-hint">${point && html`<p>${describePoint(context, point)}</p>`}
<p>${words.mapHint(context.format.number(metresPerStep(countDecimals(context))))}</p></div>
<p>${mapBackground ? html`${words.mapBackground}: ${mapBackground.attribution}` : words.noMapBackground}</p></figcaption>
</figure>`;
}

async function areaTable(
  context: OpenContext,
  { listed: { size, cells } }: SubmissionMap,
): Promise<SafeHtml> {
  const { text, format, path, query, organization, store } = context;
  const words = text.openDataPages;
  const documents = await store.openDataPages.readSubmissions(
    organization.id,
    cells.map(({ newestId }) => newestId),
  );
  const newest = new Map(
    documents.map((document) => JSON.parse(document)).map((submission) => [submission.id, submission]),
  );
  const rows = cells.map((cell) => {
    const area = toArea(cell, size);
    const address = changeArea(query, formatBounds(area, countDecimals(context)));
    const submission = newest.get(cell.newestId);
    return [
      link(path + address, describeArea(context, area)),
      format.number(cell.count),
      submission === undefined ? '–' : submissionLink(context, submission),
    ];
  });
  return table(words.areas, [words.area, numeric(text.terms.submissions), words.newest], rows, { cards: '' });
}

/** The cells as JSON, for the script of the page and for other programs. */
async function renderData(
  context: OpenContext,
): Promise<{ data: string; isPreliminary: boolean } | undefined> {
  if (!hasLocations(context)) return undefined;
  const asked = parseSubmissionQuery(context);
  const [invalid] = Object.keys(asked.errors);
  if (invalid !== undefined)
    throw new InvalidParameterError(invalid, `The parameter "${invalid}" has an invalid value.`);
  const { located, examined, onMap, isWithoutWords } = await readMap(context, asked);
  const steps = 10 ** countDecimals(context);
  const toEdge = (index: number) => (2 * index * onMap.size - 1) / (2 * steps);
  const data = {
    cellSize: onMap.size / steps,
    submissions: located,
    isComplete: examined === undefined,
    cells: onMap.cells.map(({ x, y, count }) => [toEdge(x), toEdge(y), count]),
  };
  return { data: JSON.stringify(data), isPreliminary: isWithoutWords };
}

export const mapPages: ReadonlyMap<string, PageRoute> = new Map([
  [`/${mapPath}`, { render: renderMap, parameters: [...parameters, 'point'], hasMap: true }],
  [`/${mapDataPath}`, { render: renderData, parameters, contentType: 'application/json; charset=utf-8' }],
]);

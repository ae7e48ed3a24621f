/** The map of submissions: their number in each cell, the same as a list, and the submissions themselves. */
import { InvalidParameterError } from '../../../contract/parse-query.ts';
import { metresPerStep } from '../../../domain/organizations/location-rules.ts';
import { uuidPattern } from '../../../domain/values/uuid.ts';
import {
  alert,
  button,
  link,
  numeric,
  paragraph,
  searchResult,
  section,
  table,
} from '../../ui/components.ts';
import { folded, foldedSection } from '../../ui/folded-content.ts';
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
import type { ShownSubmission } from '../../ui/records/submission-content.ts';
import { type Area, contains, findMap, findView, listLocated, toArea } from '../map-cells.ts';
import type { OpenContext } from '../open-context.ts';
import { changeArea, countDecimals, mapFragment } from './map-links.ts';
import { mapDataPath, mapHead, mapPath, type OpenPage, type PageRoute } from './page-layout.ts';
import { lacksSupport, searchForm } from './record-lists-and-details.ts';

const parameters = [...submissionParameters, 'area'];

/** @returns undefined: everywhere */
function parseArea(context: OpenContext): Area | 'invalid' | undefined {
  const text = context.query.get('area');
  if (text === null) return undefined;
  const stepsPerDegree = 10 ** countDecimals(context);
  const bounds = text
    .split(',')
    .map((part) => (/^-?\d{1,3}(\.\d{1,6})?$/.test(part) ? Number(part) : Number.NaN));
  // Without the error of the multiplication, which would leave out points at the bounds.
  const [west = Number.NaN, south = Number.NaN, east = Number.NaN, north = Number.NaN] = bounds.map((bound) =>
    Number((bound * stepsPerDegree).toFixed(3)),
  );
  if (bounds.length !== 4 || !(west <= east && south <= north)) return 'invalid';
  return {
    // Math.ceil(-0.4) is -0.
    west: Math.ceil(west) + 0,
    south: Math.ceil(south) + 0,
    east: Math.floor(east),
    north: Math.floor(north),
  };
}

/** The searches of a client wait for each other: each reads thousands of records. @param after the rows come after it */
const readMap = (
  context: OpenContext,
  area: Area | undefined,
  { words, filters }: SubmissionQuery,
  after?: TimeCursor,
) =>
  context.searchInTurn(() =>
    findRecords(words, async (searched) => {
      const { openDataPages } = context.store;
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
  const area = parseArea(context);
  const kept =
    area === undefined || area === 'invalid'
      ? ''
      : html`<input type="hidden" name="area" value="${context.query.get('area')}">`;
  // So that phones show the map without scrolling.
  const isOpen =
    !isValid(asked) || submissionParameters.some((name) => name !== 'after' && context.query.get(name));
  const toForm = (fields: SafeHtml[]) =>
    folded(words.searchMap, searchForm(context, mapPath, html`${fields}${kept}`), isOpen);
  const form = await submissionForm(context, { store: store.openDataPages, toForm }, asked);
  const found =
    isValid(asked) && area !== 'invalid'
      ? { area, ...(await readMap(context, area, asked, parseTimeCursor(context.query))) }
      : undefined;
  const hasMap = found !== undefined && found.located > 0;
  const wrongArea =
    area === 'invalid'
      ? alert('danger', words.areaInvalid, paragraph(words.areaFormat, wholeMap(context)))
      : '';
  return {
    title: words.map,
    description: words.mapDescription(organization.name),
    head: hasMap ? mapHead : undefined,
    body: html`${wrongArea}${form}${wordsNotice(context, found)}<div id="${mapFragment}">${found && summary(context, found)}${hasMap ? await content(context, found) : ''}</div>`,
    parents: [{ path: context.recordsAddress('submissions'), name: text.terms.submissions }],
    isIndexed: !hasFilters(context),
    status: found === undefined ? 400 : 200,
    isPreliminary: found?.isWithoutWords === true,
  };
}

const wholeMap = ({ text, path, query }: OpenContext): SafeHtml =>
  link(`${path}${changeArea(query, undefined)}#${mapFragment}`, text.openDataPages.wholeMap);

interface FoundMap extends Awaited<ReturnType<typeof readMap>> {
  area: Area | undefined;
}

function summary(context: OpenContext, found: FoundMap): SafeHtml {
  const { located, examined, isComplete, area } = found;
  const { text, format } = context;
  const words = text.openDataPages;
  const [shown, total] = [format.number(located), format.number(examined)];
  const count = area === undefined ? words.locatedOf(located, shown, total) : words.located(located, shown);
  const place = area && (located > 0 ? describePlace(context, found, area) : describeBounds(context, area));
  return html`${searchResult(located === 0 ? words.noLocation : count)}
${place && paragraph(`${words.area}: ${place}. `, wholeMap(context))}
${isComplete ? '' : paragraph(words.mapBound(total))}`;
}

const formatBounds = ({ west, south, east, north }: Area, decimals: number): string =>
  [west, south, east, north].map((steps) => (steps / 10 ** decimals).toFixed(decimals)).join(',');

function describeBounds(context: OpenContext, { west, south, east, north }: Area): string {
  const { text, format } = context;
  const show = (steps: number) => format.number(steps / 10 ** countDecimals(context));
  const range = (from: number, to: number) =>
    text.openDataPages.degrees(show(from), from === to ? undefined : show(to));
  return text.openDataPages.coordinates(range(south, north), range(west, east));
}

/** Of latitude. */
const metresPerDegree = 111_320;

/** From steps to metres, at the latitude of the middle. */
function getScale(context: OpenContext, { middle }: FoundMap): { east: number; north: number } {
  const stepsPerDegree = 10 ** countDecimals(context);
  const north = metresPerDegree / stepsPerDegree;
  return { east: north * Math.cos((middle.y / stepsPerDegree / 180) * Math.PI), north };
}

/** Where the centre of an area is, seen from the middle of all submissions. */
function describePlace(context: OpenContext, found: FoundMap, area: Area): string {
  const { text, format } = context;
  const { inMiddle, fromMiddle } = text.openDataPages;
  const { middle } = found;
  if (contains(area, middle)) return inMiddle;
  const scale = getScale(context, found);
  const turn = 360 * 10 ** countDecimals(context);
  const away = (area.west + area.east) / 2 - middle.x;
  // The shorter way around the world.
  const east = (away - turn * Math.round(away / turn)) * scale.east;
  const north = ((area.south + area.north) / 2 - middle.y) * scale.north;
  const eighth = Math.round((Math.atan2(east, north) / Math.PI) * 4 + 8) % 8;
  return fromMiddle(format.distance(Math.hypot(east, north)), eighth);
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
  return html`${mapFigure(context, found, await findMarked(context, found))}
${found.listed.cells.length > 1 ? foldedSection(words.areas, await areaTable(context, found)) : ''}
${section(text.terms.submissions, submissions)}`;
}

/** The submission that a link to the map names, if its area is on the map. */
async function findMarked(context: OpenContext, { onMap }: FoundMap): Promise<ShownSubmission | undefined> {
  const { query, organization, store } = context;
  const id = query.get('record') ?? '';
  if (!uuidPattern.test(id)) return undefined;
  const [document] = await store.openDataPages.readSubmissions(organization.id, [id]);
  const submission: ShownSubmission | undefined = document && JSON.parse(document);
  if (!submission?.location) return undefined;
  const [x = 0, y = 0] = submission.location.coordinates.map((degrees) =>
    Math.round(degrees * 10 ** countDecimals(context)),
  );
  return onMap.cells.some((cell) => contains(toArea(cell, onMap.size), { x, y })) ? submission : undefined;
}

/** Without scripts, the lists below say the same. */
function mapFigure(context: OpenContext, found: FoundMap, marked: ShownSubmission | undefined): SafeHtml {
  const { text, format, home, path, query, mapBackground } = context;
  const words = text.openDataPages;
  const data = `${home.path}/${mapDataPath}${changeArea(query, query.get('area') ?? undefined)}`;
  const areas = changeArea(query, '');
  const keys = words.counts.map(
    (name, index) => html`<li><span class="map-key map-area--${index}"></span> ${name}</li>`,
  );
  const decimals = countDecimals(context);
  const { view, far } = findView(found);
  const { east, north } = getScale(context, found);
  const lengths = [east * found.onMap.size, north * found.onMap.size, metresPerStep(decimals)] as const;
  return html`<div><noscript><p class="kern-body">${words.mapNeedsScript}</p></noscript>
<p class="kern-body map-failure" role="status" hidden>${words.mapFailed}</p>
<figure class="map-figure" data-map="${data}" data-mark="${marked?.location?.coordinates.join() ?? ''}" data-view="${formatBounds(view, decimals)}" data-areas="${path}${areas}#${mapFragment}" data-tiles="${mapBackground?.tiles ?? ''}" hidden>
${marked && paragraph(`${words.marked} `, submissionLink(context, marked))}
${far > 0 ? html`<div class="map-far actions"><span class="kern-body">${words.far(far, format.number(far))}</span> ${button(words.showWhole, 'tertiary')}</div>` : ''}
<div class="map${mapBackground ? ' map--tiles' : ''}" role="application" aria-label="${words.map}" aria-describedby="map-hint" data-zoom-in="${words.zoomIn}" data-zoom-out="${words.zoomOut}" data-reset-view="${words.resetView}" data-one="${words.located(1, '1')}" data-several="${words.located(2, '#')}" data-show="${words.showArea}"></div>
<p class="hidden-text" role="status" data-in-view="${words.inView}"></p>
<div class="kern-hint"><ul class="inline-list map-legend">${keys}</ul>
<p id="map-hint">${words.mapHint(lengths.map(format.distance))}</p>
<p>${mapBackground ? html`${words.mapBackground}: ${mapBackground.attribution}` : words.noMapBackground}</p></div>
</figure></div>`;
}

async function areaTable(context: OpenContext, found: FoundMap): Promise<SafeHtml> {
  const { size, cells } = found.listed;
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
      html`${link(`${path}${address}#${mapFragment}`, describePlace(context, found, area))}<br><span class="kern-hint">${describeBounds(context, area)}</span>`,
      format.number(cell.count),
      submission === undefined ? '–' : submissionLink(context, submission),
    ];
  });
  return html`${paragraph(words.middle)}
${table(words.areas, [words.area, numeric(text.terms.submissions), words.newest], rows, { cards: '' })}`;
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
  const area = parseArea(context);
  if (area === 'invalid')
    throw new InvalidParameterError(
      'area',
      'The parameter "area" must be the western, southern, eastern and northern bound in degrees, separated by commas, such as 13.4,52.51,13.41,52.52.',
    );
  const { located, isComplete, onMap, isWithoutWords } = await readMap(context, area, asked);
  const steps = 10 ** countDecimals(context);
  const toEdge = (index: number) => (2 * index * onMap.size - 1) / (2 * steps);
  const data = {
    cellSize: onMap.size / steps,
    submissions: located,
    isComplete,
    cells: onMap.cells.map(({ x, y, count }) => [toEdge(x), toEdge(y), count]),
  };
  return { data: JSON.stringify(data), isPreliminary: isWithoutWords };
}

export const mapPages: ReadonlyMap<string, PageRoute> = new Map([
  [`/${mapPath}`, { render: renderMap, parameters: [...parameters, 'record'], hasMap: true }],
  [`/${mapDataPath}`, { render: renderData, parameters, contentType: 'application/json; charset=utf-8' }],
]);

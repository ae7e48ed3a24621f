/**
 * Counts the submissions of a map in cells. Integers give the same cells on both engines: an index is a coordinate in steps of the
 * rounding, and a cell has a power of two of steps.
 */
import { LRUCache } from 'lru-cache';
import type { PublishedDataSearch, PublishedSubmissionSearch } from '../../domain/store.ts';
import { isSliceUsedUp, waitForSlice } from '../../platform/time-slices.ts';
import { searchPageSize } from '../ui/records/search-results.ts';

/** On a map. */
export const maxCells = 2_000;

/** In the list beside it. */
const maxListedCells = 20;

/** Submissions that are examined, the newest ones. With words, each step reads the index of words again. */
const maxExamined = { withWords: 10_000, others: 200_000 };

/** Submissions that are examined at once. Takes a few milliseconds on SQLite. */
const examinedPerStep = { withWords: 2_500, others: 500 };

export interface MapCell {
  /** Indexes of its first point to the south-west, in cells. */
  x: number;
  y: number;
  count: number;
  newestId: string;
}

export interface Cells {
  /** Steps of a cell, in both directions. */
  size: number;
  /** The largest ones first. */
  cells: readonly MapCell[];
}

/** In steps. The points at the bounds are in it. */
export interface Area {
  west: number;
  south: number;
  east: number;
  north: number;
}

/** In steps. */
interface Point {
  x: number;
  y: number;
}

interface Position {
  at: string;
  id: string;
}

export interface MapSearch {
  filters: Pick<PublishedSubmissionSearch, 'organizationId' | 'filters' | 'from' | 'before'>;
  words: PublishedSubmissionSearch['words'];
  /** See `Organization`. */
  decimals: number;
  /** undefined: everywhere. */
  area: Area | undefined;
}

export interface SubmissionMap {
  /** Submissions with a location in the area. */
  located: number;
  /** Submissions that match, with a location or without, in the area or elsewhere. */
  examined: number;
  /** Otherwise there are older ones. */
  isComplete: boolean;
  /** The median of the submissions, regardless of the area. */
  middle: Point;
  onMap: Cells;
  listed: Cells;
  /** The first ones, one more than a page has if there are that many. */
  newest: readonly Position[];
}

/** Greater than the number of cells from pole to pole. */
const columnFactor = 2 ** 26;

/** Doubles the size of the cells whenever there are more than `max`: so their order does not matter. */
function createGrid(max: number) {
  let size = 1;
  let cells = new Map<number, MapCell>();

  function put({ x, y, count, newestId }: MapCell): void {
    const key = x * columnFactor + y;
    const present = cells.get(key);
    if (present === undefined) cells.set(key, { x, y, count, newestId });
    else present.count += count;
  }

  return {
    /** @param x, y indexes of a point, in steps. The newest submission comes first */
    add(x: number, y: number, newestId: string): void {
      put({ x: Math.floor(x / size), y: Math.floor(y / size), count: 1, newestId });
      while (cells.size > max) {
        const smaller = cells;
        size *= 2;
        cells = new Map();
        for (const cell of smaller.values())
          put({ ...cell, x: Math.floor(cell.x / 2), y: Math.floor(cell.y / 2) });
      }
    },
    read: (): Cells => ({
      size,
      cells: [...cells.values()].sort(
        (one, other) => other.count - one.count || one.y - other.y || one.x - other.x,
      ),
    }),
  };
}

export const toArea = ({ x, y }: Pick<MapCell, 'x' | 'y'>, size: number): Area => ({
  west: x * size,
  south: y * size,
  east: (x + 1) * size - 1,
  north: (y + 1) * size - 1,
});

/** The median of the points, in each direction. */
function findMiddle({ size, cells }: Cells): Point {
  const total = cells.reduce((sum, { count }) => sum + count, 0);
  const findMedian = (axis: 'x' | 'y') => {
    let counted = 0;
    const median = cells
      .toSorted((one, other) => one[axis] - other[axis])
      .find(({ count }) => {
        counted += count;
        return 2 * counted >= total;
      });
    return (median?.[axis] ?? 0) * size + Math.floor((size - 1) / 2);
  };
  return { x: findMedian('x'), y: findMedian('y') };
}

/** The area to see at first, and the number of submissions that are far outside of it. */
export function findView({ located, onMap }: SubmissionMap): { view: Area; far: number } {
  const middle = findMiddle(onMap);
  const cells = onMap.cells
    .map(({ count, ...cell }) => {
      const area = toArea(cell, onMap.size);
      return { ...area, count, distance: Math.hypot(area.west - middle.x, area.south - middle.y) };
    })
    .toSorted((one, other) => one.distance - other.distance);
  let counted = 0;
  const most = cells.findIndex(({ count }) => {
    counted += count;
    return counted >= 0.9 * located;
  });
  // One point may have nearly all submissions: then half of the cells decide.
  const reach = 3 * (cells[Math.max(most, cells.length >> 1)]?.distance ?? 0);
  const near = cells.filter(({ distance }) => distance <= reach);
  const view = {
    west: Math.min(...near.map(({ west }) => west)),
    south: Math.min(...near.map(({ south }) => south)),
    east: Math.max(...near.map(({ east }) => east)),
    north: Math.max(...near.map(({ north }) => north)),
  };
  return { view, far: located - near.reduce((sum, { count }) => sum + count, 0) };
}

export const contains = ({ west, south, east, north }: Area, { x, y }: Point): boolean =>
  x >= west && x <= east && y >= south && y <= north;

const isInside = ({ area }: MapSearch, point: Point): boolean => area === undefined || contains(area, point);

type Locator = Pick<PublishedDataSearch, 'locateSubmissions'>;

/** Examines the submissions after a position, the newest first, in steps. */
async function* examine(
  store: Locator,
  { words, filters, decimals }: Omit<MapSearch, 'area'>,
  after: Position | undefined,
) {
  const kind = words.length > 0 ? 'withWords' : 'others';
  const limit = examinedPerStep[kind];
  const stepsPerDegree = 10 ** decimals;
  let position = after;
  for (let limited = limit; limited <= maxExamined[kind]; limited += limit) {
    const search = { ...filters, words, after: position, limit };
    const { located, examined, next } = await store.locateSubmissions(search);
    const points = located.map(({ at, id, longitude, latitude }) => ({
      at,
      id,
      x: Math.round(longitude * stepsPerDegree),
      y: Math.round(latitude * stepsPerDegree),
    }));
    yield { points, examined, isComplete: next === undefined };
    if (next === undefined) return;
    position = next;
  }
}

/**
 * The submissions on the map after a position, and older ones that it does not count: one more than a page has if there are that many.
 *
 * @throws WordsNotReadyError, WordSearchOffError
 */
export async function listLocated(
  store: Locator,
  search: MapSearch,
  after: Position,
): Promise<readonly Position[]> {
  const found: Position[] = [];
  for await (const { points } of examine(store, search, after)) {
    found.push(...points.filter((point) => isInside(search, point)));
    if (found.length > searchPageSize) break;
  }
  return found.slice(0, searchPageSize + 1);
}

async function createMap(store: Locator, search: MapSearch): Promise<SubmissionMap> {
  const [onMap, listed] = [createGrid(maxCells), createGrid(maxListedCells)];
  const everywhere = search.area === undefined ? onMap : createGrid(maxCells);
  const newest: Position[] = [];
  let [located, examined, isComplete] = [0, 0, true];
  for await (const step of examine(store, search, undefined)) {
    for (const point of step.points) {
      if (isSliceUsedUp()) await waitForSlice();
      const { at, id, x, y } = point;
      if (everywhere !== onMap) everywhere.add(x, y, id);
      if (!isInside(search, point)) continue;
      for (const grid of [onMap, listed]) grid.add(x, y, id);
      if (newest.length <= searchPageSize) newest.push({ at, id });
      located += 1;
    }
    examined += step.examined;
    isComplete = step.isComplete;
  }
  return {
    located,
    examined,
    isComplete,
    middle: findMiddle(everywhere.read()),
    onMap: onMap.read(),
    listed: listed.read(),
    newest,
  };
}

/** A page and its data are requested one after the other. The names of records are not in it. */
const maps = new LRUCache<string, SubmissionMap, () => Promise<SubmissionMap>>({
  max: 50,
  ttl: 60_000,
  ttlAutopurge: true,
  fetchMethod: (_key, _stale, { context: create }) => create(),
  ignoreFetchAbort: true,
});

/** @param version of the data @throws WordsNotReadyError, WordSearchOffError */
export const findMap = (store: Locator, version: string, search: MapSearch): Promise<SubmissionMap> =>
  maps.forceFetch(JSON.stringify([version, search]), { context: () => createMap(store, search) });

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
  /** undefined: all submissions were examined; otherwise the number of those that were, the newest ones. */
  examined: number | undefined;
  onMap: Cells;
  listed: Cells;
  /** The first ones, one more than a page has if there are that many. */
  newest: readonly Position[];
}

/** Greater than the number of cells from pole to pole. */
const columnFactor = 2 ** 26;

/** Doubles the size of the cells whenever there are more than `max`: so their order does not matter. */
export function createGrid(max: number) {
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

const contains = ({ west, south, east, north }: Area, x: number, y: number): boolean =>
  x >= west && x <= east && y >= south && y <= north;

type Locator = Pick<PublishedDataSearch, 'locateSubmissions'>;

/** Examines the submissions after a position, the newest first, in steps. `examined` is that of `SubmissionMap`. */
async function* examine(
  store: Locator,
  { words, filters, decimals, area }: MapSearch,
  after: Position | undefined,
) {
  const kind = words.length > 0 ? 'withWords' : 'others';
  const limit = examinedPerStep[kind];
  const stepsPerDegree = 10 ** decimals;
  let position = after;
  for (let examined = limit; examined <= maxExamined[kind]; examined += limit) {
    const { located, next } = await store.locateSubmissions({ ...filters, words, after: position, limit });
    const points = located
      .map(({ at, id, longitude, latitude }) => ({
        at,
        id,
        x: Math.round(longitude * stepsPerDegree),
        y: Math.round(latitude * stepsPerDegree),
      }))
      .filter(({ x, y }) => area === undefined || contains(area, x, y));
    yield { points, examined: next && examined };
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
    found.push(...points);
    if (found.length > searchPageSize) break;
  }
  return found.slice(0, searchPageSize + 1);
}

async function createMap(store: Locator, search: MapSearch): Promise<SubmissionMap> {
  const [onMap, listed] = [createGrid(maxCells), createGrid(maxListedCells)];
  const newest: Position[] = [];
  let located = 0;
  let examined: number | undefined;
  for await (const step of examine(store, search, undefined)) {
    for (const { at, id, x, y } of step.points) {
      if (isSliceUsedUp()) await waitForSlice();
      for (const grid of [onMap, listed]) grid.add(x, y, id);
      if (newest.length <= searchPageSize) newest.push({ at, id });
    }
    located += step.points.length;
    examined = step.examined;
  }
  return { located, examined, onMap: onMap.read(), listed: listed.read(), newest };
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

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
  /** The listed submissions come after this one. */
  after: Position | undefined;
}

export interface SubmissionMap {
  /** Submissions with a location in the area. */
  located: number;
  /** undefined: all submissions were examined; otherwise the number of those that were, the newest ones. */
  examined: number | undefined;
  onMap: Cells;
  listed: Cells;
  /** Submissions with a location, the newest first. */
  ids: readonly string[];
  next: Position | undefined;
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

const isAfter = ({ at, id }: Position, after: Position): boolean =>
  at < after.at || (at === after.at && id > after.id);

async function createMap(store: Locator, search: MapSearch): Promise<SubmissionMap> {
  const { words, filters, decimals, area, after } = search;
  const kind = words.length > 0 ? 'withWords' : 'others';
  const stepsPerDegree = 10 ** decimals;
  const [onMap, listed] = [createGrid(maxCells), createGrid(maxListedCells)];
  const shown: Position[] = [];
  let located = 0;
  let examined = 0;
  let position: Position | undefined;
  do {
    const limit = examinedPerStep[kind];
    const page = await store.locateSubmissions({ ...filters, words, after: position, limit });
    for (const { at, id, longitude, latitude } of page.located) {
      if (isSliceUsedUp()) await waitForSlice();
      const [x, y] = [Math.round(longitude * stepsPerDegree), Math.round(latitude * stepsPerDegree)];
      if (area !== undefined && !contains(area, x, y)) continue;
      located += 1;
      for (const grid of [onMap, listed]) grid.add(x, y, id);
      if (shown.length <= searchPageSize && (after === undefined || isAfter({ at, id }, after)))
        shown.push({ at, id });
    }
    examined += limit;
    position = page.next;
  } while (position !== undefined && examined < maxExamined[kind]);
  const page = shown.slice(0, searchPageSize);
  return {
    located,
    examined: position === undefined ? undefined : examined,
    onMap: onMap.read(),
    listed: listed.read(),
    ids: page.map(({ id }) => id),
    next: shown.length > page.length ? page.at(-1) : undefined,
  };
}

type Locator = Pick<PublishedDataSearch, 'locateSubmissions'>;

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

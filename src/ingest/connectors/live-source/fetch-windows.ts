/** Requests the records of a system that selects them by time, and that returns a limited number of them. */
import { InputError } from '../../input-error.ts';
import type { Preset } from '../../presets/preset.ts';
import { NotFoundError } from '../http-client.ts';
import { type TimeWindow, toleranceMs } from './completed-windows.ts';
import type { RecordPage } from './fetched-record-page.ts';

type WindowPaging = Preset['paging'] & { by: 'windows' };
type Records = RecordPage['records'];

const dayMs = 86_400_000;

/** If the address has no first time: so many windows without records mean that there are no older records. */
const maxEmptyWindows = 8;

const minWindowMs = 1_000;

/** Servers return 25, 50, 100 or 1,000 records at most, or a power of two, and do not say so. */
const mayBeLimit = (count: number) => count >= 10 && (count % 5 === 0 || Number.isInteger(Math.log2(count)));

/**
 * Windows go back in time from now, or from the last time that the address has, to the first one that it has. They begin at the
 * same times in each run, so that unchanged records are in the same order.
 *
 * @param assertFound throws if the responses with the status 404 mean that the address is wrong
 * @throws InputError if the server does not select records by time
 */
export async function* fetchWindows(
  paging: WindowPaging,
  address: URL,
  requestRecords: (parameters: Record<string, string>) => Promise<Records>,
  assertFound: (refusal: NotFoundError) => Promise<void>,
): AsyncGenerator<RecordPage> {
  const request = createWindowRequest(paging, address, requestRecords);
  const firstMs = readTime(address, paging.from);
  const lastMs = readTime(address, paging.to);
  const lengthMs = paging.days * dayMs;
  let emptyWindows = 0;
  let toMs = Math.ceil((lastMs ?? Date.now() + 2 * toleranceMs) / lengthMs) * lengthMs;
  // A server could return a record for any time. No window before 1970 is requested, unless the address has its first time.
  while (toMs > (firstMs ?? 0) && (firstMs !== undefined || emptyWindows < maxEmptyWindows)) {
    const fromMs = toMs - lengthMs;
    const window = { fromMs: Math.max(fromMs, firstMs ?? fromMs), toMs: Math.min(toMs, lastMs ?? toMs) };
    const answer = await request.send(window);
    emptyWindows = answer.records.length === 0 ? emptyWindows + 1 : 0;
    yield* divide(window, answer);
    toMs = fromMs;
  }
  const refusal = request.findRefusal();
  if (refusal !== undefined) await assertFound(refusal);

  async function* divide(window: TimeWindow, { records, isKnown }: Answer): AsyncGenerator<RecordPage> {
    const page = { records, id: paging.id };
    if (!request.mayBeCut(records)) yield { ...page, window: { ...window, isComplete: isKnown } };
    else {
      const middleMs = Math.floor((window.fromMs + window.toMs) / 2_000) * 1_000;
      const newer = { ...window, fromMs: middleMs };
      const older = { ...window, toMs: middleMs };
      const isShort = window.toMs - window.fromMs <= minWindowMs;
      const answers = isShort ? undefined : ([await request.send(newer), await request.send(older)] as const);
      // A server that selects by day returns the same records for both halves of a day.
      if (answers === undefined || hasSameIds(answers[0].records, answers[1].records, paging.id))
        yield { ...page, window: { ...window, isComplete: false, isCut: true } };
      else {
        yield* divide(newer, answers[0]);
        yield* divide(older, answers[1]);
      }
    }
  }
}

interface Answer {
  records: Records;
  /** Whether the server returned a list. */
  isKnown: boolean;
}

function createWindowRequest(
  paging: WindowPaging,
  address: URL,
  requestRecords: (parameters: Record<string, string>) => Promise<Records>,
) {
  let refusal: NotFoundError | undefined;
  let isFound = false;
  let maxCount = 0;
  return {
    /** A server that returned more records for another window has returned all of this one. */
    mayBeCut: ({ length }: Records) => length >= maxCount && mayBeLimit(length),
    send: async (window: TimeWindow): Promise<Answer> => {
      const parameters = { [paging.from]: formatTime(window.fromMs), [paging.to]: formatTime(window.toMs) };
      try {
        const records = await requestRecords(parameters);
        assertInWindow(records, window, paging, address);
        isFound = true;
        maxCount = Math.max(maxCount, records.length);
        return { records, isKnown: true };
      } catch (error) {
        // Some servers respond with 404 if they have no record of the time.
        if (!(error instanceof NotFoundError)) throw error;
        refusal ??= error;
        return { records: [], isKnown: false };
      }
    },
    /** @returns the first response if all had the status 404 */
    findRefusal: () => (isFound ? undefined : refusal),
  };
}

/** In seconds, as the examples of GeoReport v2. */
const formatTime = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

/** @returns milliseconds of a whole second, as requests have them; undefined if the address does not have it */
function readTime(address: URL, name: string): number | undefined {
  const text = address.searchParams.get(name);
  if (text === null || text === '') return undefined;
  const ms = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) throw new InputError({ code: 'live-time-invalid', name, text });
  return Math.floor(ms / 1_000) * 1_000;
}

function assertInWindow(records: Records, window: TimeWindow, { time }: WindowPaging, { href }: URL): void {
  for (const record of records) {
    const text = record[time];
    const ms = typeof text === 'string' ? Date.parse(text) : Number.NaN;
    if (ms < window.fromMs - toleranceMs || ms > window.toMs + toleranceMs)
      throw new InputError({
        code: 'live-windows-ignored',
        url: href,
        time: formatTime(ms),
        from: formatTime(window.fromMs),
        to: formatTime(window.toMs),
      });
  }
}

function hasSameIds(some: Records, others: Records, id: string): boolean {
  const ids = new Set(some.map((record) => JSON.stringify(record[id])));
  return some.length === others.length && others.every((record) => ids.has(JSON.stringify(record[id])));
}

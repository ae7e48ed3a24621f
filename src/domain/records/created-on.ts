/** The local day of a published object. */
import { createLocalDays } from '../values/timestamps.ts';

const createdAt = ',"createdAt":"';

/**
 * @returns a function that returns the day of `createdAt` of a document: texts of JSON contain no such quotation marks, so a
 *   document has it once
 */
export function createDayReader(timeZone: string): (document: string) => string {
  const findDay = createLocalDays(timeZone);
  return (document) => {
    const start = document.indexOf(createdAt) + createdAt.length;
    return findDay(document.slice(start, document.indexOf('"', start)));
  };
}

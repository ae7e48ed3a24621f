/** What people subscribe to: calendars of all sessions and of each committee. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Language } from '../domain/published-words.ts';
import { writeCalendar } from './calendar.ts';
import { datasetTexts } from './catalog-texts.ts';
import type { AddressedFile, OpenFile } from './open-files.ts';

/** Of all sessions. */
export const calendarName = 'sessions.ics';

const calendarType = 'text/calendar; charset=utf-8; method=PUBLISH';

/** @param defaultLanguage of municipalities without a language of their own */
function createCalendarFile(defaultLanguage: Language, committee: string | undefined): OpenFile {
  return {
    contentType: calendarType,
    read: (dataset) => {
      const { name, timeZone } = JSON.parse(dataset.organization) as { name: string; timeZone: string };
      const language = dataset.language ?? defaultLanguage;
      const title = committee ?? datasetTexts.session.title[language === 'de' ? 'de' : 'en'];
      const options = { name: `${title} – ${name}`, timeZone, committee };
      return Readable.from(writeCalendar(dataset.readSessions(), options));
    },
  };
}

export const createFeeds = (defaultLanguage: Language): [name: string, file: OpenFile][] => [
  [calendarName, createCalendarFile(defaultLanguage, undefined)],
];

/** The end of the address of a committee's calendar: any name can be part of an address. */
export const locateCommittee = (committee: string): string => `sessions/${encodeURIComponent(committee)}.ics`;

const committeePath = /^sessions\/(.+)\.ics$/s;

/** @param path end of the address, decoded */
export function findCommitteeFile(path: string, defaultLanguage: Language): AddressedFile | undefined {
  const [, committee] = committeePath.exec(path) ?? [];
  // No name has this character, and PostgreSQL rejects it.
  if (committee === undefined || committee.includes('\0')) return undefined;
  return {
    path: locateCommittee(committee),
    name: `sessions-${createHash('sha256').update(committee).digest('hex').slice(0, 32)}.ics`,
    file: { ...createCalendarFile(defaultLanguage, committee), committee },
  };
}

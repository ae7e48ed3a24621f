/** What people subscribe to: the latest decisions, and calendars of all sessions and of each committee. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Language } from '../../domain/organizations/placeholder-words.ts';
import type { PublishedDataset } from '../../domain/records/published-dataset.ts';
import { writeCalendar } from './calendar.ts';
import { datasetTexts } from './catalogs/catalog-texts.ts';
import type { CatalogOptions } from './catalogs/catalogs.ts';
import { writeDecisionFeed } from './decision-feed.ts';
import type { AddressedFile, OpenFile } from './open-files.ts';
import { PublicUrlMissingError } from './responses.ts';

/** Of all sessions. */
export const calendarName = 'sessions.ics';

export const decisionsName = 'decisions.atom';

export const feedType = 'application/atom+xml';

const calendarType = 'text/calendar; charset=utf-8; method=PUBLISH';

function createCalendarFile(
  { language: defaultLanguage, publicUrl, openPath }: FeedOptions,
  committee: string | undefined,
): OpenFile {
  return {
    contentType: calendarType,
    read: (dataset) => {
      const { name, timeZone } = JSON.parse(dataset.organization) as { name: string; timeZone: string };
      const title = committee ?? datasetTexts.session.title[findLanguage(dataset, defaultLanguage)];
      const pages = publicUrl === undefined ? undefined : `${publicUrl}${openPath}${dataset.slug}/sessions`;
      const options = { name: `${title} – ${name}`, timeZone, committee, pages };
      return Readable.from(writeCalendar(dataset.readSessions(), options));
    },
  };
}

/** Of the words that Rostra adds. */
const findLanguage = ({ language }: PublishedDataset, defaultLanguage: Language) =>
  (language ?? defaultLanguage) === 'de' ? 'de' : 'en';

const createDecisionFile = ({ language: defaultLanguage, publicUrl, openPath }: FeedOptions): OpenFile => ({
  contentType: `${feedType}; charset=utf-8`,
  needsPublicUrl: true,
  read: (dataset) => {
    if (publicUrl === undefined) throw new PublicUrlMissingError();
    const home = `${publicUrl}${openPath}${dataset.slug}`;
    const language = findLanguage(dataset, defaultLanguage);
    return Readable.from(writeDecisionFeed(dataset, { language, home, address: `${home}/${decisionsName}` }));
  },
});

export interface FeedOptions extends Pick<CatalogOptions, 'publicUrl' | 'openPath'> {
  /** Of municipalities without a language of their own. */
  language: Language;
}

export const createFeeds = (options: FeedOptions): [name: string, file: OpenFile][] => [
  [calendarName, createCalendarFile(options, undefined)],
  [decisionsName, createDecisionFile(options)],
];

/** The end of the address of a committee's calendar. */
export const committeeAddress = 'sessions/{committee}.ics';

/** Any name can be part of an address. */
export const locateCommittee = (committee: string): string =>
  committeeAddress.replace('{committee}', () => encodeURIComponent(committee));

const committeePath = /^sessions\/(.+)\.ics$/s;

/** @param path end of the address, decoded */
export function findCommitteeFile(path: string, options: FeedOptions): AddressedFile | undefined {
  const [, committee] = committeePath.exec(path) ?? [];
  // No name has this character, and PostgreSQL rejects it.
  if (committee === undefined || committee.includes('\0')) return undefined;
  return {
    path: locateCommittee(committee),
    name: `sessions-${createHash('sha256').update(committee).digest('hex').slice(0, 32)}.ics`,
    file: { ...createCalendarFile(options, committee), committee },
  };
}

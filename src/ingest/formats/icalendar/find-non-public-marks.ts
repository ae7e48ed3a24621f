/** Finds the marks with which a calendar says that an event is not public. */
import type ICAL from 'ical.js';
import type { Reason } from '../../../domain/reasons/reason.ts';
import { hasDraftWord } from '../../../domain/records/is-draft.ts';
import { findStatusMark, isMarked } from '../../records/retraction-marks.ts';
import { splitWords } from '../../records/vocabulary/split-words.ts';
import { isCancelledTitle } from '../../records/vocabulary/vocabulary.ts';

/** Values without blanks and invisible characters; empty ones are left out. */
export const listValues = (component: ICAL.Component, name: string): string[] =>
  component
    .getAllProperties(name)
    .map(({ jCal }) =>
      String(jCal[3] ?? '')
        .replace(/\p{Cf}/gu, '')
        .trim(),
    )
    .filter((value) => value !== '');

/** An unknown class is to be treated as PRIVATE (RFC 5545, section 3.8.1.3). */
const isPrivate = (component: ICAL.Component, properties = ['class', 'x-calendarserver-access']) =>
  properties.some((name) => listValues(component, name).some((value) => !/^public$/i.test(value)));

/** Whole titles that calendars show in place of that of a private event, as `splitWords` returns them. */
const placeholders: ReadonlySet<string> = new Set([
  ...[
    'privat',
    'privater termin',
    'privates ereignis',
    'besetzt',
    'beschaftigt',
    'gebucht',
    'belegt',
    'vertraulich',
    'vertraulicher termin',
    'confidential',
    'private',
    'busy',
  ],
  ...[
    'private appointment',
    'private event',
    'prive',
    'confidentiel',
    'rendez vous prive',
    'evenement prive',
    'occupe',
  ],
  ...['privado', 'cita privada', 'evento privado', 'ocupado', 'privato', 'appuntamento privato', 'occupato'],
  // What Exchange and Outlook publish of a calendar whose details are not shared.
  ...[
    'abwesend',
    'ausser haus',
    'mit vorbehalt',
    'arbeitet an einem anderen ort',
    'an einem anderen ort tatig',
  ],
  ...['tentative', 'away', 'out of office', 'working elsewhere', 'unavailable', 'nicht verfugbar', 'absent'],
  ...['prive afspraak', 'bezet', 'prywatne', 'termin prywatny', 'zajety', 'ocupat'],
]);

const privateTitleWords =
  'privat|private|privé|vertraulich|confidential|confidentiel|intern|internal|nicht veröffentlichen';

/**
 * "Privat: Zahnarzt", "Intern - Runde", "Zahnarzt (vertraulich)", but not "Sitzung (nichtöffentlich)", which is announced without being
 * open to everyone.
 */
const privateTitle = new RegExp(
  String.raw`^(?:${privateTitleWords})(?:\s?:|\s[-–—]\s)|[([](?:${privateTitleWords})[)\]]`,
  'i',
);

const hasPrivateTitle = (event: ICAL.Component) =>
  listValues(event, 'summary').some(
    (title) =>
      privateTitle.test(title.normalize('NFC')) ||
      (title.length <= 40 && placeholders.has(splitWords(title).join(' '))),
  );

/** Outlook has the categories of a person, such as "Privat" and "Intern". */
const hasPrivateCategory = (event: ICAL.Component) =>
  event
    .getAllProperties('categories')
    .flatMap((property) => property.getValues().map(String))
    .some((category) =>
      /^(?:privat|private|privé|vertraulich|confidential|intern|internal)$/i.test(category.trim()),
    );

/** "[Entwurf] Rat", "DRAFT: Council". Elsewhere in a title, such a word can be about the subject: "Haushalt 2027 (Entwurf)". */
const titleStart = /^(?:[([]([^()[\]]{3,40})[)\]]|([^:()[\]]{3,40}?)\s?:)/;

function hasDraftTitle(event: ICAL.Component): boolean {
  return listValues(event, 'summary').some((title) => {
    const [, bracketed, prefix] = titleStart.exec(title.normalize('NFC')) ?? [];
    return findStatusMark(bracketed ?? prefix)?.code === 'record-draft';
  });
}

/** Outlook marks a meeting whose invitations are not sent yet (MS-OXCICAL, section 2.1.3.1.1.20.40). */
const isDraft = (event: ICAL.Component) =>
  listValues(event, 'x-microsoft-isdraft').some(isMarked) ||
  listValues(event, 'status').some(hasDraftWord) ||
  hasDraftTitle(event);

/** Whether the calendar cancels its events, with METHOD:CANCEL. */
export const isCancellation = (calendar: ICAL.Component): boolean =>
  listValues(calendar, 'method').some((method) => /^cancel$/i.test(method));

/**
 * @param options.ignoresClass for a repetition that has its own CLASS
 * @returns why the event must not be public; undefined for a public one
 */
export function findRetraction(
  event: ICAL.Component,
  calendar: ICAL.Component,
  { ignoresClass = false } = {},
): Reason | undefined {
  const isOfPrivateClass = isPrivate(event, ignoresClass ? ['x-calendarserver-access'] : undefined);
  if (isOfPrivateClass || isPrivate(calendar) || hasPrivateTitle(event) || hasPrivateCategory(event))
    return { code: 'events-private' };
  const statuses = listValues(event, 'status');
  if (isCancellation(calendar) || statuses.some(isCancelledTitle)) return { code: 'sessions-cancelled' };
  return isDraft(event) ? { code: 'events-drafts' } : undefined;
}

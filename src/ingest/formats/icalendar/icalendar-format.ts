import type { Format } from '../format-definition.ts';

/** Describes the import of council sessions from a calendar (RFC 5545): detection, options, file names. */
export const icalendar: Format = {
  name: 'icalendar',
  description: 'iCalendar: sessions from a calendar as .ics',
  fileExtensions: ['.ics'],
  options: {},
  detect: ({ text }) =>
    /^\uFEFF?\s*BEGIN:VCALENDAR/i.test(text) ? { code: 'begins-with-calendar' } : undefined,
  load: () => import('./icalendar-reader.ts'),
};

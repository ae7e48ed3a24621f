import type { Format } from '../format-definition.ts';

export const icalendar: Format = {
  name: 'icalendar',
  description: 'iCalendar: sessions from a calendar as .ics',
  fileExtensions: ['.ics'],
  options: {},
  detect: ({ text }) =>
    /^\uFEFF?\s*BEGIN:VCALENDAR/i.test(text) ? { code: 'begins-with-calendar' } : undefined,
  load: () => import('./icalendar-reader.ts'),
};

import type { Format } from '../format-definition.ts';

/** Describes the import of projects of a participatory budget, with their votes (https://pabulib.org/format). */
export const pabulib: Format = {
  name: 'pabulib',
  description: 'Pabulib: projects and votes of a participatory budget as .pb',
  fileExtensions: ['.pb'],
  options: {},
  isPartialInput: true,
  hasLocations: true,
  detect: ({ text }) =>
    /^\s*META[ \t;]*[\r\n]\s*"?key"?\s*;\s*"?value/i.test(text) ? { code: 'begins-with-meta' } : undefined,
  load: () => import('./pabulib-reader.ts'),
};

import { failures } from './de/failures.ts';
import { files } from './de/files.ts';
import { formats } from './de/formats.ts';
import { mappings } from './de/mappings.ts';
import { notes } from './de/notes.ts';
import { rejections } from './de/rejections.ts';
import { rows } from './de/rows.ts';
import { sources } from './de/sources.ts';
import { surveys } from './de/surveys.ts';
import type { en } from './en.ts';
import type { Translation } from './sentence-types.ts';

export const de: Translation<typeof en> = {
  ...failures,
  ...files,
  ...formats,
  ...mappings,
  ...notes,
  ...rejections,
  ...rows,
  ...sources,
  ...surveys,
};

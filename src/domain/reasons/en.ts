/** The English sentences, which declare the codes and their values. */

import { failures } from './en/failures.ts';
import { files } from './en/files.ts';
import { formats } from './en/formats.ts';
import { mappings } from './en/mappings.ts';
import { notes } from './en/notes.ts';
import { rejections } from './en/rejections.ts';
import { rows } from './en/rows.ts';
import { sources } from './en/sources.ts';
import { surveys } from './en/surveys.ts';

export const en = {
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

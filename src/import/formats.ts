/** The formats that can be imported. Detection asks them in this order: the one that knows its own best comes first. */

import { csv } from './csv/csv.ts';
import type { Format } from './format.ts';
import { oparl } from './oparl/oparl.ts';
import { open311 } from './open311/open311.ts';
import { consul } from './proposals/consul.ts';
import { decidim } from './proposals/decidim.ts';
import { rostra } from './rostra/rostra.ts';
import { surveyRows } from './survey/rows.ts';
import { surveyTable } from './survey/table.ts';

export const formats: readonly Format[] = [
  rostra,
  oparl,
  open311,
  decidim,
  consul,
  surveyRows,
  surveyTable,
  csv,
];

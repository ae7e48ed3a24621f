/** All formats, in the order of detection: the most specific first. */

import type { Format } from './format-definition.ts';
import { icalendar } from './formats/icalendar/icalendar-format.ts';
import { oparl } from './formats/oparl/oparl-format.ts';
import { open311 } from './formats/open311/open311-format.ts';
import { pabulib } from './formats/pabulib/pabulib-format.ts';
import { consul } from './formats/proposals/consul-format.ts';
import { decidim } from './formats/proposals/decidim-format.ts';
import { rostra } from './formats/rostra/rostra-format.ts';
import { surveyResponsesFormat } from './formats/survey/survey-responses-format.ts';
import { surveyTableFormat } from './formats/survey/survey-table-format.ts';
import { tableFormat } from './formats/table/table-format.ts';

export const formats: readonly Format[] = [
  rostra,
  oparl,
  open311,
  decidim,
  consul,
  pabulib,
  icalendar,
  surveyResponsesFormat,
  surveyTableFormat,
  tableFormat,
];

/** The formats that can be imported. Detection asks them in this order: the one that knows its own best comes first. */
import type { Format } from './format.ts';
import { oparl } from './oparl.ts';
import { rostra } from './rostra.ts';
import { surveyRows } from './survey-rows.ts';
import { surveyTable } from './survey-table.ts';

export const formats: readonly Format[] = [rostra, oparl, surveyRows, surveyTable];

export const formatNamed = (name: string): Format | undefined =>
  formats.find((format) => format.name === name);

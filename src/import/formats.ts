/** The formats that can be imported. Detection asks them in this order: the one that knows its own best comes first. */
import { csv } from './csv.ts';
import type { Format } from './format.ts';
import { oparl } from './oparl.ts';
import { rostra } from './rostra.ts';

export const formats: readonly Format[] = [rostra, oparl, csv];

export const formatNamed = (name: string): Format | undefined =>
  formats.find((format) => format.name === name);

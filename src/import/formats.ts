/** The formats that can be imported, and what each takes. */

import { readOparl } from './oparl.ts';
import { defaultPaperTypes, defaultResults, type ResultTable } from './oparl-mapping.ts';
import type { Reading, ReadOptions } from './reading.ts';
import { readRostra } from './rostra.ts';
import type { Source } from './source.ts';

export interface FormatOptions extends ReadOptions {
  /** For `oparl`; undefined: the default. */
  paperTypes: readonly string[] | undefined;
  /** For `oparl`; undefined: the default. */
  results: ResultTable | undefined;
  /** Told once for each text of the source that no rule covers. */
  onUnknownResult: (text: string) => void;
}

export interface Format {
  description: string;
  read(sources: readonly Source[], options: FormatOptions): AsyncGenerator<Reading>;
}

export const formats: Record<string, Format> = {
  rostra: {
    description: 'Rostra’s own: records of the published shapes as NDJSON, JSON array or CSV',
    read: readRostra,
  },
  oparl: {
    description:
      'OParl 1.0 and 1.1: papers, meetings and organizations of a council information system, as JSON',
    read: (sources, options) =>
      readOparl(sources, {
        ...options,
        paperTypes: options.paperTypes ?? defaultPaperTypes,
        results: options.results ?? defaultResults,
      }),
  },
};

/** The list of formats. */
import { didYouMean } from '../../platform/did-you-mean.ts';
import { commonOptions, type OptionDeclarations } from '../format-options.ts';
import { InputError } from '../input-error.ts';
import { getPresetFormat, isPresetName, presets } from '../presets/presets.ts';
import type { FileSelection } from '../readers/input-files.ts';
import type { Format } from './format-definition.ts';
import { icalendar } from './icalendar/icalendar-format.ts';
import { oparl } from './oparl/oparl-format.ts';
import { open311 } from './open311/open311-format.ts';
import { pabulib } from './pabulib/pabulib-format.ts';
import { consul } from './proposals/consul-format.ts';
import { decidim } from './proposals/decidim-format.ts';
import { rostra } from './rostra/rostra-format.ts';
import { surveyRows } from './survey/survey-rows-format.ts';
import { surveyTable } from './survey/survey-table-format.ts';
import { table } from './table/table-format.ts';

/** In the order of detection: the most specific first. */
export const formats: readonly Format[] = [
  rostra,
  oparl,
  open311,
  decidim,
  consul,
  pabulib,
  icalendar,
  surveyRows,
  surveyTable,
  table,
];

/** The options of stored sources: of formats, of endpoints, and of all sources. */
export const allOptions: OptionDeclarations = Object.assign(
  {},
  ...formats.map(({ options }) => options),
  ...formats.map(({ endpointOptions }) => endpointOptions),
  commonOptions,
);

/** @throws InputError for an unknown format */
export function findFormat(name: string): Format {
  const format = formats.find((one) => one.name === name);
  if (format !== undefined) return format;
  const near = didYouMean(
    name,
    formats.map((one) => one.name),
  );
  throw new InputError({ code: 'format-unknown', format: name, near });
}

/** The files with data. */
export const allFiles: FileSelection = {
  fileExtensions: [...new Set(formats.flatMap(({ fileExtensions }) => fileExtensions))],
};

/** @param system name of a preset, or of the format of an endpoint */
export const readsSystem = ({ name }: Format, system: string): boolean =>
  name === (isPresetName(system) ? getPresetFormat(presets[system]) : system);

/** The list of presets. */
import Type from 'typebox';
import type { FormatName } from '../../domain/reasons/en/formats.ts';
import { type FormatOptions, type OptionDeclarations, requestOptions } from '../format-options.ts';
import { arcgis } from './arcgis.ts';
import { ckan } from './ckan.ts';
import { decidim } from './decidim.ts';
import { open311 } from './open311.ts';
import { opendatasoft } from './opendatasoft.ts';
import type { Preset } from './preset.ts';
import { socrata } from './socrata.ts';

/** By the name that sources store. */
export const presets = {
  socrata,
  ckan,
  opendatasoft,
  arcgis,
  open311,
  decidim,
} as const satisfies Readonly<Record<string, Preset>>;

export type PresetName = keyof typeof presets;

export const findPreset = ({ system }: FormatOptions): Preset | undefined =>
  system === undefined ? undefined : presets[system as PresetName];

/** The format that reads the records of a system. */
export const getPresetFormat = ({ format = 'table' }: Preset): FormatName => format;

/** Whether requests of a source can have a key. */
export const takesPortalKey = <Source extends { url: string | null; options: FormatOptions }>(
  source: Source,
): source is Source & { url: string } => source.url !== null && findPreset(source.options)?.key !== undefined;

export const isPresetName = (name: string): name is PresetName => Object.hasOwn(presets, name);

export const presetNames = Object.keys(presets) as PresetName[];

/** Options of sources whose records are requested from a system. */
export const liveSourceOptions = {
  system: {
    schema: Type.Unsafe<PresetName>({ type: 'string', enum: presetNames }),
    value: 'name',
    description: 'system whose API is requested at the address, in place of a file',
  },
  changedColumn: {
    schema: Type.String({ pattern: '^[:\\p{L}_][\\p{L}\\p{N}_]{0,99}$' }),
    value: 'name',
    description:
      'column of the data portal with the time of the last change: runs on schedule fetch only changed records, except once a week',
    invalid: { code: 'option-not-column' },
  },
  ...requestOptions,
} as const satisfies OptionDeclarations;

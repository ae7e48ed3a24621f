/** The list of presets. */
import type { FormatOptions } from '../format-options.ts';
import { arcgis } from './arcgis.ts';
import { ckan } from './ckan.ts';
import { opendatasoft } from './opendatasoft.ts';
import type { Preset } from './preset.ts';
import { socrata } from './socrata.ts';

/** By the name that sources store. */
const presets = { socrata, ckan, opendatasoft, arcgis } as const satisfies Readonly<Record<string, Preset>>;

export type PresetName = keyof typeof presets;

export const findPreset = ({ system }: FormatOptions): Preset | undefined =>
  system === undefined ? undefined : presets[system as PresetName];

export const presetNames = Object.keys(presets) as PresetName[];

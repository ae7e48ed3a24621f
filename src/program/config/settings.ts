/** The table of settings: name, default, parser and help text of each, in one file for each topic. */
import { adminSettings } from './admin-settings.ts';
import { databaseSettings } from './database-settings.ts';
import { importSettings } from './import-settings.ts';
import { maintenanceSettings } from './maintenance-settings.ts';
import { logSettings, serverSettings } from './server-settings.ts';
import type { Reader } from './setting.ts';

/** In the order of the documentation. */
export const settings = {
  ...databaseSettings,
  ...serverSettings,
  ...logSettings,
  ...adminSettings,
  ...importSettings,
  ...maintenanceSettings,
};

export type SettingName = keyof typeof settings;

/** @returns the settings that at least one of the readers reads */
export const listSettings = (...readers: Reader[]): SettingName[] =>
  (Object.keys(settings) as SettingName[]).filter((name) =>
    settings[name].readBy.some((reader) => readers.includes(reader)),
  );

export type Config = { readonly [Name in SettingName]: ReturnType<(typeof settings)[Name]['parse']> };

/** `rateLimit` → `ROSTRA_RATE_LIMIT` */
export function toEnvironmentName(name: SettingName): string {
  return `ROSTRA_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`;
}

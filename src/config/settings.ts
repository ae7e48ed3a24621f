/** The table of settings: name, default, parser and help text of each, in one file for each topic. */
import { adminSettings } from './admin-settings.ts';
import { databaseSettings } from './database-settings.ts';
import { importSettings } from './import-settings.ts';
import { logSettings } from './log-settings.ts';
import { maintenanceSettings } from './maintenance-settings.ts';
import { retentionSettings } from './retention-settings.ts';
import { serverSettings } from './server-settings.ts';

/** In the order of the documentation. */
export const settings = {
  ...databaseSettings,
  ...serverSettings,
  ...logSettings,
  ...adminSettings,
  ...importSettings,
  ...maintenanceSettings,
  ...retentionSettings,
};

export type SettingName = keyof typeof settings;

/** Settings of downloads of sources. */
export const downloadSettings = [
  'downloadNetworks',
  'maxDownload',
  'downloadTimeout',
] as const satisfies SettingName[];

/** Settings of municipalities without values of their own. */
export const localeSettings = ['language', 'country'] as const satisfies SettingName[];

/** Settings of imports only. */
export const redactionSettings = [
  'redact',
  'redactCountry',
  'redactPatterns',
] as const satisfies SettingName[];

/** Settings of `prune` only. */
export const pruneSettings = Object.keys(retentionSettings) as (keyof typeof retentionSettings)[];

/** Settings of `source run --due` only. */
export const scheduleSettings = ['importConcurrency', 'importsPerHost'] as const satisfies SettingName[];

const settingsOfOthers: readonly SettingName[] = [...pruneSettings, ...scheduleSettings, 'pingUrl'];

/** Settings of the server, and of the imports that it starts. */
export const serveSettings = (Object.keys(settings) as SettingName[]).filter(
  (name) => !settingsOfOthers.includes(name),
);

/** Settings of the processes that import beside a server or on a schedule. None is a secret of another service. */
export const jobSettings = [
  'database',
  'rateLimit',
  'rateLimitWindow',
  'uploadFolder',
  'maxUpload',
  'importTimeout',
  'importMemory',
  ...localeSettings,
  ...redactionSettings,
  ...downloadSettings,
] as const satisfies SettingName[];

export type Config = { readonly [Name in SettingName]: ReturnType<(typeof settings)[Name]['parse']> };

/** `rateLimit` → `ROSTRA_RATE_LIMIT` */
export function toEnvironmentName(name: SettingName): string {
  return `ROSTRA_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`;
}

/** `rateLimit` → `--rate-limit` */
export function toFlagName(name: SettingName): string {
  return `--${name.replace(/[A-Z]/g, '-$&').toLowerCase()}`;
}

/** Names of backups in a folder. They sort by time. */

export const composeBackupName = (time: Date) => `rostra-${time.toISOString().replaceAll(':', '-')}.db`;

const backupName = /^rostra-(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d\.\d{3}Z)\.db$/;

/** @returns Unix milliseconds; undefined for other names */
export function readBackupTime(name: string): number | undefined {
  const [, hour, minute, second] = backupName.exec(name) ?? [];
  return hour === undefined ? undefined : Date.parse(`${hour}:${minute}:${second}`);
}

/** Settings of scheduled tasks: backups, drills, `rostra prune` and the sources. */
import { optionalSetting, setting } from './setting.ts';
import { parseFolder, parsePingUrl, parseRetention } from './setting-parsers.ts';

export const maintenanceSettings = {
  pingUrl: optionalSetting({
    readBy: ['backup', 'drill', 'prune', 'schedule'],
    value: 'url',
    description:
      'Address of a service such as healthchecks.io that expects a request after each backup, drill, `rostra prune` and `rostra source run --due`, such as `https://hc-ping.com/` with the ping key of a project. Empty: no requests.',
    secret: true,
    parse: (text) => parsePingUrl(text).replace(/(?<!\/)\/+$/, ''),
  }),
  retainAuditLog: optionalSetting({
    readBy: ['prune'],
    value: 'time',
    description:
      'How long `rostra prune` keeps entries of the audit log, such as `2y` or `400d`, at least `90d`. It removes complete calendar months, after it has written them to ROSTRA_AUDIT_EXPORT_FOLDER. Empty: forever.',
    parse: parseRetention,
  }),
  auditExportFolder: setting({
    readBy: ['prune'],
    value: 'folder',
    default: '',
    description: 'Folder for the files with entries of the audit log that `rostra prune` removes.',
    parse: parseFolder,
  }),
  retainImportHistory: optionalSetting({
    readBy: ['prune'],
    value: 'time',
    description:
      'How long `rostra prune` keeps imports in the history, at least `90d`. The last import of each source stays, and the last one that succeeded. Empty: forever.',
    parse: parseRetention,
  }),
  retainRevokedKeys: optionalSetting({
    readBy: ['prune'],
    value: 'time',
    description:
      'How long `rostra prune` keeps API keys after they were revoked or expired, at least `90d`. Empty: forever.',
    parse: parseRetention,
  }),
  retainTombstones: optionalSetting({
    readBy: ['prune'],
    value: 'time',
    description:
      'How long `/changes` lists the removal of an object, at least `90d`. Mirrors that were not updated for longer start anew. Empty: forever.',
    parse: parseRetention,
  }),
};

/** Settings of scheduled tasks: backups, drills, `rostra prune` and the sources. */
import { setting } from './setting.ts';
import { parsePingUrl } from './setting-parsers.ts';

export const maintenanceSettings = {
  pingUrl: setting({
    value: 'url',
    default: '',
    description:
      'Address of a service such as healthchecks.io that expects a request after each backup, drill, `rostra prune` and `rostra source run --due`, such as `https://hc-ping.com/` with the ping key of a project. Empty: no requests.',
    secret: true,
    parse: (text) => parsePingUrl(text)?.replace(/(?<!\/)\/+$/, ''),
  }),
};

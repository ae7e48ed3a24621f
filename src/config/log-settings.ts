/** Settings of the log. */
import { setting } from './setting.ts';
import { createChoiceParser } from './setting-parsers.ts';

export const logSettings = {
  logLevel: setting({
    value: 'level',
    default: 'info',
    description: 'Minimum level of log entries. `info` logs every request.',
    parse: createChoiceParser('fatal', 'error', 'warn', 'info', 'debug', 'silent'),
  }),
  logFormat: setting({
    value: 'format',
    default: 'auto',
    description:
      '`json`: one object per line; `text`: for people; `auto`: `text` on a terminal, otherwise `json`.',
    parse: createChoiceParser('auto', 'json', 'text'),
  }),
};

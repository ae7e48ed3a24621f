/** OParl as a format: what `rostra import oparl` takes and tells. */

import { fieldValidators } from '../../field-validation.ts';
import type { Format } from '../../format-definition.ts';
import { InputError } from '../../parsed-record.ts';
import { jsonExtensions } from '../../readers/input-files.ts';
import { readOptionJson } from '../../readers/option-file.ts';
import { defaultResults, type ResultTable } from './oparl-fields.ts';
import { oparlMappings, readOparl } from './read-oparl.ts';

export const oparl: Format = {
  name: 'oparl',
  fileExtensions: jsonExtensions,
  description:
    'OParl 1.0 and 1.1: papers, meetings and organizations of a council information system, as JSON',
  mappings: oparlMappings,
  omitted: 'Names of people, places and files, and everything else, stay where they are.',
  options: [
    {
      flags: '--paper-types <words>',
      description: 'papers whose type contains one of these (default: antrag,anfrage)',
      parse: words,
    },
    {
      flags: '--results <file>',
      description:
        'JSON object from a part of a result’s text to a status; its rows come before the default table',
      parse: resultTable,
    },
  ],
  detect: ({ json }) => {
    const { type, data } = (json ?? {}) as { type?: unknown; data?: unknown };
    const [first] = Array.isArray(data) ? data : [];
    const found = [type, (first as { type?: unknown } | undefined)?.type].find(isOparlType);
    return found === undefined ? undefined : `its objects have OParl types, as ${found}`;
  },
  read: readOparl,
};

const isOparlType = (type: unknown): type is string =>
  typeof type === 'string' && /^https?:\/\/schema\.oparl\.org\//i.test(type);

function words(text: string): string[] {
  const list = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  if (list.length > 0) return list;
  throw new InputError('It must be words, separated by commas.');
}

function resultTable(file: string): ResultTable {
  const table = readOptionJson(file);
  const isObject = typeof table === 'object' && table !== null && !Array.isArray(table);
  const entries: [string, string][] = Object.entries(isObject ? (table as Record<string, string>) : {});
  const isStatus = (status: string) =>
    fieldValidators.submission.status?.Check(status) && status.trim() !== '';
  if (entries.length > 0 && entries.every(([, status]) => isStatus(status)))
    return [
      ...entries.map(([contains, status]): [string, string] => [contains, status.normalize('NFC')]),
      ...defaultResults,
    ];
  throw new InputError('It must hold a JSON object such as {"abgelehnt": "rejected"}.');
}

/** The import format OParl, with its command-line options. */
import { isObject } from '../../field-validation.ts';
import type { Format } from '../../format-definition.ts';
import { InputError } from '../../input-error.ts';
import { jsonExtensions } from '../../readers/input-files.ts';
import { createStatusesOption } from '../../status-table.ts';
import { agendaRules, meetingRules } from './meeting-to-session.ts';
import { findListType } from './oparl-object.ts';
import { outcomeRules, paperRules } from './paper-to-submission.ts';
import { readOparl } from './read-oparl.ts';

export const oparl: Format = {
  name: 'oparl',
  fileExtensions: jsonExtensions,
  description:
    'OParl 1.0 and 1.1: papers, meetings and organizations of a council information system, as JSON',
  mappings: [
    { kind: 'submission', fieldSources: [...paperRules, ...outcomeRules] },
    { kind: 'session', fieldSources: [...meetingRules, ...agendaRules] },
  ],
  omitted: { code: 'omitted-oparl' },
  options: [
    {
      flags: '--paper-types <words>',
      description: 'papers whose type contains one of these (default: antrag,anfrage)',
      parse: parseWords,
    },
    createStatusesOption('JSON object that maps parts of result texts to statuses'),
  ],
  detect: ({ json, name, text }) => {
    // A search of the text also works for an object that is longer than the sample.
    const [, found] = /^\s*[[{].*?"type"\s*:\s*"(https?:\/\/schema\.oparl\.org\/[^"]*)"/is.exec(text) ?? [];
    if (found !== undefined) return { code: 'has-oparl-types', type: found };
    const { id } = getFirstObject(json);
    const type = typeof id === 'string' && /^https?:/i.test(id) ? findListType(undefined, name) : undefined;
    return type === undefined ? undefined : { code: 'named-like-oparl-list', type };
  },
  describeDefect: ({ json }) => {
    const names = Object.keys(getFirstObject(json)).filter((name) => typicalProperties.has(name));
    return names.length < 2
      ? undefined
      : `its objects have no OParl "type", such as "https://schema.oparl.org/1.1/Paper" beside "${names[0]}": export them with it`;
  },
  readRecords: readOparl,
};

/** Properties of papers, meetings and agenda items that other formats lack. */
const typicalProperties = new Set(
  'agendaItem auxiliaryFile bodyList consultation invitation legislativeTermList mainFile meetingState originatorOrganization originatorPerson paperType relatedPaper resultsProtocol subordinatedPaper underDirectionOf verbatimProtocol'.split(
    ' ',
  ),
);

function getFirstObject(json: unknown): Record<string, unknown> {
  const { data } = (json ?? {}) as { data?: unknown };
  const first: unknown = Array.isArray(data) ? data[0] : json;
  return isObject(first) ? first : {};
}

function parseWords(text: string): string[] {
  const list = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  if (list.length > 0) return list;
  throw new InputError({ code: 'option-not-words' });
}

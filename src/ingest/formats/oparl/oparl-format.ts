import Type from 'typebox';
import { createStatusesOption, type OptionDeclarations, requestOptions } from '../../format-options.ts';
import { InputError } from '../../input-error.ts';
import { type Format, jsonExtensions } from '../format-definition.ts';

/** Options of an import from files and from an endpoint. */
export const oparlOptions = {
  paperTypes: {
    schema: Type.Array(Type.String(), { default: ['antrag', 'anfrage'] }),
    value: 'words',
    description: 'papers whose type contains one of these',
  },
  statuses: createStatusesOption('JSON object that maps parts of result texts to statuses'),
} as const satisfies OptionDeclarations;

/** Options of an import from an endpoint only: the body, and the bounds of requests. */
export const oparlEndpointOptions = {
  body: {
    schema: Type.String(),
    value: 'name|id',
    description: 'OParl: the body, if the system has more than one',
  },
  allowHost: {
    schema: Type.Array(Type.String()),
    value: 'hosts',
    description: 'OParl: also follow references to these hosts, separated by commas',
    parse: (text) => text.split(',').map((part) => parseHost(part.trim())),
  },
  ...requestOptions,
} as const satisfies OptionDeclarations;

/** Describes the import of papers and meetings of a council information system (https://oparl.org/spezifikation/). */
export const oparl: Format = {
  name: 'oparl',
  description:
    'OParl 1.0 and 1.1: papers, meetings and organizations of a council information system, as JSON',
  fileExtensions: jsonExtensions,
  options: oparlOptions,
  endpointOptions: oparlEndpointOptions,
  hasLocations: true,
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
  load: () => import('./oparl-reader.ts'),
};

function parseHost(text: string): string {
  if (/^[^/?#@\s]+$/.test(text) && URL.canParse(`https://${text}`)) return new URL(`https://${text}`).host;
  throw new InputError({ code: 'option-not-hosts' });
}

/** Properties of papers, meetings and agenda items that other formats lack. */
const typicalProperties = new Set(
  'agendaItem auxiliaryFile bodyList consultation invitation legislativeTermList mainFile meetingState originatorOrganization originatorPerson paperType relatedPaper resultsProtocol subordinatedPaper underDirectionOf verbatimProtocol'.split(
    ' ',
  ),
);

function getFirstObject(json: unknown): Record<string, unknown> {
  const { data } = (json ?? {}) as { data?: unknown };
  return ((Array.isArray(data) ? data[0] : json) ?? {}) as Record<string, unknown>;
}

/** Types by the name of their lists, as `normalizeListName` writes it. */
const listTypes: ReadonlyMap<string, string> = new Map(
  ['Paper', 'Meeting', 'Organization', 'Consultation', 'AgendaItem'].map((type) => [
    type.toLowerCase(),
    type,
  ]),
);

/** `agenda-items.ndjson.gz`, `agendaItems` and `agendaItem` are the same name. */
const normalizeListName = (name: string) =>
  name
    .toLowerCase()
    .replace(/[.?#].*$/s, '')
    .replace(/[^a-z]/g, '')
    .replace(/s$/, '');

/** @param source path or URL, whose last part or its folder may be named after the objects in it */
export function findListType(list: string | undefined, source: string): string | undefined {
  const parts = source.split(/[\\/]/).slice(-2);
  const names = [list ?? '', ...parts.reverse()];
  return names.map((name) => listTypes.get(normalizeListName(name))).find((type) => type !== undefined);
}

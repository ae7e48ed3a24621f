/** How a service request of Open311 GeoReport v2 becomes a submission, whatever file it stands in. */

import { parseTimestamp } from '../../../domain/timestamps.ts';
import { InvalidFieldError } from '../../field-validation.ts';
import type { FieldRule, FormatReadOptions } from '../../format-definition.ts';
import { convertMarkup, convertMarkupLine } from '../../html-to-text.ts';
import { longNumberHint } from '../../parse-record.ts';

/** Under the names of GeoReport, section "GET Service Requests". */
export type ServiceRequest = Record<string, unknown>;

/**
 * Words of `status` (GeoReport v2), of `status_description` (GeoReport Bulk), and of `detailed_status` (CitySDK
 * Participation), whatever the case.
 */
const statuses: ReadonlyMap<string, string> = new Map([
  ['open', 'received'],
  ['closed', 'completed'],
  ['processing', 'in_review'],
  ['hold', 'in_review'],
  ['pending', 'submitted'],
  ['received', 'received'],
  ['in_process', 'in_review'],
  ['processed', 'completed'],
  ['rejected', 'rejected'],
]);

/** A request that is listed has arrived, whatever else its status says. */
const fallbackStatus = 'received';

export const requestRules: readonly FieldRule<ServiceRequest, FormatReadOptions>[] = [
  { field: 'id', from: '`service_request_id`', extract: requestId },
  { field: 'referenceNumber', from: '`service_request_id`', extract: requestId },
  {
    field: 'description',
    from: '`description`, else `service_name`',
    extract: (request) =>
      convertMarkup(textOf(request, 'description') ?? '') ||
      serviceName(request) ||
      missing('a description or service_name'),
  },
  { field: 'topicCategoryName', from: '`service_name`', extract: serviceName },
  {
    field: 'priorityLevel',
    from: '`priority`, in lower case; "normal" where there is none',
    extract: (request) => textOf(request, 'priority')?.toLowerCase(),
  },
  {
    field: 'supportCount',
    from: '`extended_attributes.votes`; 0 where there is none',
    extract: (request) => votes(textOf(extendedAttributes(request), 'votes')),
  },
  {
    field: 'hasAttachments',
    from: 'any `media_url`, or `extended_attributes.media_urls`',
    extract: (request) => hasMedia(request.media_url) || hasMedia(extendedAttributes(request).media_urls),
  },
  {
    field: 'createdAt',
    from: '`requested_datetime`',
    extract: (request, { timeZone }) =>
      timeOf(request, 'requested_datetime', timeZone) ?? missing('requested_datetime'),
  },
  {
    field: 'statusChangedAt',
    from: '`updated_datetime`, else what `createdAt` is from',
    extract: (request, { timeZone }) => timeOf(request, 'updated_datetime', timeZone),
  },
  {
    field: 'status',
    from: '`extended_attributes.detailed_status`, else `status`, else `status_description`, through a table; "received" for a word that it does not have, "submitted" where there is none',
    extract: statusOf,
  },
];

/** @throws InvalidFieldError: a request that is only announced has a token instead */
function requestId(request: ServiceRequest): string {
  const { service_request_id: id, token } = request;
  if (typeof id === 'number' && !Number.isSafeInteger(id))
    throw new InvalidFieldError(`service_request_id must be a text or a whole number${longNumberHint}`);
  const text = textOf(request, 'service_request_id');
  if (text !== undefined) return text;
  if (token === undefined) missing('service_request_id');
  throw new InvalidFieldError('it has a token and no service_request_id yet: fetch it again later');
}

/** undefined: absent or blank. The name of a topic is a line; an export may have broken it. */
function serviceName(request: ServiceRequest): string | undefined {
  return convertMarkupLine(textOf(request, 'service_name') ?? '') || undefined;
}

function statusOf(request: ServiceRequest, { observer }: FormatReadOptions): string | undefined {
  const detailed = textOf(extendedAttributes(request), 'detailed_status');
  const general = textOf(request, 'status') ?? textOf(request, 'status_description');
  const words = [detailed, general].filter((word) => word !== undefined);
  const [first] = words;
  if (first === undefined) return undefined;
  const known = words.map(knownStatus);
  const status = known.find((word) => word !== undefined) ?? fallbackStatus;
  // Both words, as what the first was taken for depends on the second.
  if (known[0] === undefined) observer.onUnmappedValue?.(words.join(', ').slice(0, 200), status);
  return status;
}

const knownStatus = (word: string) => statuses.get(word.toLowerCase().replace(/[\s-]+/g, '_'));

/** Absent, empty, or in a form of its own: none. */
function extendedAttributes({ extended_attributes: value }: ServiceRequest): Record<string, unknown> {
  return isObject(value) ? value : {};
}

function votes(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,10}$/.test(text)) throw new InvalidFieldError('votes must be a whole number');
  return Number(text);
}

/** An address, a list of addresses, or objects that hold them. */
function hasMedia(value: unknown): boolean {
  const entries = [value]
    .flat()
    .flatMap((entry) => (isObject(entry) ? Object.values(entry).flat() : [entry]));
  return entries.some((entry) => typeof entry === 'string' && entry.trim() !== '');
}

/** undefined: absent or blank. @throws InvalidFieldError */
function textOf(of: Record<string, unknown>, name: string): string | undefined {
  const value = of[name] ?? '';
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') throw new InvalidFieldError(`${name} must be a text`);
  return value.trim() || undefined;
}

/** undefined: absent or blank. @throws InvalidFieldError, InvalidTimestampError */
function timeOf(of: Record<string, unknown>, name: string, timeZone: string | undefined): string | undefined {
  const text = textOf(of, name);
  return text === undefined ? undefined : parseTimestamp(name, text, timeZone);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @throws InvalidFieldError */
function missing(name: string): never {
  throw new InvalidFieldError(`${name} is missing`);
}

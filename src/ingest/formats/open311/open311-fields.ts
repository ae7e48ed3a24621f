/** Maps service requests of Open311 GeoReport v2 to submissions. */
import { InvalidFieldError, type Reason } from '../../../domain/reasons/reason.ts';
import { composePageUrl } from '../../format-options.ts';
import { splitAddresses, toDocuments } from '../../records/documents.ts';
import { isObject, parseWholeNumber, throwMissing } from '../../records/field-validation.ts';
import { convertAnswer, convertMarkup, convertMarkupLine } from '../../records/html-to-text.ts';
import { reportMapped } from '../../records/import-observer.ts';
import { readCoordinates } from '../../records/locations/read-point.ts';
import { parseSourceTime } from '../../records/plausible-dates.ts';
import { findRetractionMark, findStatusMark, isDenied } from '../../records/retraction-marks.ts';
import { findStatus } from '../custom-statuses.ts';
import type { FieldRule, FormatReadOptions } from '../format-definition.ts';

/** With the names of GeoReport v2, section "GET Service Requests". */
export type ServiceRequest = Record<string, unknown>;

/**
 * Words of `status` (GeoReport v2), `status_description` (GeoReport Bulk) and `detailed_status` (CitySDK Participation).
 * Case-insensitive.
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

/** A listed request has at least been received. */
const fallbackStatus = 'received';

export const requestRules: readonly FieldRule<ServiceRequest, FormatReadOptions>[] = [
  { field: 'id', from: '`service_request_id`', extract: getRequestId },
  { field: 'referenceNumber', from: '`service_request_id`', extract: getRequestId },
  {
    field: 'description',
    from: '`description`, unless `extended_attributes.description_public` says no, else `service_name`',
    extract: (request) =>
      convertMarkup(getPublicDescription(request)) ||
      getServiceName(request) ||
      throwMissing('a description or service_name'),
  },
  {
    field: 'topicCategoryName',
    from: '`service_name`, else the first of `keywords`',
    extract: (request, { observer }) => {
      const service = getServiceName(request);
      const topic = service ?? getFirstKeyword(request);
      const { service_name: name, keywords } = request;
      const value = String(service === undefined ? keywords : name);
      return topic && reportMapped(observer, 'topicCategoryName', value, topic);
    },
  },
  {
    field: 'priorityLevel',
    from: '`priority` in lower case; "normal" if missing',
    extract: (request) => getText(request, 'priority')?.toLowerCase(),
  },
  {
    field: 'supportCount',
    from: '`extended_attributes.votes`; 0 if missing',
    extract: (request) => {
      const votes = getText(getExtendedAttributes(request), 'votes');
      return votes && parseWholeNumber('votes', votes);
    },
  },
  {
    field: 'hasAttachments',
    from: 'any `media_url`, or `extended_attributes.media_urls`',
    extract: (request) => listPublicMedia(request).some(hasMedia),
  },
  {
    field: 'documents',
    from: 'the same addresses',
    extract: (request, options) =>
      toDocuments(
        listPublicMedia(request)
          .flatMap(listMedia)
          .map((address) => ({ kind: 'attachment', addresses: [address] })),
        options,
      ),
  },
  {
    field: 'createdAt',
    from: '`requested_datetime`',
    extract: (request, { timeZone }) =>
      parseTime(request, 'requested_datetime', timeZone) ?? throwMissing('requested_datetime'),
  },
  {
    field: 'statusChangedAt',
    from: '`updated_datetime`, else as `createdAt`',
    extract: (request, { timeZone }) => parseTime(request, 'updated_datetime', timeZone),
  },
  {
    field: 'status',
    from: '`extended_attributes.detailed_status`, else `status`, else `status_description`, mapped by a table; "received" for unknown words, "submitted" if missing',
    extract: getStatus,
  },
  {
    field: 'sourceStatus',
    from: '`extended_attributes.detailed_status`, else `status`, else `status_description`, unchanged',
    extract: (request) => convertMarkupLine(listStatusWords(request)[0] ?? ''),
  },
  {
    field: 'answer',
    from: '`status_notes`',
    extract: ({ status_notes: notes }) => (typeof notes === 'string' ? convertAnswer(notes) : undefined),
  },
  {
    field: 'location',
    from: '`lat` and `long`',
    extract: (request, options) => readCoordinates([request.lat, request.long], options),
  },
  {
    field: 'title',
    from: '`extended_attributes.title`',
    extract: (request) => {
      const { title } = getExtendedAttributes(request);
      return typeof title === 'string' ? convertMarkupLine(title) || undefined : undefined;
    },
  },
  {
    field: 'sourceUrl',
    from: '--page-url with the `service_request_id`',
    extract: (request, { formatOptions }) => composePageUrl(formatOptions, getRequestId(request)),
  },
];

/** @throws InvalidFieldError, for example for a pending request, which has a token instead */
function getRequestId(request: ServiceRequest): string {
  const { service_request_id: id, token } = request;
  if (typeof id === 'number' && !Number.isSafeInteger(id))
    throw new InvalidFieldError({ code: 'id-invalid', field: 'service_request_id', isLongNumber: true });
  const text = getText(request, 'service_request_id');
  if (text !== undefined) return text;
  if (token === undefined) throwMissing('service_request_id');
  throw new InvalidFieldError({ code: 'request-pending' });
}

/** Klarschiff marks a description that its editors have not released. */
const getPublicDescription = (request: ServiceRequest): string =>
  isDenied(getExtendedAttributes(request).description_public) ? '' : (getText(request, 'description') ?? '');

/** @returns undefined if missing or blank */
function getServiceName(request: ServiceRequest): string | undefined {
  return convertMarkupLine(getText(request, 'service_name') ?? '') || undefined;
}

/** GeoReport v2 separates the keywords of a service by commas. @returns undefined if missing or blank */
function getFirstKeyword({ keywords }: ServiceRequest): string | undefined {
  const [first] = [keywords].flat();
  const [keyword = ''] = typeof first === 'string' ? first.split(',', 1) : [];
  return convertMarkupLine(keyword) || undefined;
}

/** The one that says more comes first. */
function listStatusWords(request: ServiceRequest): string[] {
  const detailed = getText(getExtendedAttributes(request), 'detailed_status');
  const general = getText(request, 'status') ?? getText(request, 'status_description');
  return [detailed, general].filter((word) => word !== undefined);
}

function getStatus(request: ServiceRequest, { observer, formatOptions }: FormatReadOptions): string {
  const words = listStatusWords(request);
  const [first] = words;
  if (first === undefined) return reportMapped(observer, 'status', '', 'submitted');
  const known = words.map((word) => findStatus(word, statuses, formatOptions));
  const publishedAs = known.find((word) => word !== undefined) ?? fallbackStatus;
  const isUnmapped = known[0] === undefined;
  // Both words of an unknown one, because its mapping depends on the second.
  const value = isUnmapped ? words.join(', ').slice(0, 200) : first;
  observer.onMappedValue?.({ field: 'status', value, publishedAs, isUnmapped, statusWord: first });
  return publishedAs;
}

/** What these objects mark is a part of the request, such as a person who wants to stay private. */
const partNames =
  /^(?:reporter|requester|author|user|contact|person|media|photo|image|address|agency|comment)/i;

/**
 * In CSV, extended attributes are columns such as `extended_attributes.markaspot.published`.
 *
 * @returns the extended attributes and the objects in them
 */
function listAttributeObjects(request: ServiceRequest): Record<string, unknown>[] {
  // XML repeats elements, and programs write lists of objects.
  const extended = [request.extended_attributes].flat().filter(isObject);
  const ofColumns = new Map<string, Record<string, unknown>>();
  for (const [column, value] of Object.entries(request)) {
    const [first, ...names] = column.split('.');
    const last = names.pop();
    if (first !== 'extended_attributes' || last === undefined) continue;
    ofColumns.getOrInsertComputed(names.join('.'), () => ({}))[last] = value;
  }
  const objects: [string, unknown][] = [...extended.flatMap(Object.entries), ...ofColumns];
  return [
    ...extended,
    ...objects.flatMap(([name, object]) => (partNames.test(name) ? [] : [object].flat().filter(isObject))),
  ];
}

/**
 * GeoReport v2 has no private requests. Extensions of it mark them beside the other values, such as `non_public` of FixMyStreet,
 * or in the extended attributes, also in an object of the program there, such as `markaspot` of Mark-a-Spot.
 *
 * @returns why the request must not be public
 */
export function findWithheld(request: ServiceRequest, options: FormatReadOptions): Reason | undefined {
  const extended = getExtendedAttributes(request);
  const words = [extended.detailed_status, request.status, request.status_description];
  const marked = [request, ...listAttributeObjects(request)];
  const reasons = [
    ...marked.map((object) => findRetractionMark(object, options)),
    ...words.map(findStatusMark),
  ];
  return reasons.find((reason) => reason !== undefined);
}

/** @returns when the request changed last; undefined for a missing or invalid time */
export function findUpdate(request: ServiceRequest, { timeZone }: FormatReadOptions): string | undefined {
  try {
    return parseTime(request, 'updated_datetime', timeZone);
  } catch (error) {
    if (error instanceof InvalidFieldError) return undefined;
    throw error;
  }
}

const getExtendedAttributes = ({ extended_attributes: value }: ServiceRequest) =>
  isObject(value) ? value : {};

/** Words of programs for a missing address. */
const noMedia = /^(?:null|none|nil|nan|undefined|false|n\/?a|-+)?$/i;

/** @param value a URL, or URLs in lists and objects */
function hasMedia(value: unknown): boolean {
  const entries = [value].flat().flatMap(listMembers);
  return entries.some((entry) => typeof entry === 'string' && !noMedia.test(entry.trim()));
}

const mediaNames = /^(?:media|photo|image|picture)/i;

/** None, if an object of the pictures, such as `photo` in the extended attributes, says that they are hidden. */
function listPublicMedia(request: ServiceRequest): unknown[] {
  const extended = getExtendedAttributes(request);
  const isWithheld = Object.entries(extended).some(
    ([name, objects]) =>
      mediaNames.test(name) && [objects].flat().some((object) => findRetractionMark(object) !== undefined),
  );
  return isWithheld
    ? []
    : [request.media_url, extended.media_urls]
        .flat()
        .filter((entry) => !isObject(entry) || findRetractionMark(entry) === undefined);
}

const listMembers = (entry: unknown): unknown[] => (isObject(entry) ? Object.values(entry).flat() : [entry]);

/** @returns the addresses; one of an object, whose others are those of smaller pictures */
function listMedia(value: unknown): string[] {
  return [value].flat().flatMap((entry) => {
    const given = isObject(entry) ? [entry.url, entry.media_url, ...listMembers(entry)] : [entry];
    const [first = ''] = given.filter((each) => typeof each === 'string' && !noMedia.test(each.trim()));
    return splitAddresses(first as string);
  });
}

/** @returns undefined if missing or blank @throws InvalidFieldError */
function getText(object: Record<string, unknown>, name: string): string | undefined {
  const value = object[name] ?? '';
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') throw new InvalidFieldError({ code: 'not-text', field: name });
  return value.trim() || undefined;
}

/** @returns undefined if missing or blank @throws InvalidFieldError */
function parseTime(object: Record<string, unknown>, name: string, timeZone: string): string | undefined {
  const text = getText(object, name);
  return text === undefined ? undefined : parseSourceTime(name, text, timeZone);
}

/** Open311 GeoReport v2 and GeoReport Bulk: service requests as JSON, XML or CSV, detected by their beginning. */

import { InputError } from '../../input-error.ts';
import type { InputFile } from '../../readers/input-files.ts';
import { readJson } from '../../readers/json/json.ts';
import type { ParsedJsonValue } from '../../readers/json/json-entries.ts';
import { type Input, openInput } from '../../readers/open-input.ts';
import { readTable } from '../../readers/tables/table.ts';
import { readXml } from '../../readers/xml.ts';
import { isObject, requireObject } from '../../records/field-validation.ts';
import { leaveOutInvalidFields } from '../../records/leave-out-invalid-fields.ts';
import { parseMappedRecord, toImportRecord, toRetraction } from '../../records/parse-record.ts';
import { parseStatuses } from '../custom-statuses.ts';
import {
  applyRules,
  createLeftOutFinder,
  type FormatReader,
  type FormatReadOptions,
} from '../format-definition.ts';
import { type DatedEntry, keepNewestStates } from '../keep-newest-states.ts';
import { findUpdate, findWithheld, requestRules, type ServiceRequest } from './open311-fields.ts';
import { idName, roots } from './open311-format.ts';

const findLeftOutColumns = createLeftOutFinder(requestRules);

export const reader: FormatReader = {
  listMappings: () => [{ kind: 'submission', fieldSources: requestRules }],
  fileParsers: { statuses: parseStatuses },
  readRecords: (sources, options) => keepNewestStates(readOpen311(sources, options)),
};

/** Extended attributes of JSON and XML are in an object. */
function listLeftOut({ extended_attributes: extended, ...request }: ServiceRequest): string[] {
  const names = isObject(extended) ? Object.keys(extended) : [];
  return [
    ...findLeftOutColumns(Object.keys(request)),
    ...names.filter((name) => !nested.includes(name)).map((name) => `extended_attributes.${name}`),
  ];
}

async function* readOpen311(
  sources: readonly InputFile[],
  options: FormatReadOptions,
): AsyncGenerator<DatedEntry> {
  for (const source of sources) {
    await using input = await openInput(source, options);
    for await (const entry of readRequests(input)) yield parseRequest(entry, options);
  }
}

function readRequests(input: Input): AsyncIterable<ParsedJsonValue> {
  const { name } = input;
  switch (input.kind) {
    case 'xml':
      return readXml(name, input.content, 'request', (root) => {
        if (!roots.includes(root))
          throw new InputError({ code: 'open311-root-unknown', file: name, root: root.slice(0, 60) });
      });
    case 'json':
      return readLists(name, input.content);
    default:
      return readRows(input);
  }
}

/** Names of wrappers around the list, from the outermost. */
const wrappers = ['service_requests', 'requests', 'request'];
const lists = ['service_requests', 'requests', 'service_requests.request', 'requests.request'];

async function* readLists(name: string, content: AsyncGenerator<Buffer>): AsyncGenerator<ParsedJsonValue> {
  for await (const { location, value, problem } of readJson(name, content, lists)) {
    if (problem !== undefined) yield { location, problem };
    else {
      const unwrapped = wrappers.reduce(
        (entries, wrapper) => entries.flatMap(createUnwrapper(wrapper)),
        [value],
      );
      const isList = unwrapped.length !== 1 && location.entry === undefined;
      for (const [index, request] of unwrapped.entries())
        yield { location: isList ? { ...location, entry: index + 1 } : location, value: request };
    }
  }
}

/** Replaces a wrapper by its entries. Requests are unchanged. */
function createUnwrapper(wrapper: string): (value: unknown) => unknown[] {
  return (value) => {
    const object = (value ?? {}) as Record<string, unknown>;
    const inner = object[idName] === undefined ? object[wrapper] : undefined;
    return inner === undefined ? [value] : [inner].flat();
  };
}

/** Extended attributes have columns in a table, with or without the prefix `extended_attributes.`. */
const nested = ['detailed_status', 'votes', 'media_urls', 'title', 'description_public'];

async function* readRows(input: Input): AsyncGenerator<ParsedJsonValue> {
  const { name } = input;
  const rows = readTable(input, {}, (columns) => {
    if (!columns?.includes(idName))
      throw new InputError({ code: 'open311-column-missing', file: name, column: idName });
  });
  for await (const { location, cells, problem } of rows) {
    if (cells === undefined) yield { location, problem };
    else {
      const extended = nested.map((column) => [
        column,
        cells[`extended_attributes.${column}`] ?? cells[column],
      ]);
      yield { location, value: { ...cells, extended_attributes: Object.fromEntries(extended) } };
    }
  }
}

function parseRequest({ location, value, problem }: ParsedJsonValue, options: FormatReadOptions): DatedEntry {
  if (problem !== undefined) return { parsed: { location, rejectionReason: problem }, updatedAt: undefined };
  const request: ServiceRequest = isObject(value) ? value : {};
  const { [idName]: id } = request;
  const because = findWithheld(request, options);
  const parsed =
    because === undefined
      ? parseMappedRecord(location, id, options, (held) => {
          const fields = applyRules(requestRules, requireObject(value, 'serviceRequest'), held);
          return toImportRecord(
            'submission',
            leaveOutInvalidFields('submission', fields, held.observer),
            held,
          );
        })
      : toRetraction(location, 'submission', typeof id === 'string' ? id.trim() : id, because, options);
  options.observer.onLeftOutColumns?.(listLeftOut(request));
  return { parsed, updatedAt: findUpdate(request, options) };
}

/** From the address of a page that a person copies to the records: the system, and one of several tables. */

import type { Reason } from '../../../domain/reasons/reason.ts';
import type { FoundAddress, SheetChoice } from '../../../domain/runs/run-queue.ts';
import { portalDenials } from '../../../domain/sources/portal-key-encryption.ts';
import { InputError } from '../../input-error.ts';
import type { Collection, Preset } from '../../presets/preset.ts';
import { type PresetName, presetNames, presets } from '../../presets/presets.ts';
import { findCollection, findRequest, resolveAddress } from '../../presets/resolve-address.ts';
import { numberRepeatedNames } from '../../readers/repeated-column-names.ts';
import type { HttpClient } from '../http-client.ts';
import { explainDenial } from '../portal-credential.ts';
import { createRecordSource } from './fetch-records.ts';

/** Reasons of a system that has the address, but does not return records. */
const answersOfSystem: readonly string[] = [
  'address-refuses',
  'live-source-refuses',
  'live-source-ambiguous',
  'live-source-without-lists',
];

type Place = Omit<FoundAddress, 'total'>;

interface Search {
  /** undefined: the one that has the address and answers. */
  system: PresetName | undefined;
  /** Name of the table that the user has chosen. */
  chosen: string | undefined;
  /** Of the portal. */
  key: string | undefined;
  createClient: (preset: Preset) => HttpClient;
}

/** An address that no system needs. It may still be that of a system, which `denial` says. */
interface PlaceOfFile extends Place {
  denial?: Reason | undefined;
}

/**
 * @returns the tables to choose from if there are several
 * @throws InputError if the system answers with an error, or not as the chosen one would
 */
export async function resolvePastedAddress(address: URL, search: Search): Promise<PlaceOfFile | SheetChoice> {
  const { system } = search;
  if (system !== undefined) return locateInSystem(system, address, search);
  let denial: Reason | undefined;
  for (const name of listCandidates(address)) {
    try {
      return await locateInSystem(name, address, search);
    } catch (error) {
      if (!(error instanceof InputError) || answersOfSystem.includes(error.reason.code)) throw error;
      // Servers of other systems also deny access to what does not exist.
      if (portalDenials.includes(error.reason.code)) denial ??= error.reason;
    }
  }
  return { system: null, url: address.href, denial };
}

/** Addresses of pages with several tables are the least specific. */
function listCandidates(address: URL): PresetName[] {
  const ofOne = presetNames.filter((name) => findRequest(presets[name], address) !== undefined);
  const ofSeveral = presetNames.filter((name) => findCollection(presets[name], address) !== undefined);
  return [...new Set([...ofOne, ...ofSeveral])];
}

async function locateInSystem(
  system: PresetName,
  address: URL,
  { chosen, key, createClient }: Search,
): Promise<Place | SheetChoice> {
  const preset = presets[system];
  try {
    return await askSystem(system, address, chosen, createClient(preset));
  } catch (error) {
    throw explainDenial(error, preset, address, key);
  }
}

async function askSystem(
  system: PresetName,
  address: URL,
  chosen: string | undefined,
  client: HttpClient,
): Promise<Place | SheetChoice> {
  const preset: Preset = presets[system];
  const found = findCollection(preset, address);
  if (found === undefined) return assertAnswer(system, resolveAddress(preset, address), client);
  const listed = await createRecordSource(preset, found.request, client).listTables(found.collection.lists);
  const tables = nameTables(listed.flatMap((table) => readTable(table, found)));
  const names = tables.map(({ name }) => name);
  const table = tables.find(({ name }) => name === chosen) ?? (names.length === 1 ? tables[0] : undefined);
  if (names.length === 0) throw new InputError({ code: 'live-collection-empty', url: address.href });
  if (table === undefined) return { kind: 'table', names, missing: null, chosen: null };
  const place = table.isFile
    ? { system: null, url: table.url.href }
    : await assertAnswer(system, table.url, client);
  return { ...place, table: table.name };
}

/** @throws InputError if the address is not that of the system */
async function assertAnswer(system: PresetName, url: URL, client: HttpClient): Promise<Place> {
  await createRecordSource(presets[system], url, client).assertSystem();
  return { system, url: url.href };
}

interface Table {
  name: string;
  url: URL;
  isFile: boolean;
}

/** Of a longer list, people find a table on its own page. */
const maxTables = 500;

const maxNameLength = 200;

function readTable(
  table: Record<string, unknown>,
  { collection, composeTableRequest }: NonNullable<ReturnType<typeof findCollection>>,
): Table[] {
  const { id, name, file }: Collection = collection;
  const key = toText(table[id]);
  if (key === '') return [];
  const isFile = file !== undefined && table[file.unless] !== true;
  const url = isFile ? URL.parse(toText(table[file.url])) : composeTableRequest(key);
  if (url === null || (isFile && url.protocol !== 'https:')) return [];
  return [{ name: (toText(table[name]) || key).slice(0, maxNameLength), url, isFile }];
}

const toText = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Tables of a dataset often have the same name, such as that of their format. */
function nameTables(tables: readonly Table[]): Table[] {
  const shown = tables.slice(0, maxTables);
  const names = numberRepeatedNames(shown.map(({ name }) => name));
  return shown.map((table, index) => ({ ...table, name: names[index] as string }));
}

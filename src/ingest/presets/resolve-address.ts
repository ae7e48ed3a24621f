/** From the address that a person copies to that of the requests. */
import { InputError } from '../input-error.ts';
import type { Collection, Groups, Preset } from './preset.ts';

type Request = Pick<Preset['addresses'][number], 'request' | 'parameters'>;

/** A group that the address lacks leaves no empty part of the path. */
export const fillTemplate = (template: string, groups: Groups): string =>
  template.replace(/:([a-z]+)/g, (_, name: string) => groups[name] ?? '').replaceAll(/\/{2,}/g, '/');

const matchPath = (path: string, { pathname }: URL): Groups | undefined =>
  new URLPattern({ pathname: path }).exec({ pathname })?.pathname.groups;

/** @returns the groups of the first pattern that matches */
export function readGroups({ addresses }: Preset, address: URL): Groups {
  return addresses.map(({ path }) => matchPath(path, address)).find((groups) => groups !== undefined) ?? {};
}

/** @param address of which the template may have parts, and the query is kept */
function composeRequest({ request, parameters = {} }: Request, groups: Groups, address: URL): URL {
  const url = new URL(fillTemplate(request, groups), address);
  url.search = address.search;
  for (const [name, value] of Object.entries(parameters))
    url.searchParams.set(name, fillTemplate(value, groups));
  return url;
}

function withoutQuery(address: URL): URL {
  const bare = new URL(address);
  bare.search = '';
  return bare;
}

function listKeyParameters(key: Preset['key']): string[] {
  const name = key && ('parameter' in key ? key.parameter : key.inAddress);
  return name === undefined ? [] : [name];
}

/** @returns the name of a parameter of the address that is a key of the system */
export function findKeyParameter(preset: Preset, address: URL): string | undefined {
  if ((findRequest(preset, address) ?? findCollection(preset, address)) === undefined) return undefined;
  return listKeyParameters(preset.key).find((name) => address.searchParams.has(name));
}

/** @returns as `resolveAddress`, or undefined for an address that the preset does not know */
export function findRequest({ addresses, ignored = [], key }: Preset, address: URL): URL | undefined {
  // Addresses are stored and shown.
  const secrets = listKeyParameters(key);
  for (const { path, isApi, ...request } of addresses) {
    const groups = matchPath(path, address);
    if (groups === undefined) continue;
    const kept = isApi ? new URL(address) : withoutQuery(address);
    for (const name of [...ignored, ...secrets]) kept.searchParams.delete(name);
    return composeRequest(request, groups, kept);
  }
  return undefined;
}

/**
 * @returns the address of requests, which can have parameters of its own, such as a filter
 * @throws InputError for an address that the preset does not know
 */
export function resolveAddress(preset: Preset, address: URL): URL {
  const resolved = findRequest(preset, address);
  if (resolved !== undefined) return resolved;
  throw new InputError({ code: 'live-address-unknown', system: preset.title, url: address.href });
}

interface FoundCollection {
  collection: Collection;
  /** The request that lists the tables. */
  request: URL;
  composeTableRequest(id: string): URL;
}

/** @returns undefined for an address that is no page of several tables */
export function findCollection({ collection }: Preset, address: URL): FoundCollection | undefined {
  const groups = collection && matchPath(collection.path, address);
  if (collection === undefined || groups === undefined) return undefined;
  return {
    collection,
    request: composeRequest(collection, groups, withoutQuery(address)),
    composeTableRequest: (table) =>
      composeRequest(collection.ofTable, { ...groups, table }, withoutQuery(address)),
  };
}

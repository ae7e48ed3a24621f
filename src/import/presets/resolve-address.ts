/** From the address that a person copies to that of the requests. */
import { InputError } from '../input-error.ts';
import type { Groups, Preset } from './preset.ts';

/** A group that the address lacks leaves no empty part of the path. */
export const fillTemplate = (template: string, groups: Groups): string =>
  template.replace(/:([a-z]+)/g, (_, name: string) => groups[name] ?? '').replaceAll(/\/{2,}/g, '/');

const matchPath = (path: string, { pathname }: URL): Groups | undefined =>
  new URLPattern({ pathname: path }).exec({ pathname })?.pathname.groups;

/** @returns the groups of the first pattern that matches */
export function readGroups({ addresses }: Preset, address: URL): Groups {
  return addresses.map(({ path }) => matchPath(path, address)).find((groups) => groups !== undefined) ?? {};
}

/**
 * @returns the address of requests, which can have parameters of its own, such as a filter
 * @throws InputError for an address that the preset does not know
 */
export function resolveAddress({ addresses, ignored = [], title }: Preset, address: URL): URL {
  for (const { path, request, parameters = {}, isApi } of addresses) {
    const groups = matchPath(path, address);
    if (groups === undefined) continue;
    const resolved = new URL(fillTemplate(request, groups), address);
    if (isApi) resolved.search = address.search;
    for (const name of ignored) resolved.searchParams.delete(name);
    for (const [name, value] of Object.entries(parameters))
      resolved.searchParams.set(name, fillTemplate(value, groups));
    return resolved;
  }
  throw new InputError({ code: 'live-address-unknown', system: title, url: address.href });
}

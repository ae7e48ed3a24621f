/** From the address that a person copies to that of the requests. */
import { InputError } from '../input-error.ts';
import type { Preset } from './preset.ts';

type Groups = Readonly<Record<string, string | undefined>>;

/** A group that the address lacks leaves no empty part of the path. */
const fill = (template: string, groups: Groups): string =>
  template.replace(/:([a-z]+)/g, (_, name: string) => groups[name] ?? '').replaceAll(/\/{2,}/g, '/');

/**
 * @returns the address of requests, which can have parameters of its own, such as a filter
 * @throws InputError for an address that the preset does not know
 */
export function resolveAddress({ addresses, ignored = [], title }: Preset, address: URL): URL {
  for (const { path, request, parameters = {}, isApi } of addresses) {
    const groups = new URLPattern({ pathname: path }).exec({ pathname: address.pathname })?.pathname.groups;
    if (groups === undefined) continue;
    const resolved = new URL(fill(request, groups), address);
    if (isApi) resolved.search = address.search;
    for (const name of ignored) resolved.searchParams.delete(name);
    for (const [name, value] of Object.entries(parameters))
      resolved.searchParams.set(name, fill(value, groups));
    return resolved;
  }
  throw new InputError({ code: 'live-address-unknown', system: title, url: address.href });
}

/** Serves the logos of municipalities to the pages: the API may have another origin, which the pages do not trust. */
import type { FastifyInstance } from 'fastify';
import { parseLogoFileName } from '../../domain/organizations/logo.ts';
import type { Logo } from '../../domain/organizations/organization.ts';
import type { Store } from '../../domain/store.ts';
import { immutableCacheControl, publicImageHeaders } from '../../platform/http/static-files.ts';
import { notFound } from './requests/response-types.ts';

const basePath = '/admin/logos/';

/** The path of a logo in the admin area. */
export const logoPath = ({ url }: Logo): string => basePath + url.slice(url.lastIndexOf('/') + 1);

/** Public like the API's own address of the logo. */
export function registerLogos(app: FastifyInstance, store: Store): void {
  app.get(`${basePath}:file`, async (request, reply) => {
    const name = parseLogoFileName((request.params as { file: string }).file);
    const content = name && (await store.findLogo(name.digest, name.mediaType));
    if (content === undefined) throw notFound();
    return reply
      .headers({ ...publicImageHeaders, 'cache-control': immutableCacheControl })
      .type(name?.mediaType ?? '')
      .send(content);
  });
}

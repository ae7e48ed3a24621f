/** The documents with which programs find the data and the API: catalogues of each municipality and of the installation. */
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { parseSlug } from '../../../domain/organizations/open-data.ts';
import type { OpenDataOrganization } from '../../../domain/organizations/organization.ts';
import type { PublishedDataset } from '../../../domain/records/published-dataset.ts';
import type { Store } from '../../../domain/store.ts';
import { mapInSlices } from '../../../platform/time-slices.ts';
import type { OpenFile } from '../open-files.ts';
import {
  composeTextResponse,
  createBodyCache,
  type OpenDataResponse,
  PublicUrlMissingError,
} from '../responses.ts';
import { apiCatalogPath, createApiCatalog } from './api-catalog.ts';
import { type CatalogContext, describeInstallation, describeMunicipality } from './dcat-catalog.ts';
import { type Resource, rdfSyntaxes } from './rdf.ts';

/** Municipalities of a page. Each has up to three datasets. */
const pageSize = 25;

/** Pages of the catalogue of the installation stay in memory up to this size: each has about 0.5 MB as Turtle. */
const maxCachedBytes = 8_000_000;

/** By the name of the file. */
const syntaxes = new Map(
  Object.entries(rdfSyntaxes).map(([extension, syntax]) => [`catalog.${extension}`, syntax]),
);

const toContentType = (mediaType: string) => `${mediaType}; charset=utf-8`;

export interface CatalogOptions extends Pick<CatalogContext, 'language'> {
  /** undefined: unknown, so there are no catalogues. */
  publicUrl: string | undefined;
  openPath: string;
  /** Part of each tag. */
  formatVersion: string;
}

export function createCatalogs(
  store: Pick<Store, 'listOpenData'>,
  { publicUrl, language, openPath, formatVersion }: CatalogOptions,
) {
  const cache = createBodyCache(maxCachedBytes);
  const requireContext = (): CatalogContext => {
    if (publicUrl === undefined) throw new PublicUrlMissingError();
    return { publicUrl, language };
  };
  const describe = (organization: OpenDataOrganization, context: CatalogContext) =>
    describeMunicipality(organization, context.publicUrl + openPath + organization.slug, context);

  async function* writeCatalog(
    write: (resources: readonly Resource[]) => Promise<string>,
    { organization, slug, language: own, readLicenses, readExtent }: PublishedDataset,
  ): AsyncGenerator<string> {
    const licenses = await readLicenses();
    const extent = await readExtent();
    const described = { ...JSON.parse(organization), slug, language: own, licenses, extent };
    yield write(describe(described, requireContext()));
  }

  /** @param after the last slug of the page before */
  async function readPage(name: string, after: string | undefined, { publicUrl }: CatalogContext) {
    const found = await store.listOpenData(after ?? '', pageSize + 1);
    const municipalities = found.slice(0, pageSize);
    const last = found.length > pageSize ? municipalities.at(-1)?.slug : undefined;
    const first = publicUrl + openPath + name;
    const locate = (slug: string | undefined) => (slug === undefined ? first : `${first}?after=${slug}`);
    return { municipalities, links: { address: locate(after), first, next: last && locate(last) } };
  }

  return {
    /** Of a municipality, by the name at the end of the address. */
    files: [...syntaxes].map(([name, { mediaType, write }]): [string, OpenFile] => [
      name,
      {
        contentType: toContentType(mediaType),
        needsPublicUrl: true,
        describesExtent: true,
        read: (dataset) => Readable.from(writeCatalog(write, dataset)),
      },
    ]),

    /** @returns the header of the other files of a municipality, which leads to its catalogue */
    composeLinkHeader: (slug: string): string[] => {
      if (publicUrl === undefined) return [];
      const links = [...syntaxes].map(
        ([name, { mediaType }]) => `<${openPath}${slug}/${name}>; rel="describedby"; type="${mediaType}"`,
      );
      return ['link', links.join(', ')];
    },

    /** Of the catalogues of the installation. */
    names: [...syntaxes.keys()],

    /** A page of the catalogue of the installation. @returns undefined for an unknown name or an invalid position */
    respond: async (
      name: string,
      query: string,
      headers: IncomingHttpHeaders,
    ): Promise<OpenDataResponse | undefined> => {
      const syntax = syntaxes.get(name);
      const after = new URLSearchParams(query).get('after') ?? undefined;
      if (syntax === undefined || (after !== undefined && parseSlug(after) !== after)) return undefined;
      const context = requireContext();
      const { municipalities, links } = await readPage(name, after, context);
      const dependencies = JSON.stringify([formatVersion, links, municipalities]);
      return composeTextResponse(
        { headers, dependencies },
        toContentType(syntax.mediaType),
        cache,
        async () => {
          const described = await mapInSlices(municipalities, (municipality) =>
            describe(municipality, context),
          );
          return syntax.write(describeInstallation(described, links, context));
        },
      );
    },

    respondWithApiCatalog: async (headers: IncomingHttpHeaders): Promise<OpenDataResponse> => {
      const { publicUrl } = requireContext();
      const catalogs = [...syntaxes].map(([name, { mediaType }]) => ({
        href: publicUrl + openPath + name,
        type: mediaType,
      }));
      const dependencies = JSON.stringify(createApiCatalog(publicUrl, catalogs), null, 2);
      const response = await composeTextResponse(
        { headers, dependencies },
        linksetType,
        cache,
        async () => dependencies,
      );
      const link = `<${publicUrl}${apiCatalogPath}>; rel="api-catalog"`;
      return { ...response, headers: [...response.headers, 'link', link] };
    },
  };
}

/** RFC 9727, section 4.2 */
const linksetType = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

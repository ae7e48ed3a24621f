/** The API of this installation: for catalogues, and as the document of RFC 9727. */
import { basePath, openapiPath, operations } from '../../../contract/operations.ts';

export const apiCatalogPath = '/.well-known/api-catalog';

/** Addresses of the API. */
export const locateApi = (publicUrl: string) => ({
  endpoint: publicUrl + basePath,
  openapi: publicUrl + basePath + openapiPath,
  documentation: `${publicUrl}/docs`,
  status: publicUrl + basePath + operations.getHealth.path,
});

interface Link {
  href: string;
  type: string;
}

/** A set of links (RFC 9264). @param catalogs of the open data of the installation */
export function createApiCatalog(publicUrl: string, catalogs: readonly Link[]): object {
  const { endpoint, openapi, documentation, status } = locateApi(publicUrl);
  return {
    linkset: [
      { anchor: publicUrl + apiCatalogPath, item: [{ href: endpoint }] },
      {
        anchor: endpoint,
        'service-desc': [{ href: openapi, type: 'application/json' }],
        'service-doc': [{ href: documentation, type: 'text/html' }],
        'service-meta': catalogs,
        status: [{ href: status, type: 'application/json' }],
      },
    ],
  };
}

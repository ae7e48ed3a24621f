/** Pages of the operator that every footer links to; undefined: no link. */
export interface FooterUrls {
  imprint: string | undefined;
  privacy: string | undefined;
  accessibility: string | undefined;
}

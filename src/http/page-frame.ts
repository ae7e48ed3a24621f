/**
 * @param name file in `assets/`, which pages of the admin area and of the documentation share
 * @returns the name of the asset
 */
export const findPageFrameFile = (name: string): string => `src/http/assets/${name}`;

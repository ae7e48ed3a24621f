import { fileURLToPath } from 'node:url';

/** @param name file in `assets/`, which pages of the admin area and of the documentation share */
export const findPageFrameFile = (name: string): string =>
  fileURLToPath(new URL(`./assets/${name}`, import.meta.url));

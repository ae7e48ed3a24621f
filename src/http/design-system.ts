/** Files of KERN, the design system of the German administration. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The published package contains copies of the required files; a checkout has the package of the design system. */
const packagedFolder = fileURLToPath(new URL('./kern/', import.meta.url));
const folder = existsSync(packagedFolder)
  ? packagedFolder
  : join(dirname(createRequire(import.meta.url).resolve('@kern-ux/native/package.json')), 'dist');

/** @param name path in the package's folder `dist` */
export const findDesignSystemFile = (name: string): string => join(folder, name);

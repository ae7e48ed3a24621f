import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { checkout } from './package-folder.ts';

const { maintenance } = parse(readFileSync(join(checkout, 'publiccode.yml'), 'utf8'));

/** The contact in publiccode.yml, which packages and SBOMs name, too. */
export const maintainers: { name: string; email: string } = maintenance.contacts[0];

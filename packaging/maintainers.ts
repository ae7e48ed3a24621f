import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { checkout } from './package-folder.ts';

/** The contact in publiccode.yml, which packages and SBOMs name, too. */
export const [maintainers] = parse(readFileSync(join(checkout, 'publiccode.yml'), 'utf8')).maintenance
  .contacts as [{ name: string; email: string }];

/** Imports tables through a mapping file. */
import assert from 'node:assert/strict';
import type { Municipality } from '../support/cli-workspace.ts';
import type { ImportHarness, ImportResult } from '../support/import-harness.ts';

/** A minimal mapping for a table with the columns nr, text and date. */
export const minimalMapping = 'submission:\n  id: nr\n  description: text\n  createdAt: date\n';

export interface TableImporter {
  /** @returns the path of a file with this mapping */
  writeMapping(text: string): string;
  /** Imports a content, or files, as x.csv. */
  importTable(
    town: Municipality,
    content: string | Buffer | string[],
    mapping: string,
    flags?: string[],
  ): Promise<ImportResult>;
  findSubmission(town: Municipality, description: string): Promise<Record<string, unknown>>;
}

export function createTableImporter(harness: ImportHarness): TableImporter {
  let files = 0;
  const writeMapping = (text: string) => {
    files += 1;
    return harness.workspace.writeFile(`mapping-${files}.yaml`, text);
  };
  return {
    writeMapping,
    importTable: (town, content, mapping, flags = []) =>
      harness.importContent(town, content, {
        format: 'table',
        name: 'x.csv',
        flags: ['--mapping', writeMapping(mapping), ...flags],
      }),
    findSubmission: async (town, description) => {
      const found = (await harness.listAll(town, '/submissions')).find(
        (row) => row.description === description,
      );
      assert.ok(found, `"${description}" is published`);
      return found;
    },
  };
}

/** Imports tables through a mapping file. */
import assert from 'node:assert/strict';
import type { Municipality } from '../support/cli-workspace.ts';
import type { ImportHarness, ImportResult } from '../support/import-harness.ts';

/** A minimal mapping for a table with the columns nr, text and date. */
export const simple = 'submission:\n  id: nr\n  description: text\n  createdAt: date\n';

export interface MappedTables {
  /** @returns the path of a file with this mapping */
  mappingFile(text: string): string;
  /** Imports a content, or files, as x.csv. */
  take(
    town: Municipality,
    content: string | Buffer | string[],
    mapping: string,
    flags?: string[],
  ): Promise<ImportResult>;
  published(town: Municipality, description: string): Promise<Record<string, unknown>>;
}

export function mappedTables(harness: ImportHarness): MappedTables {
  let files = 0;
  const mappingFile = (text: string) => {
    files += 1;
    return harness.workspace.file(`mapping-${files}.yaml`, text);
  };
  return {
    mappingFile,
    take: (town, content, mapping, flags = []) =>
      harness.importContent(town, content, {
        format: 'csv',
        name: 'x.csv',
        flags: ['--mapping', mappingFile(mapping), ...flags],
      }),
    published: async (town, description) => {
      const found = (await harness.listAll(town, '/submissions')).find(
        (row) => row.description === description,
      );
      assert.ok(found, `"${description}" is published`);
      return found;
    },
  };
}

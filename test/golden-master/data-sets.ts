/** The imports that are recorded. The real data is not part of the project. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { checkout } from '../support/checkout.ts';
import type { Scope } from '../support/files.ts';
import { startOparlServer } from '../support/oparl-server.ts';

export interface DataSet {
  name: string;
  /** Id of the municipality, of no version of random or derived ids. */
  organizationId: string;
  /** Folder of the real data; undefined for a data set that needs none. */
  folder?: string;
  /** Arguments of `rostra` without those of the municipality, the database and the report. */
  /** @param run runs a command for the municipality */
  createImport(data: string, scope: Scope, run: (...args: string[]) => Promise<unknown>): Promise<string[]>;
}

const listTables = (folder: string, extension: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(extension))
    .sort()
    .map((name) => join(folder, name));

const karlsruheFiles = ['papers.ndjson.gz', 'meetings.ndjson.gz', 'organizations.json', 'consultations.json'];

const getExample = (name: string) => join(checkout, 'examples', name);

export const dataSets: readonly DataSet[] = [
  {
    name: 'karlsruhe',
    organizationId: '00000000-0000-8000-8000-000000000001',
    folder: 'oparl-karlsruhe',
    createImport: async (data) => ['import', 'oparl', ...karlsruheFiles.map((name) => join(data, name))],
  },
  {
    name: 'karlsruhe-endpoint',
    organizationId: '00000000-0000-8000-8000-000000000002',
    folder: 'oparl-karlsruhe',
    createImport: async (data, scope, run) => {
      const server = await startOparlServer(scope);
      server.etags = true;
      const [paper, meeting, organization, consultation] = karlsruheFiles.map((name) => {
        const bytes = readFileSync(join(data, name));
        if (name.endsWith('.json')) return JSON.parse(bytes.toString());
        return gunzipSync(bytes)
          .toString()
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line));
      });
      server.lists = { paper, meeting, organization, consultation };
      await run(
        ...['source', 'add', 'Endpoint', '--format', 'oparl', '--url', server.systemUrl],
        ...['--pause', '1', '--accept', 'plate,address'],
      );
      return ['source', 'run', 'Endpoint'];
    },
  },
  {
    name: 'new-york',
    organizationId: '00000000-0000-8000-8000-000000000003',
    folder: 'nyc-participatory-budgeting',
    createImport: async (data) => [
      'import',
      'table',
      ...listTables(data, '.csv'),
      '--mapping',
      getExample('new-york-participatory-budgeting.yaml'),
    ],
  },
  {
    name: 'basel',
    organizationId: '00000000-0000-8000-8000-000000000004',
    folder: 'basel-befragungen',
    createImport: async (data) => [
      'import',
      'survey-table',
      ...listTables(join(data, 'tsv'), '.tsv'),
      '--metadata',
      join(data, 'metadata.json'),
      '--total-from-rows',
    ],
  },
  {
    name: 'council-meetings',
    organizationId: '00000000-0000-8000-8000-000000000005',
    createImport: async () => [
      'import',
      'table',
      ...['sitzungen', 'tagesordnung', 'vorlagen'].map((part) =>
        getExample(`tables/council-meetings-${part}.csv`),
      ),
      '--mapping',
      getExample('council-meetings.yaml'),
    ],
  },
];

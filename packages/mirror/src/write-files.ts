/** Writes the files of a mirror in the formats CSV and NDJSON, and both with the locations as GeoJSON. */
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createCsvStream } from '../../../src/contract/dataset/csv.ts';
import { createDataPackage } from '../../../src/contract/dataset/data-package.ts';
import { composeFeatures, geoJsonName } from '../../../src/contract/dataset/geojson.ts';
import { createObject, type Kind } from '../../../src/contract/dataset/rows.ts';
import {
  dataPackageName,
  organizationTable,
  tables,
  tablesByKind,
  toCsvName,
} from '../../../src/contract/dataset/tables.ts';
import { unflattenOrganization } from '../../../src/contract/resources/organization.ts';
import type { Organization } from '../../client/src/contract-types.ts';
import type { MirrorDatabase } from './mirror-database.ts';

export async function writeCsvFiles(database: MirrorDatabase, folder: string): Promise<void> {
  for (const table of tables) {
    await pipeline(
      Readable.from(database.listRows(table)),
      createCsvStream(table),
      createFile(join(folder, toCsvName(table))),
    );
  }
  await writeLocations(database, folder);
  const description = createDataPackage(findOrganization(database), tables);
  await writeFile(join(folder, dataPackageName), formatJson(description), { flush: true });
}

export async function writeNdjsonFiles(database: MirrorDatabase, folder: string): Promise<void> {
  for (const kind of Object.keys(tablesByKind) as Kind[]) {
    const [table] = tablesByKind[kind];
    await pipeline(
      Readable.from(listLines(database, kind)),
      createFile(join(folder, `${table.name}.ndjson`)),
    );
  }
  await writeLocations(database, folder);
  const organization = findOrganization(database) ?? null;
  await writeFile(join(folder, 'organization.json'), formatJson(organization), { flush: true });
}

const writeLocations = (database: MirrorDatabase, folder: string) =>
  pipeline(
    Readable.from(composeFeatures(database.listRows(tablesByKind.submission[0]))),
    createFile(join(folder, geoJsonName)),
  );

function findOrganization(database: MirrorDatabase): Organization | undefined {
  const [row] = database.listRows(organizationTable);
  return row && (unflattenOrganization(row) as unknown as Organization);
}

function* listLines(database: MirrorDatabase, kind: Kind): Generator<string> {
  for (const row of database.listRows(tablesByKind[kind][0]))
    yield `${JSON.stringify(createObject(kind, row, database.findRows))}\n`;
}

/** The file is on the disk when the stream has ended. */
const createFile = (path: string) => createWriteStream(path, { flush: true });

const formatJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

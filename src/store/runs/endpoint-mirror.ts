import type { EndpointMirrorStore, MirroredObject } from '../../domain/sources/endpoint-mirror.ts';
import type { SourceReference } from '../../domain/sources/import-source.ts';
import { createTenantReader, type Engine, type Queryable } from '../engine.ts';
import { deriveSourceId } from './import-sources.ts';
import { assertLease } from './run-history.ts';

const batchSize = 500;

/** Only OParl has endpoints. */
const getId = ({ name }: SourceReference) => deriveSourceId({ format: 'oparl', name });

/** Keeps the objects of OParl endpoints in the database between runs of their sources. */
export function createEndpointMirrorStore(engine: Engine): EndpointMirrorStore {
  const { query } = createTenantReader(engine);
  return {
    readMirror: async function* (source) {
      for (let after = ''; ; ) {
        const rows = await query<MirroredObject>(
          `SELECT id, object FROM endpoint_object
          WHERE organization_id = $1 AND source_id = $2 AND id > $3 ORDER BY id LIMIT ${batchSize}`,
          [source.organizationId, getId(source), after],
        );
        yield* rows;
        const last = rows.at(-1);
        if (last === undefined) return;
        after = last.id;
      }
    },

    updateMirror: (lease, source, objects) =>
      engine.transaction(source.organizationId, async (transaction) => {
        let written = 0;
        for await (const batch of toBatches(objects))
          written += await upsertObjects(engine, transaction, source, batch);
        await assertLease(transaction, lease);
        return written;
      }),
  };
}

/** Batches with unique ids: one statement cannot write a row twice. */
async function* toBatches(objects: AsyncIterable<MirroredObject>): AsyncGenerator<MirroredObject[]> {
  let batch = new Map<string, MirroredObject>();
  for await (const object of objects) {
    batch.set(object.id, object);
    if (batch.size < batchSize) continue;
    yield [...batch.values()];
    batch = new Map();
  }
  if (batch.size > 0) yield [...batch.values()];
}

function upsertObjects(
  { recordset }: Engine,
  transaction: Queryable,
  source: SourceReference,
  batch: readonly MirroredObject[],
): Promise<number> {
  return transaction.execute(
    `INSERT INTO endpoint_object (organization_id, source_id, id, object)
    SELECT $1, $2, id, object FROM ${recordset('incoming', '$3', { id: 'text', object: 'text' })} WHERE true
    ON CONFLICT (organization_id, source_id, id) DO UPDATE SET object = excluded.object
    WHERE endpoint_object.object <> excluded.object`,
    [source.organizationId, getId(source), JSON.stringify(batch)],
  );
}

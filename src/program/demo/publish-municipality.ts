/** Stores a municipality of the demo as if its sources had imported the records and programs had read them. */
import { setTimeout } from 'node:timers/promises';
import { generateKey, hashForStorage } from '../../domain/keys/api-key.ts';
import type { ImportRecord, RecordKind } from '../../domain/records/records.ts';
import type { ImportCounts, RunLease } from '../../domain/runs/run-history.ts';
import { emptySourceDefinition } from '../../domain/sources/import-source.ts';
import type { ImportOutcome, Store, UsedKey } from '../../domain/store.ts';
import { dayMs, nowMs, toTimestamp } from './demo-clock.ts';
import type { DemoMunicipality } from './generate-demo-municipalities.ts';

/** The API's own form, so that a downloaded file is the next file of its source. */
const format = 'rostra';

interface DemoImport {
  kind: RecordKind;
  fileName: string;
  records: readonly ImportRecord[];
}

/** Each import is one transaction. Those that an interrupted start has left out follow with the next one. */
export async function publishMunicipality(
  store: Store,
  municipality: DemoMunicipality,
  onStart: () => void,
): Promise<void> {
  const { id } = municipality;
  const countImports = async () => (await store.listImportRuns(id, undefined, demoImports, 'done')).length;
  if ((await countImports()) === demoImports) return;
  onStart();
  const imports = planImports(municipality);
  for (let next = 0; next < imports.length; ) {
    const planned = imports[next] as DemoImport;
    const source = { format, name: municipality.sourceNames[planned.kind] };
    const lease = await store.acquireRun({ organizationId: id, source, sources: planned.fileName });
    if (lease === undefined) {
      // Another demo process imports.
      await setTimeout(100);
      continue;
    }
    const done = await countImports();
    if (done === next) await runImport(store, lease, source.name, planned);
    await store.releaseRun(lease);
    next = Math.max(done, next + 1);
  }
  await addUsedKeys(store, municipality);
}

/** The sessions list submissions, so these come first. The newest submissions come last. */
function planImports({ records }: DemoMunicipality): DemoImport[] {
  const month = toTimestamp(nowMs - 30 * dayMs);
  // No agenda has them yet.
  const isNew = (record: ImportRecord) =>
    record.kind === 'submission' &&
    ['submitted', 'received'].includes(record.status) &&
    record.createdAt >= month;
  const all = [...records()];
  const ofKind = (kind: RecordKind) => all.filter((record) => record.kind === kind && !isNew(record));
  return [
    { kind: 'submission', fileName: 'submissions.csv', records: ofKind('submission') },
    { kind: 'session', fileName: 'sessions.ndjson', records: ofKind('session') },
    { kind: 'survey', fileName: 'surveys.ndjson', records: ofKind('survey') },
    { kind: 'submission', fileName: 'submissions-2026-10.csv', records: all.filter(isNew) },
  ];
}

const demoImports = 4;

async function runImport(
  store: Store,
  lease: RunLease,
  name: string,
  { kind, records }: DemoImport,
): Promise<void> {
  const { organizationId, id } = lease;
  const known = await store.findSource({ organizationId, name });
  if (known === undefined)
    await store.addSource(organizationId, { ...emptySourceDefinition, name, format, locations: 'on' });
  await store.startRun(lease);
  const follows = await store.findRedaction(organizationId, { format, name });
  const source = { format, name, redaction: { kinds: [], country: 'DE', patterns: {} }, follows };
  const outcomes = await store.write(organizationId, (writer) => writer.put(records), {
    source,
    lease,
    runId: id,
  });
  const count = (outcome: ImportOutcome) => outcomes.filter((each) => each === outcome).length;
  const counts: ImportCounts = {
    read: outcomes.length,
    inserted: count('inserted'),
    changed: count('changed'),
    unchanged: count('unchanged'),
    removed: 0,
    ignored: 0,
    rejected: 0,
  };
  const hasSupportCounts = kind === 'submission' ? true : undefined;
  await store.updateRun(lease, counts, [], 0);
  await store.endRun(lease, 'done', undefined, hasSupportCounts, counts, []);
  await store.endSourceRun({ organizationId, name }, { end: 'done', runId: id, validators: {} });
}

/** Days with requests, up to today. */
const usedDays = 14;

/** Nobody knows their secrets. They have the use of programs that read new records some times a day. */
async function addUsedKeys(store: Store, { id, keyNames }: DemoMunicipality): Promise<void> {
  if ((await store.findSetupState(id)).hasKeys) return;
  const fields = { organizationId: id, requestLimit: undefined, expiresAt: undefined };
  const keys = await Promise.all(
    keyNames.map((name) => store.addKey({ ...fields, name, ...hashForStorage(generateKey()) })),
  );
  const now = Date.now();
  for (let back = usedDays - 1; back >= 0; back -= 1) {
    const at = now - back * dayMs;
    // Fewer at weekends.
    const requests = [0, 6].includes(new Date(at).getUTCDay()) ? 90 : 260 + ((back * 37) % 90);
    for (const [index, key] of keys.entries())
      recordRequests(store, { organizationId: id, keyId: key.id }, at, Math.round(requests / (index + 1)));
  }
}

function recordRequests(store: Store, caller: UsedKey['caller'], atMs: number, requests: number): void {
  for (let request = 0; request < requests; request += 1) {
    const isUnknown = request % 60 === 59;
    const operation = isUnknown || request % 3 === 0 ? 'getSubmission' : 'listSubmissions';
    store.recordUse({ caller, nowMs: atMs }, operation, isUnknown ? 404 : 200);
  }
}

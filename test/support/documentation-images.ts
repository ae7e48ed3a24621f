/**
 * The pictures of README.md and docs/: pages with the demo's English borough and a few keys, imports and
 * other municipalities, on a fixed day.
 */

import { hash, randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { deriveKey, hashForStorage } from '../../src/domain/keys/api-key.ts';
import type { NewKey } from '../../src/domain/keys/stored-key.ts';
import { allFiles } from '../../src/ingest/formats/format-registry.ts';
import { detectUpload } from '../../src/ingest/runs/detect-upload.ts';
import {
  type DemoMunicipality,
  demoMunicipalities,
} from '../../src/program/demo/generate-demo-municipalities.ts';
import { setClockOffset } from './clock-offset.ts';
import { createTemporaryFolder, type Scope } from './files.ts';
import { createFixture, type Fixture } from './fixture.ts';
import { createSignedInClient, type FormClient } from './form-client.ts';
import { insertQueuedRun } from './import-page-states.ts';
import {
  createProtectedClient,
  insertPastUsage,
  insertRejectedRequests,
  openClientContext,
} from './page-states.ts';
import { beginRun } from './recorded-runs.ts';
import type { Server } from './server.ts';

/** The demo's newest records are three days older. */
const now = Date.parse('2026-11-03T09:20:00.000Z');
const dayMs = 86_400_000;

interface SubmissionDocument {
  id: string;
  status: string;
  referenceNumber: string | null;
  description: string;
}

interface DocumentationFixture {
  server: Server;
  clients: Record<DocumentationImage['as'], FormClient>;
  municipalityPath: string;
  portalKeyId: string;
  submissionId: string;
  runId: string;
  /** Of the public pages of the municipality. */
  openPath: string;
}

interface DocumentationImage {
  name: string;
  as: 'administrator' | 'operator';
  width: number;
  height: number;
  getPath(fixture: DocumentationFixture): string;
  /** Selector of the element to begin with; the top of the page by default. */
  from?: string;
}

const wide = { width: 1280, height: 860 };

const images: readonly DocumentationImage[] = [
  { ...wide, name: 'home', as: 'administrator', getPath: ({ municipalityPath }) => municipalityPath },
  {
    ...wide,
    name: 'key-use',
    as: 'administrator',
    getPath: ({ municipalityPath, portalKeyId }) => `${municipalityPath}/keys/${portalKeyId}`,
    from: 'h2:text-is("Usage")',
  },
  {
    ...wide,
    name: 'published-record',
    as: 'administrator',
    getPath: ({ municipalityPath, submissionId }) => `${municipalityPath}/data/submissions/${submissionId}`,
  },
  {
    ...wide,
    name: 'statistics',
    as: 'administrator',
    getPath: ({ municipalityPath }) => `${municipalityPath}/published`,
    from: 'h2:text-is("Submissions by time and status")',
  },
  {
    ...wide,
    name: 'mapping',
    as: 'administrator',
    getPath: ({ municipalityPath, runId }) => `${municipalityPath}/imports/${runId}/steps`,
    from: 'legend:text-is("Mapping of columns")',
  },
  { ...wide, name: 'all-municipalities', as: 'operator', getPath: () => '/admin/organizations' },
  { ...wide, height: 800, name: 'open-data', as: 'administrator', getPath: ({ openPath }) => openPath },
  {
    ...wide,
    name: 'map',
    as: 'administrator',
    getPath: ({ openPath }) => `${openPath}/submissions/map`,
    from: 'h1',
  },
  {
    name: 'phone',
    as: 'administrator',
    width: 375,
    height: 720,
    getPath: ({ municipalityPath }) => municipalityPath,
  },
];

/** Writes each picture as WebP, which is a third of the size of PNG. */
export async function writeDocumentationImages(
  scope: Scope,
  browser: Browser,
  folder: string,
): Promise<number> {
  setClockOffset(now - Date.now());
  try {
    const fixture = await createDocumentationFixture(scope);
    mkdirSync(folder, { recursive: true });
    for (const image of images) {
      const { server, clients } = fixture;
      const appearance = { language: 'en', theme: 'light', width: image.width } as const;
      const context = await openClientContext(browser, server, clients[image.as], appearance);
      const page = await context.newPage();
      await page.setViewportSize(image);
      await page.goto(server.address + image.getPath(fixture));
      if (image.from !== undefined)
        await page.locator(image.from).evaluate((element) => element.scrollIntoView({ behavior: 'instant' }));
      writeFileSync(join(folder, `${image.name}.webp`), await captureWebp(page));
      await context.close();
    }
    return images.length;
  } finally {
    setClockOffset(0);
  }
}

async function captureWebp(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 65 });
  return Buffer.from(data, 'base64');
}

async function createDocumentationFixture(scope: Scope): Promise<DocumentationFixture> {
  const fixture = await createFixture(scope);
  const { store } = fixture;
  const [lindenau, borough] = demoMunicipalities as readonly [DemoMunicipality, DemoMunicipality];
  for (const municipality of [lindenau, borough]) await addDemoMunicipality(fixture, municipality);
  const settings = { ROSTRA_RATE_LIMIT: '1000', ROSTRA_PUBLIC_URL: 'https://api.marlowheath.example' };
  const firstServer = await fixture.startServer(settings);
  const portalKeyId = await addKeys(fixture, borough.id, firstServer.address);
  // Writes the use of the keys.
  await firstServer.stop();
  const server = await fixture.startServer(settings);
  await addOtherMunicipalities(fixture);
  await addImports(fixture, [lindenau.id, borough.id]);
  const administrator = await createProtectedClient(server, fixture, borough.id);
  const operator = await createSignedInClient(server, store);
  const rename = 'UPDATE account SET email = $1 WHERE id = $2';
  await fixture.sql(rename, ['priya.shah@marlowheath.example', administrator.account.id]);
  await fixture.sql(rename, ['operations@rostra.example', operator.account.id]);
  const list = await store.readListPage(borough.id, {
    list: 'submissions',
    filters: [],
    isExtended: false,
    direction: 'desc',
    after: undefined,
    limit: 100,
  });
  const submissions = JSON.parse(`[${list.documents}]`) as SubmissionDocument[];
  // The browser has no font for emojis.
  const submission = submissions.find(
    ({ status, referenceNumber, description }) =>
      status === 'in_review' && referenceNumber && !/\p{Extended_Pictographic}/u.test(description),
  );
  return {
    server,
    clients: { administrator, operator },
    municipalityPath: `/admin/organizations/${borough.id}`,
    portalKeyId,
    submissionId: submission?.id ?? '',
    runId: await addExaminedFile(scope, fixture, borough.id),
    openPath: `/open/${borough.organization.slug}`,
  };
}

async function addDemoMunicipality(
  { store, putRecords }: Fixture,
  { id, name, organization, readLogo, records }: DemoMunicipality,
): Promise<void> {
  await store.addOrganization(name, id);
  await store.editOrganization(id, { ...organization, logo: readLogo() });
  await putRecords(id, [...records()]);
}

/** Adds the keys of the borough. @returns the id of the key with the most use */
async function addKeys(fixture: Fixture, organizationId: string, address: string): Promise<string> {
  const { store } = fixture;
  const addKey = async (name: string, fields: Partial<NewKey> = {}) => {
    // Keys of pictures have the same first characters in every run.
    const secret = deriveKey(hash('sha256', name, 'buffer'));
    const key = { organizationId, name, requestLimit: undefined, expiresAt: undefined };
    const { id } = await store.addKey({ ...key, ...fields, ...hashForStorage(secret) });
    return { id, secret };
  };
  const portal = await addKey('Open data portal', {
    contact: 'Digital team, opendata@marlowheath.example',
    purpose: 'Shows reports and decisions on data.marlowheath.example',
    expiresAt: '2027-12-31T23:59:59.999Z',
  });
  const website = await addKey('Council website', { contact: 'Web team, extension 214' });
  const research = await addKey('University research project', {
    contact: 'Dr Amara Osei, Institute of Urban Studies',
    expiresAt: new Date(now + 6 * dayMs).toISOString(),
  });
  const app = await addKey('Residents’ app');
  const successor = { organizationId, name: 'Residents’ app', requestLimit: undefined, expiresAt: undefined };
  await store.rotateKey(
    { organizationId, id: app.id },
    { ...successor, ...hashForStorage(deriveKey(hash('sha256', 'successor', 'buffer'))) },
    new Date(now + 3 * dayMs).toISOString(),
  );
  await addKey('Library kiosk');

  await insertPastUsage(fixture, organizationId, portal.id, [
    ['listSubmissions', 200, 5_400],
    ['getSubmission', 200, 2_700],
    ['listSurveys', 200, 310],
    ['getSubmission', 404, 90],
    ['listSubmissions', 429, 240],
  ]);
  await insertRejectedRequests(fixture, organizationId, portal.id);
  await insertPastUsage(fixture, organizationId, website.id, [['listSessions', 200, 1_900]]);
  await insertPastUsage(fixture, organizationId, research.id, [['listChanges', 200, 24]]);
  for (const { secret } of [portal, website, research, app]) {
    const headers = { authorization: `Bearer ${secret}` };
    await (await fetch(`${address}/api/v1/submissions`, { headers })).arrayBuffer();
  }
  await fixture.sql("UPDATE api_key SET created_by = $1, created_at = '2026-05-11T08:30:00.000Z'", [
    'priya.shah@marlowheath.example',
  ]);
  return portal.id;
}

/** Adds an import that waits for the mapping of its columns. @returns its id */
async function addExaminedFile(scope: Scope, fixture: Fixture, organizationId: string): Promise<string> {
  const reports = ['Broken street lamp', 'Pothole', 'Overflowing litter bin', 'Blocked drain'];
  const rows = Array.from({ length: 2_132 }, (_, index) => {
    const day = new Date(now - (index % 300) * dayMs)
      .toISOString()
      .slice(0, 10)
      .split('-')
      .reverse()
      .join('/');
    const status = index % 3 === 0 ? 'Open' : 'Resolved';
    return `MH-${10_000 + index},${reports[index % 4]},${status},${day},${(index * 7) % 41}`;
  });
  const fileName = 'reports-2026-10.csv';
  const file = join(createTemporaryFolder(scope), fileName);
  const content = ['Case number,Subject,State,Reported,Votes', ...rows].join('\n');
  writeFileSync(file, content);
  const size = content.length;
  const signal = new AbortController().signal;
  const detection = await detectUpload({ name: fileName, size, file }, null, {
    allFiles,
    signal,
    observer: {},
  });
  return insertQueuedRun(fixture, organizationId, {
    input: { kind: 'upload', fileName, bytes: size },
    step: 'detection',
    state: 'done',
    detection,
  });
}

/** Adds imports, and moves all to last night. */
async function addImports(fixture: Fixture, organizationIds: readonly string[]): Promise<void> {
  const { store, sql } = fixture;
  for (const organizationId of organizationIds) {
    const run = await beginRun(
      store,
      { organizationId, format: 'oparl', sources: 'https://council.example/oparl' },
      { name: 'command line', address: '' },
    );
    const counts = {
      read: 6_120,
      inserted: 14,
      changed: 9,
      unchanged: 6_097,
      removed: 0,
      ignored: 0,
      rejected: 0,
    };
    await store.updateRun(run, counts, [], 0);
    await store.endRun(run, 'done', undefined);
  }
  const [startedAt, endedAt] = ['2026-11-03T02:00:00.000Z', '2026-11-03T02:01:10.000Z'];
  await sql('UPDATE import_run SET started_at = $1, heartbeat_at = $2, ended_at = $2', [startedAt, endedAt]);
}

/** Adds municipalities for the overview of operators: one whose import failed, and others in order. */
async function addOtherMunicipalities({ store, issueKey, a, b }: Fixture): Promise<void> {
  const names = ['Gemeinde Auwald', 'Markt Steinach', 'Samtgemeinde Nordheide', 'Stadt Rabenfels'];
  for (const name of names) {
    const { id } = await store.addOrganization(name, randomUUID());
    await issueKey(id, { name: 'Website' });
  }
  const cli = { name: 'command line', address: '' };
  const failed = await beginRun(store, { organizationId: b, format: 'table', sources: 'export.csv' }, cli);
  await store.endRun(failed, 'failed', {
    code: 'mapping-column-missing',
    file: 'export.csv',
    column: 'status',
    part: undefined,
    similar: undefined,
  });
  const rejecting = await beginRun(
    store,
    { organizationId: a, format: 'table', sources: 'reports.csv' },
    cli,
  );
  const counts = { read: 812, inserted: 0, changed: 0, unchanged: 800, removed: 0, ignored: 0, rejected: 12 };
  await store.updateRun(rejecting, counts, [], 0);
  await store.endRun(rejecting, 'done', undefined);
}

/** Imports of the admin area in every step, and sources in every condition, for screenshots and accessibility checks. */

import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Page } from 'playwright-core';
import { isPostgresUrl } from '../../src/domain/installation/is-postgres-url.ts';
import { serializeReason } from '../../src/domain/reasons/reason.ts';
import { dryRunLists } from '../../src/domain/runs/dry-run-lists.ts';
import type { ImportRunReference } from '../../src/domain/runs/run-history.ts';
import {
  type DetectionReport,
  type DryRunReport,
  emptyDetection,
  type QueuedRun,
} from '../../src/domain/runs/run-queue.ts';
import type { SourceDefinition } from '../../src/domain/sources/import-source.ts';
import type { SuggestedMapping } from '../../src/domain/sources/suggested-mapping.ts';
import { createUploadStorage } from '../../src/ingest/runs/upload-storage.ts';
import { followTo, submitPageForm } from './browser.ts';
import type { Fixture } from './fixture.ts';
import type { PageState, PageStatesFixture } from './page-states.ts';
import { beginRun } from './recorded-runs.ts';

const longWord = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
const rightToLeft = 'بوابة البيانات المفتوحة (2026) – مدينة';
const fileName = `anliegen-2026-10-${longWord}.csv`;

const statusWords = [
  { word: 'Closed', count: 1_871 },
  { word: 'Open', count: 214 },
  { word: 'in Bearbeitung', count: 46 },
  { word: longWord, count: 1 },
];

const column = (
  name: string,
  samples: string[],
  fields: Partial<SuggestedMapping['columns'][number]> = {},
): SuggestedMapping['columns'][number] => ({
  name,
  samples,
  filled: 2_132,
  distinct: 2_132,
  isDistinctExact: true,
  words: null,
  date: null,
  time: null,
  number: null,
  personalData: null,
  ...fields,
});

const date = { pattern: 'MM/DD/YYYY', matched: 2_132, isDayOnly: true, alternative: 'DD/MM/YYYY' };

const suggestion: SuggestedMapping = {
  files: [fileName],
  rows: 2_132,
  columns: [
    column('case_enquiry_id', ['101001234567', '101001234568', '101001234570']),
    column('case_title', ['Pothole', `${longWord} ${longWord}`, rightToLeft], { distinct: 214 }),
    column('details', ['<b>Hole</b> in the road in front of the school'], { distinct: 1_804, filled: 1_900 }),
    column('case_status', ['Closed', 'Open'], { distinct: 4, words: statusWords }),
    column('open_dt', ['01/31/2015', '02/01/2015'], { distinct: 311, date }),
    column('votes', ['1', '12', '1,204'], {
      distinct: 41,
      number: { matched: 2_130, thousands: ',' },
    }),
    column('submitter_email', [], { personalData: { kind: 'email_addresses', detectedBy: 'values' } }),
    column('column 8', [], { filled: 0, distinct: 0 }),
  ],
  rowNumbers: { headings: 1, firstRows: [2, 3, 4] },
  firstRows: [
    ['101001234567', 'Pothole', '<b>Hole</b> in the road', 'Closed', '01/31/2015', '1', '', ''],
    ['101001234568', longWord, '', 'Open', '02/01/2015', '12', '', ''],
    ['101001234570', rightToLeft, '', 'Closed', '02/01/2015', '1,204', '', ''],
  ],
  fields: [
    {
      field: 'id',
      isRequired: true,
      isMapped: true,
      candidates: [
        {
          columns: ['case_enquiry_id'],
          mapping: 'case_enquiry_id',
          evidence: [
            { kind: 'name', word: 'id' },
            { kind: 'distinct', distinct: 2_132, rows: 2_132, isExact: true },
          ],
        },
      ],
    },
    {
      field: 'description',
      isRequired: true,
      isMapped: true,
      candidates: [
        {
          columns: ['case_title', 'details'],
          mapping: { columns: ['case_title', 'details'], join: '\n\n' },
          evidence: [{ kind: 'filled', filled: 1_900, rows: 2_132 }],
        },
      ],
    },
    {
      field: 'status',
      isRequired: false,
      isMapped: true,
      candidates: [
        {
          columns: ['case_status'],
          mapping: { column: 'case_status', values: { Closed: 'completed', Open: 'received' } },
          evidence: [{ kind: 'statuses', known: 2, words: 4 }],
        },
      ],
    },
    {
      field: 'createdAt',
      isRequired: true,
      isMapped: true,
      candidates: [
        {
          columns: ['open_dt'],
          mapping: { column: 'open_dt', date: 'MM/DD/YYYY' },
          evidence: [{ kind: 'dates', pattern: 'MM/DD/YYYY', matched: 2_132, filled: 2_132 }],
        },
      ],
    },
    {
      field: 'supportCount',
      isRequired: false,
      isMapped: true,
      candidates: [
        {
          columns: ['votes'],
          mapping: { column: 'votes', thousands: ',' },
          evidence: [{ kind: 'numbers', matched: 2_130, filled: 2_132 }],
        },
      ],
    },
    {
      field: 'referenceNumber',
      isRequired: false,
      isMapped: false,
      candidates: [{ columns: ['submitter_email'], mapping: 'submitter_email', evidence: [] }],
    },
  ],
  mapping: {
    delimiter: ',',
    encoding: 'utf-8',
    empty: ['N/A'],
    submission: {
      id: 'case_enquiry_id',
      description: { columns: ['case_title', 'details'], join: '\n\n' },
      status: { column: 'case_status', values: { Closed: 'completed', Open: 'received' } },
      createdAt: { column: 'open_dt', date: 'MM/DD/YYYY' },
      supportCount: { column: 'votes', thousands: ',' },
      referenceNumber: 'submitter_email',
    },
  },
  yaml: 'submission:\n  id: case_enquiry_id\n',
  problems: [
    {
      kind: 'malformed_rows',
      count: 3,
      reason: {
        code: 'problem-at',
        location: { source: `${longWord}.csv`, line: 118 },
        problem: { code: 'csv-invalid' },
      },
    },
    {
      kind: 'ambiguous_dates',
      field: 'createdAt',
      column: 'open_dt',
      pattern: 'MM/DD/YYYY',
      alternative: 'DD/MM/YYYY',
    },
    { kind: 'unknown_statuses', field: 'status', column: 'case_status', words: statusWords.slice(2) },
    {
      kind: 'personal_data_in_text',
      field: 'description',
      column: 'details',
      found: ['house_numbers', 'telephone_numbers'],
    },
  ],
};

export const detection: DetectionReport = {
  formats: [
    { format: 'table', reason: { code: 'any-table' } },
    { format: 'open311', reason: { code: 'has-column', name: longWord } },
  ],
  files: ['anliegen.csv', `${longWord}.csv`],
  sheets: null,
  suggestion,
};

const sheets = {
  kind: 'sheet' as const,
  names: ['Anliegen 2026', `${rightToLeft} ${longWord}`, 'Auswertung'],
  missing: null,
  chosen: null,
};

const dryRun: DryRunReport = {
  counts: { read: 2_132, inserted: 2_000, changed: 110, unchanged: 9, removed: 4, ignored: 3, rejected: 13 },
  statistics: {
    statuses: [
      { name: 'completed', count: 1_871 },
      { name: 'received', count: 214 },
      { name: longWord, count: 34 },
    ],
    otherStatuses: 13,
    support: { sum: 12_044, max: 1_204 },
    dateRanges: [{ kind: 'submission', from: '2015-01-31T05:00:00.000Z', until: '2015-12-31T22:00:00.000Z' }],
  },
  samples: Array.from({ length: 3 }, (_, index) => ({
    kind: 'submission',
    document: {
      id: randomUUID(),
      referenceNumber: index === 0 ? null : `10100${index}`,
      description:
        index === 1 ? `${rightToLeft}\n${longWord.repeat(4)}` : 'Pothole\n\nHole in the road <b>here</b>.',
      status: index === 2 ? longWord : 'completed',
      topicCategoryName: null,
      priorityLevel: 'normal',
      supportCount: 12,
      hasAttachments: false,
      protocolUrl: index === 1 ? `https://ris.stadt.example/${'protokoll/'.repeat(30)}` : null,
      createdAt: '2015-01-31T05:00:00.000Z',
      statusChangedAt: '2015-02-03T15:20:00.000Z',
    },
  })),
  rejections: Array.from({ length: 3 }, (_, line) => ({
    source: fileName,
    line: line + 100_000,
    entry: null,
    id: line === 0 ? null : `https://${'x'.repeat(180)}`,
    reason: { code: 'cell-not-date', field: 'createdAt', columns: [longWord], patterns: ['MM/DD/YYYY'] },
  })),
  rejectionReasons: [
    {
      reason: { code: 'cell-not-date', field: 'createdAt', columns: [longWord], patterns: ['MM/DD/YYYY'] },
      count: 12,
    },
    { reason: { code: 'survey-total-missing' }, count: 1 },
  ],
  textsToCheck: [
    {
      text: `Herr Müller parkt auf dem Gehweg ${longWord}`,
      marks: [{ start: 0, end: 11 }],
      isCutAtStart: true,
      isCutAtEnd: true,
    },
    { text: rightToLeft, marks: [], isCutAtStart: false, isCutAtEnd: false },
  ],
  listed: { changed: 110, removed: 4, missing: 2, rejected: 13 },
  statusWords: [
    { word: 'einstimmig beschlossen', publishedAs: 'accepted', count: 908 },
    { word: longWord, publishedAs: 'in_review', count: 3 },
  ],
  ignored: [{ reason: { code: 'omitted-table' }, count: 3 }],
  personalData: [
    { kind: 'email', count: 12, isRedacted: true },
    { kind: 'phone', count: 3, isRedacted: false },
  ],
  surveyTables: [
    { file: `${longWord}.tsv`, title: longWord, isUntitled: true, question: longWord, surveys: 12 },
    { file: 'parks.tsv', title: 'Parks', isUntitled: false, question: 'Wie zufrieden sind Sie?', surveys: 1 },
  ],
  similarSurvey: { id: '00000000-0000-4000-8000-000000000001', title: `Befragung ${longWord}` },
  questions: [
    {
      code: 'removes-many',
      kind: 'submission',
      count: 300,
      published: 308,
      maxPercent: 10,
      because: { code: 'row-skipped' },
    },
  ],
  missing: { count: 4, isDeleted: true },
  notes: [
    { code: 'value-not-recommended', field: 'status', value: longWord, count: 2, near: 'received' },
    { code: 'columns-left-out', columns: [longWord], others: 3 },
  ],
};

const definition: SourceDefinition = {
  name: `Mängelmelder ${longWord}`,
  format: 'table',
  url: null,
  intervalMs: null,
  options: {
    mapping: 'submission:\n  id: case_enquiry_id\n  description: case_title\n  createdAt: open_dt\n',
  },
  timeZone: 'Europe/Berlin',
  redaction: { kinds: ['email', 'iban'], country: 'DE', patterns: { file_number: '[A-Z]{2}-\\d+' } },
  maxDeletedPercent: 50,
  locations: null,
};

const scheduled: SourceDefinition = {
  ...definition,
  name: 'Ratsinformationssystem',
  format: 'oparl',
  url: `https://ris.stadt.example/oparl/${'koerperschaft/'.repeat(8)}`,
  intervalMs: 86_400_000,
  options: { paperTypes: 'antrag,anfrage' },
  maxDeletedPercent: null,
  locations: null,
};

const portal: SourceDefinition = {
  ...definition,
  name: 'Datenportal',
  url: 'https://daten.stadt.example/api/3/action/datastore_search?resource_id=0b5c0a1e-6b0a-4c8e-9f57-1d0b6a1c2d3e',
  options: { ...definition.options, system: 'ckan' },
};

export interface ImportPageStates {
  runs: Record<
    | 'queued'
    | 'running'
    | 'detected'
    | 'undetected'
    | 'sheets'
    | 'sheetMissing'
    | 'sheetChosen'
    | 'checked'
    | 'empty'
    | 'completed'
    | 'undone'
    | 'failed'
    | 'denied'
    | 'cancelled',
    string
  >;
  /** Path of a municipality whose import waits to start. */
  waitingPath: string;
  sources: Record<'uploaded' | 'failing' | 'stale' | 'portal', string>;
}

/** Adds sources, and one import for each step. */
export async function createImportPageStates(
  fixture: Fixture,
  organizationId: string,
): Promise<ImportPageStates> {
  const { sql, store } = fixture;
  const by = { name: 'anna.muster@stadt.example', address: '192.0.2.1' };
  await store.addSource(organizationId, definition, by);
  await store.addSource(organizationId, scheduled, by);
  const stale = { ...scheduled, name: `${rightToLeft} ${longWord}`.slice(0, 100) };
  await store.addSource(organizationId, stale, by);
  const { name } = await store.addSource(organizationId, portal, by);
  const key = { origin: 'https://daten.stadt.example', encrypted: Buffer.from('x') };
  await store.setPortalKey({ organizationId, name }, key, by);
  const past = '2026-03-01T09:15:00.000Z';
  await sql(
    `UPDATE import_source SET failing_since = $1, failed_at = $1, error = $2, failures = 3, last_success_at = $1
      WHERE organization_id = $3 AND name = $4`,
    [
      past,
      serializeReason({ code: 'address-fails', url: `https://${longWord}`, status: 503 }),
      organizationId,
      scheduled.name,
    ],
  );
  await sql('UPDATE import_source SET stale_at = $1, next_at = $1 WHERE organization_id = $2 AND name = $3', [
    past,
    organizationId,
    stale.name,
  ]);
  const run = await beginRun(
    store,
    {
      organizationId,
      format: 'table',
      sources: fileName,
      source: { format: 'table', name: definition.name },
    },
    by,
  );
  await store.updateRun(run, dryRun.counts, [], 0);
  await store.endRun(run, 'done', undefined);
  const ofSource = '(SELECT id FROM import_source WHERE organization_id = $1 AND name = $2)';
  await sql(
    `INSERT INTO import_undo (organization_id, source_id, run_id, created_at, state, redaction)
      VALUES ($1, ${ofSource}, $3, $4, 'available', '{}')`,
    [organizationId, definition.name, run.id, new Date().toISOString()],
  );
  const add = (run: Partial<QueuedRun>) => insertQueuedRun(fixture, organizationId, run);
  const checked = await add({
    ...{ input: { kind: 'upload', fileName, bytes: 4_812_345 }, step: 'dry_run', state: 'done' },
    ...{ definition, detection, dryRun },
  });
  await storeLists(fixture, { organizationId, id: checked });
  const upload = { input: { kind: 'upload', fileName, bytes: 4_812_345 } } as const;
  const other = (await store.addOrganization(`Stadt ${longWord}`, randomUUID())).id;
  await insertQueuedRun(fixture, other, { ...upload, step: 'detection', state: 'running' });
  return {
    waitingPath: `/admin/organizations/${other}/imports/${await insertQueuedRun(fixture, other, { ...upload, step: 'detection', state: 'queued' })}/steps`,
    runs: {
      queued: await add({ ...upload, step: 'detection', state: 'queued' }),
      running: await add({
        ...upload,
        step: 'dry_run',
        state: 'running',
        sourceName: definition.name,
        definition,
        detection,
        progress: { read: 84_120, written: null, bytesRead: 2_100_000, totalBytes: 4_812_345 },
      }),
      detected: await add({ ...upload, step: 'detection', state: 'done', detection }),
      undetected: await add({ ...upload, step: 'detection', state: 'done', detection: emptyDetection }),
      sheets: await add({
        ...upload,
        step: 'detection',
        state: 'done',
        detection: { ...emptyDetection, sheets },
      }),
      sheetMissing: await add({
        ...upload,
        step: 'detection',
        state: 'done',
        sourceName: definition.name,
        definition: { ...definition, options: { ...definition.options, sheet: `Anliegen ${longWord}` } },
        detection: { ...emptyDetection, sheets: { ...sheets, missing: `Anliegen ${longWord}` } },
      }),
      sheetChosen: await add({
        ...upload,
        step: 'detection',
        state: 'done',
        detection: { ...detection, files: [fileName], sheets: { ...sheets, chosen: sheets.names[1] ?? '' } },
      }),
      checked,
      empty: await add({
        ...upload,
        step: 'dry_run',
        state: 'done',
        sourceName: definition.name,
        definition,
        detection,
        dryRun: {
          ...dryRun,
          counts: { read: 13, inserted: 0, changed: 0, unchanged: 0, removed: 0, ignored: 0, rejected: 13 },
          statistics: { statuses: [], otherStatuses: 0, support: null, dateRanges: [] },
          samples: [],
          personalData: [],
          surveyTables: [],
          similarSurvey: null,
          questions: [],
          missing: { count: 4, isDeleted: false },
        },
      }),
      completed: await add({
        ...upload,
        step: 'import',
        state: 'done',
        sourceName: definition.name,
        definition,
        detection,
        dryRun,
      }),
      undone: await add({ step: 'undo', state: 'done', sourceName: definition.name }),
      failed: await add({
        ...upload,
        input: { kind: 'address', url: scheduled.url ?? '' },
        step: 'dry_run',
        state: 'failed',
        sourceName: definition.name,
        definition,
        detection,
        failure: { code: 'survey-column-missing', file: 'anliegen.csv', column: longWord },
      }),
      denied: await add({
        ...upload,
        input: { kind: 'address', url: portal.url ?? '' },
        step: 'detection',
        state: 'failed',
        failure: { code: 'portal-key-missing', portal: 'https://daten.stadt.example', status: 403 },
      }),
      cancelled: await add({ ...upload, step: 'detection', state: 'cancelled' }),
    },
    sources: { uploaded: definition.name, failing: scheduled.name, stale: stale.name, portal: portal.name },
  };
}

/** The lists of the dry run above, with one page of entries each. */
async function storeLists({ database }: Fixture, run: ImportRunReference): Promise<void> {
  // Only a database file has a folder of uploads beside it.
  if (isPostgresUrl(database)) return;
  const storage = createUploadStorage(`${database}-uploads`, 1);
  await storage.save(run, fileName, Readable.from([Buffer.from('x')]), 1, []);
  const lists = await storage.openLists(run, (sentence) => {
    throw new Error(sentence);
  });
  for (const title of [`Pothole ${longWord}`, rightToLeft, 'Street light']) {
    const record = { kind: 'submission', id: randomUUID(), title, at: '2015-01-31T05:00:00.000Z' } as const;
    const fields = [
      { field: 'status', before: 'received', after: longWord },
      { field: 'description', before: `…${rightToLeft}`, after: `…${longWord} ${longWord}` },
      { field: 'hasAttachments', before: 0, after: 1 },
    ];
    lists.add('changed', { ...record, fields });
    lists.add('removed', record);
    lists.add('missing', record);
  }
  const survey = { kind: 'survey', id: randomUUID(), title: 'Parks', at: null } as const;
  lists.add('changed', { ...survey, fields: [{ field: 'questions' }] });
  for (const rejected of dryRun.rejections) lists.add('rejected', rejected);
  lists.close();
}

/** The tests run no process for the steps. The lease of a running step never expires. */
export async function insertQueuedRun(
  { sql }: Fixture,
  organizationId: string,
  run: Partial<QueuedRun>,
): Promise<string> {
  const id = randomUUID();
  const { input = null, step = 'detection', state = 'queued', sourceName = null, failure = null } = run;
  const now = new Date();
  const toJson = (value: unknown) => (value === undefined || value === null ? null : JSON.stringify(value));
  const isRunning = state === 'running';
  const hasFile = input?.kind === 'upload' && ['queued', 'running', 'done'].includes(state);
  await sql(
    `INSERT INTO import_run (organization_id, id, step, state, source_name, input_kind, input_name, input_bytes, definition,
        detection, dry_run, progress, step_failure, created_at, created_by, queued_by, queued_from, queued_at_ms,
        lease_token, heartbeat_at, file_expires_at_ms, started_at, actor, address, sources)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15, '', $16, $17, $18, $19, $14, $15, '', '')`,
    [
      organizationId,
      id,
      step,
      state,
      sourceName,
      input?.kind ?? null,
      input === null ? null : input.kind === 'upload' ? input.fileName : input.url,
      input?.kind === 'upload' ? input.bytes : null,
      toJson(run.definition),
      toJson(run.detection),
      toJson(run.dryRun),
      toJson(run.progress),
      failure === null ? null : serializeReason(failure),
      now.toISOString(),
      'anna.muster@stadt.example',
      now.getTime(),
      isRunning ? randomUUID() : null,
      new Date(now.getTime() + (isRunning ? 86_400_000_000 : 0)).toISOString(),
      hasFile ? now.getTime() + 86_400_000 : null,
    ],
  );
  return id;
}

const openRun =
  (run: keyof ImportPageStates['runs'], query = '') =>
  (page: Page, { server, municipalityPath, importStates }: PageStatesFixture) =>
    page.goto(`${server.address}${municipalityPath}/imports/${importStates.runs[run]}/steps${query}`);

const openSource =
  (source: keyof ImportPageStates['sources'], action = '') =>
  (page: Page, { server, municipalityPath, importStates }: PageStatesFixture) =>
    page.goto(
      `${server.address}${municipalityPath}/sources/${encodeURIComponent(importStates.sources[source])}${action}`,
    );

const openPath =
  (path: string) =>
  (page: Page, { server, municipalityPath }: PageStatesFixture) =>
    page.goto(`${server.address}${municipalityPath}${path}`);

const submit = (page: Page, action: string) =>
  followTo(page, () => page.locator(`button[name=action][value=${action}]`).click());

export const importPageStates: readonly PageState[] = [
  { name: 'import-new', as: 'administrator', byNight: true, open: openPath('/imports/new') },
  {
    name: 'import-new-address-wrong',
    as: 'administrator',
    byNight: true,
    open: async (page, fixture) => {
      await openPath('/imports/new?url=https%3A%2F%2Fdata.stadt.example&system=ckan&source=new')(
        page,
        fixture,
      );
      await submitPageForm(page);
    },
  },
  {
    name: 'import-new-empty',
    as: 'newcomer',
    byNight: true,
    open: (page, { server, emptyMunicipalityPath }) =>
      page.goto(`${server.address}${emptyMunicipalityPath}/imports/new`),
  },
  {
    name: 'import-new-wrong',
    as: 'administrator',
    open: async (page, fixture) => {
      await openPath('/imports/new')(page, fixture);
      // The browser would keep the form.
      await page.locator('.page-form').evaluate((form) => form.setAttribute('novalidate', ''));
      await submitPageForm(page);
    },
  },
  {
    name: 'import-run-waiting',
    as: 'operator',
    byNight: true,
    open: (page, { server, importStates }) => page.goto(server.address + importStates.waitingPath),
  },
  { name: 'import-run-running', as: 'administrator', byNight: true, open: openRun('running') },
  {
    name: 'import-run-not-refreshing',
    as: 'administrator',
    byNight: true,
    open: openRun('running', '?refresh=off'),
  },
  { name: 'import-run-settings', as: 'administrator', byNight: true, open: openRun('detected') },
  {
    name: 'import-run-settings-unfolded',
    byNight: true,
    as: 'administrator',
    open: async (page, fixture) => {
      await openRun('detected')(page, fixture);
      for (const summary of await page.locator('summary').all()) await summary.click();
    },
  },
  {
    name: 'import-run-settings-wrong',
    as: 'administrator',
    open: async (page, fixture) => {
      await openRun('detected')(page, fixture);
      await page.locator('#name').fill('');
      await page.locator('[id="column.description"]').selectOption('');
      await submit(page, 'dry-run');
    },
  },
  {
    name: 'import-run-mapping-text',
    as: 'administrator',
    byNight: true,
    open: async (page, fixture) => {
      await openRun('detected')(page, fixture);
      await submit(page, 'text');
    },
  },
  {
    name: 'import-run-settings-survey',
    as: 'administrator',
    open: openRun('detected', '?format=survey-rows'),
  },
  { name: 'import-run-undetected', as: 'administrator', byNight: true, open: openRun('undetected') },
  { name: 'import-run-sheets', as: 'administrator', byNight: true, open: openRun('sheets') },
  {
    name: 'import-run-sheets-wrong',
    as: 'administrator',
    open: async (page, fixture) => {
      await openRun('sheets')(page, fixture);
      await submitPageForm(page);
    },
  },
  { name: 'import-run-sheet-missing', as: 'administrator', byNight: true, open: openRun('sheetMissing') },
  {
    name: 'import-run-sheet-again',
    as: 'administrator',
    byNight: true,
    open: async (page, fixture) => {
      await openRun('sheetChosen')(page, fixture);
      await followTo(page, () => page.locator('a[href$="/sheet"]').click());
    },
  },
  { name: 'import-run-sheet-chosen', as: 'administrator', byNight: true, open: openRun('sheetChosen') },
  { name: 'import-run-checked', as: 'administrator', open: openRun('checked') },
  ...dryRunLists.map(
    (list): PageState => ({
      name: `import-run-${list}`,
      as: 'administrator',
      open: openRun('checked', `/${list}`),
    }),
  ),
  {
    name: 'import-run-titles',
    as: 'administrator',
    byNight: true,
    open: openRun('checked', '/titles?table=parks.tsv'),
  },
  {
    name: 'import-run-settings-again',
    as: 'administrator',
    byNight: true,
    open: openRun('checked', '?settings=1'),
  },
  { name: 'import-run-empty', as: 'administrator', byNight: true, open: openRun('empty') },
  { name: 'import-run-completed', as: 'administrator', byNight: true, open: openRun('completed') },
  { name: 'import-run-undone', as: 'administrator', byNight: true, open: openRun('undone') },
  { name: 'import-run-failed', as: 'administrator', byNight: true, open: openRun('failed') },
  { name: 'import-run-denied', as: 'administrator', byNight: true, open: openRun('denied') },
  {
    name: 'import-run-key',
    as: 'administrator',
    byNight: true,
    open: (page, { server, municipalityPath, importStates }) =>
      page.goto(`${server.address}${municipalityPath}/imports/${importStates.runs.denied}/steps/key`),
  },
  { name: 'import-run-cancelled', as: 'administrator', byNight: true, open: openRun('cancelled') },
  { name: 'import-run-of-reader', as: 'reader', byNight: true, open: openRun('checked') },
  { name: 'sources-removed', as: 'reader', byNight: true, open: openPath('/sources?removed=1') },
  {
    name: 'sources-empty',
    as: 'newcomer',
    byNight: true,
    open: (page, { server, emptyMunicipalityPath }) =>
      page.goto(`${server.address}${emptyMunicipalityPath}/sources`),
  },
  { name: 'source', as: 'administrator', open: openSource('uploaded', '?saved=1') },
  { name: 'source-failing', as: 'administrator', open: openSource('failing') },
  { name: 'source-stale', as: 'reader', byNight: true, open: openSource('stale') },
  { name: 'source-edit', as: 'administrator', open: openSource('uploaded', '/edit') },
  {
    name: 'source-edit-wrong',
    as: 'administrator',
    byNight: true,
    open: async (page, fixture) => {
      await openSource('failing', '/edit')(page, fixture);
      await page.locator('#url').fill('http://');
      await submitPageForm(page);
    },
  },
  { name: 'source-key', as: 'administrator', byNight: true, open: openSource('portal', '/key') },
  { name: 'source-remove', as: 'administrator', byNight: true, open: openSource('uploaded', '/remove') },
  { name: 'source-undo', as: 'administrator', byNight: true, open: openSource('uploaded', '/undo') },
  { name: 'source-undo-none', as: 'administrator', byNight: true, open: openSource('failing', '/undo') },
];

/** A dry run that waits for the user. @returns the id */
export const insertDryRun = (fixture: Fixture, organizationId: string): Promise<string> =>
  insertQueuedRun(fixture, organizationId, {
    input: { kind: 'upload', fileName, bytes: 4_812_345 },
    step: 'dry_run',
    state: 'done',
    definition,
    detection,
    dryRun,
  });

/** Real exports, imported in the admin area by keyboard with the suggested settings, and counted through the API. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launchBrowser } from '../support/browser.ts';
import { createTemporaryFolder } from '../support/files.ts';
import { createFixture } from '../support/fixture.ts';
import { confirmButton, createSignedInMunicipality } from '../support/signed-in-municipality.ts';
import { buildZip } from '../support/zip-builder.ts';

/** Open data of cities. It is not part of the project; the tests are skipped without it. */
const data = fileURLToPath(new URL('../../../shared/data', import.meta.url));

const stepTimeoutMs = 240_000;

const listFiles = (folder: string, extension: string): string[] =>
  readdirSync(join(data, folder))
    .filter((name) => name.endsWith(extension))
    .map((name) => join(folder, name));

type Document = Record<string, unknown>;

interface RealExport {
  name: string;
  folder: string;
  listFiles(): string[];
  /** What the dry run says if no record can be published. */
  refusal?: string;
  /** Counts of the sources, taken without Rostra. */
  check(list: (path: string) => Promise<Document[]>): Promise<void>;
}

const countStatuses = (submissions: readonly Document[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(submissions, ({ status }) => String(status))].map(([status, all]) => [
      status,
      all.length,
    ]),
  );

const exports: RealExport[] = [
  {
    name: 'service requests of Boston',
    folder: 'boston-311-2015',
    listFiles: () => listFiles('boston-311-2015', '.csv'),
    check: async (list) => {
      const submissions = await list('/submissions');
      // 13,747 rows, of which three have no text.
      assert.equal(submissions.length, 13_744);
      assert.deepEqual(countStatuses(submissions), { completed: 11_631, received: 2_113 });
    },
  },
  {
    name: 'projects of participatory budgeting in New York',
    folder: 'nyc-participatory-budgeting',
    listFiles: () => ['nyc-participatory-budgeting/Participatory_Budgeting_Projects.csv'],
    check: async (list) => {
      const submissions = await list('/submissions');
      assert.deepEqual(countStatuses(submissions), { accepted: 539, rejected: 952 });
      assert.equal(
        submissions.reduce((sum, { supportCount }) => sum + Number(supportCount), 0),
        831_523,
      );
    },
  },
  {
    name: 'council information of Karlsruhe',
    folder: 'oparl-karlsruhe',
    listFiles: () =>
      ['meetings.ndjson.gz', 'papers.ndjson.gz', 'consultations.json', 'organizations.json'].map((file) =>
        join('oparl-karlsruhe', file),
      ),
    check: async (list) => {
      const submissions = await list('/submissions');
      assert.equal(submissions.length, 4_231);
      assert.equal(countStatuses(submissions).accepted, 213);
      assert.equal((await list('/sessions')).length, 2_609);
    },
  },
  {
    name: 'survey results of Basel',
    folder: 'basel-befragungen',
    listFiles: () => listFiles('basel-befragungen/tsv', '.tsv'),
    // The 408 surveys lack the number of people who answered, and a person has to decide whether everyone answered each row.
    refusal: 'There is nothing to import',
    check: async (list) => assert.equal((await list('/surveys')).length, 0),
  },
];

for (const { name, folder, listFiles: list, refusal, check } of exports) {
  test(`${name} are ${refusal ? 'refused' : 'imported'} by keyboard with the suggested settings`, async (t) => {
    if (!existsSync(join(data, folder))) return t.skip(`${join(data, folder)} is missing`);
    const fixture = await createFixture(t);
    const temporary = createTemporaryFolder(t);
    const server = await fixture.startServerProcess({ ROSTRA_UPLOAD_FOLDER: join(temporary, 'uploads') });
    const browser = await launchBrowser(t);
    const files = list();
    const [first = ''] = files;
    const archive = join(temporary, 'export.zip');
    writeFileSync(
      archive,
      buildZip(files.map((file) => ({ name: file, content: readFileSync(join(data, file)) }))),
    );
    const { id, page, path, user } = await createSignedInMunicipality(
      fixture,
      server,
      browser,
      'Open data',
      600,
    );
    const before = user.clicks();
    const startedAtMs = performance.now();
    await page.goto(path);
    const wait = (text: string) => page.getByText(text).first().waitFor({ timeout: stepTimeoutMs });

    await user.press('Imports', 'Imports');
    await user.press('Import a file', 'Import a file');
    await user.chooseFile(/^File/, files.length > 1 ? archive : join(data, first));
    await user.press('Upload and check', /^Import of/);
    await page.getByLabel('Name of the source').waitFor({ timeout: stepTimeoutMs });
    await user.enter(/^Name of the source/, 'Export');
    await user.press('Start dry run', /^Import of/);
    await wait(refusal ?? 'The dry run is complete');
    if (refusal === undefined) {
      await user.press(confirmButton, /^Import of/);
      await wait('The import is complete');
    }

    const seconds = ((performance.now() - startedAtMs) / 1_000).toFixed(0);
    t.diagnostic(`${seconds} s, ${user.clicks() - before} presses that triggered something`);
    const { secret } = await fixture.issueKey(id);
    await check((path) => listAll(`${server.address}/api/v1${path}`, secret));
  });
}

async function listAll(url: string, key: string): Promise<Document[]> {
  const documents: Document[] = [];
  const headers = { authorization: `Bearer ${key}` };
  for (let cursor = ''; ; ) {
    const response = await fetch(`${url}?limit=100${cursor}`, { headers });
    const page = (await response.json()) as {
      data: Document[];
      pagination: { has_more: boolean; next_cursor: string };
    };
    documents.push(...page.data);
    if (!page.pagination.has_more) return documents;
    cursor = `&cursor=${page.pagination.next_cursor}`;
  }
}

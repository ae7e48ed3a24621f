/** Cells may contain personal data: no message and no rejection reason quotes them. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { assertSucceeds } from '../support/cli-workspace.ts';
import { toCsv, toNdjson } from '../support/files.ts';
import { createImportHarness, type ImportContentOptions } from '../support/import-harness.ts';
import { toRequestsCsv, toXml } from './open311-requests.ts';

const harness = await createImportHarness({ after });

const secret = 'SECRET Ada';
const time = '2026-03-01T09:15:00Z';
const mapping = harness.workspace.writeFile(
  'secret.yaml',
  `timeZone: UTC
submission:
  id: nr
  description: text
  referenceNumber: { columns: [nr, text] }
  status: { column: state, values: { open: received } }
  supportCount: votes
  createdAt: { column: date, date: DD.MM.YYYY }
  statusChangedAt: changed
  protocolUrl: minutes
`,
);
const mapped: ImportContentOptions = { format: 'table', name: 'x.csv', flags: ['--mapping', mapping] };
const columns = ['nr', 'text', 'state', 'votes', 'date', 'changed', 'minutes'];
const good = ['1', 'x', 'open', '1', '01.03.2026', time, ''];
const wrongCells = columns
  .map((column, n) => good.with(n, column === 'text' ? secret.repeat(50) : secret).with(0, `${n}`))
  .slice(1);

/** One record for each invalid field. */
const createInvalidRecords = (record: object, ...names: string[]) =>
  names.map((name, n) => ({ ...record, id: `${n}`, [name]: name === 'status' ? [secret] : secret }));
const request = { service_name: 'x', requested_datetime: time };
const requests = [
  { ...request, service_request_id: 'a', requested_datetime: secret },
  { ...request, service_request_id: 'b', updated_datetime: secret },
  { ...request, service_request_id: 'c', extended_attributes: { votes: secret } },
  { ...request, service_request_id: 'd', priority: secret.repeat(50) },
  { ...request, service_request_id: 'e', service_name: secret.repeat(50) },
];
const record = { kind: 'submission', description: 'x', createdAt: time };
const proposal = { title: 'x', summary: 'x', public_created_at: time };

/** The number of rejected records; 0: the file is unreadable. */
const inputs: Record<string, [content: string | Buffer, options: ImportContentOptions, rejected: number]> = {
  'any CSV': [toCsv(',', [columns, ...wrongCells]), mapped, 6],
  'any CSV with malformed rows': [
    `${columns}\n${secret}\n${good},${secret}\n1,${secret} "x",,,,,\n1,"${secret}" ${secret},,,,,\n`,
    mapped,
    4,
  ],
  'any CSV, without its header': [toCsv(',', [good.map(() => secret)]), mapped, 0],
  'any CSV with an unclosed quotation mark': [`${columns}\n1,"${secret}\n`, mapped, 0],
  'any CSV with several id columns': [
    toCsv(',', [
      ['a', 'text', 'date'],
      ['1', secret, 'no date'],
    ]),
    {
      ...mapped,
      flags: [
        '--mapping',
        harness.workspace.writeFile(
          'ids.yaml',
          'submission: { id: [a, text], description: text, createdAt: date }\n',
        ),
      ],
    },
    1,
  ],
  'records as CSV': [
    toCsv(',', [
      ['id', 'description', 'createdAt', 'supportCount', 'protocolUrl'],
      ['1', 'x', secret, '', ''],
      ['2', 'x', time, secret, ''],
      ['3', 'x', time, '', secret],
    ]),
    { name: 'x.csv' },
    3,
  ],
  'records as JSON': [
    toNdjson(
      createInvalidRecords(
        record,
        'kind',
        'createdAt',
        'supportCount',
        'hasAttachments',
        'protocolUrl',
        'status',
      ),
    ),
    {},
    6,
  ],
  'lines that are no JSON': [`{"a":1}\n{"description":"${secret}\n${secret}\n`, {}, 3],
  'Open311 as JSON': [JSON.stringify(requests), { format: 'open311' }, 5],
  'Open311 as XML': [toXml(requests), { format: 'open311', name: 'x.xml' }, 5],
  'Open311 as CSV': [toRequestsCsv(requests), { format: 'open311', name: 'x.csv' }, 5],
  'malformed XML': [
    toXml(requests.slice(0, 1)).replace('<service_name>', `<service_name>& ${secret};`),
    { format: 'open311', name: 'x.xml' },
    0,
  ],
  'proposals of CONSUL': [
    toNdjson(createInvalidRecords(proposal, 'public_created_at', 'cachedVotesUp', 'retired_at')),
    { format: 'consul' },
    3,
  ],
  'proposals of Decidim': [
    toCsv(';', [
      ['id', 'title/en', 'body/en', 'state', 'votes', 'published_at', 'answered_at'],
      ['1', 'x', 'x', '', secret, time, ''],
      ['2', 'x', 'x', '', '', secret, ''],
      ['3', 'x', 'x', 'accepted', '', time, secret],
    ]),
    { format: 'decidim', name: 'x.csv' },
    3,
  ],
  'survey responses without their header': [
    toCsv(',', [
      ...Array.from({ length: 12 }, (_, n) => [n % 2 ? 'Ada' : secret, n % 3 ? 'no' : secret, 'yes']),
      ...Array.from({ length: 12 }, () => [secret, 'no', 'yes']),
    ]),
    { format: 'survey-rows', name: 'x.csv' },
    0,
  ],
  'a survey table without its header': [
    toCsv(',', [
      [secret, secret, 'x', 'x'],
      [secret, secret, '1', '2'],
    ]),
    { format: 'survey-table', name: 'x.csv' },
    0,
  ],
  'a survey table with texts in cells': [
    toCsv(',', [
      ['item', 'yes', 'no'],
      [secret, secret, '5'],
    ]),
    { format: 'survey-table', name: 'x.csv' },
    1,
  ],
};

suite('no cell is printed or stored with the import of', { concurrency: 2 }, () => {
  for (const [what, [content, options, rejected]] of Object.entries(inputs)) {
    test(what, async () => {
      const town = await harness.createMunicipality();
      const result = await harness.importContent(town, content, options);
      assert.equal(result.code, rejected === 0 ? 1 : 3, result.stderr);
      assert.equal(result.rejections.length, rejected, result.stderr);
      assert.doesNotMatch(JSON.stringify(result.rejections) + result.stderr, /SECRET/);
      const history = await assertSucceeds(
        harness.workspace.withDatabase('import', 'history', '--organization', town.id, '--json'),
      );
      assert.doesNotMatch(history, /SECRET/);
      assert.match(history, new RegExp(`"rejected": ?${rejected}`));
    });
  }
});

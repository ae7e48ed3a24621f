/** Each format once through the command. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { formats } from '../../src/import/format-registry.ts';
import { createCliWorkspace, createMunicipality, runCli } from '../support/cli-workspace.ts';
import { toCsv } from '../support/files.ts';
import { createPaper } from '../support/oparl-builders.ts';
import { createSubmission } from '../support/records.ts';

const workspace = await createCliWorkspace({ after });
const town = await createMunicipality(workspace);
const mapping = workspace.writeFile(
  'mapping.yaml',
  'submission:\n  id: nr\n  description: text\n  createdAt: date\n',
);
const answers = Array.from({ length: 100 }, (_, index) => [index % 2 === 0 ? 'Ja' : 'Nein']);

/** The smallest file of each format that contains one record, and the options that it needs. */
const smallest: Record<string, { name: string; content: string; flags?: string[] }> = {
  rostra: { name: 'x.ndjson', content: JSON.stringify({ kind: 'submission', ...createSubmission(1) }) },
  oparl: { name: 'x.json', content: JSON.stringify(createPaper(1)) },
  open311: {
    name: 'x.json',
    content: JSON.stringify([
      {
        service_request_id: 'open311-1',
        service_name: 'Pothole',
        requested_datetime: '2014-05-09T19:02:21Z',
      },
    ]),
  },
  decidim: {
    name: 'x.csv',
    content: toCsv(';', [
      ['id', 'title/de', 'body/de', 'state', 'published_at'],
      ['decidim-1', 'Radweg', 'Mehr Platz', 'accepted', '2018-03-04 10:11:12 UTC'],
    ]),
  },
  consul: {
    name: 'x.csv',
    content: toCsv(',', [
      ['id', 'title', 'summary', 'description', 'cached_votes_up', 'public_created_at'],
      ['consul-1', 'Radweg', 'Mehr Platz', '<p>Bitte</p>', '53', '2017-05-31 10:00:00 UTC'],
    ]),
  },
  'survey-rows': { name: 'x.csv', content: toCsv(';', [['Einverstanden?'], ...answers]) },
  'survey-table': {
    name: 'x.csv',
    content: toCsv(';', [
      ['', 'Ja', 'Nein', 'totalResponses'],
      ['Einverstanden?', '120', '80', '200'],
    ]),
  },
  pabulib: {
    name: 'x.pb',
    content: [
      'META\nkey;value\ncountry;Poland\nunit;Wieliczka\ninstance;2024\ndate_begin;16.09.2023\n',
      'PROJECTS\nproject_id;cost;name;votes;selected\n1;600;Library;32;1\nVOTES\nvoter_id;vote\n1;1\n',
    ].join(''),
  },
  icalendar: {
    name: 'x.ics',
    content: [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'BEGIN:VEVENT',
      'UID:sitzung-1@example.org',
      'DTSTART:20260317T170000Z',
      'SUMMARY:Bauausschuss',
      'END:VEVENT',
      'END:VCALENDAR\r\n',
    ].join('\r\n'),
  },
  table: {
    name: 'x.csv',
    content: 'nr,text,date\ntable-1,Radweg,2026-02-01T00:00:00Z\n',
    flags: ['--mapping', mapping],
  },
};

for (const { name: format } of formats) {
  test(`rostra import ${format} imports a record`, async () => {
    const { name, content, flags = [] } = smallest[format] ?? assert.fail(`no example of ${format}`);
    const file = workspace.writeFile(`${format}-${name}`, content);
    const args = workspace.withDatabase(
      'import',
      format,
      file,
      '--organization',
      town.id,
      '--json',
      ...flags,
    );
    const { code, stdout, stderr } = await runCli(args);
    assert.equal(code, 0, stderr);
    assert.equal(JSON.parse(stdout).inserted, 1, stderr);
  });
}

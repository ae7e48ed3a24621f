/** Each format once through the command. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { formats } from '../../src/ingest/formats/format-registry.ts';
import { createCliWorkspace, createMunicipality, runCli } from '../support/cli-workspace.ts';
import { toCsv } from '../support/files.ts';
import { createMeeting, createPaper } from '../support/oparl-builders.ts';
import { createSubmission } from '../support/records.ts';
import { createRequest } from './open311-requests.ts';
import { minimalMapping } from './table-importer.ts';

const workspace = await createCliWorkspace({ after });
const town = await createMunicipality(workspace);
const mapping = workspace.writeFile('mapping.yaml', minimalMapping);
const answers = Array.from({ length: 100 }, (_, index) => [index % 2 === 0 ? 'Ja' : 'Nein']);

/** The smallest file of each format that contains one record, and the options that it needs. */
const smallest: Record<string, { name: string; content: string; flags?: string[] }> = {
  rostra: { name: 'x.ndjson', content: JSON.stringify({ kind: 'submission', ...createSubmission(1) }) },
  oparl: { name: 'x.json', content: JSON.stringify(createPaper(1)) },
  open311: {
    name: 'x.json',
    content: JSON.stringify([createRequest('open311-1')]),
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
    // The survey of the answers has the same question.
    flags: ['--new-survey'],
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

const writeMerging = (name: string, values: string) =>
  workspace.writeFile(name, `${minimalMapping}  status: { column: state, values: { ${values} } }\n`);

const long = 'x'.repeat(100);
const otherColumns = Array.from({ length: 105 }, (_, index) => (index === 99 ? long : `c${index}`));

/** Files whose values are merged and whose data is left out, with the notes on both, which count no rejected row. */
const lossy: [format: string, name: string, content: string, flags: string[], notes: string[]][] = [
  [
    'consul',
    'x.csv',
    toCsv(',', [
      ['id', 'title', 'summary', 'description', 'status', 'created_at', 'author_name'],
      ['1', 'Trees', 'Short', 'Long', 'paused', '2026-03-01', 'Karla'],
      ['2', 'Lamps', 'Short', 'Long', 'archived', '2026-03-01', 'Karla'],
      ['3', 'Roads', '', 'Long', 'published', '2026-03-01', 'Karla'],
      ['4', 'Rejected', 'Short', 'Long', 'paused', 'never', 'Karla'],
    ]),
    [],
    [
      'status "submitted" is published for "paused" (1), "archived" (1), "published" (1).',
      'Not published: description of proposals that have a summary (2).',
      'Data that is not published: author_name.',
    ],
  ],
  [
    'consul',
    'x.json',
    JSON.stringify([{ id: 1, title: 'Trees', created_at: '2026-03-01', hotScore: 5 }]),
    [],
    ['Data that is not published: hotScore.'],
  ],
  [
    'decidim',
    'x.csv',
    toCsv(';', [
      [
        ...['id', 'title/de', 'body/de', 'state', 'published_at', 'author/name', 'endorsements_count'],
        'title/machine_translations/es',
      ],
      ['1', 'Radweg', 'Mehr Platz', 'not_answered', '2018-03-04 10:11:12 UTC', 'Karla', '1', 'Ruta'],
      ['2', 'Bank', 'Mehr Platz', '', '2018-03-04 10:11:12 UTC', 'Karla', '1', 'Banco'],
      ['3', 'Rejected', 'Mehr Platz', '', 'never', 'Karla', '1', 'Banco'],
    ]),
    [],
    [
      'status "submitted" is published for "not_answered" (1), "" (1).',
      'Data that is not published: author/name, title/machine_translations/es.',
    ],
  ],
  [
    'open311',
    'x.json',
    JSON.stringify(
      ['closed', 'processed', 'open'].map((status, id) =>
        createRequest(id, {
          status,
          address: 'Market Street 1',
          extended_attributes: { votes: 1, reporter: 'Karla' },
        }),
      ),
    ),
    [],
    [
      'status "completed" is published for "closed" (1), "processed" (1).',
      'Data that is not published: address, extended_attributes.reporter.',
    ],
  ],
  ['pabulib', 'x.pb', smallest.pabulib?.content ?? '', [], ['Data that is not published: cost, voter_id.']],
  [
    'table',
    'x.csv',
    'nr,text,date,state,street\n1,a,2026-01-01,new,x\n2,b,2026-01-01,seen,x\n3,c,2026-01-01,done,x\n',
    ['--mapping', writeMerging('merging.yaml', 'new: received, seen: received, done: completed')],
    ['status "received" is published for "new" (1), "seen" (1).', 'Data that is not published: street.'],
  ],
  [
    'table',
    'blanks.csv',
    'nr,text,date,state,topic\n1,a,2026-01-01,new,Parks\n2,b,2026-01-01, new,Parks \n3,c,2026-01-01,,Roads\n4,rejected,never,new,Parks\n',
    [
      '--mapping',
      workspace.writeFile(
        'blanks.yaml',
        `${minimalMapping}  status: { column: state, values: { new: submitted } }\n  topicCategoryName: topic\n`,
      ),
    ],
    [
      'status "submitted" is published for "new" (1), " new" (1), "" (1).',
      'topicCategoryName "Parks" is published for "Parks" (1), "Parks " (1).',
    ],
  ],
  [
    'table',
    'defaults.csv',
    'nr,text,date,priority\n1,a,2026-01-01,\n2,b,2026-01-01,normal\n',
    ['--mapping', workspace.writeFile('defaults.yaml', `${minimalMapping}  priorityLevel: priority\n`)],
    ['priorityLevel "normal" is published for "" (1), "normal" (1).'],
  ],
  [
    'table',
    'long.csv',
    toCsv(',', [
      ['nr', 'text', 'date', 'state', ...otherColumns],
      ...[`${long}1`, `${long}2`, 'new'].map((state, index) => [
        ...[String(index), 'a', '2026-01-01', state],
        ...otherColumns,
      ]),
    ]),
    [
      '--mapping',
      writeMerging('long.yaml', ['new', `${long}1`, `${long}2`].map((state) => `${state}: received`).join()),
    ],
    [
      `status "received" is published for "${long.slice(0, 60)}" (2), "new" (1).`,
      `Data that is not published: ${otherColumns.slice(0, 99).join(', ')}, ${long.slice(0, 60)}, and 5 more.`,
    ],
  ],
  [
    'survey-rows',
    'x.csv',
    toCsv(';', [['Einverstanden?', 'Name'], ...answers.map((row) => [...row, 'Karla'])]),
    ['--questions', 'Einverstanden?'],
    ['Data that is not published: Name.'],
  ],
  [
    'oparl',
    'x.ndjson',
    JSON.stringify(createPaper(1, { consultation: [], originatorPerson: [] })),
    [],
    ['Data that is not published: Paper.originatorPerson.'],
  ],
  [
    'oparl',
    'agenda.ndjson',
    [
      createMeeting(1, { agendaItem: [{ id: 'https://ris.example/item/1', number: '1', name: 'Radweg' }] }),
      { id: 'https://ris.example/item/2', type: 'https://schema.oparl.org/1.1/AgendaItem', name: 'Bank' },
      { id: 'https://ris.example/person/1', type: 'https://schema.oparl.org/1.1/Person', phone: ['1'] },
    ]
      .map((object) => JSON.stringify(object))
      .join('\n'),
    [],
    ['Data that is not published: AgendaItem.name, Person.phone.'],
  ],
  [
    'icalendar',
    'x.ics',
    (smallest.icalendar?.content ?? '').replace('SUMMARY', 'CONTACT:Rathaus\r\nSUMMARY'),
    [],
    ['Data that is not published: CONTACT.'],
  ],
  [
    'icalendar',
    'components.ics',
    (smallest.icalendar?.content ?? '')
      .replace('END:VEVENT', 'BEGIN:VALARM\r\nACTION:AUDIO\r\nTRIGGER:-PT15M\r\nEND:VALARM\r\nEND:VEVENT')
      .replace(
        'END:VCALENDAR',
        [
          ...['BEGIN:VEVENT', 'UID:sitzung-2@example.org', 'DTSTART:20260318T170000Z'],
          ...['SUMMARY:Bauausschuss (29. Sitzung)', 'RRULE:FREQ=WEEKLY;COUNT=2', 'END:VEVENT'],
          ...['BEGIN:VEVENT', 'UID:sitzung-2@example.org', 'RECURRENCE-ID:20260318T170000Z'],
          ...['DTSTART:20260318T180000Z', 'SUMMARY:Bauausschuss', 'GEO:1.0;2.0', 'END:VEVENT'],
          'BEGIN:VTODO\r\nEND:VTODO\r\n'.repeat(200_000).trim(),
          'END:VCALENDAR',
        ].join('\r\n'),
      ),
    [],
    [
      'committeeName "Bauausschuss" is published for "Bauausschuss" (2), "Bauausschuss (29. Sitzung)" (1).',
      'Data that is not published: VTODO, VALARM, RECURRENCE-ID, GEO.',
    ],
  ],
  [
    'table',
    'x.geojson',
    JSON.stringify({
      type: 'FeatureCollection',
      features: Array.from({ length: 1_001 }, (_, nr) => ({
        type: 'Feature',
        geometry: nr === 0 ? { type: 'Point', coordinates: [8.4, 49] } : null,
        properties: {
          ...{ nr, text: 'a', date: '2026-01-01' },
          ...(nr === 1 && { place: { street: 'x' } }),
          ...(nr === 1_000 && { late: 'y' }),
        },
      })),
    }),
    ['--mapping', mapping],
    ['Data that is not published: geometry, place.street, late.'],
  ],
  [
    'survey-table',
    'x.csv',
    smallest['survey-table']?.content ?? '',
    [
      '--metadata',
      workspace.writeFile(
        'metadata.json',
        JSON.stringify({ file: 'x', title: 'Q', subtitle: '', source: 'Statistik' }),
      ),
    ],
    ['Data that is not published: metadata.subtitle, metadata.source.'],
  ],
  [
    'consul',
    'topics.json',
    JSON.stringify(
      ['Parks', 'Parks ', 'Parks, Water', '-'].map((tags, id) => ({
        ...{ id, title: 'Trees', status: id === 0 ? 'published ' : 'published', created_at: '2026-03-01' },
        ...{ tags, geozone: 'Parks' },
      })),
    ),
    [],
    [
      'status "submitted" is published for "published" (3), "published " (1).',
      'topicCategoryName "Parks" is published for "Parks" (2), "Parks " (1), "Parks, Water" (1).',
    ],
  ],
  [
    'decidim',
    'topics.csv',
    toCsv(';', [
      ['id', 'title/de', 'body/de', 'state', 'published_at', 'category/name/de'],
      ['1', 'Radweg', 'Mehr Platz', 'accepted', '2018-03-04 10:11:12 UTC', 'Verkehr'],
      ['2', 'Bank', 'Mehr Platz', 'accepted ', '2018-03-04 10:11:12 UTC', ' Verkehr'],
    ]),
    [],
    [
      'status "accepted" is published for "accepted" (1), "accepted " (1).',
      'topicCategoryName "Verkehr" is published for "Verkehr" (1), " Verkehr" (1).',
    ],
  ],
  [
    'open311',
    'topics.json',
    JSON.stringify([
      createRequest('t1', { service_name: 'Tree' }),
      createRequest('t2', { service_name: ' Tree' }),
      createRequest('t3', { service_name: '', description: 'Please', keywords: 'Tree, Park' }),
    ]),
    [],
    ['topicCategoryName "Tree" is published for "Tree" (1), " Tree" (1), "Tree, Park" (1).'],
  ],
  [
    'pabulib',
    'merged.pb',
    [
      'META\nkey;value\ncountry;Poland\nunit;Wieliczka\ninstance;2024\ndate_begin;16.09.2023\n',
      'PROJECTS\nproject_id;name;votes;selected;category\n1;Library;32;1;culture\n2;Park;31;2;culture,sport\n',
    ].join(''),
    [],
    ['status "accepted" is published for "1" (1), "2" (1).'],
  ],
  [
    'oparl',
    'topics.ndjson',
    [
      createPaper(1, { consultation: [], keyword: ['Verkehr'] }),
      createPaper(2, { consultation: [], keyword: ['Verkehr ', 'Umwelt'] }),
      createMeeting(1, { name: 'Bauausschuss' }),
      createMeeting(2, { name: 'Bauausschuss (29. Sitzung)' }),
    ]
      .map((object) => JSON.stringify(object))
      .join('\n'),
    [],
    [
      'topicCategoryName "Verkehr" is published for "Verkehr" (1), "Verkehr , Umwelt" (1).',
      'committeeName "Bauausschuss" is published for "Bauausschuss" (1), "Bauausschuss (29. Sitzung)" (1).',
    ],
  ],
];

for (const [format, name, content, flags, expected] of lossy) {
  test(`a dry run of ${format} (${name}) lists merged values and data that is left out`, async () => {
    const file = workspace.writeFile(`lossy-${format}-${name}`, content);
    const args = workspace.withDatabase('import', format, file, '--organization', town.id, ...flags);
    const { stdout, stderr } = await runCli([...args, '--json', '--dry-run']);
    const { notes } = JSON.parse(stdout) as { notes: string[] };
    assert.deepEqual(
      expected.filter((note) => !notes.includes(note)),
      [],
      `${notes.join('\n')}\n${stderr}`,
    );
  });
}

test('a dry run counts the changes of published records by field, and an import does not', async () => {
  const { id } = await createMunicipality(workspace);
  const runImport = async (
    flags: readonly string[],
    ...changes: Parameters<typeof createSubmission>[1][]
  ) => {
    const lines = changes.map((fields, n) =>
      JSON.stringify({ kind: 'submission', ...createSubmission(700 + n, fields) }),
    );
    const file = workspace.writeFile('changes.ndjson', lines.join('\n'));
    const args = workspace.withDatabase('import', 'rostra', file, '--organization', id, '--json', ...flags);
    const { stdout, stderr } = await runCli(args);
    assert.notEqual(stdout, '', stderr);
    return (JSON.parse(stdout).notes as string[]).filter((note) => note.startsWith('Changes '));
  };
  await runImport([], {}, {}, {});
  const changes = [{ status: 'accepted', answer: 'Yes' }, { answer: 'No' }, {}] as const;
  assert.deepEqual(await runImport(['--dry-run'], ...changes), [
    'Changes of published records: answer in 2, status in 1.',
  ]);
  assert.deepEqual(await runImport(['--dry-run'], {}, {}, {}), []);
  assert.deepEqual(await runImport([], ...changes), []);
});

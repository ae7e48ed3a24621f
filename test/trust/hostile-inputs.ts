/** Files for everything that Rostra reads from strangers, most of them changed at random. */
import { gzipSync } from 'node:zlib';
import { toCsv, toNdjson } from '../support/files.ts';
import { createPng, jpegImage, webpImage } from '../support/images.ts';
import { createMeeting, createPaper } from '../support/oparl-builders.ts';
import { createSeededRandom, recordsOfA } from '../support/records.ts';
import { listOdsParts, listXlsxParts, toOdsRows, toXlsxRows } from '../support/spreadsheet-builder.ts';
import { buildZip, type ZipContent } from '../support/zip-builder.ts';

export interface Reader {
  name: string;
  file: string;
  /** A list is packed into a zip archive. */
  content: string | Buffer | readonly ZipContent[];
  /** Arguments of the command. `FILE` is the path of the hostile file, `TOWN` the municipality. */
  args: readonly string[];
  /** Contents of further files by the word in the arguments that stands for their path. */
  others?: Readonly<Record<string, string>>;
}

const allKinds = ['--redact', 'email,phone,iban,plate,address'];
const dryRun = [...allKinds, '--dry-run', '--organization', 'TOWN'];
const importAs = (format: string, ...flags: string[]) => ['import', format, 'FILE', ...flags, ...dryRun];

const personalText =
  'Bitte um Rückruf: Anna Muster, Lindenweg 5, 76133 Karlsruhe, anna(ät)muster.example, Tel. 0721 1234567, KA-AB 1234, DE02 1203 0000 0000 2020 51.';

const tableRows = [
  ['Nummer', 'Titel', 'Status', 'Datum', 'Stimmen'],
  ['1', 'Mehr Bänke', 'offen', '01.03.2026 10:15', '12'],
  ['2', personalText, 'erledigt', '02.03.2026 11:30', '1234'],
];
const table = toCsv(';', tableRows);
const mapping = `timeZone: Europe/Berlin
submission:
  id: Nummer
  description: Titel
  status: { column: Status, values: { offen: received, erledigt: completed } }
  createdAt: { column: Datum, date: 'DD.MM.YYYY HH:mm' }
  supportCount: Stimmen
`;

const calendar = [
  ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'BEGIN:VEVENT', 'UID:1', 'SUMMARY:Sitzung Gemeinderat'],
  ...['DTSTART;TZID=Europe/Berlin:20260317T163000', 'DURATION:PT2H', 'RRULE:FREQ=MONTHLY;COUNT=12'],
  ...['LOCATION:Rathaus', 'DESCRIPTION:Lang\\, mit\\n Umbruch', 'END:VEVENT', 'END:VCALENDAR', ''],
].join('\r\n');

const serviceRequests = [1, 2].map((n) => ({
  service_request_id: `${n}`,
  status: 'open',
  service_name: 'Schlagloch',
  description: `<p>${personalText}</p>`,
  requested_datetime: '2026-03-01T10:15:00Z',
}));
const toXml = (fields: object) =>
  Object.entries(fields)
    .map(([name, value]) => `<${name}>${String(value).replaceAll('<', '&lt;')}</${name}>`)
    .join('');
const xml = `<?xml version="1.0" encoding="utf-8"?>\n<service_requests>${serviceRequests
  .map((request) => `<request>${toXml(request)}</request>`)
  .join('')}</service_requests>`;

const pabulib = [
  ...['META', 'key;value', 'description;Haushalt', 'country;Germany', 'unit;Musterstadt', 'instance;2026'],
  ...['num_projects;2', 'num_votes;2', 'budget;1000', 'vote_type;approval', 'rule;greedy'],
  ...['PROJECTS', 'project_id;cost;votes;name;selected', '1;500;2;Bänke;1', '2;600;1;Bäume;0'],
  ...['VOTES', 'voter_id;age;vote', '1;30;1,2', '2;40;1', ''],
].join('\n');

const answers = toCsv(
  ',',
  Array.from({ length: 20 }, (_, n) => (n === 0 ? ['Q1', 'Q2'] : [n % 2 ? 'Ja' : 'Nein', `${n % 5}`])),
);
const counts = toCsv(';', [
  ['Zufriedenheit', '2019', '2021'],
  ['gut', '120', '130'],
  ['schlecht', '20', '35'],
]);
const tableRecords = tableRows
  .slice(1)
  .map(([Nummer, Titel, Status, Datum, Stimmen]) => ({ Nummer, Titel, Status, Datum, Stimmen }));
const points = {
  type: 'FeatureCollection',
  features: tableRecords.map((properties) => ({
    type: 'Feature',
    properties,
    geometry: { type: 'Point', coordinates: [8.4, 49] },
  })),
};
/** Names of the objects around a list. */
const outerNames: readonly string[] = Array(64).fill('a');
const council = { data: [createPaper(1), createPaper(2), createMeeting(1), createMeeting(2)] };
const decidim = toCsv(';', [
  ['id', 'title/de', 'body/de', 'state', 'published_at', 'url'],
  ['1', 'Bänke', `<p>${personalText}</p>`, 'accepted', '2026-03-01 10:15:00 UTC', 'https://d.example/1'],
]);
const consul = toCsv(',', [
  ['id', 'title', 'summary', 'description', 'cached_votes_up', 'public_created_at', 'retired_at'],
  ['1', 'Bänke', 'Mehr davon', `<p>${personalText}</p>`, '53', '2026-03-01 10:15:00 UTC', ''],
]);
const provisioning = `organizations:
  - name: Beispielstadt
    timeZone: Europe/Berlin
    sources:
      - { name: Rat, format: oparl, url: 'https://ris.example/oparl', every: 1d }
accounts:
  - email: anna@beispielstadt.example
    roles: [{ organization: Beispielstadt, role: reader }]
`;

const mapped = { args: importAs('table', '--mapping', 'MAPPING'), others: { MAPPING: mapping } };
const suggested = { args: ['import', 'table', 'FILE', '--suggest', '--organization', 'TOWN'] };

const own: Reader = {
  name: "Rostra's own format",
  file: 'x.ndjson',
  content: toNdjson(recordsOfA),
  args: importAs('rostra'),
};

const wellFormed: readonly Reader[] = [
  own,
  { ...own, name: 'gzip', file: 'x.ndjson.gz', content: gzipSync(toNdjson(recordsOfA)) },
  { name: 'OParl', file: 'x.json', content: JSON.stringify(council), args: importAs('oparl') },
  {
    name: 'Open311, JSON',
    file: 'x.json',
    content: JSON.stringify(serviceRequests),
    args: importAs('open311'),
  },
  { name: 'Open311, XML', file: 'x.xml', content: xml, args: importAs('open311') },
  {
    name: 'table of statuses',
    file: 'statuses.json',
    content: '{ "open": "received", "closed": "completed" }',
    args: ['import', 'open311', 'REQUESTS', '--statuses', 'FILE', ...dryRun],
    others: { REQUESTS: xml },
  },
  { name: 'Decidim', file: 'x.csv', content: decidim, args: importAs('decidim') },
  { name: 'CONSUL', file: 'x.csv', content: consul, args: importAs('consul') },
  { name: 'Pabulib', file: 'x.pb', content: pabulib, args: importAs('pabulib') },
  { name: 'iCalendar', file: 'x.ics', content: calendar, args: importAs('icalendar') },
  { name: 'responses', file: 'x.csv', content: answers, args: importAs('survey-rows', '--title', 'S') },
  {
    name: 'survey table',
    file: 'x.csv',
    content: counts,
    args: importAs('survey-table', '--total-from-rows'),
  },
  { name: 'CSV', file: 'x.csv', content: table, ...mapped },
  { name: 'GeoJSON', file: 'x.geojson', content: JSON.stringify(points), ...mapped },
  {
    name: 'list of JSON',
    file: 'x.json',
    content: JSON.stringify({ result: { records: tableRecords, total: 2 } }),
    ...mapped,
  },
  {
    name: 'list of JSON in 64 objects',
    file: 'x.json',
    content: JSON.stringify(outerNames.reduce<object>((inner, name) => ({ [name]: inner }), tableRecords)),
    ...mapped,
    args: [...mapped.args, '--records', outerNames.join('.')],
  },
  {
    name: 'XLSX',
    file: 'x.xlsx',
    content: listXlsxParts([{ name: 'Liste', rows: toXlsxRows(tableRows) }], {
      formats: ['DD.MM.YYYY HH:MM', '0.00'],
      sharedStrings: ['a'],
    }),
    ...mapped,
  },
  {
    name: 'ODS',
    file: 'x.ods',
    content: listOdsParts([{ name: 'Liste', rows: toOdsRows(tableRows) }]),
    ...mapped,
  },
  {
    name: 'zip archive',
    file: 'x.zip',
    content: [
      { name: 'a.csv', content: table },
      { name: 'b/b.csv', content: table },
    ],
    ...mapped,
  },
  {
    name: 'mapping',
    file: 'mapping.yaml',
    content: mapping,
    args: ['import', 'table', 'TABLE', '--mapping', 'FILE', ...dryRun],
    others: { TABLE: table },
  },
  {
    name: 'patterns of personal data',
    file: 'patterns.yaml',
    content: 'file number: "AZ [0-9]{4}"\nclerk: "Frau (Muster|Beispiel)"\n',
    args: [...mapped.args, '--redact-patterns', 'FILE'].map((arg, n) => (n === 2 ? 'TABLE' : arg)),
    others: { MAPPING: mapping, TABLE: table },
  },
  { name: 'suggestion', file: 'x.csv', content: table, ...suggested },
  {
    name: 'suggestion of a list of JSON',
    file: 'x.json',
    content: JSON.stringify({ result: { records: tableRecords, total: 2 } }),
    ...suggested,
  },
  { name: 'detection', file: 'x.csv', content: table, args: ['import', 'detect', 'FILE'] },
  {
    name: 'provisioning',
    file: 'x.yaml',
    content: provisioning,
    args: ['apply', 'FILE', '--dry-run'],
  },
  ...(
    [
      ['PNG', 'x.png', createPng()],
      ['JPEG', 'x.jpg', jpegImage],
      ['WebP', 'x.webp', webpImage],
    ] as const
  ).map(([name, file, content]) => ({
    name,
    file,
    content,
    args: ['organization', 'edit', 'TOWN', '--logo', 'FILE'],
  })),
];

const deep = 200_000;
const longestText = 100_000;

const tableRecord = JSON.stringify(tableRecords[0]);
/** @param member in JSON */
const addMember = (member: string) => tableRecord.replace('{', () => `{${member},`);
const repeat = (count: number, compose: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => compose(n)).join();
const longName = 'n'.repeat(1_000_000);

/** Lists of JSON that are read as tables. */
const lists: Readonly<Record<string, string>> = {
  '100,000 records': `[${repeat(100_000, (n) => tableRecord.replace('"1"', `"${n}"`))}]`,
  '300,000 numbers': `[${tableRecord},${repeat(300_000, String)}]`,
  '200,000 lists': `[${repeat(200_000, (n) => `[${n}]`)}]`,
  '50,000 lists beside each other': `{${repeat(50_000, (n) => `"l${n}":[${tableRecord}]`)}}`,
  'records in 200,000 objects': `${'{"a":'.repeat(deep)}[${tableRecord}]${'}'.repeat(deep)}`,
  '200,000 objects in a record': `[${addMember(`"a":${'{"a":'.repeat(deep)}0${'}'.repeat(deep)}`)}]`,
  '200,000 lists in a record': `[${addMember(`"a":${'['.repeat(deep)}${']'.repeat(deep)}`)}]`,
  'names of a million characters': `{"${longName}":[${addMember(`"${longName}":{"${longName}":1}`)}]}`,
  'another name in each record': `[${repeat(50_000, (n) => addMember(`"a${n}":{"b${n}":${n}}`))}]`,
  'a name 100,000 times': `[${addMember(repeat(100_000, () => '"Titel":1'))}]`,
  'a name that is a path too': `[${addMember('"a.b":1,"a":{"b":2}')}]`,
  'numbers beyond 2^53': `[${['9007199254740993', '1e400', '-0', '9'.repeat(longestText)].map((digits) => tableRecord.replace('"1"', digits).replace('"12"', digits))}]`,
  'NUL and surrogates in names': `{"\\u0000":[${addMember('"\\u0000":1,"\\ud800":2,"\\udc00\\ud800":{"\\ud800":3}')}]}`,
  'names of objects of JavaScript': `[${addMember('"__proto__":{"a":1},"constructor":{"prototype":1},"toString":2')}]`,
  'a text with a million blanks': `{"a":"${' '.repeat(1_000_000)}","b":[${tableRecord}]}`,
};

/** Files that have brought a server down, here or elsewhere. */
const attacks: readonly Reader[] = [
  {
    name: 'a number format of two million brackets',
    file: 'x.xlsx',
    content: listXlsxParts([{ name: 'Liste', rows: '<row r="1"><c r="A1" s="1"><v>1</v></c></row>' }], {
      formats: ['['.repeat(2_000_000)],
    }),
    ...mapped,
  },
  {
    name: 'a table of 400,000 columns',
    file: 'x.csv',
    content: Array.from({ length: 400_000 }, (_, n) => `c${n}`).join(';'),
    ...mapped,
  },
  {
    name: 'compressed blanks',
    file: 'x.ndjson.gz',
    content: gzipSync(`[${' '.repeat(50_000_000)}`),
    args: own.args,
  },
  { name: 'deep JSON', file: 'x.json', content: '['.repeat(deep), args: importAs('oparl') },
  { name: 'deep XML', file: 'x.xml', content: '<a>'.repeat(deep), args: importAs('open311') },
  {
    name: 'aliases of YAML',
    file: 'mapping.yaml',
    content: Array.from({ length: 30 }, (_, n) =>
      n === 0 ? 'a0: &a0 [x, x]' : `a${n}: &a${n} [*a${n - 1}, *a${n - 1}]`,
    ).join('\n'),
    args: ['import', 'table', 'TABLE', '--mapping', 'FILE', ...dryRun],
    others: { TABLE: table },
  },
  {
    name: 'an event of every second',
    file: 'x.ics',
    content: calendar.replace('FREQ=MONTHLY;COUNT=12', 'FREQ=SECONDLY'),
    args: importAs('icalendar'),
  },
  ...['a@', '1 ', '0721-', 'KA-', 'Straße ', 'at dot ', '<b ', '&'].map((part) => ({
    name: `a text of ${part}`,
    file: 'x.csv',
    content: toCsv(';', [
      tableRows[0] ?? [],
      ['1', part.repeat(longestText / part.length), 'offen', '01.03.2026 10:15', '1'],
    ]),
    ...mapped,
  })),
  ...Object.entries(lists).flatMap(([name, content]) => [
    { name: `a list of JSON with ${name}`, file: 'x.json', content, ...mapped },
    { name: `a suggestion from a list of JSON with ${name}`, file: 'x.json', content, ...suggested },
  ]),
];

const tokens = [
  ...['\0', '\ufeff', '\u2028', '\ud800', '"', "'", '""', ',', ';', '\t', '\n', '\r\n', '\\', '%', '<', '&'],
  ...['[', '{', '(', ']', '}', ')', '<!-- ', '<![CDATA[', '<!DOCTYPE a [<!ENTITY b "c">]>', '&b;', '&#0;'],
  ...['&#x110000;', '<p>', '</', 'null', '-0', '1e999', '9'.repeat(400), '__proto__', 'constructor'],
  ...['*a', '&a ', '<<: *a', '!!js/function', '? ', '- ', ': ', '|', 'BEGIN:VEVENT\r\n', 'END:VEVENT\r\n'],
  ...['RRULE:FREQ=SECONDLY\r\n', 'EXDATE:', 'a@b', '@', '+49 ', '0721 ', 'KA-', 'DE02', 'Straße 1', '\u0301'],
] as const;

const maxBytes = 2_000_000;

type Random = () => number;

const choose = <Item>(random: Random, items: readonly Item[]): Item =>
  items[Math.floor(random() * items.length)] as Item;

/** Changes a few places. One change in a hundred repeats a token up to a hundred thousand times. */
function mutate(bytes: Buffer, random: Random): Buffer {
  let changed = bytes;
  for (let count = 1 + Math.floor(random() * 4); count > 0; count -= 1) {
    const at = Math.floor(random() * (changed.length + 1));
    const length = Math.floor(random() ** 3 * (changed.length - at));
    const [before, part, after] = [
      changed.subarray(0, at),
      changed.subarray(at, at + length),
      changed.subarray(at + length),
    ];
    const repeats = 10 ** Math.floor(random() * (random() < 0.01 ? 6 : 2));
    const token = Buffer.from(choose(random, tokens));
    const flipped = Buffer.from(
      part.map((byte) => (random() < 0.1 ? byte ^ (1 << Math.floor(random() * 8)) : byte)),
    );
    const replacement = choose(random, [
      Buffer.alloc(0),
      flipped,
      Buffer.concat([part, part]),
      Buffer.concat([part, Buffer.concat(Array(repeats).fill(token))]),
    ]);
    changed = Buffer.concat([before, replacement, after]).subarray(0, maxBytes);
  }
  return changed;
}

export interface HostileInput {
  reader: Reader;
  content: Buffer;
  /** Whether the reader must accept it. */
  isWellFormed: boolean;
}

function compose({ content }: Reader, change: (bytes: Buffer) => Buffer, random: Random): Buffer {
  if (!Array.isArray(content)) return change(Buffer.from(content as string | Buffer));
  const parts = content as readonly ZipContent[];
  if (random() < 0.2) return change(buildZip(parts));
  const target = Math.floor(random() * parts.length);
  return buildZip(
    parts.map((part, index) =>
      index === target ? { ...part, content: change(Buffer.from(part.content)) } : part,
    ),
  );
}

/** Each reader and each attack is tried unchanged first. Later, one input in a hundred is an attack. */
export function createHostileInput(number: number): HostileInput {
  const random = createSeededRandom(number);
  const isAttack = number % 100 === 99;
  const list = isAttack ? attacks : wellFormed;
  const turn = isAttack ? (number - 99) / 100 : number;
  const first = [...wellFormed, ...attacks][number];
  const reader = first ?? (list[turn % list.length] as Reader);
  const isWellFormed = number < wellFormed.length;
  const isUnchanged = first !== undefined || (isAttack && random() < 0.5);
  const change = (bytes: Buffer) => (isUnchanged ? bytes : mutate(bytes, random));
  return { reader, content: compose(reader, change, random), isWellFormed };
}

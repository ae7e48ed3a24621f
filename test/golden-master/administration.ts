/** Administers a municipality on the command line: its keys, its sources and its provisioning file. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandOutput } from './program.ts';

export const organizationId = '00000000-0000-8000-8000-000000000006';

/** Municipality, keys, sources and accounts, some of them new and some different from those of the commands. */
const provisioningFile = `organizations:
  - id: ${organizationId}
    name: Neustadt
    timeZone: Europe/Vienna
    license: { name: CC-BY-4.0 }
    keys:
      - name: Portal
        hash: 7f83b1657ff1fc53b92dc18148a1d65dfc2d4b1fa3d677284addd200126d9069
        prefix: sk_rostra_Ab3dE6
        expires: 2098-06-30
        limit: 5000
        contact: Amt für Statistik
        purpose: Tägliche Kopie
    sources:
      - name: Sitzungen
        format: table
        every: 6h
        url: https://daten.stadt.example/sitzungen.csv
        timeZone: Europe/Berlin
        options: { mapping: sitzungen.yaml }
accounts:
  - email: anna@stadt.example
    roles: [{ organization: Neustadt, role: administrator }]
  - email: betrieb@stadt.example
    operator: true
`;

const mapping = 'submission:\n  id: Nummer\n  description: Betreff\n  createdAt: Datum\n';

const of = ['--organization', organizationId];

const keyFields = [
  ...['--expires', '2099-12-31', '--limit', '77'],
  ...['--contact', 'Büro für Beteiligung', '--purpose', 'Karte der Anträge'],
];

const sourceFields = [
  ...['--url', 'http://127.0.0.1:9/antraege.csv', '--every', '1d', '--time-zone', 'Europe/Berlin'],
  ...['--delete-missing', '--max-deleted', '20', '--license-name', 'CC0-1.0', '--redact', 'email,phone'],
];

/**
 * @param folder for the files of the commands
 * @param run runs a command
 * @yields each command with what it printed
 */
export async function* administer(
  folder: string,
  run: (...args: string[]) => Promise<CommandOutput>,
): AsyncGenerator<string> {
  const record = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(...args);
    return { text: `$ rostra ${args.join(' ')}\n${code}\n${stdout}\n${stderr}\n`, stdout };
  };
  const mappingFile = join(folder, 'antraege.yaml');
  writeFileSync(mappingFile, mapping);
  writeFileSync(join(folder, 'sitzungen.yaml'), mapping);
  const file = join(folder, 'installation.yaml');
  writeFileSync(file, provisioningFile);

  yield (await record('organization', 'add', 'Altstadt', '--id', organizationId)).text;
  yield (await record('key', 'issue', ...of, '--name', 'Karte', ...keyFields)).text;
  yield (await record('key', 'issue', ...of, '--name', 'Portal')).text;
  yield (await record('key', 'issue', ...of, '--name', 'Ungültig', '--expires', 'morgen')).text;
  const issued = await record('key', 'issue', ...of, '--name', 'Te\u0301st', '--json');
  yield issued.text;
  const { id } = JSON.parse(issued.stdout) as { id: string };
  yield (await record('key', 'edit', id, ...keyFields)).text;
  yield (await record('key', 'edit', id, '--clear', 'limit,purpose', '--json')).text;
  yield (await record('key', 'rotate', id, '--grace', '7d', '--json')).text;
  yield (await record('key', 'show', id)).text;
  yield (await record('key', 'revoke', id)).text;
  yield (await record('key', 'list', ...of)).text;
  yield (await record('key', 'list', ...of, '--json')).text;

  yield (
    await record(
      'source',
      'add',
      'Anträge',
      ...of,
      '--format',
      'table',
      '--mapping',
      mappingFile,
      ...sourceFields,
    )
  ).text;
  yield (await record('source', 'add', 'Kalender', ...of, '--format', 'icalendar', '--every', 'nie')).text;
  yield (await record('source', 'add', 'Kalender', ...of, '--format', 'icalendar')).text;
  yield (await record('source', 'edit', 'Anträge', ...of, '--every', '12h', '--accept', 'address')).text;
  yield (await record('source', 'edit', 'Anträge', ...of, '--clear', 'time-zone,license-name', '--json'))
    .text;
  yield (await record('source', 'show', 'Anträge', ...of)).text;
  yield (await record('source', 'list', ...of, '--json')).text;

  yield (await record('apply', '--dry-run', file)).text;
  yield (await record('apply', '--dry-run', '--json', file)).text;
  yield (await record('apply', file)).text;
  yield (await record('apply', '--dry-run', file)).text;
  yield (await record('source', 'run', 'Anträge', ...of)).text;
  yield (await record('source', 'remove', 'Kalender', ...of)).text;
  yield (await record('source', 'list', ...of)).text;
}

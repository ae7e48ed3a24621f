/** The pages of the documentation that follow from the code. */

import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { maxUriBytes } from '../src/api/errors.ts';
import { maxHeaderBytes } from '../src/api/request-framing.ts';
import { type SettingName, settings, toEnvironmentName, toFlagName } from '../src/config/settings.ts';
import { formats } from '../src/import/format-registry.ts';
import { csvMappingSchema } from '../src/import/formats/csv/mapping-schema.ts';
import { runCommand } from '../src/run-command.ts';

const note = '<!-- Written by "npm run docs": change the code, not this page. -->';

/** File name, as seen from this folder → text. */
export async function generatedPages(): Promise<[file: string, text: string][]> {
  return [
    ['settings.md', settingsPage()],
    ['commands.md', await commandsPage()],
    ['../examples/csv-mapping.schema.json', mappingSchema()],
  ];
}

/** As the formatter leaves it: lists of words on one line. */
function mappingSchema(): string {
  const schema = { $schema: 'http://json-schema.org/draft-07/schema#', ...csvMappingSchema };
  const text = JSON.stringify(schema, null, 2);
  return `${text.replace(/\[\s+("[^\]{}]*")\s+\]/g, (_, list) => `[${list.replace(/,\s+/g, ', ')}]`)}\n`;
}

function settingsPage(): string {
  const rows = (Object.keys(settings) as SettingName[]).map((name) => {
    const { value, default: fallback, description } = settings[name];
    const file = 'secret' in settings[name] ? `<br>\`${toEnvironmentName(name)}_FILE\`` : '';
    const shown = fallback === '' ? 'none' : `\`${fallback}\``;
    return `| \`${toEnvironmentName(name)}\`${file} | \`${toFlagName(name)} <${value}>\` | ${shown} | ${description} |`;
  });
  return `${note}

# Settings

Each setting is a flag of \`rostra serve\` or a variable of the environment; the flag wins. Those of redaction are
flags of \`rostra import\` and \`rostra sync\` instead, which must know them each time. Every other command
takes \`--database\`. A variable that is empty counts as absent. Where \`…_FILE\` is named, the value can lie in a
file instead, as container platforms hand out secrets. A wrong configuration is refused with all its problems at
once; a variable that starts with \`ROSTRA_\` and is none of these is warned about.

| variable | flag | default | meaning |
| --- | --- | --- | --- |
${rows.join('\n')}

Fixed: an address (path and query) has at most ${maxUriBytes} bytes, request line and header together at
most ${maxHeaderBytes}.
`;
}

const commands = [
  'serve',
  'demo',
  'organization add',
  'organization list',
  'organization remove',
  'key issue',
  'key list',
  'key revoke',
  'key rotate',
  'admin add',
  'admin invite',
  'admin list',
  'admin remove',
  'import',
  ...formats.map(({ name }) => `import ${name}`),
  'import detect',
  'sync oparl',
  'sync list',
  'sync remove',
  'record remove',
  'survey list',
  'migrate',
  'copy',
  'backup',
  'cursor-secret rotate',
];

async function commandsPage(): Promise<string> {
  const sections: string[] = [];
  for (const command of commands)
    sections.push(`## rostra ${command}\n\n\`\`\`text\n${await help(command)}\n\`\`\`\n`);
  return `${note}

# Commands

In a checkout the command is \`./rostra\`; from the published package it is \`rostra\`. Data goes to standard
output, everything else to standard error; \`--json\` prints data for programs.

| exit code | meaning |
| --- | --- |
| 0 | done |
| 1 | failed; the sentence on standard error says why and what to do |
| 2 | the command line or the configuration is wrong; nothing was done |
| 3 | the import is done, but records were refused |
| 130 | interrupted with Ctrl-C or SIGTERM during an import, a sync or a copy |
| 143 | ended at once by a second SIGTERM |

${sections.join('\n')}`;
}

async function help(command: string): Promise<string> {
  const stdout = new PassThrough();
  const own = { stdin: process.stdin, stdout, stderr: process.stderr, env: {} };
  await runCommand([...command.split(' '), '--help'], own, () => undefined);
  return (await text(stdout.end())).trim();
}

/** `rostra(1)` and `rostra.conf(5)`, from the definitions of the commands and the settings. */

import { toFlagName } from '../../src/domain/values/define-entered-fields.ts';
import {
  type CommandWords,
  describeCommand,
  listCommands,
} from '../../src/program/cli/completion/command-words.ts';
import { type SettingName, settings, toEnvironmentName } from '../../src/program/config/settings.ts';
import { createCommandContext, createProgram } from '../../src/program/run-command.ts';

interface Release {
  version: string;
  date: Date;
}

export async function createCommandPage(release: Release): Promise<string> {
  const program = await createProgram(createCommandContext({}));
  const commands = listCommands(describeCommand(program))
    .slice(1)
    .filter(({ path }) => path.at(-1) !== 'help');
  return `${createTitle('rostra', 1, release)}.SH NAME
rostra \\- publish data of municipalities as a read\\-only JSON API
.SH SYNOPSIS
.B rostra
.I command
.RI [ options ]
.SH DESCRIPTION
${escapeRoff(program.description())}
.PP
Commands read the settings of the service from
.IR /etc/rostra/rostra.conf .
If root runs a command, it runs as the user rostra.
.SH COMMANDS
${commands.map(createSection).join('')}.SH EXIT STATUS
.TP
.B 0
Success.
.TP
.B 1
Failure; the message gives the reason and the remedy.
.TP
.B 2
The command line or the configuration is invalid; nothing was changed.
.TP
.B 3
The import is complete, but it rejected records.
.TP
.B 130
Interrupted.
.SH FILES
.TP
.I /etc/rostra/rostra.conf
Settings of the service and of all commands.
.TP
.I /var/lib/rostra
The database, uploaded files and backups.
.SH EXAMPLES
Set up the installation, issue a key, and start the service:
.PP
.nf
rostra init
rostra key issue \\-\\-organization "Stadt Beispiel" \\-\\-name Portal
systemctl enable \\-\\-now rostra
.fi
.SH SEE ALSO
.BR rostra.conf (5),
.BR systemctl (1)
`;
}

export function createConfigurationPage(release: Release): string {
  return `${createTitle('rostra.conf', 5, release)}.SH NAME
rostra.conf \\- settings of Rostra
.SH DESCRIPTION
The service and the command
.BR rostra (1)
read this file. Each line is blank, a comment that begins with #, or NAME=value. Put a value with # or a quotation mark
in single quotes.
.PP
A flag of
.B rostra serve
counts before a variable of the environment, which counts before this file. An empty value counts as unset.
.PP
Apply changes with
.BR "systemctl reload rostra" ,
which fails no request. It needs ROSTRA_WORKERS=2 or more, and changes of ROSTRA_WORKERS, ROSTRA_STOP_DELAY,
ROSTRA_METRICS_PORT and ROSTRA_METRICS_HOST need
.BR "systemctl restart rostra" .
.SH SETTINGS
${(Object.keys(settings) as SettingName[]).map(createSetting).join('')}.TP
\\fBOTEL_EXPORTER_OTLP_ENDPOINT\\fR=\\fIurl\\fR
Collector of OpenTelemetry for traces, such as http://127.0.0.1:4318. Other variables of OpenTelemetry that begin with
OTEL_ are read from this file, too.
.SH FILES
.TP
.I /etc/rostra/rostra.conf
Only root can write this file, and only root and the service can read it.
.SH SEE ALSO
.BR rostra (1)
`;
}

function createTitle(name: string, section: number, { version, date }: Release): string {
  return `.TH ${name.toUpperCase()} ${section} ${date.toISOString().slice(0, 10)} "Rostra ${version}"\n`;
}

function createSection({
  path,
  description,
  options,
  arguments: expected,
  subcommands,
}: CommandWords): string {
  if (subcommands.length > 0 && options.length <= 1) return '';
  const words = expected.map(
    ({ name, isVariadic }) => ` \\fI${escapeRoff(name)}\\fR${isVariadic ? '...' : ''}`,
  );
  const shown = options.filter(({ flag }) => flag !== '--help');
  return `.SS rostra ${escapeRoff(path.join(' '))}
.B rostra ${escapeRoff(path.join(' '))}${words.join('')}${shown.length > 0 ? ' [\\fIoptions\\fR]' : ''}
.PP
${escapeRoff(description)}
${shown
  .map(
    (option) =>
      `.TP\n\\fB${escapeRoff(option.flag)}\\fR${option.placeholder === undefined ? '' : ` \\fI${escapeRoff(option.placeholder)}\\fR`}\n${escapeRoff(option.description)}\n`,
  )
  .join('')}`;
}

function createSetting(name: SettingName): string {
  const { value, description, default: fallback } = settings[name];
  const variable = toEnvironmentName(name);
  const file = 'secret' in settings[name] ? `, \\fB${variable}_FILE\\fR=\\fIfile\\fR` : '';
  const shown = fallback === '' ? '' : ` Default: ${fallback}.`;
  return `.TP\n\\fB${variable}\\fR=\\fI${escapeRoff(value)}\\fR${file}\n${escapeRoff(`${description}${shown} Flag: ${toFlagName(name)}.`)}\n`;
}

/** For roff: a line that begins with a period or an apostrophe would be a request, and a bare hyphen a dash. */
const escapeRoff = (text: string) =>
  text
    .replaceAll('`', '')
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('’', "'")
    .replaceAll('…', '...')
    .replaceAll('→', '\\(->')
    .replaceAll(/^([.'])/gm, '\\&$1');

import { type CommandWords, listCommands, type SuggestedValues } from './command-words.ts';

/** One function for each command, in the usual form of `_arguments`. */
export function createZshCompletion(root: CommandWords): string {
  return `#compdef rostra
# zsh completion for rostra

${listCommands(root).map(createFunction).join('\n')}
# Loaded from a folder of completions, the file is the function itself.
if [ "$funcstack[1]" = _rostra ]; then
  _rostra "$@"
else
  compdef _rostra rostra
fi
`;
}

function createFunction(command: CommandWords): string {
  const specs = [...listOptionSpecs(command), ...listArgumentSpecs(command)];
  const name = toFunctionName(command);
  if (command.subcommands.length === 0)
    return `${name}() {\n  _arguments ${specs.join(' \\\n    ') || ':'}\n}\n`;
  return `${name}() {
  local state line context curcontext="$curcontext"
  local -A opt_args
  _arguments -C ${[...specs, quote('1:command:->command'), quote('*::argument:->argument')].join(' \\\n    ')}
  case $state in
    command)
      local -a commands=(
${command.subcommands.map((each) => `        ${quote(`${each.path.at(-1)}:${each.summary}`)}`).join('\n')}
      )
      _describe command commands ;;
    argument)
      case $line[1] in
${command.subcommands.map((each) => `        ${each.path.at(-1)}) ${toFunctionName(each)} ;;`).join('\n')}
      esac ;;
  esac
}
`;
}

const toFunctionName = ({ path }: CommandWords) => ['_rostra', ...path].join('_').replaceAll('-', '_');

const listOptionSpecs = ({ options }: CommandWords) =>
  options.map(({ flag, description, placeholder, values }) => {
    const explained = `${flag}${placeholder === undefined ? '' : '='}[${escapeSpec(description)}]`;
    return quote(
      placeholder === undefined ? explained : `${explained}:${escapeSpec(placeholder)}:${toAction(values)}`,
    );
  });

const listArgumentSpecs = ({ arguments: expected, subcommands }: CommandWords) =>
  subcommands.length > 0
    ? []
    : expected.map(({ name, values, isVariadic }, index) =>
        quote(`${isVariadic ? '*' : index + 1}:${escapeSpec(name)}:${toAction(values)}`),
      );

function toAction(values: SuggestedValues): string {
  if (values === 'files') return '_files';
  if (values === 'folders') return '_files -/';
  return values === undefined ? ' ' : `(${values.join(' ')})`;
}

const escapeSpec = (text: string) => text.replaceAll(/[\\[\]:]/g, '\\$&');

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

import { type CommandWords, listCommands, type SuggestedValues } from './command-words.ts';

export function createFishCompletion(root: CommandWords): string {
  const commands = listCommands(root);
  return `# fish completion for rostra

# Prints the command on the command line, such as "key issue".
function __rostra_command
    set -l commands ${commands
      .slice(1)
      .map(({ path }) => quote(path.join(' ')))
      .join(' ')}
    set -l command
    for word in (commandline -opc)[2..]
        if contains -- (string join -- ' ' $command $word) $commands
            set -a command $word
        end
    end
    string join -- ' ' $command
end

function __rostra_is
    test (__rostra_command | string collect --allow-empty) = "$argv"
end

complete -c rostra -f
${commands.flatMap(listLines).join('\n')}
`;
}

function listLines({ path, options, arguments: expected, subcommands }: CommandWords): string[] {
  const condition = `complete -c rostra -n ${quote(['__rostra_is', ...path].join(' '))}`;
  return [
    ...subcommands.map((each) => `${condition} -a ${each.path.at(-1)} -d ${quote(each.summary)}`),
    ...options.map(
      ({ flag, description, placeholder, values }) =>
        `${condition} -l ${flag.slice(2)}${placeholder === undefined ? '' : ` -x${toSource(values)}`} -d ${quote(description)}`,
    ),
    ...expected.flatMap(({ values }) => (values === undefined ? [] : [`${condition}${toSource(values)}`])),
  ];
}

function toSource(values: SuggestedValues): string {
  if (values === 'files') return " -a '(__fish_complete_path (commandline -ct))'";
  if (values === 'folders') return " -a '(__fish_complete_directories (commandline -ct))'";
  return values === undefined ? '' : ` -a ${quote(values.join(' '))}`;
}

const quote = (text: string) => `'${text.replaceAll(/[\\']/g, '\\$&')}'`;

import { type CommandWords, listCommands, type SuggestedValues } from './command-words.ts';

/** Needs bash 4.4 without further packages. The lists are complete, so that the tab key starts no process. */
export function createBashCompletion(root: CommandWords): string {
  const commands = listCommands(root);
  return `# bash completion for rostra

_rostra_list() {
  # Bash adds the space after a word.
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current")
}

_rostra_values() {
  case "$1" in
    files) compopt -o default ;;
    folders) compopt -o dirnames ;;
    *) _rostra_list "$1" ;;
  esac
}

# Sets "subcommands", "options", "arguments" and "rest" of a command.
_rostra_describe() {
  subcommands='' options='' arguments=() rest=''
  case "$1" in
${commands.map(describeBranch).join('\n')}
  esac
}

# Prints the suggested values of an option; fails if the option has no value.
_rostra_option_values() {
  case "$1 $2" in
${listOptionBranches(commands).join('\n')}
    *) return 1 ;;
  esac
}

_rostra() {
  local current=\${COMP_WORDS[COMP_CWORD]} command='' position=0 option='' index word values
  local subcommands options rest
  local -a arguments
  COMPREPLY=()
  # Bash makes a word of its own of the sign in --option=value.
  [[ $current == = ]] && current=''
  _rostra_describe ''
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    if [[ $word == = ]]; then
      continue
    elif [[ -n $option ]]; then
      option=''
    elif [[ $word == -* ]]; then
      _rostra_option_values "$command" "$word" >/dev/null && option=$word
    elif [[ " $subcommands " == *" $word "* ]]; then
      command=\${command:+$command }$word
      _rostra_describe "$command"
      position=0
    else
      position=$((position + 1))
    fi
  done
  if [[ -n $option ]]; then
    values=$(_rostra_option_values "$command" "$option")
    _rostra_values "$values"
  elif [[ $current == -* ]]; then
    _rostra_list "$options"
  elif [[ -n $subcommands && $position == 0 ]]; then
    _rostra_list "$subcommands"
  else
    _rostra_values "\${arguments[position]-$rest}"
  fi
}

complete -F _rostra rostra
`;
}

function describeBranch({ path, options, arguments: expected, subcommands }: CommandWords): string {
  const last = expected.at(-1);
  return `    '${path.join(' ')}')
      subcommands='${subcommands.map((command) => command.path.at(-1)).join(' ')}'
      options='${options.map(({ flag }) => flag).join(' ')}'
      arguments=(${expected.map(({ values }) => `'${toText(values)}'`).join(' ')})
      rest='${last?.isVariadic ? toText(last.values) : ''}' ;;`;
}

const listOptionBranches = (commands: readonly CommandWords[]) =>
  commands.flatMap(({ path, options }) =>
    options
      .filter(({ placeholder }) => placeholder !== undefined)
      .map(({ flag, values }) => `    '${path.join(' ')} ${flag}') echo '${toText(values)}' ;;`),
  );

const toText = (values: SuggestedValues) => (typeof values === 'object' ? values.join(' ') : (values ?? ''));

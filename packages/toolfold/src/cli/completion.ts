import { BUILT_IN_ROLES } from '@toolfold/agent/internal/routing';
import { VERSION } from '@toolfold/core/internal/version.ts';
import { Argument, Command } from 'commander';
import type { CommandContext } from '../terminal/index.ts';
import { type CommandTable, commandRow } from './command-table.ts';
import { completions, TABLE_VARIABLE } from './complete.ts';

const afterHelp = `
The completions take names of servers and roles from your configuration. They start no server.

To load them, add a line to the file of your shell:
  ~/.bashrc                   eval "$(toolfold completion bash)"
  ~/.zshrc, after compinit    eval "$(toolfold completion zsh)"
  ~/.config/fish/config.fish  toolfold completion fish | source

Examples:
  toolfold completion bash`;

/** `toolfold completion`: prints the script with which a shell completes the command line. */
export function completionCommand({ terminal }: CommandContext): Command {
  const command = new Command('completion')
    .description('Prints a script with which a shell completes commands, options and names.')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText('after', afterHelp)
    .action((shell: ShellName) => terminal.out(completionScript(shell, tableOf(command))));
  return command;
}

/**
 * The hidden command `toolfold complete -- words...`, which the scripts call. It prints nothing if
 * something goes wrong, because a message would disturb the line that the user types.
 */
export function completeCommand({ terminal }: CommandContext): Command {
  const command = new Command('complete')
    .argument('[words...]', 'the words of the command line so far')
    .allowUnknownOption()
    .action(async (words: string[]) => {
      try {
        terminal.out(await completions(words, process.env, tableOf(command)));
      } catch {
        // Nothing is completed.
      }
    });
  return command;
}

function tableOf(command: Command): CommandTable {
  const roles = Object.keys(BUILT_IN_ROLES);
  return { ...commandRow(command.parent ?? command), version: VERSION, roles };
}

/** The shells that have a script. */
const shells = ['bash', 'zsh', 'fish'] as const;
type ShellName = (typeof shells)[number];

/**
 * The script that a shell loads. It asks `toolfold complete` for words, and passes the table of
 * commands with each question.
 */
function completionScript(shell: ShellName, table: CommandTable): string {
  const json = JSON.stringify(table);
  if (shell === 'fish') return fish(`'${json.replace(/[\\']/g, '\\$&')}'`);
  const quoted = `'${json.replaceAll("'", "'\\''")}'`;
  return shell === 'bash' ? bash(quoted) : zsh(quoted);
}

// Works with bash 3.2, which macOS has. Bash splits words at = and :, so they are joined again.
const bash = (
  table: string,
): string => `# Completions of toolfold for bash. To load them: eval "$(toolfold completion bash)"
_toolfold() {
  local IFS=$'\\n' tab=$'\\t' i word line kind='' last='' full='' lead name
  local -a words
  words=()
  COMPREPLY=()
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if ((i > 1)) && [[ $word == [=:]* || \${COMP_WORDS[i - 1]} == [=:] ]]; then
      words[\${#words[@]} - 1]+=$word
    else
      words[\${#words[@]}]=$word
    fi
    last=$word
  done
  ((\${#words[@]} > 0)) || return 0
  full=\${words[\${#words[@]} - 1]}
  [[ $last == [=:] ]] && last=''
  lead=\${full%"$last"}
  while read -r line; do
    if [[ -z $kind ]]; then
      kind=$line
      continue
    fi
    name=\${line%%$tab*}
    if [[ $last == [\\"\\']* ]]; then
      COMPREPLY[\${#COMPREPLY[@]}]=\${name#"$lead"}
    else
      COMPREPLY[\${#COMPREPLY[@]}]=$(printf '%q' "\${name#"$lead"}")
    fi
  done < <(${TABLE_VARIABLE}=${table} toolfold complete -- "\${words[@]}" 2>/dev/null)
  case $kind in
    files | folders)
      if [[ $last == '~/'* ]]; then last=$HOME/\${last#'~/'}; fi
      if [[ $kind == files ]]; then COMPREPLY=($(compgen -f -- "$last")); else COMPREPLY=($(compgen -d -- "$last")); fi
      type compopt >/dev/null 2>&1 && compopt -o filenames 2>/dev/null
      ;;
  esac
  return 0
}
complete -F _toolfold toolfold
`;

const zsh = (table: string): string => `#compdef toolfold
# Completions of toolfold for zsh. To load them: eval "$(toolfold completion zsh)"
_toolfold() {
  local -a lines items
  local tab=$'\\t' kind line name
  lines=("\${(@f)$(${TABLE_VARIABLE}=${table} toolfold complete -- "\${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
  kind=\${lines[1]}
  case $kind in
    files) compset -P '--*='; _files ;;
    folders) compset -P '--*='; _files -/ ;;
    words)
      for line in "\${(@)lines[2,-1]}"; do
        name=\${line%%$tab*}
        if [[ $line == *$tab* ]]; then
          items+=("\${name//:/\\\\:}:\${line#*$tab}")
        else
          items+=("\${name//:/\\\\:}")
        fi
      done
      _describe -t words word items
      ;;
  esac
}
if [[ $funcstack[1] == _toolfold ]]; then
  _toolfold "$@"
else
  compdef _toolfold toolfold
fi
`;

const fish = (
  table: string,
): string => `# Completions of toolfold for fish. To load them: toolfold completion fish | source
function __toolfold_complete
    set -l words (commandline -opc)
    set -e words[1]
    set -l current (commandline -ct)
    set -lx ${TABLE_VARIABLE} ${table}
    set -l lines (toolfold complete -- $words "$current" 2>/dev/null)
    set -l kind $lines[1]
    set -e lines[1]
    switch "$kind"
        case files
            __fish_complete_path "$current"
        case folders
            __fish_complete_directories "$current"
        case words
            if test (count $lines) -gt 0
                printf '%s\\n' $lines
            end
    end
end
complete -c toolfold -f -a '(__toolfold_complete)'
`;

import type { CommandTable } from './command-table.ts';
import { TABLE_VARIABLE } from './complete.ts';

/** The shells that have a script. */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/**
 * The script that a shell loads. It asks `toolfold complete` for words, and passes the table of
 * commands with each question.
 */
export function completionScript(shell: Shell, table: CommandTable): string {
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

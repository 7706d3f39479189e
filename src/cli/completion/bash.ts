/** Completion for bash: three functions that know every command, and nothing to run while one types. */
import { type CommandOutline, eachCommand } from './outline.ts'
import { commandPattern, quote, valueCases, valuePattern } from './shell-case.ts'

function commandCase(program: CommandOutline, path: readonly string[], command: CommandOutline): string {
  const flags = [...command.options, ...(path.length === 0 ? [] : program.options)].map(({ name }) => name)
  const choices = [
    ...command.commands.map(({ name }) => name),
    ...command.arguments.flatMap(({ words }) => words),
  ]
  const files = command.arguments.some(({ file }) => file) ? ' files=1' : ''
  return `    ${quote(path.join(' '))}) flags=${quote([...new Set(flags)].join(' '))} choices=${quote(choices.join(' '))}${files} ;;`
}

export function renderBash(program: CommandOutline): string {
  const commands = [...eachCommand(program)]
  return `# Completion of brain for bash. Use it now: source <(brain completion bash)
_brain_value() {
  case "$1 $2" in
${valueCases(program, (words) => `choices=${quote(words.join(' '))}`)}
    *) return 1 ;;
  esac
}
_brain_command() {
  case "$1" in
${commands.map(({ path, command }) => commandCase(program, path, command)).join('\n')}
  esac
}
_brain() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  local at='' next choices='' flags='' files='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      ${valuePattern(program)}) ((i++)); continue ;;
      -*) continue ;;
    esac
    next="\${at:+$at }\${COMP_WORDS[i]}"
    case $next in
      ${commandPattern(program)}) at=$next ;;
    esac
  done
  if ! _brain_value "$at" "$previous"; then
    _brain_command "$at"
    if [[ $current == -* ]]; then choices=$flags files=''; fi
  fi
  COMPREPLY=()
  if [[ -n $files ]]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r next; do COMPREPLY+=("$next"); done < <(compgen -f -- "$current")
  else
    while IFS= read -r next; do COMPREPLY+=("$next"); done < <(compgen -W "$choices" -- "$current")
  fi
}
complete -F _brain brain
`
}

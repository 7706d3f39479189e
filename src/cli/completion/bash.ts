/** Completion for bash: three functions that know every command, and nothing to run while one types. */
import { type CommandOutline, eachCommand, type Place, valueOptions } from './outline.ts'

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const placeOf = ({ words, file }: Place): string =>
  file ? 'files=1' : words.length > 0 ? `choices=${quote(words.join(' '))}` : ':'

/** What may follow an option; options of the whole program are known to every command. */
function valueCases(program: CommandOutline): string[] {
  return [...eachCommand(program)].flatMap(({ path, command }) =>
    valueOptions(command).map(
      ({ name, value }) =>
        `    ${path.length === 0 ? `*' ${name}'` : quote(`${path.join(' ')} ${name}`)}) ${placeOf(value)} ;;`,
    ),
  )
}

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
  const takers = new Set(commands.flatMap(({ command }) => valueOptions(command).map(({ name }) => name)))
  const names = commands.flatMap(({ path }) => (path.length === 0 ? [] : [quote(path.join(' '))]))
  return `# Completion of brain for bash. Use it now: source <(brain completion bash)
_brain_value() {
  case "$1 $2" in
${valueCases(program).join('\n')}
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
      ${[...takers].join('|')}) ((i++)); continue ;;
      -*) continue ;;
    esac
    next="\${at:+$at }\${COMP_WORDS[i]}"
    case $next in
      ${names.join('|')}) at=$next ;;
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

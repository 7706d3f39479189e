/** Completion for zsh, as a file in fpath named _brain or sourced. */
import { type CommandOutline, eachCommand, type OptionOutline } from './outline.ts'
import { commandPattern, quote, valueCases, valuePattern } from './shell-case.ts'

/** A word and what it means, as _describe takes it. */
const described = (name: string, about: string): string =>
  quote(about === '' ? name : `${name.replaceAll(':', '\\:')}:${about}`)

const optionList = (options: readonly OptionOutline[]): string =>
  options.map(({ name, about }) => described(name, about)).join(' ')

function commandCase(path: readonly string[], command: CommandOutline): string {
  const choices = [
    ...command.commands.map(({ name, about }) => described(name, about)),
    ...command.arguments.flatMap(({ words }) => words.map(quote)),
  ]
  const files = command.arguments.some(({ file }) => file) ? ' files=1' : ''
  return `    ${quote(path.join(' '))})
      flags=(${optionList(command.options)})
      choices=(${choices.join(' ')})${files} ;;`
}

export function renderZsh(program: CommandOutline): string {
  const commands = [...eachCommand(program)]
  return `#compdef brain
# Completion of brain for zsh: brain completion zsh > ~/.zfunc/_brain
_brain_value() {
  case "$1 $2" in
${valueCases(program, (words) => `choices=(${words.map(quote).join(' ')})`)}
    *) return 1 ;;
  esac
}
_brain_command() {
  case "$1" in
${commands.map(({ path, command }) => commandCase(path, command)).join('\n')}
  esac
}
_brain() {
  local at='' next='' files='' i
  local -a choices flags everywhere
  everywhere=(${optionList(program.options)})
  for ((i = 2; i < CURRENT; i++)); do
    case $words[i] in
      ${valuePattern(program)}) ((i++)); continue ;;
      -*) continue ;;
    esac
    next="\${at:+$at }$words[i]"
    case $next in
      ${commandPattern(program)}) at=$next ;;
    esac
  done
  if ! _brain_value "$at" "$words[CURRENT-1]"; then
    _brain_command "$at"
    if [[ $words[CURRENT] == -* ]]; then
      [[ -n $at ]] && flags+=("\${everywhere[@]}")
      _describe -o option flags
      return
    fi
  fi
  if [[ -n $files ]]; then _files; else _describe value choices; fi
}
if [[ "$funcstack[1]" == _brain ]]; then _brain "$@"; else compdef _brain brain; fi
`
}

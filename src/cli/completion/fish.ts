/** Completion for fish: one line for everything that may stand somewhere. */
import { type CommandOutline, eachCommand, type OptionOutline, type Place } from './outline.ts'

const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** True while the words so far lead to exactly this command. */
function conditionOf(path: readonly string[], command: CommandOutline): string {
  const seen = path.map((name) => `__fish_seen_subcommand_from ${name}`)
  const children = command.commands.map(({ name }) => name).join(' ')
  const none = children === '' ? [] : [`not __fish_seen_subcommand_from ${children}`]
  return [...seen, ...none].join('; and ')
}

const takes = (value: Place | undefined): string => {
  if (value === undefined) return ''
  if (value.file) return ' -r -F'
  return value.words.length > 0 ? ` -x -a ${quote(value.words.join(' '))}` : ' -x'
}

const optionLine = (condition: string, { name, about, value }: OptionOutline): string =>
  `complete -c brain${condition === '' ? '' : ` -n ${quote(condition)}`} -l ${name.replace(/^--/, '')}${takes(value)} -d ${quote(about)}`

export function renderFish(program: CommandOutline): string {
  const lines = [...eachCommand(program)].flatMap(({ path, command }) => {
    const condition = conditionOf(path, command)
    const children = command.commands.map(
      ({ name, about }) => `complete -c brain -n ${quote(condition)} -a ${name} -d ${quote(about)}`,
    )
    const places = command.arguments.flatMap(({ words, file }) => [
      ...(words.length > 0 ? [`complete -c brain -n ${quote(condition)} -a ${quote(words.join(' '))}`] : []),
      ...(file ? [`complete -c brain -n ${quote(condition)} -F`] : []),
    ])
    // Options of the whole program may stand anywhere.
    const options = command.options.map((option) => optionLine(path.length === 0 ? '' : condition, option))
    return [...children, ...places, ...options]
  })
  return `# Completion of brain for fish: brain completion fish > ~/.config/fish/completions/brain.fish
complete -c brain -f
${lines.join('\n')}
`
}

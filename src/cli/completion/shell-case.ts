/** What completion in bash and zsh has in common: quoting, and the cases of their `case` statements. */
import { type CommandOutline, eachCommand, valueOptions } from './outline.ts'

export const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** One word, in quotes only if it needs them. */
export const quoteWord = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : quote(word))

/**
 * A case an option that takes a value: what may follow it, as `assign` writes a list of words for this shell.
 * Options of the whole program are known to every command.
 */
export const valueCases = (program: CommandOutline, assign: (words: readonly string[]) => string): string =>
  [...eachCommand(program)]
    .flatMap(({ path, command }) =>
      valueOptions(command).map(({ name, value: { words, file } }) => {
        const pattern = path.length === 0 ? `*' ${name}'` : quote(`${path.join(' ')} ${name}`)
        return `    ${pattern}) ${file ? 'files=1' : words.length > 0 ? assign(words) : ':'} ;;`
      }),
    )
    .join('\n')

/** Every option that takes a value, as one pattern. */
export const valuePattern = (program: CommandOutline): string => {
  const names = [...eachCommand(program)].flatMap(({ command }) =>
    valueOptions(command).map(({ name }) => name),
  )
  return [...new Set(names)].join('|')
}

/** The words that lead to every command, as one pattern. */
export const commandPattern = (program: CommandOutline): string =>
  [...eachCommand(program)]
    .flatMap(({ path }) => (path.length === 0 ? [] : [quote(path.join(' '))]))
    .join('|')

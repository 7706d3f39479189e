/**
 * Whoever writes a note, a question or a command chooses what stands in it: 64 KB of one word, of blanks or of quotes are read
 * as soon as any other text. Everything that reads a text in the rooms below is tried, as its source declares it.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it, vi } from 'vitest'
import { topicsOf } from '../../src/agents/gate.ts'
import { foreignFormats } from '../../src/transfer/formats/index.ts'

// Some hundred readers, as many texts for each: a minute of the processor.
vi.setConfig({ testTimeout: 1_200_000 })

const rooms = ['core', 'search', 'agents', 'transfer/formats']
const size = 65_536
/**
 * Seconds of the processor. A text is read in less than a tenth of one; what goes through it from each of its places
 * takes more.
 */
const limit = 2
/**
 * What takes no longer for an eighth of the size keeps the limit even where it grows by the square; what grows faster
 * does not.
 */
const quick = limit / 8 ** 2

const runs = [
  ...[' ', '\t', '\n', '\r\n', ' \n', '\u00a0', '\u0301', 'a', 'A', 'é', '漢', '1', '1 ', '12:', '0x'],
  ...[
    '-',
    '--',
    '- ',
    '- [ ] ',
    '* ',
    '**',
    '__',
    '_',
    '.',
    '. ',
    '1. ',
    ', ',
    ';',
    ':',
    '://',
    '/',
    '//a:',
    '\\',
  ],
  ...[
    '"',
    "'",
    '`',
    '```\n',
    '~~~\n',
    '#',
    '# ',
    '[',
    '[[',
    ']',
    '(',
    '<',
    '<!--',
    '<private>',
    '>',
    '{',
    '}',
  ],
  ...[
    '=',
    'x=',
    'A=b ',
    'key=',
    '+',
    '$',
    '$(',
    '&',
    '|',
    '@',
    'a@',
    '<<A\n',
    'Bearer ',
    '-----BEGIN ',
    'eyJ',
  ],
  ...[
    'a.',
    'a/',
    'a-',
    'a b ',
    'user: ',
    'the ',
    'in the ',
    'and ',
    'not ',
    'never ',
    'must ',
    'only ',
    'no ',
    'if ',
  ],
  ...[
    'git ',
    'git push ',
    'git -c a ',
    'rm ',
    'sudo ',
    'before ',
    'on monday ',
    'at 5 ',
    '5 mb ',
    'is x ',
    'that ',
  ],
  ...['what ', 'I ', "don't ", 'to be ', 'because ', 'was ', 'yesterday ', 'two weeks ', 'last ', '9 March '],
]

/** Parameters that are no texts: where something is, a name, or a word that was cut out of a text. */
const isNoText = /^(?:brain|directory|models|path|address|name|word)$/
const signature = /^export (?:const (\w+) = (?:async )?|(?:async )?function (\w+))\(([^()]*)\)/gm

type Read = (text: string) => unknown

/** What a parameter is given; undefined for one that is no text. */
function argumentFor(parameter: string): ((text: string) => string | number) | undefined {
  const [, name = '', type, word] =
    /^\s*(\w+): (?:(string|number)|'(\w+)'(?: \| '\w+')*)\s*$/.exec(parameter) ?? []
  if (word !== undefined) return () => word
  if (type === undefined || isNoText.test(name)) return undefined
  return type === 'number' ? () => 600 : (text) => text
}

/** The functions of a module that read texts and need nothing else. */
async function readersOf(file: string): Promise<[name: string, read: Read][]> {
  const declared = [...readFileSync(file, 'utf8').matchAll(signature)].flatMap(([, one, other, all = '']) => {
    const needed = all.split(',').filter((parameter) => !/[?=]|^\s*$/.test(parameter))
    const given = needed.flatMap((parameter) => argumentFor(parameter) ?? [])
    const isReader =
      given.length === needed.length && needed.some((parameter) => parameter.includes('string'))
    return isReader ? [[one ?? other ?? '', given] as const] : []
  })
  if (declared.length === 0) return []
  const module: Record<string, unknown> = await import(resolve(file))
  return declared.flatMap(([name, given]): [string, Read][] => {
    const own = module[name]
    return typeof own === 'function' ? [[name, (text) => own(...given.map((give) => give(text)))]] : []
  })
}

/** Seconds of the processor that a function takes for a text, with what it returns to read others by. */
async function secondsOf(read: Read, text: string): Promise<number> {
  const before = process.cpuUsage()
  try {
    const made = await read(text)
    if (typeof made === 'function') await made(text)
  } catch {
    // What is no address or no calendar day is refused: that is an answer.
  }
  return process.cpuUsage(before).user / 1e6
}

const textsOf = (run: string, length: number): string[] =>
  ['', 'x'].map((end) => `x ${run.repeat(length / run.length)}${end}`)

/** What of some readers takes too long for which texts. */
async function slowOf(readers: readonly (readonly [name: string, read: Read])[]): Promise<string[]> {
  const slow: string[] = []
  for (const [name, read] of readers)
    for (const run of runs) {
      const long = textsOf(run, size)
      for (const [at, short] of textsOf(run, size / 8).entries()) {
        if ((await secondsOf(read, short)) < quick) continue
        const seconds = await secondsOf(read, long[at] ?? '')
        if (seconds > limit) slow.push(`${name}: ${JSON.stringify(run)} takes ${seconds.toFixed(1)} s`)
      }
    }
  return slow
}

it.each(rooms)('whatever reads a text in %s reads one that repeats itself in no time', async (room) => {
  const files = readdirSync(join('src', room), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join('src', room, file))
  const readers = (await Promise.all(files.map(readersOf))).flat()
  expect(readers.length).toBeGreaterThan(5)
  expect(await slowOf(readers)).toEqual([])
})

it('every format of a text file is told and read in no time', async () => {
  const readers = foreignFormats.flatMap((format) =>
    ['a.txt', 'a.md', 'a.csv'].map((path): [string, Read] => [
      `${format.name} of ${path}`,
      (text) => {
        const others = { changedAt: 1, leading: [], isDatabase: false, isBrain: false, values: () => [] }
        const file = { ...others, path, beginning: text, text: () => text }
        if (format.recognises(file)) return [...format.read(file, () => {})].length
        return false
      },
    ]),
  )
  expect(await slowOf(readers)).toEqual([])
})

it('a gate finds what is done of here-documents of blank lines in the time that a hook has', () => {
  const { user } = process.cpuUsage()
  for (let turn = 0; turn < 20; turn += 1)
    expect(topicsOf(`cat <<END\n${'\n'.repeat(7_900)}${turn}`)).not.toEqual([])
  // Microseconds: twenty take some thousands, and took eight million.
  expect(process.cpuUsage().user - user).toBeLessThan(2_000_000)
})

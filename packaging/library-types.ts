/**
 * The methods of the library as an editor shows them on hover: what each does, its members with their meaning and bounds, its
 * answer, and a call. Out of the operations; the build fails where they differ from the types computed from them.
 */
import { catalogue } from '../src/cli/catalogue.ts'
import { decodeString, type MemberShape } from '../src/operations/decode.ts'
import { operations } from '../src/operations/index.ts'
import { isRequired, type JsonSchema, memberSchema, outputSchema } from '../src/operations/json-schema.ts'
import type { Operation } from '../src/operations/operation.ts'

const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

const comment = (text: string): string => `/** ${text.replaceAll('*/', '* /')} */`

/** A schema as a type. */
function typeOf(schema: JsonSchema): string {
  const options = schema.anyOf ?? schema.oneOf
  if (Array.isArray(options)) return options.map(typeOf).join(' | ')
  if (Array.isArray(schema.enum))
    return schema.enum
      .map((value) => JSON.stringify(value))
      .join(' | ')
      .replaceAll('"', "'")
  if (typeof schema.const === 'string') return `'${schema.const}'`
  if (schema.const !== undefined) return typeof schema.const
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(' | ')
  if (schema.type === 'array') {
    const own = schema.items as JsonSchema
    const items = typeOf(own)
    const several = own.anyOf ?? own.oneOf ?? own.enum ?? (Array.isArray(own.type) ? own.type : undefined)
    return several === undefined ? `${items}[]` : `(${items})[]`
  }
  if (schema.type === 'integer') return 'number'
  if (schema.type !== 'object') return String(schema.type)
  const required = new Set((schema.required ?? []) as readonly string[])
  const members = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).map(
    ([name, property]) =>
      required.has(name) ? `${name}: ${typeOf(property)}` : `${name}?: ${typeOf(property)} | undefined`,
  )
  return `{ ${members.join('; ')} }`
}

/** Bounds and default of a member, in words. */
function limitsOf({ minimum, maximum, default: fallback }: JsonSchema): string {
  const parts = [
    minimum !== undefined && maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER
      ? `${minimum} to ${maximum}`
      : '',
    fallback === undefined ? '' : `default ${fallback}`,
  ].filter((part) => part !== '')
  return parts.length === 0 ? '' : ` (${parts.join('; ')})`
}

function inputOf({ members }: Operation): string {
  const entries = Object.entries(members)
  if (entries.length === 0) return 'input?: Record<never, never>'
  const lines = entries.flatMap(([member, schema]) => {
    const { description, ...rest } = memberSchema(schema, { nullable: false })
    const type = typeOf(rest)
    return [
      comment(`${description}${limitsOf(rest)}.`),
      `${member}${isRequired(schema) ? `: ${type}` : `?: ${type} | null | undefined`}`,
    ]
  })
  const optional = entries.every(([, schema]) => !isRequired(schema)) ? '?' : ''
  return `input${optional}: {\n${lines.join('\n')}\n}`
}

/** The words of a command line as a shell would see them. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')

/** The call that a command line of help stands for. */
function callOf({ name, help }: Operation): string {
  const entry = catalogue.find(({ operation }) => operation === name)
  const line = help.examples.find((example) => /^brain [\w-]+( |$)/.test(example) && !example.endsWith(' -'))
  const input: Record<string, unknown> = {}
  const places: string[] = []
  const words = wordsOf((line ?? '').replace(/ [|&].*$/, '')).slice(2)
  const decoded = (shape: MemberShape | undefined, word: string) => (shape ? decodeString(shape, word) : word)
  while (words.length > 0) {
    const word = words.shift() ?? ''
    const member = word.replace(/^--/, '').replaceAll('-', '_')
    const [flagged] = Object.entries(entry?.flags ?? {}).find(([, flags]) => flags.includes(member)) ?? []
    if (!word.startsWith('--')) places.push(word)
    else if (flagged !== undefined) input[flagged] = member
    else if (entry?.members[member] !== undefined)
      input[member] = decoded(entry.members[member], words.shift() ?? '')
  }
  const positional = entry?.positional ?? []
  const given = positional.flatMap((member, at) => {
    const text = at === positional.length - 1 ? places.slice(at).join(' ') : places[at]
    return text ? [[member, decoded(entry?.members[member], text)] as const] : []
  })
  const all = Object.entries({ ...Object.fromEntries(given), ...input })
  const members = all.map(
    ([member, value]) => `${member}: ${typeof value === 'string' ? `'${value}'` : value}`,
  )
  return `await brain.${camel(name)}(${members.length === 0 ? '' : `{ ${members.join(', ')} }`})`
}

const method = (operation: Operation): string => {
  const refusals = Object.values(operation.errors ?? {}).flat()
  return [
    '/**',
    ` * ${operation.summary}`,
    ...refusals.map((sentence) => ` * @throws BrainError \`${sentence}\``),
    ` * @example ${callOf(operation)}`,
    ' */',
    `${camel(operation.name)}(${inputOf(operation)}): Promise<${typeOf(outputSchema(operation.output()))}>`,
  ].join('\n')
}

/** The module of the types; the compiler that turns it into declarations lays it out. */
export const renderLibraryTypes =
  (): string => `/** The library's methods, with what an editor shows of them. */

/** A method an operation: \`recall_dreams\` is \`recallDreams\`. Inputs and outputs are those of the HTTP API. */
export interface Methods {
${operations.map(method).join('\n')}
}
`

/**
 * JSON Schema as our interfaces write it: values that fit one, values that nearly do, and whether a value fits. Knows
 * the few words that our schemas use, and throws for any other, so that none is passed over.
 */
import fc from 'fast-check'

export interface Schema {
  readonly [word: string]: unknown
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly pattern?: string
}

const known = new Set([
  ...['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'anyOf', 'const', 'pattern'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'format'],
  // What only people read.
  ...['description', 'default', 'title', 'examples', '$schema', 'propertyNames'],
])

const typesOf = ({ type }: Schema): readonly string[] =>
  type === undefined ? [] : typeof type === 'string' ? [type] : type

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function isOfType(type: string, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isRecord(value)
  if (type === 'null') return value === null
  return typeof value === type
}

/** What does not fit, as a path and a reason; undefined for what fits. @throws Error for a word it does not know. */
export function findMisfit(schema: Schema, value: unknown, path = ''): string | undefined {
  for (const word of Object.keys(schema)) if (!known.has(word)) throw new Error(`what does ${word} mean?`)
  if (schema.anyOf !== undefined) {
    const misfits = schema.anyOf.map((one) => findMisfit(one, value, path))
    return misfits.includes(undefined) ? undefined : misfits.join(' or ')
  }
  const wrong = (why: string): string => `${path || 'it'} ${why}`
  const types = typesOf(schema)
  if (types.length > 0 && !types.some((type) => isOfType(type, value)))
    return wrong(`is no ${types.join(', ')}`)
  if (schema.enum !== undefined && !schema.enum.includes(value)) return wrong('is none of the values')
  if ('const' in schema && schema.const !== value) return wrong('is another value')
  if (typeof value === 'number') {
    if (value < (schema.minimum ?? value) || value > (schema.maximum ?? value))
      return wrong('is out of range')
    if (value <= Number(schema.exclusiveMinimum ?? Number.NEGATIVE_INFINITY)) return wrong('is out of range')
  }
  if (typeof value === 'string') {
    const length = [...value].length
    if (length < (schema.minLength ?? 0) || value.length > (schema.maxLength ?? value.length))
      return wrong('has a wrong length')
    if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value))
      return wrong('does not match')
    if (schema.format === 'date-time' && Number.isNaN(Date.parse(value))) return wrong('is no time')
  }
  if (Array.isArray(value)) {
    if (value.length < (schema.minItems ?? 0) || value.length > (schema.maxItems ?? value.length))
      return wrong('has a wrong length')
    const { items } = schema
    if (items === undefined) return undefined
    return value.map((item, at) => findMisfit(items, item, `${path}[${at}]`)).find((misfit) => misfit)
  }
  return isRecord(value) ? findMisfitIn(schema, value, path) : undefined
}

function findMisfitIn(schema: Schema, value: Record<string, unknown>, path: string): string | undefined {
  const { properties = {}, required = [], additionalProperties } = schema
  const missing = required.find((name) => !Object.hasOwn(value, name))
  if (missing !== undefined) return `${path || 'it'} lacks ${missing}`
  for (const [name, member] of Object.entries(value)) {
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined
    const rest = typeof additionalProperties === 'object' ? additionalProperties : undefined
    if (own === undefined && additionalProperties === false) return `${path || 'it'} has ${name} as well`
    const found = own ?? rest
    const misfit = found && findMisfit(found, member, `${path}.${name}`)
    if (misfit !== undefined) return misfit
  }
  return undefined
}

/** Texts at the edges of what a parser expects. */
const oddTexts = [
  '',
  ' ',
  '\0',
  '\ud800',
  '\u202e\u200b\u{e0041}',
  '\u001b]0;x\u0007',
  "'; DROP TABLE memory; --",
  '" OR NEAR(',
  '../../etc/passwd',
  '{{key}}',
  'null',
  '1e309',
  '99999999999999999999',
  'x'.repeat(70_000),
  'a\u0301'.repeat(3_000),
  '\ufdfa'.repeat(2_000),
]

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom('the cache is warm', 'rain', 'default', '3d', '2026-01-31', 'memory', 'true'),
  fc.constantFrom(...oddTexts),
)

/** Values that fit a schema, as far as its words say. */
export function fitting(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(fitting))
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if ('const' in schema) return fc.constant(schema.const)
  return fc.oneof(...typesOf(schema).map((type) => ofType(type, schema)))
}

function ofType(type: string, schema: Schema): fc.Arbitrary<unknown> {
  const { minimum = -1e6, maximum = 1e6, items = {}, properties = {}, required = [] } = schema
  switch (type) {
    case 'integer':
      return fc.oneof(
        fc.integer({ min: Math.max(minimum, -1e6), max: Math.min(maximum, 1e6) }),
        fc.constantFrom(minimum, Math.min(maximum, minimum + 1), maximum),
      )
    case 'number':
      return fc.double({ min: minimum, max: maximum, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(
        typesOf(items).length > 0 || items.anyOf || items.enum ? fitting(items) : fc.jsonValue(),
        {
          minLength: schema.minItems ?? 0,
          maxLength: Math.min(schema.maxItems ?? 4, 4),
        },
      )
    case 'object':
      return fc.record(
        Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, fitting(member)])),
        { requiredKeys: [...required] },
      )
    case 'string':
      return texts
    default:
      throw new Error(`what is a ${type}?`)
  }
}

/** Values that a schema's members were not made for: other kinds, one step out of range, names nobody gave them. */
const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 2, stringUnit: 'binary' }),
  fc.constantFrom(
    ...[null, true, -1, 0, 1.5, 1e308, Number.MAX_SAFE_INTEGER, 2 ** 53, -0, [], {}, [[]], ''],
    ...oddTexts,
  ),
)

/** Objects of which a member or two does not fit, is missing, or has no business there. */
export function misfitting(schema: Schema): fc.Arbitrary<Record<string, unknown>> {
  const names = [...Object.keys(schema.properties ?? {}), '__proto__', 'constructor', 'project', 'agent', 'x']
  return fc
    .tuple(
      fitting(schema),
      fc.array(fc.tuple(fc.constantFrom(...names), fc.option(odd, { nil: undefined })), {
        minLength: 1,
        maxLength: 2,
      }),
    )
    .map(([value, changes]) => {
      const members = new Map(Object.entries(isRecord(value) ? value : {}))
      for (const [name, member] of changes) {
        if (member === undefined) members.delete(name)
        else members.set(name, member)
      }
      // Not by assignment, which would take `__proto__` for what it is.
      return Object.fromEntries(members)
    })
}

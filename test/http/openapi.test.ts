import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import { expect, test } from 'vitest'
import { createOpenApi } from '../../src/http/openapi.ts'
import { operations } from '../../src/operations/index.ts'
import { call, startTestDaemon } from './daemon.ts'

interface Described {
  readonly operationId: string
  readonly summary: string
  readonly parameters?: readonly { name?: string; in?: string; required?: boolean; schema: unknown }[]
  readonly requestBody?: {
    content: { 'application/json': { schema: { properties: object; required?: string[] } } }
  }
  readonly responses: Record<string, { content: { 'application/json': { schema: object } } }>
}

const paths = createOpenApi().paths as Record<string, Record<string, Described>>

const describedOf = (name: string): Described =>
  Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .find(({ operationId }) => operationId === name) ?? expect.unreachable(name)

test('every operation with a route is described under its path and method', () => {
  for (const { name, route, summary } of operations) {
    if (route === undefined) continue
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    expect(paths[path]?.[route.method.toLowerCase()]).toMatchObject({ operationId: name, summary })
  }
  expect(Object.keys(paths)).toHaveLength(operations.filter(({ route }) => route).length + 1)
})

test('members are body properties of a POST and parameters of a GET', () => {
  for (const { name, route, members } of operations) {
    if (route === undefined) continue
    const { requestBody, parameters } = describedOf(name)
    const named = (parameters ?? []).flatMap((parameter) => (parameter.name ? [parameter.name] : []))
    const schema = requestBody?.content['application/json'].schema
    expect(route.method === 'POST' ? Object.keys(schema?.properties ?? {}) : named).toEqual(
      Object.keys(members),
    )
  }
})

test('numbers, ranges, lists and defaults are in the document', () => {
  const properties = describedOf('evidence').requestBody?.content['application/json'].schema.properties
  expect(properties).toMatchObject({
    belief_id: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    kind: { type: 'string', enum: ['supporting', 'refuting'] },
    strength: { type: 'number', minimum: 0.1, maximum: 0.9 },
    note: { type: ['string', 'null'], default: null },
  })
  expect(describedOf('outside_views').parameters?.[1]).toMatchObject({
    name: 'limit',
    in: 'query',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
  })
  expect(describedOf('evidence_for').parameters?.[0]).toMatchObject({
    name: 'belief_id',
    in: 'path',
    required: true,
  })
})

test('what is in the path is required, and a list is one parameter', () => {
  const parameters = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap((described) => described.parameters ?? []),
  )
  expect(parameters.filter((one) => one.in === 'path' && one.required !== true)).toEqual([])
  const lists = parameters.filter(
    ({ schema }) => (schema as { type?: unknown } | undefined)?.type === 'array',
  )
  expect(lists.length).toBeGreaterThan(0)
  for (const list of lists) expect(list).toMatchObject({ style: 'form', explode: false })
})

test('every schema compiles as JSON Schema 2020-12', () => {
  const ajv = new AjvJsonSchemaValidator()
  for (const methods of Object.values(paths)) {
    for (const { requestBody, parameters, responses } of Object.values(methods)) {
      const schemas = [
        responses['200']?.content['application/json'].schema,
        requestBody?.content['application/json'].schema,
        ...(parameters ?? []).map(({ schema }) => schema),
      ]
      // The validator's own type of a schema is narrower than what a document holds.
      for (const schema of schemas) if (schema) ajv.getValidator(schema as never)
    }
  }
})

test('the daemon serves this very document to anyone', async () => {
  const daemon = await startTestDaemon()
  const { status, body } = await call({ ...daemon, key: '' }, '/v1/openapi.json')
  expect(status).toBe(200)
  expect(body).toEqual(JSON.parse(JSON.stringify(createOpenApi())))
})

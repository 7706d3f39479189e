/** The ordered list of operations: what every interface loops over. */
import { forget, recall, remember } from './memories.ts'
import type { Operation } from './operation.ts'

/** By their names: the tools', and in camelCase the library's. */
export const definitions = { remember, recall, forget } as const

/** In the order in which help, OpenAPI and tools list them. */
export const operations: readonly Operation[] = Object.values(definitions)

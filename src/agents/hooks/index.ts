/** The agents whose hooks we speak. A further one is a file here and a line in this list. */
import { claudeCode } from './claude-code.ts'
import { codex } from './codex.ts'
import { cursor } from './cursor.ts'
import type { Dialect } from './dialect.ts'
import { gemini } from './gemini.ts'

const dialects: readonly Dialect[] = [claudeCode, codex, gemini, cursor]

export const agentNames = dialects.map(({ name }) => name)

/** The dialect of an agent; undefined of one we do not know. */
export const findDialect = (agent: string): Dialect | undefined => dialects.find(({ name }) => name === agent)

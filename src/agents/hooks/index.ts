/** The agents whose hooks we speak. Of a further one, its name in `names.ts` does not compile until it has a dialect here. */
import type { AgentName } from '../names.ts'
import { claudeCode } from './claude-code.ts'
import { codex } from './codex.ts'
import { cursor } from './cursor.ts'
import type { Dialect } from './dialect.ts'
import { gemini } from './gemini.ts'

const dialects: Readonly<Record<AgentName, Dialect>> = { 'claude-code': claudeCode, codex, gemini, cursor }

/** The dialect of an agent; undefined of one we do not know. */
export const findDialect = (agent: string): Dialect | undefined =>
  Object.values(dialects).find(({ name }) => name === agent)

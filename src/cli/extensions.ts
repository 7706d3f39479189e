/**
 * What a command does beyond its operation: options that concern the shell or a file and never reach the
 * operation itself.
 */
import { writeFileSync } from 'node:fs'
import { cannotWrite } from '../config/file-faults.ts'
import type { definitions } from '../operations/index.ts'
import type { Context } from '../operations/operation.ts'
import type { Output } from './render/output.ts'
import type { Session } from './session.ts'

interface Extension<Name extends keyof typeof definitions> {
  /** Each as commander takes it: flags and what they do. */
  readonly options: readonly (readonly [flags: string, about: string])[]
  /** Another way to the output that the options ask for; undefined leaves it to the operation. */
  readonly instead?: (
    context: Context,
    input: unknown,
    options: Readonly<Record<string, unknown>>,
  ) => Promise<Output<Name>> | undefined
  /** After the output is printed. */
  readonly after?: (
    output: Output<Name>,
    options: Readonly<Record<string, unknown>>,
    session: Session,
  ) => Promise<void>
}

type Extensions = { [Name in keyof typeof definitions]?: Extension<Name> }

async function explain(context: Context, input: unknown): Promise<Output<'recall'>> {
  const { explainRecall } = await import('../operations/recall.ts')
  return explainRecall(context, input)
}

async function listReadDreams(context: Context, input: unknown): Promise<Output<'recall_dreams'>> {
  const [{ parseInput }, { readDreams, recallDreams }] = await Promise.all([
    import('../operations/call.ts'),
    import('../operations/dreams.ts'),
  ])
  return readDreams(context, parseInput(recallDreams, input))
}

const assessExitCodes = { clear: 0, caution: 10, danger: 20 } as const

const extensions: Extensions = {
  recall: {
    options: [['--explain', 'show the parts of every score and which words met']],
    instead: (context, input, options) => (options.explain === true ? explain(context, input) : undefined),
  },
  recall_dreams: {
    options: [['--read', 'list dreams already read, newest first, and mark nothing']],
    instead: (context, input, options) =>
      options.read === true ? listReadDreams(context, input) : undefined,
  },
  assess: {
    options: [['--exit-code', 'exit with 0 when clear, 10 for caution, 20 for danger']],
    after: async (output, options, session) => {
      if (options.exitCode === true) session.outcome.exitCode = assessExitCodes[output.verdict]
    },
  },
  calibration: {
    options: [['--svg <file>', 'also write the reliability diagram as SVG into this file']],
    after: async (output, options) => {
      if (typeof options.svg !== 'string') return
      const { renderReliabilitySvg } = await import('./render/reliability.ts')
      const period = output.window_days === null ? '' : `, last ${output.window_days} days`
      const { n, bins } = output.overall
      writePicture(options.svg, renderReliabilitySvg(bins, { n, title: `Reliability${period}` }))
    },
  },
}

/** @throws BrainError `failed` naming the file. */
function writePicture(file: string, svg: string): void {
  try {
    writeFileSync(file, svg)
  } catch (error) {
    throw cannotWrite(file, error)
  }
}

/** The extension of an operation's command, if it has one. */
export const extensionOf = (name: string): Extension<never> | undefined =>
  // Looked up by the operation's own name, whose output is what `after` takes; the list erased that.
  extensions[name as keyof typeof definitions] as Extension<never> | undefined

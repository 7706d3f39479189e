/** Lets a person change a text in the editor of their choice. Knows files and programs; not what the text is for. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { BrainError } from '../core/errors.ts'
import type { Terminal } from './terminal.ts'

/** Runs an editor's command line, which may have options of its own, over a file until the person is done. */
const run = (editor: string, file: string, { environment, workingDirectory }: Terminal): Promise<void> =>
  new Promise((resolve, reject) => {
    const windows = process.platform === 'win32'
    const [program, words] = windows
      ? [`${editor} "${file}"`, []]
      : ['sh', ['-c', `${editor} "$1"`, 'sh', file]]
    const child = spawn(program, words, {
      stdio: 'inherit',
      shell: windows,
      cwd: workingDirectory,
      env: { ...environment },
    })
    const failed = (why: string): void =>
      reject(
        new BrainError(
          'failed',
          `the editor (${editor}) ${why}: nothing is changed; give the text on the command line`,
        ),
      )
    child.once('error', ({ message }) => failed(`did not start (${message})`))
    child.once('exit', (code) => (code === 0 ? resolve() : failed(`ended with ${code ?? 'a signal'}`)))
  })

/** Keeps a text in a file that nobody else reads, until the person removes it. Returns the file's path. */
export function keepText(text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'brain-edit-')), 'memory.md')
  writeFileSync(file, `${text}\n`, { mode: 0o600 })
  return file
}

/**
 * The text as the person leaves it, without the line end that editors add. It stands in a file of the person's own meanwhile.
 * @throws BrainError `failed` where the editor fails, `invalid` where what it left is no text.
 */
export async function editText(terminal: Terminal, text: string): Promise<string> {
  const { VISUAL, EDITOR } = terminal.environment
  const file = keepText(text)
  try {
    await run(VISUAL || EDITOR || (process.platform === 'win32' ? 'notepad' : 'vi'), file, terminal)
    const bytes = readFileSync(file)
    const left = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return left.replace(/\r?\n$/, '')
  } catch (error) {
    if (error instanceof BrainError) throw error
    throw new BrainError('invalid', 'text must be well-formed Unicode', { cause: error })
  } finally {
    rmSync(dirname(file), { recursive: true, force: true })
  }
}

/** What a command writes outside of the brain: for its owner alone, whole, and through no link. */
import { execFileSync, spawn } from 'node:child_process'
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { childEnvironment, createBrainPlace, program } from './command-line.ts'

const modeOf = (file: string): number => statSync(file).mode & 0o777

describe('what goes to a file that is named', () => {
  const outputs = [
    'export --output',
    'export --format csv --output',
    'export --format markdown --output',
    'export --format memory-json --output',
    'export --format fatebook --output',
    'export --format predictionbook --output',
    'calibration --svg',
  ]

  it.each(outputs)('goes into no brain, whatever leads there: %s', async (line) => {
    const [place, other] = [await createBrainPlace(), await createBrainPlace()]
    const brain = join(place.directory, '.brain')
    symlinkSync(brain, join(place.directory, 'by-folder'))
    symlinkSync(join(brain, 'brain.db'), join(place.directory, 'by-file'))
    const before = readFileSync(join(brain, 'brain.db'))
    const named = ['.brain/brain.db', '.brain/new', 'by-folder/brain.db', 'by-folder/new/er', 'by-file']
    for (const file of [...named, join(other.directory, '.brain', 'config.json')]) {
      const { code, stderr } = await place.run([...line.split(' '), file])
      expect([code, stderr]).toEqual([3, expect.stringContaining('name a place outside of it')])
    }
    expect(readFileSync(join(brain, 'brain.db')).equals(before)).toBe(true)
    expect(existsSync(join(brain, 'new'))).toBe(false)
  })

  it.each(outputs.filter((line) => !line.includes('markdown')))(
    'takes the place of its own earlier one and of an empty file, of nothing else: %s',
    async (line) => {
      const place = await createBrainPlace()
      await place.run(['remember', 'a "note" with quotes'])
      await place.run(['predict', 'it rains', '--domain', 'weather'])
      await place.run(['believe', 'it is wet'])
      const out = join(place.directory, 'out')
      const precious = join(place.directory, 'precious')
      writeFileSync(out, '')
      for (let turn = 0; turn < 2; turn += 1)
        expect(await place.run([...line.split(' '), out])).toMatchObject({ code: 0 })
      for (const text of [
        'buy milk\n',
        '{"type":"entity","name":"a","entityType":"person"}\n',
        '<svg xmlns="x"/>',
      ]) {
        writeFileSync(precious, text)
        const { code, stderr } = await place.run([...line.split(' '), precious])
        expect([code, stderr]).toEqual([3, expect.stringContaining('name another file, or remove it')])
        expect(readFileSync(precious, 'utf8')).toBe(text)
      }
    },
  )
})

describe('the picture of a track record', () => {
  it('is written for its owner alone, and through no link', async () => {
    const place = await createBrainPlace()
    const before = process.umask(0)
    onTestFinished(() => void process.umask(before))
    expect(await place.run(['calibration', '--svg', 'picture.svg'])).toMatchObject({ code: 0 })
    expect(modeOf(join(place.directory, 'picture.svg'))).toBe(0o600)
    const picture = readFileSync(join(place.directory, 'picture.svg'), 'utf8')
    writeFileSync(join(place.directory, 'precious'), picture.replace('</svg>', 'mine</svg>'))
    symlinkSync('precious', join(place.directory, 'link.svg'))
    const { code, stderr } = await place.run(['calibration', '--svg', 'link.svg'])
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('is a symbolic link') })
    expect(readFileSync(join(place.directory, 'precious'), 'utf8')).toContain('mine')
  })

  it('holds no command up by a pipe that nobody reads', async () => {
    const place = await createBrainPlace()
    execFileSync('mkfifo', [join(place.directory, 'pipe')])
    expect((await place.run(['calibration', '--svg', 'pipe'])).code).toBe(1)
  })
})

describe('an export', () => {
  it('sweeps the drafts that killed ones left in the clear', async () => {
    const place = await createBrainPlace()
    const left = join(place.directory, '.notes.jsonl.0123abcd.draft')
    const living = join(place.directory, '.notes.jsonl.4567cdef.draft')
    for (const draft of [left, living]) writeFileSync(draft, 'a note')
    const hourAgo = Date.now() / 1_000 - 3_600
    utimesSync(left, hourAgo, hourAgo)
    expect((await place.run(['export', '--output', 'notes.jsonl'])).code).toBe(0)
    expect([left, living].map((file) => existsSync(file))).toEqual([false, true])
  })
})

describe('brain serve', () => {
  const start = (directory: string, ...words: string[]) => {
    const child = spawn(
      process.execPath,
      [program, 'serve', '--port', '0', '--json', '--no-dreams', ...words],
      {
        cwd: directory,
        env: childEnvironment(directory),
      },
    )
    onTestFinished(() => void child.kill('SIGKILL'))
    const said: Buffer[] = []
    child.stderr.on('data', (chunk: Buffer) => said.push(chunk))
    const ready = new Promise<{ url: string }>((resolve) =>
      createInterface({ input: child.stdout }).once('line', (line) => resolve(JSON.parse(line))),
    )
    return { child, ready, said: () => Buffer.concat(said).toString() }
  }

  it('writes its first key into no log, but into the file asked for', async () => {
    const place = await createBrainPlace()
    const silent = start(place.directory)
    await silent.ready
    expect(silent.said()).toContain('`brain key create`')
    expect(silent.said()).not.toMatch(/brain_[0-9A-Za-z]{8}_/)
    silent.child.kill('SIGTERM')
    const asked = start(place.directory, '--key-file', 'key')
    const { url } = await asked.ready
    const key = readFileSync(join(place.directory, 'key'), 'utf8').trim()
    expect(modeOf(join(place.directory, 'key'))).toBe(0o600)
    expect(asked.said()).not.toContain(key)
    expect((await fetch(`${url}/v1/state`, { headers: { 'x-svc-key': key } })).status).toBe(200)
  })

  it('that can give its first key to nobody ends, and says why in one sentence', async () => {
    const place = await createBrainPlace()
    await place.run(['remember', 'a note that waits for its vector'])
    writeFileSync(join(place.directory, 'key'), 'precious')
    const { child, said } = start(place.directory, '--key-file', 'key')
    expect(await new Promise((ended) => child.once('exit', ended))).toBe(1)
    expect(said()).toBe('{"error":"cannot write key: it exists already: choose another name"}\n')
    expect(readFileSync(join(place.directory, 'key'), 'utf8')).toBe('precious')
  })

  it('stops cleanly when its terminal goes, and opens no inspector when asked to', async () => {
    const place = await createBrainPlace()
    const { child, ready, said } = start(place.directory)
    const { url } = await ready
    child.kill('SIGUSR1')
    expect((await fetch(`${url}/health`)).status).toBe(200)
    child.kill('SIGHUP')
    const code = await new Promise((ended) => child.once('exit', ended))
    expect(code).toBe(0)
    expect(said()).not.toContain('Debugger listening')
    expect(readdirSync(join(place.directory, '.brain', 'run'))).toEqual([])
  })
})

describe('a command that waits for its input', () => {
  it('opens no inspector when asked to', async () => {
    const place = await createBrainPlace()
    const child = spawn(process.execPath, [program, 'import', '-'], {
      cwd: place.directory,
      env: childEnvironment(place.directory),
    })
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8')
    })
    const ended = new Promise((end) => child.once('close', end))
    onTestFinished(() => void child.kill('SIGKILL'))
    await expect.poll(() => readdirSync(join(place.directory, '.brain', 'run'))).not.toEqual([])
    child.kill('SIGUSR1')
    child.stdin.end('a note\n')
    expect(await ended).toBe(0)
    expect(said).not.toContain('Debugger listening')
  })
})

describe('brain mcp', () => {
  it('ends when its parent goes, though its input stays open', async () => {
    const place = await createBrainPlace()
    // Both ends of the pipe are held by this process, as by a sibling that inherited them: Node closes one of its own
    // making with the parent. That goes once its server has answered.
    const pipe = join(place.directory, 'pipe')
    execFileSync('mkfifo', [pipe])
    const input = openSync(pipe, 'r+')
    onTestFinished(() => closeSync(input))
    writeSync(input, `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`)
    const script = `
      const { spawn } = require('node:child_process')
      const child = spawn(process.execPath, [process.argv[1], 'mcp'], { stdio: [0, 'pipe', 'ignore'], detached: true })
      child.stdout.once('data', () => process.stdout.write(child.pid + '\\n', () => process.exit()))`
    const parent = spawn(process.execPath, ['-e', script, program], {
      cwd: place.directory,
      env: childEnvironment(place.directory),
      stdio: [input, 'pipe', 'ignore'],
    })
    const { stdout } = parent
    if (stdout === null) throw new Error('no output')
    const pid = Number(await new Promise((line) => createInterface({ input: stdout }).once('line', line)))
    onTestFinished(() => {
      if (existsSync(`/proc/${pid}`)) process.kill(pid, 'SIGKILL')
    })
    await new Promise((ended) => parent.once('exit', ended))
    const alive = (): boolean => {
      try {
        process.kill(pid, 0)
        return true
      } catch {
        return false
      }
    }
    await expect.poll(alive).toBe(false)
  })
})

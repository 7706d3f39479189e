import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { renderStep } from '../../src/cli/progress.ts'
import { temporaryDirectory } from '../models/temporary-directory.ts'
import { childEnvironment, createBrainPlace, execute, program, runBuilt } from './command-line.ts'
import { sitDown } from './pseudo-terminal.ts'

const notes = (count: number): string =>
  Array.from({ length: count }, (_, at) => `{"text": "note ${at} about topic ${at % 97}"}\n`).join('')

describe('brain export', () => {
  test('writes a file that is whole and its owner’s alone', async () => {
    const place = await createBrainPlace()
    await place.run(['remember', 'kept'])
    const file = join(place.directory, 'out.jsonl')
    writeFileSync(file, '{"type":"brain","format":1}\n')
    // What looks like a draft may be somebody's own, or a link to it.
    writeFileSync(`${file}.draft`, 'mine')
    expect(await place.run(['export', '--output', 'out.jsonl', '--json'])).toMatchObject({
      code: 0,
      stdout: `${JSON.stringify({ file, records: 1 })}\n`,
    })
    expect(readFileSync(file, 'utf8')).toBe((await place.run(['export'])).stdout)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(place.directory).filter((name) => name.includes('draft'))).toEqual(['out.jsonl.draft'])
    expect(readFileSync(`${file}.draft`, 'utf8')).toBe('mine')
  })

  test('fails with the reason where it cannot write, leaving nothing', async () => {
    const place = await createBrainPlace()
    expect(await place.run(['export', '--output', 'no/such/directory'])).toMatchObject({
      code: 1,
      stderr: `brain: cannot write ${join(place.directory, 'no/such/directory')}: there is no directory ${join(place.directory, 'no/such')}: make it, or choose another place\n`,
    })
    mkdirSync(join(place.directory, 'taken'))
    expect(await place.run(['export', '--output', 'taken'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('it is a directory: name a file'),
    })
    writeFileSync(join(place.directory, 'file'), 'mine')
    expect(await place.run(['export', '--output', 'file/in/it'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/part of its path is a file, not a directory: check the path\n$/),
    })
    expect(readFileSync(join(place.directory, 'file'), 'utf8')).toBe('mine')
  })

  test('into a pipe whose reader goes away ends quietly', async () => {
    const directory = temporaryDirectory()
    await runBuilt(directory, ['init', '--yes'])
    await runBuilt(directory, ['import', '-'], { stdin: notes(5_000) })
    const line = 'set -o pipefail; "$NODE" "$BRAIN" export | head -1'
    const { code, stderr, stdout } = await execute('bash', ['-c', line], {
      cwd: directory,
      env: { ...childEnvironment(directory), NODE: process.execPath, BRAIN: program },
    })
    expect([code, stderr, stdout]).toEqual([0, '', '{"type":"brain","format":1}\n'])
    expect(readdirSync(join(directory, '.brain', 'run'))).toEqual([])
  })
})

describe('brain import', () => {
  test('tells what it took in', async () => {
    const place = await createBrainPlace()
    const told = await place.run(['import', '-'], { stdin: notes(3) })
    expect(told).toEqual({ code: 0, stdout: 'imported 3 memories into default\n', stderr: '' })
    expect((await place.run(['import', '-'], { stdin: '' })).stdout).toBe('imported nothing\n')
  })

  test('says first what it would take of notes, and changes nothing', async () => {
    const place = await createBrainPlace()
    await place.run(['remember', 'note 1 about topic 1'])
    const timed = '{"text": "timed", "created_at": "2026-01-01T00:00:00Z", "agent": "a", "caution": 0.5}\n'
    await place.run(['import', '-'], { stdin: timed })
    const before = (await place.run(['export'])).stdout
    const stdin = `${notes(3)}${timed}${timed.replace('2026', '2025')}`
    expect((await place.run(['import', '-', '--dry-run'], { stdin })).stdout).toBe(
      [
        'would import 3 memories',
        '1 memory of them warns, as a flag',
        '2 memories are here already',
        '  line 1',
        '    note 0 about topic 0',
        '  line 3',
        '    note 2 about topic 2',
        '  line 5',
        '    timed',
        '',
      ].join('\n'),
    )
    const dry = ['import', 'notes', '--dry-run', '--json']
    writeFileSync(join(place.directory, 'notes'), 'plain\ntext\n')
    expect(JSON.parse((await place.run(dry)).stdout)).toMatchObject({
      would_import: 2,
      flags: 0,
      known: 0,
      counts: { memory: 2, belief: 0 },
      samples: [{ text: 'plain', origin: 'line 1' }, { text: 'text' }],
    })
    writeFileSync(join(place.directory, 'notes'), `${notes(300)}{"text": ""}\n`)
    expect(await place.run(dry)).toMatchObject({ code: 2, stderr: expect.stringContaining('line 301') })
    expect((await place.run(['export'])).stdout).toBe(before)
    expect((await place.run(['import', '-'], { stdin })).stdout).toContain(
      'imported 3 memories into default; 2 were here already',
    )
  })

  test('says first what it would take of an export', async () => {
    const [old, young] = [await createBrainPlace(), await createBrainPlace()]
    await old.run(['remember', 'one'])
    await old.run(['believe', 'two'])
    const { stdout } = await old.run(['export'])
    expect((await young.run(['import', '-', '--dry-run'], { stdin: stdout })).stdout).toMatch(
      /^would import 1 memory, 1 belief\nrecords that are no memories may be here already/,
    )
    expect((await old.run(['import', '-', '--dry-run'], { stdin: stdout })).stdout).toMatch(
      /^would import 1 belief\n1 memory is here already\n/,
    )
    const cut = stdout.replace(/\{"type":"end".*/, '')
    expect(await young.run(['import', '-', '--dry-run'], { stdin: cut })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('was cut short'),
    })
    expect(await young.run(['export'])).toMatchObject({ stdout: expect.stringContaining('"records":0') })
  })

  test('names the wrong line and takes nothing', async () => {
    const place = await createBrainPlace()
    writeFileSync(join(place.directory, 'notes'), `${notes(300)}{"text": ""}\n`)
    expect(await place.run(['import', 'notes'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'brain: line 301: text must not be empty\n',
    })
    expect(JSON.parse((await place.run(['recall', 'note', '--json'])).stdout).results).toEqual([])
  })

  test('refuses a file that is not there, and a directory', async () => {
    const place = await createBrainPlace()
    expect(await place.run(['import', 'nowhere'])).toMatchObject({
      code: 2,
      stderr: `brain: cannot read ${join(place.directory, 'nowhere')}: there is no such file: check its name\n`,
    })
    expect(await place.run(['import', '.', '--format', 'jsonl'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is a directory'),
    })
  })

  test('says what to do about a file that is not UTF-8, and which of what it took in is dated too late', async () => {
    const place = await createBrainPlace()
    writeFileSync(join(place.directory, 'latin.txt'), Buffer.from('größe', 'latin1'))
    expect((await place.run(['import', 'latin.txt'])).stderr).toBe(
      'brain: line 1: must be well-formed Unicode\nThe file has to be UTF-8: `iconv -f latin1 -t utf-8 FILE` converts one.\n',
    )
    const wide = Buffer.from('\ufeffgröße', 'utf16le')
    writeFileSync(join(place.directory, 'wide.txt'), wide)
    writeFileSync(join(place.directory, 'wide.md'), wide)
    for (const name of ['wide.txt', 'wide.md'])
      expect((await place.run(['import', name])).stderr).toContain(
        '`iconv -f utf-16 -t utf-8 FILE` converts one.',
      )
    writeFileSync(join(place.directory, 'bare.md'), Buffer.from('# Host\n\ntin\n', 'utf16le'))
    expect((await place.run(['import', 'bare.md'])).stderr).toContain('`iconv -f utf-16le -t utf-8 FILE`')
    writeFileSync(join(place.directory, 'notes.jsonl.gz'), gzipSync('{"text":"packed"}\n'))
    expect((await place.run(['import', 'notes.jsonl.gz', '--format', 'jsonl'])).stderr).toContain(
      'The file is compressed: `gunzip -k FILE` unpacks it.',
    )
    await place.run(['remember', 'from next century'])
    const text = (await place.run(['export'])).stdout.replace(/"created_at":"20/, '"created_at":"21')
    writeFileSync(join(place.directory, 'late.jsonl'), text)
    const { code, stderr } = await place.run(['import', 'late.jsonl'])
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining("1 record is dated more than a day ahead of this machine's clock"),
    ])
  })

  test('killed at any moment takes nothing in, and goes on the next time', async () => {
    const directory = temporaryDirectory()
    await runBuilt(directory, ['init', '--yes'])
    writeFileSync(join(directory, 'notes'), notes(20_000))
    for (const wait of [150, 250, 350, 500, 650]) {
      const child = spawn(process.execPath, [program, 'import', 'notes'], {
        cwd: directory,
        env: childEnvironment(directory),
        stdio: 'ignore',
      })
      setTimeout(() => child.kill('SIGKILL'), wait)
      await once(child, 'close')
      const { stdout } = await runBuilt(directory, ['export'])
      const lines = stdout.trimEnd().split('\n').length
      expect([2, 20_002]).toContain(lines)
      // A machine that was quicker than the signal has taken them in: once more would be twice.
      if (lines > 2) break
    }
    const done = await runBuilt(directory, ['export'])
    if (!done.stdout.includes('note 19999 ')) {
      expect((await runBuilt(directory, ['import', 'notes'])).code).toBe(0)
    }
    const { stdout } = await runBuilt(directory, ['export'])
    expect(stdout.trimEnd().split('\n')).toHaveLength(20_002)
    expect(existsSync(join(directory, '.brain', 'import.db'))).toBe(false)
  })

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('stops on %s with %i, nothing taken in', async (signal, code) => {
    const directory = temporaryDirectory()
    await runBuilt(directory, ['init', '--yes'])
    writeFileSync(join(directory, 'notes'), notes(200_000))
    const child = spawn(process.execPath, [program, 'import', 'notes'], {
      cwd: directory,
      env: childEnvironment(directory),
    })
    let told = ''
    child.stderr.on('data', (chunk: Buffer) => {
      told += chunk.toString('utf8')
    })
    const ended = once(child, 'close')
    await expect.poll(() => existsSync(join(directory, '.brain', 'import.db'))).toBe(true)
    child.kill(signal)
    expect(await ended).toEqual([code, null])
    expect(told).toBe('brain: interrupted\nThe same command goes on where it stopped.\n')
    expect((await runBuilt(directory, ['export'])).stdout.trimEnd().split('\n')).toHaveLength(2)
    expect(readdirSync(join(directory, '.brain', 'run'))).toEqual([])
  })

  test('refuses an empty file, which an export that met a full disk left', async () => {
    const directory = temporaryDirectory()
    await runBuilt(directory, ['init', '--yes'])
    writeFileSync(join(directory, 'notes.jsonl'), '')
    const { code, stdout, stderr } = await runBuilt(directory, ['import', 'notes.jsonl'])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('is empty')
  })

  test('stops on Ctrl-C while it waits for what is typed or piped', async () => {
    const directory = temporaryDirectory()
    await runBuilt(directory, ['init', '--yes'])
    const person = sitDown(directory, ['import', '-'])
    await person.sees('one a line, then Ctrl-D')
    person.types('a first note\r\u0003')
    await person.sees('interrupted')
    expect(await person.leaves()).toBe(130)
    expect((await runBuilt(directory, ['export'])).stdout.trimEnd().split('\n')).toHaveLength(2)
    expect(readdirSync(join(directory, '.brain', 'run'))).toEqual([])
  })

  test('shows a bar on a terminal and nothing of it elsewhere', async () => {
    const directory = temporaryDirectory()
    await runBuilt(directory, ['init', '--yes'])
    writeFileSync(join(directory, 'notes'), notes(30_000))
    const person = sitDown(directory, ['import', 'notes'])
    await person.sees('% ')
    await person.sees('imported 30,000 memories')
    expect(await person.leaves()).toBe(0)
    expect(person.screen()).toMatch(/[█░]{24} +\d+ % {2}(reading and embedding|writing) {2}[\d,]+ records/)
  })
})

describe('a step of progress', () => {
  test('is a bar where the end is known and a spinner where it is not', () => {
    expect(renderStep({ doing: 'copying', done: 1, total: 2 }, 0)).toBe(
      `${'█'.repeat(12)}${'░'.repeat(12)}  50 %  copying`,
    )
    expect(renderStep({ doing: 'reading', yield: '3 records' }, 1)).toBe('⠙ reading  3 records')
    expect(renderStep({ doing: 'reading', done: 5, total: 0 }, 0)).toBe('⠋ reading')
  })
})

describe('brain backup', () => {
  test('names the place where it cannot write', async () => {
    const place = await createBrainPlace()
    expect(await place.run(['backup', 'no/copy.db'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `brain: cannot write ${join(place.directory, 'no/copy.db')}: there is no directory ${join(place.directory, 'no')}: make it, or choose another place\n`,
    })
    writeFileSync(join(place.directory, 'file'), '')
    expect(await place.run(['backup', 'file/copy.db'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('part of its path is a file'),
    })
  })

  test('is a brain as it was, and refuses to replace a file', async () => {
    const place = await createBrainPlace()
    await place.run(['remember', 'before'])
    expect((await place.run(['backup', 'copy.db'])).stdout).toContain('.brain/brain.db')
    await place.run(['remember', 'after'])
    expect((await place.run(['backup', 'copy.db'])).code).toBe(2)
    const restored = await createBrainPlace()
    writeFileSync(
      join(restored.directory, '.brain', 'brain.db'),
      readFileSync(join(place.directory, 'copy.db')),
    )
    const { stdout } = await restored.run(['export'])
    expect(stdout).toContain('"before"')
    expect(stdout).not.toContain('"after"')
  })
})

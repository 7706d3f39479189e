import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { createBrainPlace, program } from './command-line.ts'
import { sitDown } from './pseudo-terminal.ts'

const hasTerminals = spawnSync('script', ['--version']).status === 0

test.skipIf(!hasTerminals)('a person is asked for an option that there must be', async () => {
  const place = await createBrainPlace()
  const person = sitDown(place.directory, ['predict', 'the cache holds'])
  await person.sees('◆')
  person.types('infra\r')
  expect(await person.leaves()).toBe(0)
  expect(person.screen()).toContain('predicted 1')
  const { predictions } = JSON.parse((await place.run(['predictions', '--json'])).stdout)
  expect(predictions).toMatchObject([{ prediction: 'the cache holds', domain: 'infra', confidence: 0.5 }])
})

test.skipIf(!hasTerminals)('a choice is picked from a list', async () => {
  const place = await createBrainPlace()
  await place.run(['believe', 'the cache holds'])
  const person = sitDown(place.directory, ['evidence', '1', '--strength', '0.5'])
  await person.sees('refuting')
  person.types('\r')
  expect(await person.leaves()).toBe(0)
  expect(JSON.parse((await place.run(['evidence-for', '1', '--json'])).stdout).events).toMatchObject([
    { kind: 'supporting', strength: 0.5 },
  ])
})

test.skipIf(!hasTerminals)(
  'an answer out of range is refused by name, and Ctrl-C keeps nothing',
  async () => {
    const place = await createBrainPlace()
    await place.run(['believe', 'the cache holds'])
    const hasty = sitDown(place.directory, ['evidence', '1', '--supporting'])
    await hasty.sees('0.1')
    hasty.types('7\r')
    expect(await hasty.leaves()).toBe(2)
    expect(hasty.screen()).toContain('strength must be between 0.1 and 0.9')
    const gone = sitDown(place.directory, ['predict', 'it holds'])
    await gone.sees('◆')
    gone.types('\u0003')
    expect(await gone.leaves()).toBe(130)
    expect((await place.run(['list', 'prediction', '--count'])).stdout).toBe('0\n')
  },
)

test.skipIf(!hasTerminals)('what is edited while a person is asked is not forgotten', async () => {
  const place = await createBrainPlace()
  await place.run(['remember', 'the port is 4000'])
  const person = sitDown(place.directory, ['forget', '1'])
  await person.sees('the port is 4000')
  await person.sees('Forget it for good?')
  expect(await place.run(['edit', '1', 'the port is 4001'])).toMatchObject({ code: 0 })
  person.types('y')
  expect(await person.leaves()).toBe(3)
  expect(person.screen()).toContain('memory 1 says something else by now')
  expect((await place.run(['list', '--count'])).stdout).toBe('1\n')
})

test('nobody is asked where nobody answers: what is missing is refused by name', async () => {
  const place = await createBrainPlace()
  expect(await place.run(['predict', 'the cache holds'])).toMatchObject({
    code: 2,
    stderr: 'brain: domain is required\nSee `brain predict --help`.\n',
  })
})

test.skipIf(process.platform === 'win32')(
  'what a person types while somebody else edits the memory replaces nothing, and is kept in a file',
  async () => {
    const place = await createBrainPlace()
    await place.run(['remember', 'the port is 4000'])
    const edit = (editor: string) =>
      place.run(['edit', '1'], { attended: true, answering: true, environment: { EDITOR: editor } })
    const meanwhile = `"${process.execPath}" "${program}" edit 1 "the port is 4001" --agent ana >/dev/null`
    const type = (text: string): string => `f() { ${meanwhile}; echo "${text}" > "$1"; }; f`
    const { code, stderr } = await edit(type('the port is 4002, I think'))
    expect(stderr).toContain('memory 1 says something else by now, written by ana: read it again')
    expect(code).toBe(3)
    const [, file = ''] = /^brain: what you typed is in (.*)$/m.exec(stderr) ?? []
    expect(readFileSync(file, 'utf8')).toBe('the port is 4002, I think\n')
    rmSync(dirname(file), { recursive: true })
    expect((await place.run(['show', '1', '--json'])).stdout).toContain('"text":"the port is 4001"')
    const left = await edit('true')
    expect(left.stderr).toContain('memory 1 says so already')
    expect(left.stderr).not.toContain('what you typed')
    expect(await edit('f() { echo "the port is 4003" > "$1"; }; f')).toMatchObject({ code: 0 })
  },
)

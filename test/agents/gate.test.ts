/** What is judged of an action before an agent takes it; what comes of the judgement is tested with the hooks. */
import { expect, test } from 'vitest'
import { topicsOf } from '../../src/agents/gate.ts'

const push = 'git push --force origin main'
const filler = 'a'.repeat(300)

test('a long chain is judged in parts of whole steps, of which there are twelve at most', () => {
  const topics = topicsOf(Array.from({ length: 20 }, (_, at) => `make part-${at} ${filler}`).join(' && '))
  expect(topics.map((topic) => /^\s*make (part-\d+) a+/.exec(topic)?.[1])).toEqual(
    Array.from({ length: 12 }, (_, at) => `part-${at}`),
  )
  const short = Array.from({ length: 60 }, (_, at) => `make small-${at}`)
  const told = topicsOf(short.join(' && '))
  expect(told.length).toBeLessThan(6)
  for (const step of short) expect(told.join(' ')).toContain(step)
})

test('of a long step the beginning and the end are judged', () => {
  const [topic = '', ...more] = topicsOf(`make ${filler.repeat(4)} ${push}`)
  expect(more).toEqual([])
  expect(topic).toMatch(/^make a/)
  expect(topic.endsWith(push)).toBe(true)
  expect(topic.length).toBeLessThan(500)
})

test.each([
  ['eval', `eval "${filler}; ${push}"`],
  ['a remote shell', `ssh host "${filler}; ${push}"`],
  ['a login shell', `bash -lc "${filler}; ${push}"`],
  ['an interpreter', `node -e "${filler}; ${push}"`],
  ['a document for a shell', `sh <<E\n${filler}\n${push}\nE`],
  ['a document for an interpreter', `python3.12 - <<'E'\n${filler}\n${push}\nE`],
  ['a document for another machine', `ssh host <<E\n${filler}\n${push}\nE`],
])('a text that is run is judged to its end: %s', (_, command) => {
  expect(topicsOf(command).join('\n')).toContain(push)
})

test.each([
  ['printed', `echo "${filler}; ${push}" > notes`, 'echo'],
  ['written', `tee notes <<E\n${filler}\n${push}\nE`, 'tee notes'],
  ['the message of a commit', `git commit -am "${push}"`, 'git commit -am …'],
  ['the message of a commit, in full', `git commit --message='${push}'`, 'git commit --message=…'],
])('a text that is none of what is done is not judged: %s', (_, command, kept) => {
  const told = topicsOf(command).join('\n')
  expect(told).toContain(kept)
  expect(told).not.toContain(push)
})

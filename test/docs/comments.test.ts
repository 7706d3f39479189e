import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

/** A path to a source in a comment: from `src` or from the file's own directory. */
const path = /`((?:[\w.-]+\/)+[\w.-]+\.tsx?)`/g

it('a path in a comment leads somewhere', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  )
  const lost = files.flatMap((file) => {
    const comments = readFileSync(join('src', file), 'utf8').match(/^\s*(?:\/\/|\/?\*).*$/gm) ?? []
    return [...comments.join('\n').matchAll(path)]
      .map(([, found = '']) => found)
      .filter(
        (found) =>
          ![found, join('src', found), join('src', dirname(file), found)].some((at) => existsSync(at)),
      )
      .map((found) => `${file}: ${found}`)
  })
  expect(lost).toEqual([])
})

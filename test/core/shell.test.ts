import { describe, expect, it } from 'vitest'
import { stepsOf } from '../../src/core/shell.ts'

const textsOf = (line: string, pipes?: 'whole' | 'apart') =>
  stepsOf(line, pipes).map((step) => step.text.trim())

describe('the commands of a line', () => {
  it.each([
    ['npm ci && npm test', ['npm ci', 'npm test']],
    ['make || echo failed; git status\ngit diff', ['make', 'echo failed', 'git status', 'git diff']],
    ['sleep 5 & rm -r out', ['sleep 5', 'rm -r out']],
    ['make > log 2>&1', ['make > log 2>&1']],
    ['make &> log', ['make &> log']],
    ['curl "http://h/?a=1&b=2"', ['curl "http://h/?a=1&b=2"']],
    ['find . -exec rm {} \\; ; ls', ['find . -exec rm {} \\;', 'ls']],
    ['git commit -m "first; then && last"', ['git commit -m "first; then && last"']],
    ["git grep 'a && b'; ls", ["git grep 'a && b'", 'ls']],
    ["Don't stop it; it isn't ours", ["Don't stop it", "it isn't ours"]],
    ['', ['']],
  ])('of %s', (line, steps) => {
    expect(textsOf(line)).toEqual(steps)
  })

  it('takes what is joined by pipes for one, or apart', () => {
    expect(textsOf('cat log | grep error | wc -l; ls')).toEqual(['cat log | grep error | wc -l', 'ls'])
    expect(textsOf('cat log | grep "a|b"', 'apart')).toEqual(['cat log', 'grep "a|b"'])
  })

  it('gives the whole line again with its joints', () => {
    const line = ' a && b | c\n"d; e" & f;'
    expect(
      stepsOf(line, 'apart')
        .map(({ text, joint }) => text + joint)
        .join(''),
    ).toBe(line)
  })
})

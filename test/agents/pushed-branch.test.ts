import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { namePushedBranch } from '../../src/agents/pushed-branch.ts'
import { temporaryDirectory } from '../models/temporary-directory.ts'

const checkedOut = (branch: string): string => {
  const directory = temporaryDirectory()
  mkdirSync(join(directory, '.git'))
  writeFileSync(join(directory, '.git', 'HEAD'), `ref: refs/heads/${branch}\n`)
  return directory
}

test.each([
  ['git push', 'git push origin feat/x'],
  ['git push -u --force-with-lease', 'git push -u --force-with-lease origin feat/x'],
  ['git push upstream', 'git push upstream feat/x'],
  [
    'git add -A && git commit -m "Fix" && git push',
    'git add -A && git commit -m "Fix" && git push origin feat/x',
  ],
  ['git pull --rebase; git push || true', 'git pull --rebase; git push origin feat/x || true'],
])('%s', (command, told) => {
  expect(namePushedBranch(command, checkedOut('feat/x'))).toBe(told)
})

test.each([
  'git push origin main',
  'git push origin :old',
  'git push --tags',
  'git push --all origin',
  'git push --mirror',
  'git checkout main && git push',
  'cd ../other && git push',
  'echo "then git push"',
  'git pushd',
])('is left as it is: %s', (command) => {
  expect(namePushedBranch(command, checkedOut('feat/x'))).toBe(command)
})

test('outside a repository nothing is known', () => {
  expect(namePushedBranch('git push', temporaryDirectory())).toBe('git push')
})

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Locked {
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const packages: Readonly<Record<string, Locked>> = JSON.parse(
  readFileSync('package-lock.json', 'utf8'),
).packages

/** Whether `name` is locked where a package at `location` would find it. */
function isLocked(location: string, name: string): boolean {
  if (`${location === '' ? '' : `${location}/`}node_modules/${name}` in packages) return true
  if (location === '') return false
  const end = location.lastIndexOf('/node_modules/')
  return isLocked(end < 0 ? '' : location.slice(0, end), name)
}

// npm ci refuses a lockfile that leaves out builds for other platforms, and npm leaves them out when it updates
// one beside an installed node_modules (npm/cli#4828).
test('the lockfile names the builds of every platform', () => {
  const absent = Object.entries(packages).flatMap(([location, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !isLocked(location, name)),
  )
  expect(absent).toEqual([])
})

/** Paths as a person types them, from where they stand, as paths from the directory that citations start from. */
import { realpathSync } from 'node:fs'
import { relative, resolve, sep } from 'node:path'
import { findCitedDirectory } from '../config/cited-directory.ts'
import type { Session } from './session.ts'

type Input = Readonly<Record<string, unknown>>

const real = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** A path relative to the directory of the brain; one out of it begins with `..`, and the directory itself is empty. */
export function fromRoot(session: Session): (path: string) => string {
  const here = real(session.terminal.workingDirectory)
  const root = real(findCitedDirectory(session.locate(), here))
  return (path) => relative(root, resolve(here, path)).replaceAll(sep, '/')
}

/** The input with its citations relative to the directory of the brain; a path out of it is left as it is, to be refused. */
export async function citeFromHere(input: Input, session: Session): Promise<Input> {
  if (!Array.isArray(input.cites)) return input
  const toPath = fromRoot(session)
  const cites = input.cites.map((place: unknown) => {
    const [, path = '', lines = ''] = /^(.*?)(:\d+(?:-\d+)?)?$/s.exec(String(place)) ?? []
    const below = toPath(path)
    return below === '' ? String(place) : `${below}${lines}`
  })
  return { ...input, cites }
}

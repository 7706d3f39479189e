/** Tells whether a path is inside a directory, by the names alone: links are not followed. */
import { isAbsolute, relative, sep } from 'node:path'

/** A path as it is called in a directory, empty for the directory itself; undefined where it leads out of it. */
export function pathInside(directory: string, path: string): string | undefined {
  const way = relative(directory, path)
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) ? undefined : way
}

/**
 * Edits JSON that people wrote: members are set and list entries added or taken out, every other byte stays, comments and
 * trailing commas included. Taking out undoes putting in.
 */
import {
  findNodeAtLocation,
  getNodeValue,
  type JSONPath,
  type Node,
  type ParseError,
  parseTree,
} from 'jsonc-parser'
import { BrainError } from '../../core/errors.ts'

/** @throws BrainError `refused` where it is no JSON object. */
function parseObject(text: string): Node {
  const errors: ParseError[] = []
  let root: Node | undefined
  try {
    root = parseTree(text, errors, { allowTrailingComma: true })
  } catch (error) {
    // It calls itself for each level, and a repository can bring a million of them.
    if (!(error instanceof RangeError)) throw error
  }
  if (errors.length > 0 || root?.type !== 'object') {
    throw new BrainError('refused', 'it is no JSON object: correct it first')
  }
  return root
}

const sourceOf = (text: string): string => (text.trim() === '' ? '{}\n' : text)

/** What stands at a path; undefined where nothing does. @throws BrainError `refused` where the text is no JSON object. */
export function memberAt(text: string, path: JSONPath): unknown {
  const node = findNodeAtLocation(parseObject(sourceOf(text)), path)
  return node === undefined ? undefined : getNodeValue(node)
}

/** Whether two JSON values are equal, members in any order. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  const [mine, other] = [Object.keys(a), Object.keys(b)]
  return (
    Array.isArray(a) === Array.isArray(b) &&
    mine.length === other.length &&
    mine.every((key) => sameJson(Reflect.get(a, key), Reflect.get(b, key)))
  )
}

const endOf = ({ offset, length }: Node): number => offset + length

/** The blanks that the line of an offset begins with. */
function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
  return /^[ \t]*/.exec(line)?.[0] ?? ''
}

const lineEndOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n')

/** One step of indentation as the text has it. */
const stepOf = (text: string): string => /^([ \t]+)\S/m.exec(text)?.[1] ?? '  '

/** The text with one more child at the end of an object or a list; `label` is what stands before a member's value. */
function append(text: string, container: Node, { label, value }: { label: string; value: unknown }): string {
  const last = container.children?.at(-1)
  const eol = lineEndOf(text)
  const inLines = last === undefined || text.slice(container.offset, last.offset).includes('\n')
  if (!inLines) return splice(text, endOf(last), endOf(last), `, ${label}${JSON.stringify(value)}`)
  const step = stepOf(text)
  const base = indentAt(text, container.offset)
  const indent = last === undefined ? base + step : indentAt(text, last.offset)
  const child = `${label}${JSON.stringify(value, undefined, step).replaceAll('\n', eol + indent)}`
  if (last !== undefined) return splice(text, endOf(last), endOf(last), `,${eol}${indent}${child}`)
  const inner = text.slice(container.offset + 1, endOf(container) - 1)
  const closing = inner.includes('\n') ? '' : eol + base
  return splice(text, container.offset + 1, container.offset + 1, `${eol}${indent}${child}${closing}`)
}

const splice = (text: string, start: number, end: number, put: string): string =>
  text.slice(0, start) + put + text.slice(end)

/** The text without a child of an object or a list, and without the comma that set it off. */
function cut(text: string, container: Node, child: Node): string {
  const children = container.children ?? []
  const at = children.indexOf(child)
  const before = children[at - 1]
  const after = children[at + 1]
  if (before !== undefined) return splice(text, endOf(before), endOf(child), '')
  if (after !== undefined) return splice(text, child.offset, after.offset, '')
  const rest = splice(text, container.offset + 1, endOf(child), '')
  // What is left inside of an emptied container, unless somebody left a comment there.
  const inner = rest.slice(container.offset + 1, endOf(container) - (endOf(child) - container.offset - 1) - 1)
  return /^[\s,]*$/.test(inner)
    ? splice(rest, container.offset + 1, container.offset + 1 + inner.length, '')
    : rest
}

/** The text without some children of a list, the first excepted; in one go, since a repository can bring many thousands. */
function cutRest(text: string, list: Node | undefined, isCut: (at: number) => boolean): string {
  const kept: string[] = []
  let from = 0
  for (const [at, child] of (list?.children ?? []).entries()) {
    const before = list?.children?.[at - 1]
    if (before === undefined || !isCut(at)) continue
    kept.push(text.slice(from, endOf(before)))
    from = endOf(child)
  }
  return [...kept, text.slice(from)].join('')
}

/** The text with the member at `path` set; objects on the way are made where they are missing. */
export function setMember(text: string, path: readonly string[], value: unknown): string {
  const source = sourceOf(text)
  const root = parseObject(source)
  const known = findNodeAtLocation(root, [...path])
  if (known !== undefined) {
    const indent = indentAt(source, known.offset)
    const shown = JSON.stringify(value, undefined, stepOf(source)).replaceAll(
      '\n',
      lineEndOf(source) + indent,
    )
    return splice(source, known.offset, endOf(known), shown)
  }
  let depth = path.length - 1
  while (depth > 0 && findNodeAtLocation(root, path.slice(0, depth)) === undefined) depth -= 1
  const container = depth === 0 ? root : findNodeAtLocation(root, path.slice(0, depth))
  if (container?.type !== 'object') {
    throw new BrainError('refused', `${path.slice(0, depth).join('.')} is no object: correct it first`)
  }
  const nested = path.slice(depth + 1).reduceRight((inner, name) => ({ [name]: inner }), value)
  return append(source, container, { label: `${JSON.stringify(path[depth])}: `, value: nested })
}

/** The text without the member at `path`, and without the objects and lists around it that this leaves empty. */
export function removeMember(text: string, path: readonly string[]): string {
  const root = parseObject(sourceOf(text))
  const found = findNodeAtLocation(root, [...path])
  // A member's value has the member for a parent, and that has the object.
  const member = found?.parent
  const container = member?.parent
  if (member === undefined || container === undefined) return text
  const outer = path.slice(0, -1)
  return container.children?.length === 1 && outer.length > 0
    ? removeMember(text, outer)
    : cut(text, container, member)
}

/** The list at `path` with exactly `entries` of ours, which `isOurs` tells from other people's; theirs stay in place. */
export function putEntries(
  text: string,
  path: readonly string[],
  { entries, isOurs }: { entries: readonly unknown[]; isOurs: (entry: unknown) => boolean },
): string {
  const known = memberAt(text, [...path])
  if (known !== undefined && !Array.isArray(known)) {
    throw new BrainError('refused', `${path.join('.')} is no list: correct it first`)
  }
  const list: unknown[] = known ?? []
  const ours = list.filter(isOurs)
  if (sameJson(ours, entries)) return text
  if (ours.length === list.length) {
    return entries.length === 0 ? removeMember(text, path) : setMember(text, path, entries)
  }
  const listIn = (source: string): Node | undefined => findNodeAtLocation(parseObject(source), [...path])
  let rest = cutRest(text, listIn(text), (at) => isOurs(list[at]))
  const left = listIn(rest)
  const first = left?.children?.[0]
  if (left !== undefined && first !== undefined && isOurs(list[0])) rest = cut(rest, left, first)
  for (const value of entries) {
    const node = listIn(rest)
    if (node !== undefined) rest = append(rest, node, { label: '', value })
  }
  return rest
}

/** A text with the words that met a question marked, cut to where they stand when it is long. */
import type { ComponentChildren } from 'preact'

// One pattern for every question: to compile one of each question's own words costs more than to look at all words.
const wordPattern = /[\p{L}\p{N}]+/gu

interface Place {
  readonly from: number
  readonly to: number
}

/** Where words stand that begin with one of these. */
function placesOf(text: string, words: readonly string[]): Place[] {
  const told = [...new Set(words.map((word) => word.toLowerCase()))].filter((word) => word.length > 1)
  if (told.length === 0) return []
  return [...text.matchAll(wordPattern)].flatMap(({ 0: word, index: from }) => {
    const lower = word.toLowerCase()
    return told.some((one) => lower.startsWith(one)) ? [{ from, to: from + word.length }] : []
  })
}

const around = 90

/** The part of a text, of at most `most` characters and cut at spaces, that begins a little before `first`. */
function cutAround(text: string, first: number, most: number): Place {
  if (text.length <= most) return { from: 0, to: text.length }
  const wanted = first + around < most ? 0 : Math.max(0, first - around)
  const from = wanted === 0 ? 0 : Math.max(wanted, text.indexOf(' ', wanted) + 1)
  if (from + most >= text.length) return { from, to: text.length }
  const space = text.lastIndexOf(' ', from + most)
  return { from, to: space > from ? space : from + most }
}

export function Marked({
  text,
  words,
  most = Number.POSITIVE_INFINITY,
}: {
  text: string
  words: readonly string[]
  most?: number
}) {
  const places = placesOf(text, words)
  const cut = cutAround(text, places[0]?.from ?? 0, most)
  const pieces: ComponentChildren[] = []
  let told = cut.from
  for (const { from, to } of places) {
    if (from < cut.from || to > cut.to) continue
    pieces.push(text.slice(told, from), <mark key={from}>{text.slice(from, to)}</mark>)
    told = to
  }
  return (
    <span class="text" dir="auto">
      {cut.from > 0 && '… '}
      {pieces}
      {text.slice(told, cut.to).toWellFormed()}
      {cut.to < text.length && ' …'}
    </span>
  )
}

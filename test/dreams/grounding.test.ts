import { describe, expect, it } from 'vitest'
import { groundWording } from '../../src/dreams/grounding.ts'

const sources = [
  'The nightly export writes 40 GB of temporary files to db-07',
  'Pager at 02:40, the disk of db-07 stood at 97 %',
  '“db-07” joins two notes. On 2 March: “The nightly export writes 40 GB of temporary files to db-07”; on 11 March: “Pager at 02:40, the disk of db-07 stood at 97 %”.',
]

describe('a wording from outside', () => {
  const kept = [
    'The nightly export fills db-07 with temporary files, and on 11 March its disk stood at 97 %.',
    'On 11 March the disk of db-07 stood at 97 %. The nightly export writes 40 GB of temporary files there.',
    '  The export writes temporary files\nto db-07, whose disk stood at 97 %.  ',
    'The note says “the disk of db-07 stood at 97 %”, and the nightly export writes files there.',
  ]
  for (const wording of kept) {
    it(`is kept when it says what the sources say: "${wording.trim().slice(0, 50)}"`, () => {
      expect(groundWording(wording, sources)).toBe(wording.replace(/\s+/g, ' ').trim())
    })
  }

  const refused: [string, string][] = [
    ['a figure of its own', 'The export writes 80 GB of temporary files to db-07, whose disk stood at 97 %.'],
    ['a name of its own', 'The export of Marta writes temporary files to db-07, whose disk stood at 97 %.'],
    ['an identifier of its own', 'The nightly export writes temporary files to db-08 and the disk of db-07.'],
    ['a quote of its own', 'The note says “the disk is fine” about the nightly export to db-07.'],
    ['another subject', 'Giraffes graze peacefully beneath umbrella acacias near db-07 export disk.'],
    ['only one of the sources', 'Temporary files, temporary files, temporary files.'],
    ['four sentences', 'The export writes to db-07. The disk stood at 97 %. The pager. Temporary files.'],
    ['a link', 'The nightly export writes temporary files to db-07, see https://example.com for the disk.'],
    ['markup', 'The nightly `export` writes temporary files to db-07, whose disk stood at 97 %.'],
    [
      'a text without end',
      `The nightly export writes temporary files to the disk of db-07 ${'export '.repeat(120)}`,
    ],
    ['nothing', '   '],
    ['a lone surrogate', 'The nightly export writes temporary files to the disk of db-07 \ud800'],
    ['a control character', 'The nightly export writes temporary files to the disk of db-07 \u001b[31m'],
  ]
  for (const [what, wording] of refused) {
    it(`is refused when it holds ${what}`, () => {
      expect(groundWording(wording, sources)).toBeUndefined()
    })
  }
})

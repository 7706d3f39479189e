import { describe, expect, it } from 'vitest'
import { mattersOf } from '../../src/core/matters.ts'

describe('matters of a note', () => {
  it('are told apart where a sentence begins a new one', () => {
    expect(
      mattersOf(
        'Moved the importer to the new queue. It drains in a minute. Ines says the audit form wants a purpose for each program. Invoices for June are out, fourteen of them.',
      ),
    ).toEqual([
      'Moved the importer to the new queue. It drains in a minute.',
      'Ines says the audit form wants a purpose for each program.',
      'Invoices for June are out, fourteen of them.',
    ])
  })

  it('keep what is too short to be one', () => {
    expect(mattersOf('Backups. The standby in Hall Nord took over within four seconds. All good.')).toEqual([
      'Backups. The standby in Hall Nord took over within four seconds. All good.',
    ])
  })

  it('are one in a text of one sentence, without sentences, and in a document', () => {
    for (const text of [
      'One thing only',
      '',
      '…',
      'The mill ground flour for the village today. '.repeat(13),
    ])
      expect(mattersOf(text)).toEqual([text])
  })

  it('hold every word of the note, in its order', () => {
    const text =
      'Dr. Vael decided that we take no more birds.\nNeither she nor Dr. Brock has had the training! “Whose sample is it?” asked Jule at half past nine.'
    expect(mattersOf(text).join(' ')).toBe(text.replace('\n', ' '))
  })
})

import { expect, it } from 'vitest'
import { day, dream, kindsOf } from './night-input.ts'

it.each(['claude-code', 'Marta L.', 'C++ (bot)', 'a|b', 'x/y [z]', 'Ana'])(
  'dreams of plans that name whoever wrote the notes, as %s',
  (name) => {
    const thoughts = dream(
      [
        [5, 'I am on holiday on Saturday 21 March, hiking in the hills.', { agent: name }],
        [11, `Meeting about the ledger on 21 March: ${name} must be there at ten.`, { agent: 'Ben' }],
      ],
      { now: day(13) },
    )
    expect(kindsOf(thoughts)).toContain('collision')
  },
)

it('takes a name that ends in a letter with an accent whole', () => {
  const [thought] = dream(
    [
      [5, 'Zoë is on holiday on Saturday 21 March.', { agent: 'Ben' }],
      [11, 'Meeting about the ledger on 21 March: Zoë must be there at ten.', { agent: 'Ben' }],
    ],
    { now: day(13) },
  )
  expect(thought?.thought).toContain('Zoë is named in both')
})

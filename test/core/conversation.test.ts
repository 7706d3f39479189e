import { describe, expect, it } from 'vitest'
import { isConversation, writtenAround } from '../../src/core/conversation.ts'

describe('a conversation', () => {
  const turns = [
    'Ana: Did you find the keys?',
    'Ben: Yes! Under the seat of my car.',
    'Ana: I told you so',
    'Ben: You always do.',
    'Ana: And the wallet?',
  ]

  it('is told by persons, questions and exclamations', () => {
    expect(isConversation(turns)).toBe(true)
    expect(isConversation(turns.slice(1))).toBe(false)
    // Three of five are as many as it takes.
    expect(isConversation(['Ana: and then?', 'so', 'Ben: why?', 'so', 'Ana: when?'])).toBe(true)
  })

  it('is not what notes are, whoever wrote them', () => {
    const notes = [
      'I prefer tabs',
      'Deploys go out on Monday',
      'The cache holds 5 GB',
      'Is TLS on? Yes since May',
    ]
    expect(isConversation([...notes, ...notes])).toBe(false)
    expect(isConversation(['Decision: no ORM', 'Gotcha: WAL on NFS', ...notes.slice(1)])).toBe(false)
  })

  it('names what was written around some memories, each once', () => {
    expect(writtenAround([10], [11]).sort((a, b) => a - b)).toEqual([8, 9, 12])
  })

  it('names what was written around the best of many alone', () => {
    const ids = (count: number) => Array.from({ length: count }, (_, at) => 10 * (at + 1))
    expect(Math.max(...writtenAround(ids(41), []))).toBe(401)
    expect(Math.max(...writtenAround([], ids(21)))).toBe(201)
  })
})

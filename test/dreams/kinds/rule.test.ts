import { describe, expect, it } from 'vitest'
import { dream, ofKind } from '../night-input.ts'

/** What is told of a rule of the second of March (a Monday) and an act on a later day. */
const told = (rule: string, act: string, on = 27) =>
  dream([
    [2, rule, { agent: 'Kwame' }],
    [on, act, { agent: 'Priya' }],
  ]).filter(({ kind }) => kind === 'rule' || kind === 'preference')

const window = 'Deploy window is Tuesday to Thursday; no deploys on Fridays after 14:00.'
const prices = 'Prices in the table are only edited between 20:00 and 06:00.'

describe('limits of hours, days and sums', () => {
  it.each([
    ['a weekday and an hour', window, 'Ticket API 2.24 deployed on Friday at 15:10, all green.'],
    ['the day a note is of', 'No deploys on Fridays after 14:00.', 'Deployed the refund fix at 15:35.'],
    ['an hour outside of a stretch over midnight', prices, 'Changed the Louvre prices at noon.'],
    ['a weekend', 'No visitors in the lab at weekends.', 'Showed the visitors around the lab on Saturday.'],
    ['a time of day', 'Load tests of the API only after 10 pm.', 'Load tests of the API ran at 14:30.'],
    ['a day, of a word like one', 'No wedding on Fridays after 14:00.', 'Wedding of Ana on Friday at 15:10.'],
    ['an hour after midnight', 'Never deploy after midnight.', 'Deployed the cart at 1:15, all green.'],
    ['a sum', 'Tools budget: at most 300 euros a month.', 'Bought a lathe for the tools shelf, 420 euros.'],
  ])('asks of an act outside of %s', (_, rule, act) => {
    const [thought] = told(rule, act)
    expect(thought).toMatchObject({ kind: 'rule', sourceMemoryIds: [1, 2] })
    expect(thought?.thought).toContain('Was the rule kept?')
    expect(thought?.reasons[0]).toContain('is outside of its limit')
  })

  it('asks of a wish as a wish', () => {
    const wish = 'Please do not schedule reviews before ten, Tomasz would rather bring the kids to school.'
    const call = 'Mira: please no calls after 18:00.'
    expect(told(wish, 'Review meeting for the audio player on Monday at 08:30.')).toHaveLength(1)
    const [thought] = told(call, 'Called Mira at half seven about the invoice.')
    expect(thought).toMatchObject({ kind: 'preference' })
  })

  it.each([
    ['within the hours', window, 'Ticket API 2.24 deployed on Wednesday at 15:10.'],
    ['before the hour', 'No deploys on Fridays after 14:00.', 'Deployed the refund fix at 11:35.'],
    ['on another day', 'No deploys on Fridays after 14:00.', 'Deployed the refund fix yesterday at 15:35.'],
    ['on another matter', window, 'Took the lift down on Friday at 15:10, it squeaks.'],
    ['that was not done', window, 'Ticket API 2.24 was not deployed on Friday at 15:10.'],
    ['of less', 'Tools budget: at most 300 euros a month.', 'Bought a drill for the tools shelf, 120 euros.'],
    ['of another kind of sum', 'Uploads are limited to 10 MB.', 'Uploads took 25 minutes this morning.'],
    [
      'of the same quarter',
      'Tool budget for Q4: at most 9,400 euros.',
      'Forecast presented: 61,000 euros in Q4.',
    ],
    ['that is a rule itself', window, 'Deploys must be done on Friday at 15:00.'],
    ['of a word like a day', 'No visitors in the lab on Saturdays.', 'The visitors sat in the lab at noon.'],
    ['in the day, of a night', 'Never deploy between 12 am and 6 am.', 'Deployed the cart at 15:30.'],
    ['told of once', 'No lunch in the hall today, only soup on Friday.', 'Lunch in the hall on Friday.'],
  ])('says nothing of an act %s', (_, rule, act) => {
    expect(ofKind('rule', told(rule, act))).toEqual([])
  })
})

it('the name of whoever writes is no matter in common', () => {
  const found = dream([
    [2, 'No phone calls for Mary after 18:00', { agent: 'Ben' }],
    [9, 'Mary watered the tomatoes at 19:30', { agent: 'Mary' }],
  ])
  expect(ofKind('rule', found)).toEqual([])
})

it.each([
  ['Mara', 1],
  ['default', 0],
])('whose wish it was is known by a name that was given: %s', (agent, count) => {
  const found = dream([
    [2, 'Corvane voyage: I would rather have tea', { agent }],
    [9, `Corvane voyage: booked the ${agent} coffee`, { agent: 'Ben' }],
  ])
  expect(ofKind('preference', found)).toHaveLength(count)
})

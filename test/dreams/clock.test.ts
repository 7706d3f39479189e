import { expect, it } from 'vitest'
import { clockFigures, clockSpans, clockTimesOf } from '../../src/core/quantities/clock.ts'

const told = (text: string): string[] =>
  clockTimesOf(text).map(({ value, eitherHalf }) => {
    const time = `${Math.floor(value / 3_600)}:${String((value / 60) % 60).padStart(2, '0')}`
    return eitherHalf ? `${time}?` : time
  })

it.each([
  ['Kiln off at 21:58, opened 07:05', ['21:58', '7:05']],
  ['The press was through at ten to two', ['1:50?']],
  ['Loaf out at quarter past three, cold by half past four', ['3:15?', '4:30?']],
  ['Shutter down shortly after four.', ['4:00?']],
  ['Ferry came in gone one, the next at half 7', ['1:00?', '7:30?']],
  ['Key in the door at 22.15. Lamps left on', ['22:15']],
  ['Doors at 7 pm, soundcheck 4.30pm', ['19:00', '16:30']],
  ['Done at twenty-five past twelve', ['0:25?']],
  ['Tram at five to one', ['0:55?']],
])('times of day in %j', (text, times) => {
  expect(told(text)).toEqual(times)
})

it.each([
  'Carried by two people, after five weeks, at one point before three others',
  'Five to ten barrels; ten past the twenty of last year',
  'Pressure at 3.20 bar, half five-litre tins, version 12.30.1',
  'Rows 10:20:30:40 and 192.168.0.1:8080',
])('no time of day in %j', (text) => {
  expect(told(text)).toEqual([])
})

it('spans between times count over noon and midnight where either half may be meant', () => {
  const minutes = (text: string): number[] =>
    clockSpans(clockTimesOf(text), 2, 2).map(({ value }) => value / 60)
  expect(minutes('Ran from 01:30 until 02:36')).toEqual([66])
  expect(minutes('Kicked off at one and was green at quarter past two')).toEqual([75])
  expect(minutes('Began at half past eleven, over by one.')).toEqual([90])
  expect(minutes('Up at 19:30 sharp, down 21:13')).toEqual([103])
  expect(minutes('Back at 23:10, out again at 06:00')).toEqual([])
})

it('a time that may be of either half of the day stands for both', () => {
  const hours = (text: string): number[] => clockFigures(clockTimesOf(text)).map(({ value }) => value / 3_600)
  expect(hours('Locked at half past ten')).toEqual([10.5, 22.5])
  expect(hours('Locked at 22:30')).toEqual([22.5])
})

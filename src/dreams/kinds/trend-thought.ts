/** How a trend is told: what its figure is of, its values with their days, the first and the last note. */
import { msPerWeek } from '../../core/durations.ts'
import { type Night, noteAt } from '../reading/material.ts'
import { clock } from '../reading/series.ts'
import { labelOf } from '../reading/themes.ts'
import { enumerate, inWords, passage, percent, tellDay } from '../reading/wording.ts'
import type { Trend } from './trend.ts'

/** A trend in words. */
export function tellTrend(night: Night, { way, label }: Trend): string {
  const [first, last] = [way[0], way.at(-1)]
  if (first === undefined || last === undefined) return ''
  const [from, to] = [noteAt(night, first.position), noteAt(night, last.position)]
  const weeks = Math.max(1, Math.round((to.at - from.at) / msPerWeek))
  const apart = Math.abs(last.value - first.value)
  const isTime = first.figure.kind === clock
  const change = isTime ? `${Math.round(apart / 60)} minutes` : percent(apart / first.value)
  const [onwards, back] = isTime ? ['later', 'earlier'] : ['up', 'down']
  const direction = last.value > first.value ? onwards : back
  const values = way.map(
    (step) =>
      `${step.figure.written.replace(/\s+/g, ' ')} (${tellDay(noteAt(night, step.position).at, night.telling)})`,
  )
  const about = labelOf(
    night,
    way.map(({ position }) => position),
    { secondFrom: 0.75, otherwise: label },
  )
  const subject = about === '' ? 'One figure' : `A ${isTime ? 'time of day' : 'figure'} noted with “${about}”`
  return `${subject} goes ${direction} in small steps, ${change} in ${weeks === 1 ? 'a week' : `${inWords(weeks)} weeks`}: ${enumerate(values)}. The first of these reads ${passage(from.text, [first.figure.written], 110)}, the last ${passage(to.text, [last.figure.written], 110)}. Find out what drives it, or \`brain flag\` the value at which somebody must act.`
}

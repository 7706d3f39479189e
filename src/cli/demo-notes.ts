/**
 * The sample brain: three weeks of a four-person team that builds Harbour, a booking app for small boats, and of
 * the life around it. Invented from end to end. Knows days relative to the day it is asked on, so that the last
 * note is always from yesterday.
 */
import { monthNames, weekdayNames } from '../core/calendar-words.ts'
import { outcomes } from '../core/records.ts'

export interface DemoNote {
  readonly at: number
  readonly agent: string
  readonly text: string
  readonly caution: number
}

export interface DemoEvidence {
  readonly at: number
  readonly kind: 'supporting' | 'refuting'
  readonly strength: number
  readonly note: string
}

export interface DemoBelief {
  readonly at: number
  readonly text: string
  readonly confidence: number
  readonly evidence: readonly DemoEvidence[]
}

export interface DemoPrediction {
  readonly at: number
  readonly prediction: string
  readonly domain: string
  readonly confidence: number
  readonly basis: string | null
  readonly resolution: {
    readonly at: number
    readonly outcome: 'correct' | 'incorrect' | 'partial'
    readonly actual: string
  } | null
}

export interface DemoBrain {
  readonly notes: readonly DemoNote[]
  readonly beliefs: readonly DemoBelief[]
  readonly predictions: readonly DemoPrediction[]
}

/**
 * Day of the note (yesterday is -1), time of day, who noted it, what; `{+9}` in it is the date nine days from today,
 * `{weekday-7}` the weekday a week ago.
 */
const notes = `
-21 08:55 ines     Search timeouts this morning between eight and nine, then it recovered by itself
-21 09:40 aoife    Kickoff for the spring release: group bookings, the deposit rules and a faster search
-21 11:15 tomasz   Secrets are kept in Bitwarden under Harbour/Production, never in the repository
-21 12:30 ines     The Vietnamese place on Mill Lane has a lentil soup that beats the canteen
-21 17:05 reviewer Pull requests above 400 lines get worse reviews here, split them by layer
-20 09:10 leila    Android 10 users see a white screen when they open a booking from a push notification
-20 10:45 ops      The nightly export writes about 40 GB of temporary files to db-07 before it compresses them
-20 14:20 aoife    Skippers want to see the tide table next to the departure time
-20 19:30 tomasz   Signed up for the half marathon in May, long runs on Sundays from now on
-19 09:25 ines     flag 0.9: Never run the season import while the price job is active, it doubled 312 prices last spring
-19 11:00 leila    The camera permission dialog appears twice on Samsung phones
-19 15:35 reviewer Leila prefers comments on the code over a long summary at the end
-18 08:40 aoife    Refund mails have the wrong currency symbol for Danish customers
-18 10:05 ines     Money amounts are integers of cents everywhere, a float once lost eleven euros in the ledger
-18 16:15 tomasz   Redis holds only sessions and rate limits, it may be flushed at any time
-18 18:50 leila    My niece Ada took her first steps today
-17 09:30 aoife    The deposit is refundable up to 48 hours before departure
-17 11:20 ops      Grafana needs a login since the upgrade, the shared account is gone
-17 14:00 ines     Interviewed two candidates for the backend role, the second one asked better questions than we did
-16 09:05 tomasz   The marina in Kiel sends its berth list as a spreadsheet with merged cells
-16 10:30 leila    iOS widgets refresh at most every fifteen minutes, so no live departures there
-16 13:45 aoife    Three customers asked for gift vouchers in one week
-15 20:10 ines     The sourdough came out flat, the kitchen is too cold for the starter
-14 09:00 ops      Search timeouts again from eight to nine, CPU of the search node stood at 100 %
-14 10:15 tomasz   Upgraded libvips to 8.15 on the image workers
-14 11:30 aoife    The TLS certificate of api.harbour.example must be renewed by hand on {+9}
-14 16:40 reviewer Two of the five review comments this week were about missing time zones
-13 09:20 leila    Push notifications on Huawei phones need their own gateway
-13 13:10 ines     Prices are rounded per night and then summed, the accountant insists on this order
-13 17:30 aoife    Booked the boathouse for the team dinner, the terrace seats twelve
-12 09:45 tomasz   Terraform state is locked whenever a plan is aborted, unlock it with the id from the error
-12 11:05 ops      Backups are restored on the spare machine every Thursday, the last drill took 38 minutes
-12 15:15 leila    Accessibility audit: the calendar cannot be reached with a screen reader
-11 10:00 ines     Webhooks of the payment provider may arrive twice, the handler keys on the event id
-11 14:30 aoife    Interview with a charter company: they plan the whole season in February and touch nothing until May
-11 18:20 tomasz   Left knee hurts after the long run, new shoes might be the reason
-10 09:15 leila    The map tiles cost 0.4 cents per load, the summer traffic would triple the bill
-10 12:10 reviewer Ines merges faster when the description names the risk in the first line
-10 16:00 aoife    Exit survey: nine of fourteen people who left the booking never reached the account step
 -9 03:05 ops      Pager at 02:40, the disk of db-07 stood at 97 % and was back to normal by breakfast
 -9 10:20 ines     A skipper can hold two licences, the form assumes one
 -9 14:45 leila    Dark mode shipped to the beta group, nobody complained about contrast
 -8 11:00 tomasz   Cycled to the lake with Ada and Leila, the ferry back was free
 -8 19:00 ines     Watched the documentary on the Vendée Globe, solo sailors nap for twenty minutes
 -7 08:50 ops      Search timeouts between eight and nine, traffic was not higher than usual
 -7 10:10 aoife    Photos that owners upload from iPhones come out broken, every bad file went through libvips
 -7 13:30 ines     The berth sync with Kiel now reads the cell ranges, merged cells are expanded first
 -6 09:35 tomasz   My flight to Lisbon leaves on {+9}, I am offline for the whole day
 -6 11:45 leila    Crash reports are uploaded only on wifi, so field crashes show up a day late
 -6 15:20 reviewer The booking module has no test for a departure on the last day of a month
 -5 09:10 aoife    Support answers the same question about life jackets daily, put it on the boat page
 -5 14:05 ines     Danish invoices need the CVR number of the company
 -5 17:45 leila    Removed the account step from half of the bookings, completion stayed at 61 %
 -4 10:25 aoife    The deposit is refundable up to 24 hours before departure
 -4 11:50 ops      Alert fatigue: 31 alerts this week, four of them needed a human
 -4 16:30 tomasz   Physiotherapist says two weeks without running, cycling is fine
 -3 09:00 ines     The new index is live since noon yesterday, average search latency dropped to 210 ms
 -3 13:15 leila    Submitted build 214 to the store, the review takes two to four days
 -3 15:50 aoife    Gift vouchers are the most wanted feature in the survey, ahead of group bookings
 -2 09:50 aoife    Marketing asks to start the season import on the evening when the price job recalculates the summer
 -2 11:30 reviewer The rounding helper has a doc comment that explains the order, link it in reviews
 -2 14:10 ops      The spare machine got a second disk, restore drills can run in parallel now
 -1 09:20 leila    Voice control finds the calendar since the labels were fixed
 -1 12:40 ines     Team dinner: Aoife is vegetarian, Tomasz does not eat peanuts
 -1 16:55 tomasz   The search node has a cron entry that nobody remembers, it rebuilds synonyms on {weekday-7}s at eight
`

/** When and how surely something was believed, and what; below it when which observation spoke for (+) or against it (-). */
const beliefs = `
-21 10:00 0.7 Customers abandon the booking because of the account step
  -20 10:00 +0.4 Two support mails ask why an account is needed
  -18 11:00 +0.5 Usability session: three of four hesitated there
  -10 16:20 -0.6 Exit survey: most left before the account step
   -5 18:00 -0.7 Half of the bookings without the step, same completion
-20 09:00 0.75 Small pull requests are reviewed better
  -17 09:00 +0.6 A 90-line change drew three real findings
  -12 09:00 +0.7 An 800-line change was waved through with a bug
   -6 09:00 +0.6 Split by layer: two defects found before merge
-16 09:00 0.5 Charter companies plan their season late
  -11 15:00 -0.6 One company plans everything in February
`

/** When what was predicted of which domain, and how surely; below it what it rested on, and when it was resolved as what. */
const predictions = `
-16 11:00 performance 0.7 Average search latency drops below 300 ms once the new index is live
  because The prototype index answered in 180 ms on last summer’s queries
-6 12:00 release 0.6 Build 214 passes the store review at the first attempt
-20 16:00 release 0.8 The Android white screen is fixed within a week
  because It can be reproduced on one phone
  -14 12:00 correct Fixed after five days, a missing deep link guard
-19 16:00 estimates 0.85 Reading the Kiel spreadsheet takes one day
  -7 14:00 incorrect Nine days, because of merged cells
-18 12:00 operations 0.9 The restore drill stays under an hour
  -12 12:00 correct 38 minutes
-13 10:00 estimates 0.75 Huawei notifications are delivered by the end of the week
  -8 10:00 partial Delivered on two of three models
`

/** The sample brain as it would be on the day of `now`, in this machine's time zone. */
export function demoBrain(now: number): DemoBrain {
  const today = new Date(now)
  const moment: Moment = (day, time) => {
    const [hour = 0, minute = 0] = time.split(':').map(Number)
    return new Date(
      today.getFullYear(),
      today.getMonth(),
      today.getDate() + Number(day),
      hour,
      minute,
    ).getTime()
  }
  const dated = (text: string): string =>
    text.replace(/\{(weekday)?([+-]\d+)\}/g, (_, weekday: string | undefined, days: string) => {
      const date = new Date(moment(days, '12:00'))
      return weekday
        ? (weekdayNames[date.getDay()] ?? '')
        : `${date.getDate()} ${monthNames[date.getMonth()]}`
    })
  return {
    notes: notes
      .trim()
      .split('\n')
      .map((line) => noteAt(moment, dated(line))),
    beliefs: entriesOf(beliefs).map((entry) => beliefAt(moment, entry)),
    predictions: entriesOf(predictions).map((entry) => predictionAt(moment, entry)),
  }
}

type Moment = (day: string, time: string) => number

/** The entries of a text: each a line with the indented ones below it. */
const entriesOf = (text: string): string[] => text.trim().split(/\n(?! )/)

const parts = (pattern: RegExp, line: string): string[] => pattern.exec(line)?.slice(1) ?? []

function noteAt(moment: Moment, line: string): DemoNote {
  const [day = '', time = '', agent = '', caution = '0', text = ''] = parts(
    /^ *(\S+) (\S+) (\S+) +(?:flag (\S+): )?(.*)/,
    line,
  )
  return { at: moment(day, time), agent, text, caution: Number(caution) }
}

function beliefAt(moment: Moment, entry: string): DemoBelief {
  const [said = '', ...observed] = entry.split('\n')
  const [day = '', time = '', confidence, text = ''] = parts(/^(\S+) (\S+) (\S+) (.*)/, said)
  const evidence = observed.map((line): DemoEvidence => {
    const [day = '', time = '', sign, strength, note = ''] = parts(/^ +(\S+) (\S+) ([+-])(\S+) (.*)/, line)
    const kind = sign === '+' ? 'supporting' : 'refuting'
    return { at: moment(day, time), kind, strength: Number(strength), note }
  })
  return { at: moment(day, time), text, confidence: Number(confidence), evidence }
}

function predictionAt(moment: Moment, entry: string): DemoPrediction {
  const [day = '', time = '', domain = '', confidence, prediction = ''] = parts(
    /^(\S+) (\S+) (\S+) (\S+) (.*)/,
    entry,
  )
  const [basis = null] = parts(/\n +because (.*)/, entry)
  const [resolvedDay = '', resolvedTime = '', word, actual = ''] = parts(/\n +(-\S+) (\S+) (\S+) (.*)/, entry)
  const outcome = outcomes.find((one) => one === word)
  return {
    at: moment(day, time),
    prediction,
    domain,
    confidence: Number(confidence),
    basis,
    resolution: outcome === undefined ? null : { at: moment(resolvedDay, resolvedTime), outcome, actual },
  }
}

/** From where somebody acts: it tells nothing of where it acts, unless a warning is about that. */
import { namesLive } from './reading.ts'

const device = '(?:laptop|machine|desktop|desk|computer|workstation|notebook|terminal|phone|tablet)'
const owner = '(?:my|our|his|her|their)(?: (?:own|work|home|private|personal))?'

// White space in front goes with it, and is looked through from its beginning alone.
const from = new RegExp(
  `(?<!\\s)\\s*\\b(?:(?:straight|directly|right) )?(?:from|off|via|using|through) (?:${owner} ${device}|home)\\b`,
  'gi',
)
/** What runs there against production acts on production. */
const on = new RegExp(`(?<!\\s)\\s*\\b(?:on|at) ${owner} ${device}\\b`, 'gi')
const named = new RegExp(`\\b(?:${device}s?|home|local(?:ly)?)\\b`, 'i')

/** What is taken away from a device is on that device. */
const takesAway = /\b(?:delet|remov|wip|eras|uninstall|clean|clear|purg)\w*/i

/** A plan without the device that it is begun at: "apply it to prod from my laptop"; as it is where the warning names one. */
export function withoutWhereabouts(plan: string, warning: string): string {
  const isLive = namesLive(plan)
  if (named.test(warning) || (takesAway.test(plan) && !isLive)) return plan
  const bare = plan.replace(from, '')
  const act = isLive ? bare.replace(on, '') : bare
  return act.trim() === '' ? plan : act
}

/** The groups of operations in help, in order. Pure data: every command reads it. */
export const helpGroups = [
  'See',
  'Memories',
  'Beliefs',
  'Predictions',
  'Instinct',
  'Dreams',
  'Agents',
] as const

export type HelpGroup = (typeof helpGroups)[number]

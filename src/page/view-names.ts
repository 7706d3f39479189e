/** The views of the page by their names in its address, in the order in which they are offered. */
export const viewNames = [
  'search',
  'timeline',
  'beliefs',
  'predictions',
  'dreams',
  'warnings',
  'duplicates',
  'state',
] as const

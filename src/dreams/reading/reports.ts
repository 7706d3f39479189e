/** Tells notes that report figures from sentences that say something of them. Knows English words. */

/** Figure upon figure: what one run of something came to. */
export const isLogLine = (text: string): boolean => (text.match(/\d+(?:[.,:]\d+)*/g) ?? []).length >= 3

const verb =
  /\b(?:is|are|was|were|be|been|has|have|had|will|must|should|can|may|does|do|did|set|runs?|takes?|took|costs?|needs?|holds?|closes?|opens?|starts?|ends?|lasts?|stands?|sits?|goes|comes?|gives?|gets?|uses?|expires?|says?|said|made|makes?|keeps?|kept)\b|'s\b/i
/** What somebody sets; its values are no readings. */
export const setting =
  /\b(?:limits?|timeout|ports?|prices?|fees?|rates?|rent|deadline|retention|budget|caps?|max\w*|(?<!\d ?)min|minimum|default|quota|ttl|interval|thresholds?|tolerance|codes?|pin|password|address|keys?|version|hours|opening|entry|admission|tickets?)\b/i

/**
 * A figure with what it is of and no verb ("Disk on etl-1 at 61 %"): a reading of the day, unless it is of what
 * somebody sets.
 */
export const isReading = (text: string): boolean => !verb.test(text) && !setting.test(text)

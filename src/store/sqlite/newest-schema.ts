/** The newest schema as text, where the build has put it. */

/** Entries as `own-schema.ts` makes them; undefined where they have to be made. */
export const newestSchema = (): readonly string[] | undefined => undefined

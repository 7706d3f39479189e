/** Values of unknown make, as JSON brings them. Pure. */

/** Whether it is an object and no list. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A member of an object, or of a list by its place; undefined where there is none. */
export const memberOf = (value: unknown, name: string | number): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

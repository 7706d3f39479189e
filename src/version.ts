/** The version of this package, put here by the build and by the tests' configuration. */
declare const BRAIN_VERSION: string | undefined

export const version: string = typeof BRAIN_VERSION === 'string' ? BRAIN_VERSION : '0.0.0'

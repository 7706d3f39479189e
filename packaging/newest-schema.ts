/** The newest schema as text, for the build to put into the command. */
import { migrations } from '../src/store/sqlite/migrations.ts'
import { makeEntries } from '../src/store/sqlite/own-schema.ts'

export const entries = makeEntries(migrations.length)

/** Where models are kept, and what was once made with them. */
import { join } from 'node:path'
import { cacheDirectory, type Environment } from '../config/user-directories.ts'

export const modelsDirectory = (environment: Environment): string =>
  join(cacheDirectory(environment), 'models')

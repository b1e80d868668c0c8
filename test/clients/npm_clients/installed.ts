/** Where the published clients are that `npm run clients:install` has installed. */
import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

const programs = join(import.meta.dirname, '../../../.cache/npm_clients/node_modules/.bin')

/** A published client. */
export interface NpmClient {
  readonly program: string
  /** Its programs run on the project's own Node, which is newer than the machine's may be. */
  readonly path: string
  /** Why its tests are skipped; false where it is installed. */
  readonly skip: string | false
}

/** The client whose program has this name. */
export function npmClient(name: string): NpmClient {
  const program = join(programs, name)
  // biome-ignore lint/style/noProcessEnv: programs are found where the tests' own are
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter)
  return { program, path, skip: !existsSync(program) && `${name} is not installed: npm run clients:install` }
}

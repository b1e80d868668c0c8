/**
 * The first administrator. The first start on an empty database creates `root` with a personal access token of every scope. Generated
 * values are shown once and kept in a file that only Ingot's user may read.
 */

import { readFile } from 'node:fs/promises'
import { createUser } from '../../identity/users/commands.ts'
import { passwordProblems } from '../../identity/users/passwords/passwords.ts'
import { userByUsername } from '../../identity/users/queries.ts'
import { tokenScopes } from '../../platform/access/credentials/token_scopes.ts'
import { type Config, ConfigError, places } from '../../platform/config.ts'
import type { Db } from '../../platform/db/connection.ts'
import { lockName } from '../../platform/db/statements/named_locks.ts'
import { type Deps, systemContext } from '../../platform/kernel/context.ts'
import { newToken } from '../../platform/kernel/secrets.ts'
import { ensureToken } from '../../spaces/tokens/commands.ts'
import { writePrivateFile } from './private_file.ts'

/** The username of the first administrator. */
export const ROOT = 'root'

/** The credentials of `root`. */
export interface RootCredentials {
  readonly username: string
  /** Only at the start that generated it. */
  readonly password: string | undefined
  /** Only at the start that generated it, or if the configuration gives it. */
  readonly token: string | undefined
  /** The file of the generated values; undefined if there is none. */
  readonly file: string | undefined
}

/** The content of the file: generated values, never those of the configuration. */
interface Kept {
  readonly username: string
  readonly password?: string
  readonly token?: string
}

/**
 * Creates `root` on the first start, and makes a token given as `INGOT_ROOT_TOKEN` valid on every start.
 * @throws ConfigError the password given for the first start is weak, or a token is given and there is no administrator `root` to own it
 */
export async function ensureRoot(deps: Deps): Promise<RootCredentials> {
  const { config, database } = deps
  const made = await database.db.transaction().execute(async db => {
    // Processes that start concurrently on one database create one root.
    await lockName(db, 'first administrator')
    const someone = await db.selectFrom('users').select('id').where('kind', '=', 'human').limit(1).executeTakeFirst()
    if (!someone) return makeRoot(deps, db)
    if (config.rootToken !== undefined) await validateToken(db, config.rootToken.reveal())
    return undefined
  })
  const kept = made ?? (await readKept(config))
  return {
    username: ROOT,
    password: made?.password,
    token: made?.token ?? config.rootToken?.reveal(),
    file: kept && (kept.password ?? kept.token) !== undefined ? places(config).rootCredentials : undefined,
  }
}

async function makeRoot(deps: Deps, db: Db): Promise<Kept> {
  const { config } = deps
  const generated = {
    ...(config.rootPassword === undefined ? { password: newToken().reveal() } : {}),
    ...(config.rootToken === undefined ? { token: newToken().reveal() } : {}),
  }
  const person = { username: ROOT, name: 'Administrator', email: 'admin@example.com' }
  const problems = config.rootPassword === undefined ? [] : await passwordProblems(config.rootPassword.reveal(), [person])
  if (problems.length > 0) throw new ConfigError(`INGOT_ROOT_PASSWORD ${problems.join(', ')}`)
  const user = await createUser(systemContext(deps, db), {
    ...person,
    password: config.rootPassword?.reveal() ?? (generated.password as string),
    admin: true,
  })
  await assignToken(db, user.id, config.rootToken?.reveal() ?? (generated.token as string))
  const kept: Kept = { username: ROOT, ...generated }
  // Before the commit: if Ingot dies between the two, the next start overwrites an unused file, while credentials that were never shown
  // would be lost for good.
  if (kept.password ?? kept.token) await keep(config, kept)
  return kept
}

async function validateToken(db: Db, token: string): Promise<void> {
  const root = await userByUsername(db, ROOT)
  if (!root?.admin) throw new ConfigError(`INGOT_ROOT_TOKEN is set, but there is no administrator "${ROOT}"`)
  await assignToken(db, root.id, token)
}

async function assignToken(db: Db, userId: number, token: string): Promise<void> {
  const given = await ensureToken(db, userId, { name: ROOT, scopes: tokenScopes }, token)
  if (!given) throw new ConfigError('INGOT_ROOT_TOKEN is already the token of another user')
}

/** Removes a kept password that has been changed. */
export async function forgetRootPassword(config: Config): Promise<void> {
  const kept = await readKept(config)
  if (kept?.password === undefined) return
  const { password: _, ...rest } = kept
  await keep(config, rest)
}

const keep = (config: Config, kept: Kept) => writePrivateFile(places(config).rootCredentials, `${JSON.stringify(kept, undefined, 2)}\n`)

async function readKept(config: Config): Promise<Kept | undefined> {
  try {
    return JSON.parse(await readFile(places(config).rootCredentials, 'utf8')) as Kept
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

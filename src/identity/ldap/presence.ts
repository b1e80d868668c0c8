/**
 * People who leave a directory, and come back. The account of a person who is gone is blocked and loses what the directory gave it; one that was
 * blocked by hand stays blocked. A directory that does not answer says nothing about anybody.
 */

import type { Db } from '../../platform/db/connection.ts'
import { transactOnce } from '../../platform/db/transact.ts'
import { enqueue } from '../../platform/events/worker.ts'
import { type Context, type Deps, systemContext } from '../../platform/kernel/context.ts'
import { keepPresence } from '../identities/commands.ts'
import { providerNamed, providersOf } from '../providers/file.ts'
import type { Claims, Provider } from '../providers/provider.ts'
import { applyGroups, directoryFilters, isAdmitted, takeGiven } from '../providers/roles.ts'
import { moveUser } from '../users/commands.ts'
import { type UserRow, userById } from '../users/queries.ts'
import { isLastAdministrator } from '../users/removal/last_administrator.ts'

/** People that are asked about with one connection. */
const TOGETHER = 100

/** Attempts of a check; the next hour begins another one. */
const ATTEMPTS = 3

/** Queues a check of each directory. */
export async function checkDirectories({ config, database }: Deps): Promise<void> {
  for (const { kind, name } of providersOf(config)) if (kind.directory) await queueDirectoryCheck(database.db, name)
}

/** Queues a check of a directory: what its people are given here follows what it says. */
export const queueDirectoryCheck = (db: Db, provider: string): Promise<void> => queueCheck(db, provider, 0)

/**
 * One check of a directory at a time: the next hour's takes the place of one that waits. Its later parts have a name of their own, else one of them
 * would take the place of a check that was asked for meanwhile, and those who were looked at before would keep what was taken from them.
 */
const queueCheck = (db: Db, provider: string, after: number): Promise<void> =>
  enqueue(
    db,
    'check_directory_people',
    { provider, after },
    {
      jobKey: `check_directory_people ${provider}${after === 0 ? '' : ' rest'}`,
      queueName: `directory ${provider}`,
      maxAttempts: ATTEMPTS,
    },
  )

/**
 * Checks some of the people of a directory, and queues the rest.
 * @throws ProviderFailed where the directory does not answer: then nothing has changed
 */
export async function checkDirectoryPeople(deps: Deps, { provider: name, after }: { provider: string; after: number }): Promise<void> {
  const provider = providerNamed(deps.config, name)
  // The file of providers no longer has it.
  if (!provider?.kind.directory) return
  const { db } = deps.database
  const identities = await db
    .selectFrom('identities')
    .select(['id', 'extern_uid'])
    .where('provider', '=', name)
    .where('id', '>', after)
    .orderBy('id')
    .limit(TOGETHER)
    .execute()
  if (identities.length === 0) return
  const people = await provider.kind.directory.people(
    provider,
    identities.map(({ extern_uid }) => extern_uid),
    await directoryFilters.value(db, name),
  )
  for (const { id, extern_uid } of identities)
    await transactOnce(db, tx => follow(systemContext(deps, tx), provider, id, people.get(extern_uid)))
  if (identities.length === TOGETHER) await queueCheck(db, name, identities.at(-1)?.id ?? 0)
}

/** Does to the account of an identity what follows from the directory's answer. `ctx.db` is a transaction. */
async function follow(ctx: Context, provider: Provider, identityId: number, claims: Claims | undefined): Promise<void> {
  const found = await lockedIdentity(ctx.db, identityId)
  if (!found) return
  const { identity, user } = found
  const by = { identityId, userId: user.id }
  if (!claims || !isAdmitted(provider, claims)) {
    await takeGiven(ctx, by, user)
    await recordAbsence(ctx, identity, user)
    return
  }
  await recordPresence(ctx, identity, user)
  await applyGroups(ctx, provider, claims, by, user)
}

interface Identity {
  readonly id: number
  readonly user_id: number
  readonly provider: string
  readonly left_at: string | null
  readonly blocked_account: boolean
}

/** An identity and its account, both locked, the account first as everywhere; undefined once it is unlinked. */
async function lockedIdentity(db: Db, id: number): Promise<{ readonly identity: Identity; readonly user: UserRow } | undefined> {
  await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', eb => eb.selectFrom('identities').select('user_id').where('identities.id', '=', id))
    .forUpdate()
    .execute()
  const identity = await db
    .selectFrom('identities')
    .select(['id', 'user_id', 'provider', 'left_at', 'blocked_account'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  const user = identity && (await userById(db, identity.user_id))
  return identity && user?.kind === 'human' ? { identity, user } : undefined
}

/**
 * Who is gone is blocked, also where an administrator has unblocked them: to let them stay, the identity is removed. The last administrator is
 * not: the next check blocks them where there is another one.
 */
async function recordAbsence(ctx: Context, identity: Identity, user: UserRow): Promise<void> {
  const isOpen = user.state === 'active' || user.state === 'deactivated'
  if (identity.left_at !== null && !isOpen) return
  if (await isLastAdministrator(ctx.db, user.id)) {
    ctx.log.warn(
      { user: user.username, provider: identity.provider },
      'the last administrator is gone from the directory, and is not blocked',
    )
    return
  }
  await keepPresence(ctx, identity, { left_at: ctx.now, blocked_account: isOpen || identity.blocked_account })
  if (isOpen) await moveUser(ctx, user, 'block')
}

async function recordPresence(ctx: Context, identity: Identity, user: UserRow): Promise<void> {
  if (identity.left_at === null) return
  await keepPresence(ctx, identity, { left_at: null, blocked_account: false })
  if (identity.blocked_account && user.state === 'blocked') await moveUser(ctx, user, 'unblock')
}

/**
 * A person has just been proven by a directory: their account, blocked because they were gone, is free again.
 * @param ctx outside of a transaction
 */
export async function welcomeBack(ctx: Context, provider: Provider, claims: Claims): Promise<void> {
  if (!isAdmitted(provider, claims)) return
  const { db } = ctx.deps.database
  const gone = await db
    .selectFrom('identities')
    .select('id')
    .where('provider', '=', provider.name)
    .where('extern_uid', '=', claims.uid)
    .where('left_at', 'is not', null)
    .executeTakeFirst()
  if (!gone) return
  await transactOnce(db, async tx => {
    const found = await lockedIdentity(tx, gone.id)
    if (found) await recordPresence({ ...ctx, db: tx }, found.identity, found.user)
  })
}

import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { scope, within } from '../../platform/kernel/declaration/scope.ts'
import { integer, text } from '../../platform/kernel/declaration/types.ts'
import { notFound, unauthenticated } from '../../platform/kernel/errors.ts'
import { users, userWithIdentities } from './queries.ts'

async function findUser(ctx: Context, idOrUsername: string) {
  const byId = /^\d{1,15}$/.test(idOrUsername)
  const user = await users(ctx.db)
    .where(byId ? sql<boolean>`users.id = ${Number(idOrUsername)}` : sql<boolean>`lower(users.username) = lower(${idOrUsername})`)
    .executeTakeFirst()
  if (!user) throw notFound('User')
  return { user }
}

/** `:user_id` becomes a user, by id or username, or 404. */
export const inUser = scope({
  name: 'inUser',
  path: { user_id: text('ID or username of a user') },
  load: (ctx, { user_id }) => findUser(ctx, user_id),
  subject: ({ user }) => ({ on: 'user' as const, userId: user.id, kind: user.kind }),
  modifiedAt: ({ user }) => user.updated_at,
})

/** `:id` becomes a user, or 404: the users API proper, which takes numbers only. */
export const inUserById = scope({
  name: 'inUserById',
  path: { id: integer('ID of a user') },
  load: (ctx, { id }) => findUser(ctx, String(id)),
  subject: ({ user }) => ({ on: 'user' as const, userId: user.id, kind: user.kind }),
  modifiedAt: ({ user }) => user.updated_at,
})

/** The caller themselves: `/user`. */
export const inSelf = scope({
  name: 'inSelf',
  path: {},
  async load(ctx) {
    const id = ctx.actor.user?.id
    const user = id === undefined ? undefined : await userWithIdentities(ctx.db, id)
    if (!user) throw unauthenticated()
    return { user }
  },
  subject: ({ user }) => ({ on: 'user' as const, userId: user.id, kind: user.kind }),
})

/** The identity of a user at a provider. @throws Refusal 404 where they have none */
export async function identityAt(db: Db, userId: number, provider: string) {
  const identity = await db
    .selectFrom('identities')
    .select(['id', 'user_id', 'provider'])
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .executeTakeFirst()
  if (!identity) throw notFound('Identity')
  return { identity }
}

/** `:provider` becomes an identity of the user at that provider, or 404. */
export const inIdentity = within(inUserById, {
  name: 'inIdentity',
  path: { provider: text('Name of an identity provider', { maxLength: 255 }) },
  load: ({ db, user }, { provider }) => identityAt(db, user.id, provider),
})

/** What a person may do here because of their groups at a provider. It is given and taken away at each sign-in; what was given by hand stays. */
import type { Db } from '../../platform/db/connection.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { Port } from '../../platform/kernel/declaration/port.ts'
import { keepGiven } from '../identities/commands.ts'
import { updateUser } from '../users/commands.ts'
import type { UserRow } from '../users/queries.ts'
import { isLastAdministrator } from '../users/removal/last_administrator.ts'
import type { Claims, ProvidedRole, Provider } from './provider.ts'

/** The identity of a locked account that roles are given by. */
export interface GivenBy {
  readonly identityId: number
  readonly userId: number
}

/** What a person is in at a directory. */
export interface ProviderMembership {
  readonly provider: string
  /** Names of groups. */
  readonly groups: readonly string[]
  /** The filters of links that find the person. */
  readonly filters: readonly string[]
}

/** What memberships follow from. */
export interface ProvidedBy {
  /** Roles of the file of providers. */
  readonly roles: readonly ProvidedRole[]
  /** For the links that groups have to a directory; undefined where the provider is none, or the person may not sign in. */
  readonly directory?: ProviderMembership | undefined
}

/** Makes the memberships that the provider owns those that follow, in the transaction of the sign-in. */
type ProvidedRoles = (ctx: Context, by: GivenBy, from: ProvidedBy) => Promise<void>

export const providedRoles = new Port<ProvidedRoles>('providedRoles')

/** The filters by which groups are linked to a directory. */
export const directoryFilters = new Port<(db: Db, provider: string) => Promise<readonly string[]>>('directoryFilters')

const isInOne = ({ groups }: Claims, wanted: readonly string[]): boolean => wanted.some(group => groups.includes(group))

/** May a person with these groups sign in? */
export const isAdmitted = ({ rules: { required_groups } }: Provider, claims: Claims): boolean =>
  required_groups.length === 0 || isInOne(claims, required_groups)

/** Gives an account what its groups at the provider bring, and takes away what they no longer do. `ctx.db` is a transaction. */
export async function applyGroups(ctx: Context, provider: Provider, claims: Claims, by: GivenBy, user: UserRow): Promise<void> {
  const { roles, admin_groups, external_groups } = provider.rules
  // Who may not sign in has nothing by the provider either.
  const isIn = isAdmitted(provider, claims)
  await give(ctx, by, user, {
    roles: roles.filter(({ group }) => isIn && claims.groups.includes(group)),
    admin: isIn && isInOne(claims, admin_groups),
    external: isIn && isInOne(claims, external_groups),
    ...(isIn &&
      provider.kind.directory && { directory: { provider: provider.name, groups: claims.groups, filters: claims.filters ?? [] } }),
  })
}

/** Takes away all that the provider of an identity gave. `ctx.db` is a transaction. */
export const takeGiven = (ctx: Context, by: GivenBy, user: UserRow): Promise<void> =>
  give(ctx, by, user, { roles: [], admin: false, external: false })

interface Given extends ProvidedBy {
  readonly admin: boolean
  readonly external: boolean
}

async function give(ctx: Context, by: GivenBy, user: UserRow, wanted: Given): Promise<void> {
  const { db } = ctx
  await providedRoles.value(ctx, by, wanted)
  const gave = await db
    .selectFrom('identities')
    .select(['gave_admin as admin', 'gave_external as external'])
    .where('id', '=', by.identityId)
    .executeTakeFirstOrThrow()
  const given = flagAfter({ is: user.admin, gave: gave.admin, wanted: wanted.admin })
  // What the provider gave is still its own, and goes with the next sign-in or check that finds another administrator.
  const isKept = user.admin && !given.is && (await isLastAdministrator(db, user.id))
  if (isKept) ctx.log.warn({ user: user.username }, 'a sign-in provider does not name the last administrator one any more, who stays one')
  const admin = isKept ? { is: true, gave: gave.admin } : given
  const external = flagAfter({ is: user.external, gave: gave.external, wanted: wanted.external })
  await keepGiven(ctx, by.identityId, { gave_admin: admin.gave, gave_external: external.gave })
  if (admin.is !== user.admin || external.is !== user.external) await updateUser(ctx, user, { admin: admin.is, external: external.is })
}

interface Flag {
  readonly is: boolean
  readonly gave: boolean
}

/** A flag of the account, and whether the provider gave it, after what the provider wants. Pure. */
export function flagAfter({ is, gave, wanted }: Flag & { readonly wanted: boolean }): Flag {
  if (wanted) return { is: true, gave: gave || !is }
  return { is: is && !gave, gave: false }
}

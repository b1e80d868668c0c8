/** Who the people of an archive are here. */
import { accountsByEmail } from '../../../identity/emails/queries.ts'
import { type Role, roles } from '../../../platform/access/abilities.ts'
import { isAdmin } from '../../../platform/access/actor.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { ensureMembers } from '../../../spaces/members/commands.ts'
import { inheritedLevels, type MemberPlace } from '../../../spaces/members/queries.ts'
import type { Row } from '../reading/row.ts'

/** The accounts that people of the archive have here. */
export class People {
  /** Who imports. */
  readonly importer: number
  readonly #accounts: ReadonlyMap<number, number>

  /** Do texts say themselves who wrote them? */
  readonly areNamed: boolean

  constructor(importer: number, accounts: ReadonlyMap<number, number>, areNamed = false) {
    this.importer = importer
    this.areNamed = areNamed
    this.#accounts = accounts
  }

  /** The same people, and those of another place of the archive. */
  and(others: People): People {
    return new People(this.importer, new Map([...this.#accounts, ...others.#accounts]))
  }

  /** Has this person an account here that the archive may speak for? */
  knows(id: number | undefined): boolean {
    return id !== undefined && this.#accounts.has(id)
  }

  /** The account of a person; that of the user who imports where there is none. */
  idOf(id: number | undefined): number {
    return (id === undefined ? undefined : this.#accounts.get(id)) ?? this.importer
  }

  /** The same for a person who need not be given: null for none. */
  maybeIdOf(id: number | undefined): number | null {
    return id === undefined ? null : this.idOf(id)
  }
}

const levels: readonly number[] = [roles.guest, roles.reporter, roles.developer, roles.maintainer, roles.owner]

/** A member of the place where it comes from, with the account that they have here. */
export interface FoundMember {
  readonly account: { readonly id: number } | undefined
  readonly level: number
  readonly expires_at: string | undefined
}

/** The memberships that accounts get here, each once, with the greatest role that the place has. */
export function knownMembers(people: readonly FoundMember[], most: Role) {
  const known = people.flatMap(({ account, level, expires_at }) =>
    account
      ? {
          user_id: account.id,
          access_level: Math.min(levels.findLast(each => each <= level) ?? roles.guest, most) as Role,
          expires_at: expires_at ?? null,
        }
      : [],
  )
  return [...new Map(known.map(member => [member.user_id, member])).values()]
}

/**
 * Finds the accounts of the members by their addresses, and makes them members. Contract: only for administrators; for others all was written by the
 * user who imports, and nobody becomes a member (import and export of projects at 14.0).
 */
export async function importMembers(
  ctx: Context,
  place: MemberPlace,
  rows: AsyncIterable<Row>,
  highest: Role = roles.maintainer,
): Promise<People> {
  const importer = ctx.actor.user!.id
  if (!isAdmin(ctx.actor)) return new People(importer, new Map())
  const members: { id: number; email: string; level: number; expires_at: string | undefined }[] = []
  for await (const row of rows) {
    const user = row.row('user')
    const id = user?.maybeId('id') ?? row.maybeId('user_id')
    const email = user?.maybeText('email', 255) || user?.maybeText('public_email', 255)
    const level = row.maybeInteger('access_level', { max: 100 }) ?? roles.guest
    // A user who has only asked is no member.
    if (id !== undefined && email && row.raw('requested_at') == null)
      members.push({ id, email, level, expires_at: row.maybeDay('expires_at') })
  }
  const accounts = await accountsByEmail(
    ctx.db,
    members.map(({ email }) => email),
  )
  const people = members.map(member => ({ ...member, account: accounts.get(member.email.toLowerCase()) }))
  // Of a project: an owner of the place where it comes from is a Maintainer.
  const wanted = knownMembers(people, highest)
  // Who has as much or more by a group needs no membership of the project.
  const inherited = await inheritedLevels(
    ctx.db,
    place,
    wanted.map(({ user_id }) => user_id),
  )
  await ensureMembers(
    ctx,
    place.key,
    wanted.filter(({ user_id, access_level }) => (inherited.get(user_id) ?? 0) < access_level),
  )
  return new People(importer, new Map(people.flatMap(({ id, account }) => (account ? [[id, account.id] as const] : []))))
}

/** Groups whose members sign in with the provider of the group (group_saml) before they reach what is in it by a session. Tokens go on. */
import { type RawBuilder, sql } from 'kysely'
import { type Actor, isAdmin } from '../../platform/access/actor.ts'
import { roles } from '../../platform/access/open_to.ts'
import { projectRole } from '../../platform/access/visible.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { SignOnMissing } from '../../platform/kernel/errors.ts'

/** A group or project that the actor may see. */
interface Found {
  readonly role: number
  readonly full_path: string
}

/** The page on which one signs in with the provider of a top-level group. */
export const signOnPage = (groupPath: string): string => `/groups/${groupPath}/-/saml/sso`

/**
 * 403 for a session of a member that has not signed in. Owners go on, who could not mend a broken provider otherwise (14.0), and so do those who see
 * it because it is open to them.
 */
export function assertSignedOn(actor: Actor, found: Found | undefined, ancestry: readonly number[] | undefined): void {
  const { credential } = actor
  const top = ancestry?.[0]
  if (!found || top === undefined || credential?.kind !== 'session' || !credential.signOnsDue?.includes(top)) return
  if (found.role === 0 || found.role >= roles.owner || isAdmin(actor)) return
  throw new SignOnMissing(signOnPage(found.full_path.split('/', 1)[0] as string))
}

/**
 * The ids of the projects that `assertSignedOn` refuses to this session, as a query; undefined where there are none. For lists that reach over groups and
 * must not show or count what is in them.
 */
export function projectsAwaitingSignOn(actor: Actor): RawBuilder<number> | undefined {
  const { credential } = actor
  const due = credential?.kind === 'session' ? credential.signOnsDue : undefined
  if (due === undefined || due.length === 0 || isAdmin(actor)) return undefined
  const role = projectRole(actor)
  return sql<number>`select projects.id from projects join namespaces on namespaces.id = projects.namespace_id
    where namespaces.traversal_ids[1] = ${anyOf(due)} and ${role} > 0 and ${role} < ${sql.lit(roles.owner)}`
}

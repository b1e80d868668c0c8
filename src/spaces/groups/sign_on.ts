/**
 * Groups whose members sign in with the provider of the group (group_saml) before they reach what is in it by a session. Tokens go on; where the group asks
 * for it, git takes them only while their user has such a session. Lists do not count the memberships of a session that has to sign in first
 * (platform/access/visible.ts).
 */
import { sql } from 'kysely'
import { type Actor, isAdmin } from '../../platform/access/actor.ts'
import { hasSignedOn } from '../../platform/access/credentials/credentials.ts'
import { roles } from '../../platform/access/open_to.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { Refusal, SignOnMissing } from '../../platform/kernel/errors.ts'

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

/** What a person gives git. Jobs, bots and the keys and tokens of places stand for nobody who could sign in (14.0). */
const personal: ReadonlySet<string> = new Set(['personal_access_token', 'oauth_token', 'password', 'ssh_key', 'ssh_certificate'])

/** Where a repository is, and the role that the actor has there. */
export interface GitPlace {
  readonly role: number
  readonly in: { readonly projectId: number } | { readonly groupId: number }
}

/**
 * Refuses git to a member of a group that asks for it (`git_check_enforced`) while none of their sessions has signed in with its provider. Owners go on.
 * @throws Refusal with the line to show
 */
export async function assertSignedOnForGit(
  { db, actor, now, url }: Pick<Context, 'db' | 'actor' | 'now' | 'url'>,
  { role, in: place }: GitPlace,
): Promise<void> {
  const { credential, user } = actor
  if (user?.kind !== 'human' || !personal.has(credential?.kind ?? '')) return
  if (role === 0 || role >= roles.owner || isAdmin(actor)) return
  const namespace =
    'groupId' in place ? sql`${place.groupId}::bigint` : sql`(select namespace_id from projects where projects.id = ${place.projectId})`
  const { rows } = await sql<{ path: string }>`
    select r.path from namespaces n
      join saml_providers p on p.group_id = n.traversal_ids[1] and p.enabled and p.enforced and p.git_check_enforced
      join routes r on r.namespace_id = p.group_id
     where n.id = ${namespace}
       and not exists (select from sessions s where s.user_id = ${user.id} and s.expires_at > ${now} and ${hasSignedOn(now)})`.execute(db)
  const path = rows[0]?.path
  if (path === undefined) return
  throw new Refusal('forbidden', {
    message: `Cannot find valid SSO session. Please login via your group’s SSO at ${url}${signOnPage(path)}`,
  })
}

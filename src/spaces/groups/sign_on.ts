/** Groups whose members sign in with the provider of the group (group_saml) before they reach what is in it by a session. Tokens go on. */
import { type Actor, isAdmin } from '../../platform/access/actor.ts'
import { roles } from '../../platform/access/open_to.ts'
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

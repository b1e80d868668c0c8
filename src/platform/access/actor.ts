/**
 * Who a request acts as, and by which means. The rest of the server asks the actor, never the token.
 */
import type { Selectable } from 'kysely'
import type { Users } from '../db/schema.ts'
import type { DeployTokenScope, TokenScope } from './token_scopes.ts'

/** What of a user the server needs on every request. */
export interface ActingUser {
  readonly id: number
  readonly username: string
  readonly name: string
  readonly email: string
  readonly admin: boolean
  /** External users see no internal projects they are not members of (decision 43). */
  readonly external: boolean
  readonly state: Selectable<Users>['state']
  readonly kind: string
  readonly avatar_url: string | null
}

/** How the caller proved who they are. */
export type Credential =
  | {
      readonly kind: 'personal_access_token' | 'oauth_token'
      readonly id: number
      readonly scopes: readonly TokenScope[]
      readonly impersonation: boolean
    }
  /** CSRF-protected; `id` is the session's row. */
  | { readonly kind: 'session'; readonly id: number }
  /**
   * A running job's token: acts as the user of its pipeline, on few endpoints (document 1, Authentication rule 4), and only within its reach
   * (job_reach.ts). `user.admin` is never set beside it.
   */
  | {
      readonly kind: 'job_token'
      readonly jobId: number
      readonly projectId: number
      /** The user is an administrator, whose memberships count like those of other users. */
      readonly ofAdmin: boolean
      /** Reaches only the projects that its own project lists. */
      readonly confined: boolean
    }
  /** Git's Basic authentication with a password; `proof` says which password it was, without telling it (`passwordProof`). */
  | { readonly kind: 'password'; readonly proof: string }
  /** A person's key, by SSH. */
  | { readonly kind: 'ssh_key'; readonly id: number }
  /** A machine's key: opens git's transport, by SSH, of the projects that have it, for the user who enabled it there (deploy_keys.ts). */
  | { readonly kind: 'deploy_key'; readonly id: number }
  /** A machine's token: opens git's transport, by HTTP, of one project or of all projects of a group. */
  | {
      readonly kind: 'deploy_token'
      readonly id: number
      readonly scopes: readonly DeployTokenScope[]
      readonly place: { readonly projectId: number } | { readonly groupId: number }
    }
  /** An identity provider's, nobody's in person: opens the SCIM of this top-level group and nothing else. */
  | { readonly kind: 'scim_token'; readonly groupId: number }

/** What a short-lived token for LFS opens, of all that its credential opens (code/lfs/tokens.ts). */
export interface LfsLimits {
  readonly projectId: number
  /** `upload` includes `download`. */
  readonly operation: 'download' | 'upload'
}

/** Nobody in particular, or a user by some credential. */
export interface Actor {
  readonly user: ActingUser | undefined
  readonly credential: Credential | undefined
  /** The administrator who acts as `user` by sudo. */
  readonly sudoBy: ActingUser | undefined
  /** Where the credential came in the shape of a token for LFS. */
  readonly lfs?: LfsLimits
}

export const anonymous: Actor = { user: undefined, credential: undefined, sudoBy: undefined }

/** An actor who is a user. */
export type UserActor = Actor & { readonly user: ActingUser }

/** A user who has proved who they are. Only authentication calls it: what runs in the background asks `actingAs` (credentials.ts). */
export const provenUser = (user: ActingUser, credential: Credential, sudoBy?: ActingUser): UserActor => ({ user, credential, sudoBy })

/** A machine that has proved that it holds a credential; no user stands behind it. */
export const provenMachine = (credential: Credential): Actor => ({ user: undefined, credential, sudoBy: undefined })

/**
 * A user without a credential: looked up now, for work that no request of theirs carries. Callers outside of access/ use `actingAs`, which
 * refuses accounts that are not active; test/derived/structure.test.ts lists the exceptions.
 */
export const asUser = (user: ActingUser): UserActor => ({ user, credential: undefined, sudoBy: undefined })

/**
 * May the account of the actor act at all? Blocked, deactivated and unapproved accounts may not, whoever asks on their behalf. Actors without
 * an account (anonymous callers, machines) are judged by their credential: deploy keys in each project (deploy_keys.ts).
 */
export const isActive = ({ user }: Actor): boolean => user === undefined || user.state === 'active'

/** Has the caller proved nothing about themselves? */
export const isAnonymous = (actor: Actor): boolean => actor.credential === undefined && actor.user === undefined

/** May this actor do what only administrators may? An administrator whose account is not active may not. */
export const isAdmin = (actor: Actor): boolean => actor.user?.admin === true && isActive(actor)

/** Do the actor's credentials carry one of these scopes? Sessions, passwords and keys carry all. */
export function hasScope(actor: Actor, wanted: readonly TokenScope[]): boolean {
  const { credential } = actor
  if (credential?.kind === 'deploy_token') return credential.scopes.some(scope => wanted.some(other => other === scope))
  if (credential?.kind !== 'personal_access_token' && credential?.kind !== 'oauth_token') return true
  return wanted.some(scope => credential.scopes.includes(scope))
}

/**
 * The actor as a CI file acts for them, which other users have written: by their memberships alone, without an administrator's reach and
 * without the limits of the job that may have started the pipeline.
 */
export const byMembership = (actor: Actor): Actor => ({
  ...actor,
  user: actor.user && { ...actor.user, admin: false },
  credential: actor.credential?.kind === 'job_token' ? undefined : actor.credential,
})

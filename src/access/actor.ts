/**
 * Who a request acts as, and by which means. The rest of the server asks the actor, never the token.
 */
import type { TokenScope } from './token_scopes.ts'

/** What of a user the server needs on every request. */
export interface ActingUser {
  readonly id: number
  readonly username: string
  readonly name: string
  readonly email: string
  readonly admin: boolean
  /** External users see no internal projects they are not members of (decision 43). */
  readonly external: boolean
  readonly state: string
  readonly kind: string
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
  /** A running job's token: acts as the user of its pipeline, on few endpoints (document 1, Authentication rule 4). */
  | { readonly kind: 'job_token'; readonly jobId: number; readonly projectId: number }
  /** Git's Basic authentication with a password. */
  | { readonly kind: 'password' }
  /** An identity provider's, nobody's in person: opens the SCIM of this top-level group and nothing else (issue "SCIM"). */
  | { readonly kind: 'scim_token'; readonly groupId: number }

/** Nobody in particular, or a user by some credential. */
export interface Actor {
  readonly user: ActingUser | undefined
  readonly credential: Credential | undefined
  /** The administrator who acts as `user` by sudo. */
  readonly sudoBy: ActingUser | undefined
}

export const anonymous: Actor = { user: undefined, credential: undefined, sudoBy: undefined }

/** Has the caller proved nothing about themselves? */
export const isAnonymous = (actor: Actor): boolean => actor.credential === undefined && actor.user === undefined

/** May this actor do what only administrators may? */
export const isAdmin = (actor: Actor): boolean => actor.user?.admin === true

/** Do the actor's credentials carry one of these scopes? Sessions and passwords carry all. */
export function hasScope(actor: Actor, wanted: readonly TokenScope[]): boolean {
  const { credential } = actor
  if (credential?.kind !== 'personal_access_token' && credential?.kind !== 'oauth_token') return true
  return wanted.some(scope => credential.scopes.includes(scope))
}

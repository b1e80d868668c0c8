/** Who a request acts as, and with which credential. The rest of the server uses the actor and never the token. */
import type { Selectable } from 'kysely'
import type { Users } from '../db/schema.ts'
import type { DeployTokenScope, TokenScope } from './credentials/token_scopes.ts'

/** The columns of a user that every request needs. */
export interface ActingUser {
  readonly id: number
  readonly username: string
  readonly name: string
  readonly email: string
  /** Of the commits that are made here in their name; null: `email`. */
  readonly commit_email?: string | null
  readonly admin: boolean
  /** External users see no internal projects they are not members of (decision 43). */
  readonly external: boolean
  readonly state: Selectable<Users>['state']
  readonly kind: string
  readonly avatar_url: string | null
  /** The user who made the bot; null for accounts of people. */
  readonly creator_id: number | null
  /** How many issues and comments a user may make in a minute, by the settings of the instance; 0: any number. Absent of an administrator who acts as another. */
  readonly creation_limits?: { readonly issues_create_limit: number; readonly notes_create_limit: number } | undefined
  /** How they prefer pages to be; with sessions only. */
  readonly preferences?: Selectable<Users>['preferences']
}

/** How the caller proved who they are. */
export type Credential =
  | {
      readonly kind: 'personal_access_token' | 'oauth_token'
      readonly id: number
      readonly scopes: readonly TokenScope[]
      readonly impersonation: boolean
    }
  /** CSRF-protected; `id` is the session's row. `confirmedAt`: when its user last gave their password, in milliseconds. */
  | {
      readonly kind: 'session'
      readonly id: number
      readonly confirmedAt: number
      /** When its user's time for setting up a second factor is over, in milliseconds; undefined where none is missing. */
      readonly secondFactorDue?: number | undefined
      /** The top-level groups whose members sign in with the provider of the group first, and that this session has not signed in to. */
      readonly signOnsDue?: readonly number[]
      /**
       * Where the instance has admin mode, whether the session of an administrator is in it: out of it `user.admin` is false. Undefined elsewhere, and for
       * other users.
       */
      readonly adminMode?: boolean | undefined
    }
  /**
   * The token of a running job: acts as the user of its pipeline, on few endpoints (document 1, Authentication rule 4), and only within its
   * reach (job_reach.ts). `user.admin` is never set together with it.
   */
  | {
      readonly kind: 'job_token'
      readonly jobId: number
      readonly projectId: number
      /** The user is an administrator. Their memberships count like those of other users. */
      readonly ofAdmin: boolean
      /** The token reaches only the projects on its project's allowlist. */
      readonly confined: boolean
    }
  /**
   * Git's Basic authentication with a password, which is kept here or by a directory. `proof` identifies the password without revealing it
   * (`passwordProof`).
   */
  | { readonly kind: 'password'; readonly proof: string; readonly isKeptHere: boolean }
  /** A user's SSH key. */
  | { readonly kind: 'ssh_key'; readonly id: number }
  /** A certificate of an authority that the instance trusts, until then (milliseconds since 1970). */
  | { readonly kind: 'ssh_certificate'; readonly ends: number; readonly mark: string }
  /** A deploy key: opens git over SSH for the projects that enabled it, on behalf of the user who enabled it there (deploy_keys.ts). */
  | {
      readonly kind: 'deploy_key'
      readonly id: number
      /** The user who enabled it first; null if the account is gone, and as long as no project has it. */
      readonly creatorId: number | null
    }
  /** A deploy token: opens git over HTTP for one project or for all projects of a group. */
  | {
      readonly kind: 'deploy_token'
      readonly id: number
      readonly scopes: readonly DeployTokenScope[]
      readonly place: { readonly projectId: number } | { readonly groupId: number }
      /** The user who made it; null if the account is gone. */
      readonly creatorId: number | null
    }
  /** The token of an identity provider; no user owns it. It opens the SCIM API of this top-level group and nothing else. */
  | { readonly kind: 'scim_token'; readonly groupId: number }
  /** A program that watches the instance: opens the metrics and nothing else. */
  | { readonly kind: 'metrics_token' }
  /** The mail service that hands mails in. */
  | { readonly kind: 'incoming_mail_token' }

/** The limits that a short-lived LFS token sets on the access of its credential (code/lfs/tokens.ts). */
export interface LfsLimits {
  readonly projectId: number
  /** `upload` includes `download`. */
  readonly operation: 'download' | 'upload'
  /** When it ends, in seconds since 1970. */
  readonly until: number
}

/** What a token of the container registry grants (delivery/container_registry/authentication/tokens.ts). */
export interface RegistryAccess {
  readonly type: 'repository' | 'registry' | 'dependency_proxy'
  /** Of an image, or `catalog`. */
  readonly name: string
  readonly actions: readonly string[]
}

/** The caller: anonymous, or a user with a credential. */
export interface Actor {
  readonly user: ActingUser | undefined
  readonly credential: Credential | undefined
  /** The administrator who acts as `user` by sudo. */
  readonly sudoBy: ActingUser | undefined
  /** Set when the credential arrived as an LFS token. */
  readonly lfs?: LfsLimits
  /** Set when the credential arrived as a token of the registry: the caller does nothing else there. */
  readonly registry?: readonly RegistryAccess[]
}

export const anonymous: Actor = { user: undefined, credential: undefined, sudoBy: undefined }

/** An actor who is a user. */
export type UserActor = Actor & { readonly user: ActingUser }

/** A user who has authenticated. Only authentication calls this; background work uses `actingAs` (credentials.ts). */
export const provenUser = (user: ActingUser, credential: Credential, sudoBy?: ActingUser): UserActor => ({ user, credential, sudoBy })

/** A machine credential that has been verified; no user stands behind it. */
export const provenMachine = (credential: Credential): Actor => ({ user: undefined, credential, sudoBy: undefined })

/**
 * A user without a credential, for work outside of any request of theirs. Callers outside of access/ use `actingAs`, which refuses accounts
 * that are not active; test/derived/structure.test.ts lists the exceptions.
 */
export const asUser = (user: ActingUser): UserActor => ({ user, credential: undefined, sudoBy: undefined })

/**
 * May the actor's account act? Blocked, deactivated and unapproved accounts may not, whatever credential acts for them. Actors without an
 * account (anonymous callers, machines) are judged by their credential: deploy keys per project (deploy_keys.ts).
 */
export const isActive = ({ user }: Actor): boolean => user === undefined || user.state === 'active'

/**
 * What a CSRF token of a session is about: the session, and the user whom an administrator acts as in it, so that a form of the one is not sent
 * as the other. Undefined for other credentials.
 */
export const csrfSubject = ({ user, credential, sudoBy }: Pick<Actor, 'user' | 'credential'> & Partial<Actor>): string | undefined =>
  credential?.kind !== 'session' ? undefined : sudoBy ? `${credential.id} as ${user?.id}` : String(credential.id)

/** Is a second factor required of the session's user, missing, and the time for setting it up over? */
export const lacksSecondFactor = ({ credential }: Actor, now: Date): boolean =>
  credential?.kind === 'session' && credential.secondFactorDue !== undefined && credential.secondFactorDue <= now.getTime()

/** Whether an administrator is in admin mode; undefined where the instance has none, and for other callers. */
export const adminModeOf = ({ credential }: Actor): boolean | undefined =>
  credential?.kind === 'session' ? credential.adminMode : undefined

/** Does an administrator act as the user in the browser? */
export const isImpersonated = ({ credential, sudoBy }: Actor): boolean => sudoBy !== undefined && credential?.kind === 'session'

/** Has the caller presented no credential? */
export const isAnonymous = (actor: Actor): boolean => actor.credential === undefined && actor.user === undefined

/** May this actor do what only administrators may? An administrator whose account is not active may not. */
export const isAdmin = (actor: Actor): boolean => actor.user?.admin === true && isActive(actor)

/** The user who is recorded as the maker of what the actor makes: of what a bot makes it is the one who made the bot. */
export const creatorOf = ({ user }: Actor): number | null => user?.creator_id ?? user?.id ?? null

/** Do the actor's credentials carry one of these scopes? Sessions, passwords and keys carry all. */
export function hasScope(actor: Actor, wanted: readonly (TokenScope | DeployTokenScope)[]): boolean {
  const { credential } = actor
  if (credential?.kind === 'deploy_token') return credential.scopes.some(scope => wanted.some(other => other === scope))
  if (credential?.kind !== 'personal_access_token' && credential?.kind !== 'oauth_token') return true
  return wanted.some(scope => credential.scopes.some(held => held === scope))
}

/**
 * The actor for evaluating a CI file, which other users have written: only their memberships count, without an administrator's reach and
 * without the limits of the job that may have started the pipeline.
 */
export const byMembership = (actor: Actor): Actor => ({
  ...actor,
  user: actor.user && { ...actor.user, admin: false },
  credential: actor.credential?.kind === 'job_token' ? undefined : actor.credential,
})

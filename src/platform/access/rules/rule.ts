/** A line of the table of abilities: what an actor must be, or have, for one of them. */
import type { Feature, Role } from '../open_to.ts'

interface InstanceRule {
  readonly on: 'instance'
  readonly who: 'anyone' | 'signed_in' | 'admin'
}

interface UserRule {
  readonly on: 'user'
  /** `self`: the user themselves and administrators. */
  readonly who: 'anyone' | 'signed_in' | 'self' | 'admin'
  /** Only for accounts of people. A bot is represented by its token and gets no credential that outlives it. */
  readonly human?: true
  /** Not for an administrator who acts as the user in the browser: what comes of it would go on when they have stopped. */
  readonly inPerson?: true
  /** Only signed in in the browser: not with a token. */
  readonly bySession?: true
}

interface ProvisioningRule {
  readonly on: 'provisioning'
  /** No user, not even an administrator: only the SCIM token of the group. */
  readonly who: 'scim_token'
}

export interface PlaceRule {
  readonly on: 'project' | 'group'
  /** The lowest role that has the ability. */
  readonly role: Role
  /** Who has the ability without membership where the visibility admits them (open_to.ts): anyone, or any signed-in user. */
  readonly public?: 'anyone' | 'signed_in'
  /**
   * The author and the assignees of the resource also have the ability, as long as they have this one, which lets them see the resource.
   */
  readonly own?: string
  /** The project feature that must be enabled for the actor; of several, one. */
  readonly feature?: Feature | readonly Feature[]
  /** Features that must be enabled in addition. */
  readonly also?: readonly Feature[]
  /** Below Reporter only where the project's jobs are public (`public_jobs`). */
  readonly ofJobs?: true
  /** The ability changes the project's contents, so it is refused while the project is archived. */
  readonly changes?: true
}

/** Abilities on a place that only administrators have, whatever the role of others in it. */
interface AdminRule {
  readonly on: 'project' | 'group'
  readonly who: 'admin'
}

/** A line of the table. */
export type Rule = InstanceRule | UserRule | ProvisioningRule | PlaceRule | AdminRule

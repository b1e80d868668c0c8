/** The rights of a user over the branches of a project: the rules of branch protection. Pure. */
import { allows, roles } from '../../platform/access/abilities.ts'
import { type Actor, isAdmin } from '../../platform/access/actor.ts'
import { type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import type { AccessLevel, ProtectedAction, ProtectedBranchRow } from './queries.ts'

/** Access level that grants nothing, not even to administrators. */
export const NO_ONE = 0
/** Access level of administrators only. */
export const ADMINISTRATORS = 60

/** Values of a namespace's `default_branch_protection`, for the first branch of a new repository. */
export const defaultProtection = { none: 0, developersPush: 1, full: 2, developersMerge: 3 } as const

/** Does a protected name, in which `*` matches any text, match this branch or tag? */
export function fitsName(name: string, ref: string): boolean {
  if (!name.includes('*')) return name === ref
  const parts = name.split('*')
  const last = parts.pop() as string
  let at = 0
  for (const [index, part] of parts.entries()) {
    const found = index === 0 ? (ref.startsWith(part) ? 0 : -1) : ref.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return ref.length - last.length >= at && ref.endsWith(last)
}

/** Is there a name that fits both names or patterns? Pure. */
export function mayFitBoth(one: string, other: string): boolean {
  // From each place in `one`: the places in `other` that are reached with the same beginning.
  let reached = new Set([0])
  const widened = (places: ReadonlySet<number>) => {
    const all = new Set(places)
    // Iterates over what it adds, too.
    for (const place of all) if (other[place] === '*') all.add(place + 1)
    return all
  }
  for (const letter of one) {
    const before = widened(reached)
    reached = new Set()
    for (const place of before) {
      const own = other[place]
      if (letter === '*') for (let at = place; at <= other.length; at++) reached.add(at)
      else if (own === '*') reached.add(place)
      else if (own === letter) reached.add(place + 1)
    }
  }
  return widened(reached).has(other.length)
}

/** The user whose rights are computed. */
export interface Holder {
  readonly userId: number | undefined
  readonly admin: boolean
  /** Role in the project. */
  readonly role: number
  /** Whether they may push to the project at all. */
  readonly canPush: boolean
  /** Those groups named by protections that they belong to, and that have access to the project. */
  readonly groups: ReadonlySet<number>
}

/** Does an access level of a protection grant its action to this user? Pure. */
export function grants(level: Pick<AccessLevel, 'access_level' | 'user_id' | 'group_id'>, holder: Holder): boolean {
  if (level.access_level === NO_ONE) return false
  if (holder.admin) return true
  // What a user was given by name rests on access to the place.
  if (level.user_id !== null) return level.user_id === holder.userId && holder.role > roles.none
  if (level.group_id !== null) return holder.groups.has(level.group_id)
  return level.access_level !== ADMINISTRATORS && holder.role >= level.access_level
}

export type Protection = Pick<ProtectedBranchRow, 'name' | 'allow_force_push' | 'levels'>

/** The rights of one user in one project. Pure. */
export class BranchRights {
  readonly #protections: readonly Protection[]
  readonly #holder: Holder
  /** The protection for the first branch of an empty repository; undefined if there are branches. */
  readonly #firstBranch: number | undefined
  /** Branches open to a user who may not push to the project (collaboration.ts). */
  readonly #open: ReadonlySet<string>

  constructor(protections: readonly Protection[], holder: Holder, firstBranch?: number, open: ReadonlySet<string> = new Set()) {
    this.#protections = protections
    this.#holder = holder
    this.#firstBranch = firstBranch
    this.#open = open
  }

  /** May the user push to the project, and not only to some branches of it? */
  get reachesProject(): boolean {
    return this.#holder.canPush
  }

  /** Is the branch protected, by name or by a pattern? */
  isProtected(branch: string): boolean {
    return this.#protectionsOf(branch).length > 0
  }

  /** May the user add commits to the branch, or create it? */
  mayPush(branch: string): boolean {
    if (!this.#holder.canPush) return this.#open.has(branch) && !this.isProtected(branch)
    const awaitsProtection = this.#firstBranch === defaultProtection.full || this.#firstBranch === defaultProtection.developersMerge
    // The first push creates the default branch, which is protected from then on.
    if (awaitsProtection && !this.#holder.admin && this.#holder.role <= roles.developer) return false
    return !this.isProtected(branch) || this.#isGranted('push', branch)
  }

  /** May the user merge into the branch? Users who may push may merge. */
  mayMerge(branch: string): boolean {
    return this.mayPush(branch) || (this.#holder.canPush && this.#isGranted('merge', branch))
  }

  /** May users who may push force-push to the branch? */
  allowsForce(branch: string): boolean {
    return this.#protectionsOf(branch).every(({ allow_force_push }) => allow_force_push)
  }

  /** May the user delete the branch by the API? A protected one takes the Maintainer role. */
  mayDelete(branch: string): boolean {
    if (!this.isProtected(branch)) return this.#holder.canPush
    return this.mayPush(branch) && (this.#holder.admin || this.#holder.role >= roles.maintainer)
  }

  /** May every Developer do this, as far as protections decide? False for an unprotected branch. */
  developersMay(action: 'push' | 'merge', branch: string): boolean {
    return this.#levelsOf(action, branch).some(
      level => level.user_id === null && level.group_id === null && level.access_level === roles.developer,
    )
  }

  #protectionsOf(branch: string): Protection[] {
    return this.#protections.filter(({ name }) => fitsName(name, branch))
  }

  #levelsOf(action: ProtectedAction, branch: string) {
    return this.#protectionsOf(branch).flatMap(({ levels }) => levels.filter(level => level.action === action))
  }

  /** If several names match, any of them can grant. */
  #isGranted(action: ProtectedAction, branch: string): boolean {
    return this.#levelsOf(action, branch).some(level => grants(level, this.#holder))
  }
}

/** The actor as the holder of rights in a project; `groups` are those named by protections that they belong to. Pure. */
export const holderOf = (actor: Actor, project: ProjectWithRole, groups: ReadonlySet<number>): Holder => ({
  userId: actor.user?.id,
  admin: isAdmin(actor),
  role: project.role,
  canPush: allows(actor, 'push_code', projectSubject(project)) === 'yes',
  groups,
})

/** The rights of a user over the tags of a project: the rules of tag protection, for pushes and for the API. */
import { roles } from '../../platform/access/abilities.ts'
import type { Actor } from '../../platform/access/actor.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { fitsName, grants, type Holder } from '../protected_branches/branch_rights.ts'
import { holderIn } from '../protected_branches/rights.ts'
import { type ProtectedTagRow, protectedTags } from './queries.ts'

export type TagProtection = Pick<ProtectedTagRow, 'name' | 'levels'>

/** The rights of one user in one project. Pure. */
export class TagRights {
  readonly #protections: readonly TagProtection[]
  readonly #holder: Holder

  constructor(protections: readonly TagProtection[], holder: Holder) {
    this.#protections = protections
    this.#holder = holder
  }

  /** Is the tag protected, by name or by a pattern? */
  isProtected(tag: string): boolean {
    return this.#protectionsOf(tag).length > 0
  }

  /** May the user create the tag? If several names match, any of them can grant. */
  mayCreate(tag: string): boolean {
    if (!this.#holder.canPush) return false
    const protections = this.#protectionsOf(tag)
    return protections.length === 0 || protections.some(({ levels }) => levels.some(level => grants(level, this.#holder)))
  }

  /** May the user delete the tag by the API? A protected one takes the Maintainer role. */
  mayDelete(tag: string): boolean {
    if (!this.#holder.canPush) return false
    return !this.isProtected(tag) || this.#holder.admin || this.#holder.role >= roles.maintainer
  }

  #protectionsOf(tag: string): TagProtection[] {
    return this.#protections.filter(({ name }) => fitsName(name, tag))
  }
}

/** The rights of the actor over the tags of a project: one statement, and one more if a protection names groups. */
export async function tagRights(ctx: { db: Db; actor: Actor }, project: ProjectWithRole): Promise<TagRights> {
  const protections = await protectedTags(ctx.db, project.id).execute()
  const holder = await holderIn(
    ctx,
    project,
    protections.flatMap(({ levels }) => levels),
  )
  return new TagRights(protections, holder)
}

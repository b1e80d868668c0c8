/** Who may read the code of projects, as SQL: the ability `read_code`. */
import { type RawBuilder, sql } from 'kysely'
import { roles } from '../access/abilities.ts'
import { type Actor, isAdmin } from '../access/actor.ts'
import { isMember, type KnownMemberships, projectsOpenTo } from '../access/visible.ts'

/** Is the project `projects`, which the actor may know of, one whose code its guests may read too, or more than a guest's to them? */
export function seesCode(actor: Actor, known?: KnownMemberships): RawBuilder<boolean> {
  if (isAdmin(actor) || !actor.user) return sql<boolean>`true`
  return sql<boolean>`(projects.visibility <> 'private' or ${isMember(actor.user.id, roles.reporter, known)})`
}

/** The ids of the projects, among those that meet `inProject` (a condition on `projects`), whose code the actor may read. */
export const projectsWithCode = (actor: Actor, inProject: RawBuilder<boolean>): RawBuilder<number> =>
  projectsOpenTo(actor, 'repository', sql<boolean>`${inProject} and ${seesCode(actor)}`)

/** Which snippets an actor may see: by the visibility of each, and for those of projects by what the project allows. */
import { type RawBuilder, sql } from 'kysely'
import { roles } from '../../platform/access/abilities.ts'
import { projectsAllowing } from '../../platform/access/ability_conditions.ts'
import { type Actor, isActive, isAdmin } from '../../platform/access/actor.ts'
import { openedFor } from '../../platform/access/credentials/job_reach.ts'
import { admitsInSql } from '../../platform/access/open_to.ts'
import { isMemberProject, type KnownMemberships } from '../../platform/access/visible.ts'

/** Does the visibility of the snippet itself admit the actor: as anyone, or as its author? */
export function openByItself(actor: Actor): RawBuilder<boolean> {
  // Of the snippets of its user, a job sees what anyone does.
  const user = openedFor(actor)
  const open = admitsInSql(sql`snippets.visibility`, user)
  return user ? sql<boolean>`(${open} or snippets.author_id = ${user.id})` : open
}

/** The personal snippets that the actor may see. A condition on `snippets`. */
export function personalVisibleTo(actor: Actor): RawBuilder<boolean> {
  if (!isActive(actor)) return sql`false`
  return isAdmin(actor) ? sql`snippets.project_id is null` : sql`(snippets.project_id is null and ${openByItself(actor)})`
}

/**
 * The snippets of projects that the actor may see. Contract: private ones are for members of the project and their author (project snippets
 * API).
 * @param inProject a condition on the projects to search
 * @param known the actor's memberships, if they are loaded
 */
export function snippetVisibleTo(
  actor: Actor,
  inProject: RawBuilder<boolean> = sql<boolean>`true`,
  known?: KnownMemberships,
): RawBuilder<boolean> {
  const allowed = sql<boolean>`snippets.project_id in (${projectsAllowing(actor, 'read_snippet', inProject, known)})`
  if (isAdmin(actor)) return allowed
  const { user } = actor
  if (!user) return sql`(${allowed} and ${openByItself(actor)})`
  const isOfMember = isMemberProject(sql`snippets.project_id`, { ...actor, user }, roles.guest, known)
  return sql`(${allowed} and (${openByItself(actor)} or ${isOfMember}))`
}

/** All snippets that the actor may see. */
export const anySnippetVisibleTo = (actor: Actor): RawBuilder<boolean> => sql`(${personalVisibleTo(actor)} or ${snippetVisibleTo(actor)})`

/** Visibility of issues as SQL (decision 34). */
import { type RawBuilder, sql } from 'kysely'
import { roles } from '../../../platform/access/abilities.ts'
import { projectsAllowing } from '../../../platform/access/ability_conditions.ts'
import { type Actor, isAdmin } from '../../../platform/access/actor.ts'
import { isMemberProject, type KnownMemberships } from '../../../platform/access/visible.ts'
import { idArray } from '../../../platform/db/statements/any.ts'
import { forEachRow } from '../../../platform/db/statements/prepared.ts'

/** A condition on `issues`. */
export type Condition = RawBuilder<boolean>

const isAssignedTo = (userId: number): Condition =>
  sql<boolean>`exists (select from issue_assignees a where a.issue_id = issues.id and a.user_id = ${userId})`

const isOwn = (userId: number): Condition => sql<boolean>`issues.author_id = ${userId} or ${isAssignedTo(userId)}`

const ownOrOpen = (userId: number): Condition => sql<boolean>`not issues.confidential or ${isOwn(userId)}`

/** The issues visible to the actor in a project that they may see and have this role in. */
export function issueVisibleInProject(actor: Actor, role: number): Condition {
  if (isAdmin(actor) || role >= roles.reporter) return sql<boolean>`true`
  return actor.user ? sql<boolean>`(${ownOrOpen(actor.user.id)})` : sql<boolean>`not issues.confidential`
}

/**
 * The issues visible to the actor in all projects, or in those that meet `inProject` (a condition on `projects`). Projects with issues
 * disabled, or for members only, are handled.
 * @param known the actor's memberships, if they are loaded
 */
export function issueVisibleTo(actor: Actor, inProject: Condition = sql<boolean>`true`, known?: KnownMemberships): Condition {
  return withoutSecrets(actor, sql<boolean>`issues.project_id in (${projectsAllowing(actor, 'read_issue', inProject, known)})`, known)
}

/**
 * Like `issueVisibleTo`, for a few issues that the rest of the statement finds: the project of each is looked at, and not all projects that the
 * actor may see.
 * @param known the actor's memberships, if they are loaded
 */
export function fewIssuesVisibleTo(actor: Actor, known?: KnownMemberships): Condition {
  const allowing = projectsAllowing(actor, 'read_issue', sql<boolean>`projects.id = issues.project_id`, known)
  return withoutSecrets(actor, sql<boolean>`issues.project_id in (${forEachRow(allowing)})`, known)
}

/** Like `issueVisibleTo`, for a list of projects that are all visible to the actor. */
export const issueVisibleIn = (actor: Actor, projectIds: readonly number[], known?: KnownMemberships): Condition =>
  withoutSecrets(actor, sql<boolean>`issues.project_id = any(${idArray(projectIds)})`, known)

/** `open` without the confidential issues that the actor may not see. */
function withoutSecrets(actor: Actor, open: Condition, known: KnownMemberships | undefined): Condition {
  if (isAdmin(actor)) return open
  const { user } = actor
  if (!user) return sql<boolean>`(${open} and not issues.confidential)`
  const isTrusted = isMemberProject(sql`issues.project_id`, { ...actor, user }, roles.reporter, known)
  return sql<boolean>`(${open} and (${ownOrOpen(user.id)} or ${isTrusted}))`
}

/**
 * The ids of the confidential issues that the actor may not see although they may see the project; undefined if there can be none.
 * @param projectIds the projects to search; default all
 */
export function secretIssues(actor: Actor, known: KnownMemberships | undefined, projectIds?: readonly number[]): Secrets {
  if (isAdmin(actor)) return undefined
  const secret = secretsOf(projectIds ? sql<boolean>`issues.project_id = any(${idArray(projectIds)})` : sql<boolean>`true`)
  const { user } = actor
  if (!user) return secret
  const isTrusted = isMemberProject(sql`issues.project_id`, { ...actor, user }, roles.reporter, known)
  return sql<number>`${secret} and not (${isOwn(user.id)} or ${isTrusted})`
}

/** Like `secretIssues`, for a project in which the actor has this role. */
export function secretIssuesOfProject(actor: Actor, projectId: number, role: number): Secrets {
  if (isAdmin(actor) || role >= roles.reporter) return undefined
  const secret = secretsOf(sql<boolean>`issues.project_id = ${projectId}`)
  return actor.user ? sql<number>`${secret} and not (${isOwn(actor.user.id)})` : secret
}

type Secrets = RawBuilder<number> | undefined

const secretsOf = (inPlace: Condition) => sql<number>`select issues.id from issues where issues.confidential and ${inPlace}`

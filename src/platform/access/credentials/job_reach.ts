/**
 * What the token of a job reaches: the job's own project, and of the others those that let it in and that its own project lets it out to.
 * Bridges and needs of other projects are bound by it as well, since they act for the user of a job too.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import type { Actor, Credential } from '../actor.ts'
import { roles } from '../open_to.ts'

type JobToken = Extract<Credential, { kind: 'job_token' }>

const jobTokenOf = ({ credential }: Actor): JobToken | undefined => (credential?.kind === 'job_token' ? credential : undefined)

/** Does the actor hold the token of a job? */
export const actsForJob = (actor: Actor): boolean => jobTokenOf(actor) !== undefined

/** Is the project `projects` within reach of the job? */
function isReached({ projectId, confined }: JobToken): RawBuilder<boolean> {
  const isListed = sql`exists (select from job_token_scope_projects listed
    where listed.project_id = projects.id and listed.direction = 'inbound' and listed.target_project_id = ${projectId})`
  const isInListedGroup = sql`exists (select from job_token_scope_groups listed
      join namespaces home on listed.target_group_id = any(home.traversal_ids) join projects own on own.namespace_id = home.id
    where listed.project_id = projects.id and own.id = ${projectId})`
  const isLetIn = sql`(not projects.ci_inbound_job_token_scope_enabled or ${isListed} or ${isInListedGroup})`
  const isLetOut = sql`exists (select from job_token_scope_projects listed
    where listed.project_id = ${projectId} and listed.direction = 'outbound' and listed.target_project_id = projects.id)`
  return sql`(projects.id = ${projectId} or (${confined ? sql`${isLetIn} and ${isLetOut}` : isLetIn}))`
}

/**
 * Narrows what an actor may see of the project `projects` to the reach of their job. What is public is open to everyone, out of reach too;
 * an internal project is not.
 */
export function withinReach(actor: Actor, isVisible: RawBuilder<boolean>): RawBuilder<boolean> {
  const job = jobTokenOf(actor)
  if (!job) return isVisible
  const narrowed = sql<boolean>`((projects.visibility = 'public' or ${isReached(job)}) and ${isVisible})`
  return job.ofAdmin ? sql`(${narrowed} or projects.id = ${job.projectId} and not projects.deleting)` : narrowed
}

/**
 * Narrows a role in the project `projects` to the reach of the actor's job: none out of reach. In its own project the job of an
 * administrator, who need not be a member, has what it takes to run a pipeline.
 */
export function roleWithinReach(actor: Actor, role: RawBuilder<number>): RawBuilder<number> {
  const job = jobTokenOf(actor)
  if (!job) return role
  const own = job.ofAdmin
    ? sql`greatest(${role}, case when projects.id = ${job.projectId} then ${sql.lit(roles.developer)} else 0 end)`
    : role
  return sql`case when ${isReached(job)} then ${own} else 0 end`
}

/** Is the project of the job in the group `namespaces`, at any depth? */
const isHome = ({ projectId }: JobToken): RawBuilder<boolean> =>
  sql`exists (select from projects own join namespaces home on home.id = own.namespace_id
    where own.id = ${projectId} and namespaces.id = any(home.traversal_ids))`

/**
 * Narrows a role in the group `namespaces` to the reach of the actor's job: all of it in the groups that the job's project is in. In others it is there
 * for reading what their projects let the job read, packages above all; and none where no project of theirs does.
 */
export function groupRoleWithinReach(actor: Actor, role: RawBuilder<number>): RawBuilder<number> {
  const job = jobTokenOf(actor)
  if (!job) return role
  const holdsReached = sql`exists (select from projects join namespaces inside on inside.id = projects.namespace_id
    where inside.traversal_ids @> array[namespaces.id] and ${isReached(job)})`
  return sql`case when ${isHome(job)} then ${role} when ${holdsReached} then least(${role}, ${sql.lit(roles.reporter)}) else 0 end`
}

/** The user whom places are open to without a role: a job sees of what is not its own what is public, and nothing that is for all who are signed in. */
export const openedFor = (actor: Actor): Actor['user'] => (actsForJob(actor) ? undefined : actor.user)

/**
 * Is the project of the actor's job in this group? True for who holds no token of a job. What a group has for itself, as its wiki, is for the jobs of its
 * own projects.
 */
export async function isWithinGroup(db: Db, actor: Actor, groupId: number): Promise<boolean> {
  const job = jobTokenOf(actor)
  if (!job) return true
  const { rows } = await sql<{ id: number }>`select id from namespaces where id = ${groupId} and ${isHome(job)}`.execute(db)
  return rows.length > 0
}

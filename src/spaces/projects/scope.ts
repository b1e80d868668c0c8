import { type Ability, type AbilitySubject, allows, featureLevels, type Role, type Visibility } from '../../platform/access/abilities.ts'
import type { Actor } from '../../platform/access/actor.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { scope } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { methodNotAllowed, moved, notFound } from '../../platform/kernel/errors.ts'
import { type ProjectRow, projectByAlias, projectMovedFrom, visibleProject } from './queries.ts'

/** A project with the role that the actor has in it. */
export type ProjectWithRole = ProjectRow & { readonly role: number }

/** The subject of abilities on a project. */
export const projectSubject = (project: ProjectWithRole): Extract<AbilitySubject, { on: 'project' }> => ({
  on: 'project',
  role: project.role as Role,
  visibility: project.visibility as Visibility,
  archived: project.archived,
  publicJobs: project.public_jobs,
  features: featureLevels(project),
})

/** The project with this id or full path for this actor, or 404. */
export async function findProject(db: Db, actor: Actor, id: string): Promise<ProjectWithRole> {
  const project = await visibleProject(db, actor, id)
  if (!project) throw notFound('Project')
  return project
}

/** The same, or a redirect to the project that has left the path `id`. */
async function findOrFollow(ctx: Context, id: string): Promise<ProjectWithRole> {
  const { db, actor, request, url } = ctx
  const project = await visibleProject(db, actor, id)
  if (project) return project
  const elsewhere = id.includes('/') ? await projectMovedFrom(db, actor, id) : undefined
  if (!elsewhere) throw notFound('Project')
  // Contract: reads by a former path are redirected to the project's id, writes are refused (public behaviour).
  if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed('Non GET methods are not allowed for moved projects')
  throw moved(url + request.address.replace(/\/projects\/[^/?]+/, `/projects/${elsewhere.id}`))
}

/** The path or alias of a project in a repository path: without leading slashes and trailing `.git`. */
export const pathOfRepository = (repositoryPath: string): string => repositoryPath.replace(/^\/+/, '').replace(/\.git\/?$/, '')

/**
 * The project of a repository path in a git address, over HTTP and SSH: with or without `.git`, by its full path, by an alias, or by a
 * former path; or 404.
 */
export async function findProjectOfRepository(db: Db, actor: Actor, repositoryPath: string): Promise<ProjectWithRole> {
  const path = pathOfRepository(repositoryPath)
  // A full path has several segments, an alias has one. A number would be an id, and names no repository.
  const project = path.includes('/')
    ? ((await visibleProject(db, actor, path)) ?? (await projectMovedFrom(db, actor, path)))
    : await projectByAlias(db, actor, path)
  if (!project) throw notFound('Project')
  return project
}

/** `:id` becomes a project that this actor may see, or 404. */
export const inProject = scope({
  name: 'inProject',
  path: { id: text('ID or URL-encoded full path of a project') },
  load: async (ctx, { id }) => ({ project: await findOrFollow(ctx, id) }),
  subject: ({ project }) => projectSubject(project),
  modifiedAt: ({ project }) => project.updated_at,
  errors: reads => (reads ? ['moved'] : ['method_not_allowed']),
})

/**
 * A project that is named beside the one of an address (the target of a merge request, a fork), if the actor may do this in it. To see a project
 * is not to see its code, issues or pipelines.
 */
export async function projectAllowing(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  id: string,
  ability: Ability,
): Promise<ProjectWithRole | undefined> {
  const project = await visibleProject(db, actor, id)
  return project && allows(actor, ability, projectSubject(project)) === 'yes' ? project : undefined
}

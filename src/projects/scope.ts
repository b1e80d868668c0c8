import Type from 'typebox'
import { type AbilitySubject, featureLevels, type Role, type Visibility } from '../access/abilities.ts'
import type { Actor } from '../access/actor.ts'
import type { Db } from '../db/connection.ts'
import { notFound } from '../kernel/errors.ts'
import { scope } from '../kernel/scope.ts'
import { type ProjectRow, visibleProject } from './queries.ts'

/** A project with the role that the actor has in it. */
export type ProjectWithRole = ProjectRow & { readonly role: number }

/** What abilities are asked about a project. */
export const projectSubject = (project: ProjectWithRole): Extract<AbilitySubject, { on: 'project' }> => ({
  on: 'project',
  role: project.role as Role,
  visibility: project.visibility as Visibility,
  archived: project.archived,
  features: featureLevels(project),
})

/** The project that an id or full path names for this actor, or 404. */
export async function findProject(db: Db, actor: Actor, id: string): Promise<ProjectWithRole> {
  const project = await visibleProject(db, actor, id)
  if (!project) throw notFound('Project')
  return project
}

/** `:id` becomes a project that this actor may see, or 404. */
export const inProject = scope({
  name: 'inProject',
  path: { id: Type.String({ description: 'ID or URL-encoded full path of a project' }) },
  load: async ({ db, actor }, { id }) => ({ project: await findProject(db, actor, id) }),
  subject: ({ project }) => projectSubject(project),
  modifiedAt: ({ project }) => project.updated_at,
})

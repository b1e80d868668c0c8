/** The identifying fields of a project, for resources that refer to one (document 2 "Project summary"). */
import Type from 'typebox'
import { DateTime, integer, Nullable, text } from '../../../platform/kernel/declaration/types.ts'
import type { ProjectRow } from '../queries.ts'

export const ProjectIdentity = Type.Object({
  id: integer('ID, unique on the instance'),
  description: Nullable(text('Description; null or empty where there is none')),
  name: text('Name of the project'),
  name_with_namespace: text('Names of all parents and its own, with ` / ` between'),
  path: text('Last part of the path, as in addresses'),
  path_with_namespace: text('Path with those of all parents'),
  created_at: DateTime('When it was created'),
})

/** The values of `ProjectIdentity`. */
export const presentIdentity = (project: ProjectRow) => ({
  id: project.id,
  description: project.description,
  name: project.name,
  name_with_namespace: project.full_name,
  path: project.path,
  path_with_namespace: project.full_path,
  created_at: project.created_at,
})

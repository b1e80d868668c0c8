/** The identifying fields of a project, for resources that refer to one (document 2 "Project summary"). */
import Type from 'typebox'
import { DateTime, Nullable } from '../../platform/kernel/types.ts'
import type { ProjectRow } from './queries.ts'

export const ProjectIdentity = Type.Object({
  id: Type.Integer(),
  description: Nullable(Type.String()),
  name: Type.String(),
  name_with_namespace: Type.String(),
  path: Type.String(),
  path_with_namespace: Type.String(),
  created_at: DateTime(),
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

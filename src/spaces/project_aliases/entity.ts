/** A project alias as JSON (document 3 "Project alias"). */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { ProjectAliasRow } from './queries.ts'

export const ProjectAlias = entity({
  name: 'ProjectAlias',
  schema: Type.Object({ id: Type.Integer(), project_id: Type.Integer(), name: Type.String() }),
  present: ({ id, project_id, name }: ProjectAliasRow) => ({ id, project_id, name }),
})

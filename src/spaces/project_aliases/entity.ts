/** A project alias as JSON (document 3 "Project alias"). */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { integer, text } from '../../platform/kernel/declaration/types.ts'
import type { ProjectAliasRow } from './queries.ts'

export const ProjectAlias = entity({
  name: 'ProjectAlias',
  schema: Type.Object({ id: integer('ID, unique on the instance'), project_id: integer('ID of the project'), name: text('The alias') }),
  present: ({ id, project_id, name }: ProjectAliasRow) => ({ id, project_id, name }),
})

/** The JSON of imports from GitHub. */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { integer, text } from '../../platform/kernel/declaration/types.ts'
import type { ProjectRow } from '../../spaces/projects/queries.ts'

export const ImportedRepository = entity({
  name: 'ImportedRepository',
  schema: Type.Object({
    id: integer('ID of the new project'),
    name: text('Name of the project'),
    full_path: text('Path with those of all parents, with a slash before it'),
    full_name: text('Names of all parents and its own, with ` / ` between'),
  }),
  // Contract: the path begins with a slash (import API at 14.0).
  present: ({ id, name, full_path, full_name }: ProjectRow) => ({ id, name, full_path: `/${full_path}`, full_name }),
})

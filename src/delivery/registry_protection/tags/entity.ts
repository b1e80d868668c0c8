/** Rules that protect tags of images as JSON. */
import Type from 'typebox'
import { entity } from '../../../platform/kernel/answer/entity.ts'
import { flag, integer, text } from '../../../platform/kernel/declaration/types.ts'
import { levelFields, presentLevels } from '../levels.ts'
import type { TagRuleRow } from './queries.ts'
import { isImmutable } from './rights.ts'

export const ContainerTagProtectionRule = entity({
  name: 'ContainerTagProtectionRule',
  schema: Type.Object({
    id: integer('ID, unique on the instance'),
    project_id: integer('ID of the project'),
    tag_name_pattern: text('RE2 expression that is found in the names of the tags'),
    ...levelFields('tags'),
    immutable: flag('Whether such a tag keeps what it names: so it is where neither role is given'),
  }),
  present: (row: TagRuleRow) => ({
    id: row.id,
    project_id: row.project_id,
    tag_name_pattern: row.tag_name_pattern,
    ...presentLevels(row),
    immutable: isImmutable(row),
  }),
})

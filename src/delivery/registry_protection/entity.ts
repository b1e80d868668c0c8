/** Protection rules as JSON. */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { integer, OneOf, text } from '../../platform/kernel/declaration/types.ts'
import { publishedTypes } from '../packages/types.ts'
import { levelFields, presentLevels } from './levels.ts'
import type { ImageRuleRow, PackageRuleRow } from './queries.ts'

const ids = { id: integer('ID, unique on the instance'), project_id: integer('ID of the project') }

export const PackageProtectionRule = entity({
  name: 'PackageProtectionRule',
  schema: Type.Object({
    ...ids,
    package_name_pattern: text('Name of the packages, in which `*` stands for any text'),
    package_type: OneOf(publishedTypes, { description: 'Package manager of the packages' }),
    ...levelFields('packages'),
  }),
  present: (row: PackageRuleRow) => ({
    id: row.id,
    project_id: row.project_id,
    package_name_pattern: row.package_name_pattern,
    package_type: row.package_type,
    ...presentLevels(row),
  }),
})

/** The pattern with the path of the project, as images are named. */
export const patternOf = ({ project_path, name_pattern }: Pick<ImageRuleRow, 'project_path' | 'name_pattern'>): string =>
  `${project_path.toLowerCase()}${name_pattern}`

export const ContainerProtectionRule = entity({
  name: 'ContainerProtectionRule',
  schema: Type.Object({
    ...ids,
    repository_path_pattern: text('Name of the repositories, with the path of the project, in which `*` stands for any text'),
    ...levelFields('images'),
  }),
  present: (row: ImageRuleRow) => ({
    id: row.id,
    project_id: row.project_id,
    repository_path_pattern: patternOf(row),
    ...presentLevels(row),
  }),
})

import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { imageRuleById, packageRuleById } from './queries.ts'

/** `:package_protection_rule_id` becomes a rule for packages of the project, or 404. */
export const inPackageRule = within(inProject, {
  name: 'inPackageRule',
  path: { package_protection_rule_id: integer('ID of a rule for packages') },
  async load({ db, project }, { package_protection_rule_id }) {
    const rule = await packageRuleById(db, project.id, package_protection_rule_id)
    if (!rule) throw notFound('Package protection rule')
    return { rule }
  },
  modifiedAt: ({ rule }) => rule.updated_at,
})

/** `:protection_rule_id` becomes a rule for images of the project, or 404. */
export const inImageRule = within(inProject, {
  name: 'inImageRule',
  path: { protection_rule_id: integer('ID of a rule for images') },
  async load({ db, project }, { protection_rule_id }) {
    const rule = await imageRuleById(db, project.id, protection_rule_id)
    if (!rule) throw notFound('Container registry protection rule')
    return { rule }
  },
  modifiedAt: ({ rule }) => rule.updated_at,
})

import { within } from '../../../platform/kernel/declaration/scope.ts'
import { integer } from '../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../platform/kernel/errors.ts'
import { inProject } from '../../../spaces/projects/scope.ts'
import { tagRuleById } from './queries.ts'

/** `:protection_rule_id` becomes a rule for tags of the project, or 404. */
export const inTagRule = within(inProject, {
  name: 'inTagRule',
  path: { protection_rule_id: integer('ID of a rule for tags') },
  async load({ db, project }, { protection_rule_id }) {
    const rule = await tagRuleById(db, project.id, protection_rule_id)
    if (!rule) throw notFound('Container registry protection tag rule')
    return { rule }
  },
  modifiedAt: ({ rule }) => rule.updated_at,
})

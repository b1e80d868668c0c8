/** Protected and immutable tags of images (protection rules of later releases). */
import { endpoint, nothing, one, pageOf } from '../../../platform/kernel/declaration/endpoint.ts'
import { optional, text } from '../../../platform/kernel/declaration/types.ts'
import { inProject } from '../../../spaces/projects/scope.ts'
import { levelParams } from '../levels.ts'
import * as commands from './commands.ts'
import { ContainerTagProtectionRule } from './entity.ts'
import { tagRulesOf } from './queries.ts'
import { inTagRule } from './scope.ts'

const pattern = text('RE2 expression that is found in the names of the tags; `^` and `$` say their ends', {
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  examples: ['^v\\d+'],
})

export const listContainerTagProtectionRules = endpoint({
  route: 'GET /projects/:id/registry/protection/tag/rules',
  summary: 'List the rules that protect tags of images of a project',
  scope: inProject,
  can: 'admin_container_protection',
  answers: pageOf(ContainerTagProtectionRule),
  run: ({ db, project }) => tagRulesOf(db, project.id),
})

export const createContainerTagProtectionRule = endpoint({
  route: 'POST /projects/:id/registry/protection/tag/rules',
  summary: 'Protect tags of images of a project, or make them immutable by naming no role',
  scope: inProject,
  can: 'admin_container_protection',
  params: { tag_name_pattern: pattern, ...levelParams('tags') },
  answers: one(ContainerTagProtectionRule),
  errors: ['unprocessable'],
  run: ctx => commands.protectTags(ctx, ctx.project, ctx.params),
})

export const updateContainerTagProtectionRule = endpoint({
  route: 'PATCH /projects/:id/registry/protection/tag/rules/:protection_rule_id',
  summary: 'Change a rule that protects tags of images',
  scope: inTagRule,
  can: 'admin_container_protection',
  params: { tag_name_pattern: optional(pattern), ...levelParams('tags') },
  answers: one(ContainerTagProtectionRule),
  errors: ['unprocessable'],
  run: ctx => commands.changeTagRule(ctx, ctx.rule, ctx.params),
})

export const deleteContainerTagProtectionRule = endpoint({
  route: 'DELETE /projects/:id/registry/protection/tag/rules/:protection_rule_id',
  summary: 'Remove a rule that protects tags of images',
  scope: inTagRule,
  can: 'admin_container_protection',
  answers: nothing,
  run: ctx => commands.removeTagRule(ctx, ctx.rule),
})

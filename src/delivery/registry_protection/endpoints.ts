/** Protected packages and protected repositories of images (protection rules of later releases). */
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { publishedTypes } from '../packages/types.ts'
import * as commands from './commands.ts'
import { ContainerProtectionRule, PackageProtectionRule } from './entity.ts'
import { levelParams } from './levels.ts'
import { imageRulesOf, packageRulesOf } from './queries.ts'
import { inImageRule, inPackageRule } from './scope.ts'

const namePattern = text('Name of the packages, in which `*` stands for any text', {
  minLength: 1,
  maxLength: 255,
  pattern: '\\S',
  examples: ['@team/*'],
})
const packageType = OneOf(publishedTypes, { description: 'Package manager of the packages', examples: ['npm'] })
const pathPattern = text('Name of the repositories, with the path of the project, in which `*` stands for any text', {
  minLength: 1,
  maxLength: 255,
  examples: ['team/hello*'],
})

export const listPackageProtectionRules = endpoint({
  route: 'GET /projects/:id/packages/protection/rules',
  summary: 'List the rules that protect packages of a project',
  scope: inProject,
  can: 'admin_package_protection',
  answers: pageOf(PackageProtectionRule),
  run: ({ db, project }) => packageRulesOf(db, project.id),
})

export const createPackageProtectionRule = endpoint({
  route: 'POST /projects/:id/packages/protection/rules',
  summary: 'Protect packages of a project',
  scope: inProject,
  can: 'admin_package_protection',
  params: { package_name_pattern: namePattern, package_type: packageType, ...levelParams('packages') },
  answers: one(PackageProtectionRule),
  errors: ['unprocessable'],
  run: ctx => commands.protectPackages(ctx, ctx.project, ctx.params),
})

export const updatePackageProtectionRule = endpoint({
  route: 'PATCH /projects/:id/packages/protection/rules/:package_protection_rule_id',
  summary: 'Change a rule that protects packages',
  scope: inPackageRule,
  can: 'admin_package_protection',
  params: { package_name_pattern: optional(namePattern), package_type: optional(packageType), ...levelParams('packages') },
  answers: one(PackageProtectionRule),
  errors: ['unprocessable'],
  run: ctx => commands.changePackageRule(ctx, ctx.rule, ctx.params),
})

export const deletePackageProtectionRule = endpoint({
  route: 'DELETE /projects/:id/packages/protection/rules/:package_protection_rule_id',
  summary: 'Remove a rule that protects packages',
  scope: inPackageRule,
  can: 'admin_package_protection',
  answers: nothing,
  run: ctx => commands.removePackageRule(ctx, ctx.rule),
})

export const listContainerProtectionRules = endpoint({
  route: 'GET /projects/:id/registry/protection/repository/rules',
  summary: 'List the rules that protect repositories of images of a project',
  scope: inProject,
  can: 'admin_container_protection',
  answers: pageOf(ContainerProtectionRule),
  run: ({ db, project }) => imageRulesOf(db, project.id),
})

export const createContainerProtectionRule = endpoint({
  route: 'POST /projects/:id/registry/protection/repository/rules',
  summary: 'Protect repositories of images of a project',
  scope: inProject,
  can: 'admin_container_protection',
  params: { repository_path_pattern: pathPattern, ...levelParams('images') },
  answers: one(ContainerProtectionRule),
  errors: ['unprocessable'],
  run: ctx => commands.protectImages(ctx, ctx.project, ctx.params),
})

export const updateContainerProtectionRule = endpoint({
  route: 'PATCH /projects/:id/registry/protection/repository/rules/:protection_rule_id',
  summary: 'Change a rule that protects repositories of images',
  scope: inImageRule,
  can: 'admin_container_protection',
  params: { repository_path_pattern: optional(pathPattern), ...levelParams('images') },
  answers: one(ContainerProtectionRule),
  errors: ['unprocessable'],
  run: ctx => commands.changeImageRule(ctx, ctx.project, ctx.rule, ctx.params),
})

export const deleteContainerProtectionRule = endpoint({
  route: 'DELETE /projects/:id/registry/protection/repository/rules/:protection_rule_id',
  summary: 'Remove a rule that protects repositories of images',
  scope: inImageRule,
  can: 'admin_container_protection',
  answers: nothing,
  run: ctx => commands.removeImageRule(ctx, ctx.rule),
})

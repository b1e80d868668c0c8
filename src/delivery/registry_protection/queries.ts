/** Reads of protection rules. */
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'

/** The rules for packages of a project. */
export const packageRulesOf = (db: Db, projectId: number) =>
  db.selectFrom('package_protection_rules').selectAll().where('project_id', '=', projectId).orderBy('id')

export type PackageRuleRow = Awaited<ReturnType<ReturnType<typeof packageRulesOf>['executeTakeFirstOrThrow']>>

/** The rule for packages of a project with this id. */
export const packageRuleById = (db: Db, projectId: number, id: number) =>
  packageRulesOf(db, projectId).where('id', '=', id).executeTakeFirst()

/** The rules for packages of these projects. */
export const packageRulesIn = (db: Db, projectIds: readonly number[]) =>
  db.selectFrom('package_protection_rules').selectAll().where('project_id', '=', anyOf(projectIds)).execute()

/** The rules for images of a project, with its path. */
export const imageRulesOf = (db: Db, projectId: number) =>
  db
    .selectFrom('container_protection_rules')
    .leftJoin('routes', 'routes.project_id', 'container_protection_rules.project_id')
    .selectAll('container_protection_rules')
    .select(({ ref }) => ref('routes.path').$notNull().as('project_path'))
    .where('container_protection_rules.project_id', '=', projectId)
    .orderBy('container_protection_rules.id')

export type ImageRuleRow = Awaited<ReturnType<ReturnType<typeof imageRulesOf>['executeTakeFirstOrThrow']>>

/** The rule for images of a project with this id. */
export const imageRuleById = (db: Db, projectId: number, id: number) =>
  imageRulesOf(db, projectId).where('container_protection_rules.id', '=', id).executeTakeFirst()

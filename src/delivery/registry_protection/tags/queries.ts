/** Reads of the rules that protect tags of images. */
import type { Db } from '../../../platform/db/connection.ts'

/** The rules for tags of a project. */
export const tagRulesOf = (db: Db, projectId: number) =>
  db.selectFrom('container_tag_protection_rules').selectAll().where('project_id', '=', projectId).orderBy('id')

export type TagRuleRow = Awaited<ReturnType<ReturnType<typeof tagRulesOf>['executeTakeFirstOrThrow']>>

/** The rule for tags of a project with this id. */
export const tagRuleById = (db: Db, projectId: number, id: number) => tagRulesOf(db, projectId).where('id', '=', id).executeTakeFirst()

/** Reads of variables. Values stay encrypted. */
import type { SelectQueryBuilder } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'

const variables = (db: Db) => db.selectFrom('ci_variables').selectAll('ci_variables')

export type VariableRow = Awaited<ReturnType<ReturnType<typeof variables>['executeTakeFirstOrThrow']>>

/** The variables of one place, oldest first. */
// biome-ignore lint/suspicious/noExplicitAny: which tables they come from does not matter
export type Variables = SelectQueryBuilder<any, any, VariableRow>

/** Variables of the instance. */
export const variablesOfInstance = (db: Db): Variables =>
  variables(db).where('project_id', 'is', null).where('namespace_id', 'is', null).orderBy('id')

/** Variables of a group itself. */
export const variablesOfGroup = (db: Db, groupId: number): Variables => variables(db).where('namespace_id', '=', groupId).orderBy('id')

/** Variables of a project itself. */
export const variablesOfProject = (db: Db, projectId: number): Variables => variables(db).where('project_id', '=', projectId).orderBy('id')

/** The variables of the groups above, with the paths of these: nearest last. */
export const variablesOfGroups = (db: Db, groupIds: readonly number[]) =>
  variables(db)
    .innerJoin('namespaces', 'namespaces.id', 'ci_variables.namespace_id')
    .innerJoin('routes', 'routes.namespace_id', 'ci_variables.namespace_id')
    .select('routes.path as group_path')
    .where('ci_variables.namespace_id', '=', anyOf(groupIds))
    .orderBy('routes.path')
    .orderBy('ci_variables.key')
    .orderBy('ci_variables.id')

/** How many variables the instance has. */
export async function countInstanceVariables(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('ci_variables')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('project_id', 'is', null)
    .where('namespace_id', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Reads of lists of users of feature flags. */
import type { Db } from '../../../platform/db/connection.ts'
import { containing } from '../../../platform/db/statements/like.ts'

/** The user lists of a project, oldest first. */
export function userListsOf(db: Db, projectId: number, search?: string) {
  const query = db.selectFrom('flag_user_lists').selectAll().where('project_id', '=', projectId).orderBy('iid')
  return search === undefined || search === '' ? query : query.where('name', 'ilike', containing(search))
}

export type UserListRow = Awaited<ReturnType<ReturnType<typeof userListsOf>['executeTakeFirstOrThrow']>>

/** The user list of a project with this iid. */
export const userListByIid = (db: Db, projectId: number, iid: number) =>
  userListsOf(db, projectId).where('iid', '=', iid).executeTakeFirst()

/** Reads of push mirrors: repositories elsewhere that a project pushes to. */
import type { Db } from '../../../platform/db/connection.ts'

/** The push mirrors of a project, in the order of their creation. `address` is encrypted. */
export const remoteMirrorsOf = (db: Db, projectId: number) =>
  db.selectFrom('remote_mirrors').selectAll().where('project_id', '=', projectId).orderBy('id')

export type RemoteMirrorRow = Awaited<ReturnType<ReturnType<typeof remoteMirrorsOf>['executeTakeFirstOrThrow']>>

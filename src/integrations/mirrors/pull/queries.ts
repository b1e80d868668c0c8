/** Reads of pull mirrors: how it goes that a project pulls from another repository. */
import type { Db } from '../../../platform/db/connection.ts'

/** The state of a project that pulls. Its settings are in the row of the project. */
export const pullMirrorOf = (db: Db, projectId: number) =>
  db.selectFrom('pull_mirrors').selectAll().where('project_id', '=', projectId).executeTakeFirst()

export type PullMirrorRow = NonNullable<Awaited<ReturnType<typeof pullMirrorOf>>>

/** Reads of trigger tokens. */
import { isInForce } from '../../platform/access/credentials/lifetimes.ts'
import type { Db } from '../../platform/db/connection.ts'

const triggers = (db: Db) => db.selectFrom('pipeline_triggers').selectAll('pipeline_triggers')

export type TriggerRow = Awaited<ReturnType<ReturnType<typeof triggers>['executeTakeFirstOrThrow']>>

/** The trigger tokens of a project, in order of creation. */
export const triggersOf = (db: Db, projectId: number) => triggers(db).where('project_id', '=', projectId).orderBy('id')

/** The trigger whose token has this digest, unless it has expired. */
export const triggerByDigest = (db: Db, digest: string, now: Date) =>
  triggers(db)
    .where('token_digest', '=', digest)
    .where(isInForce('pipeline_triggers.token_digest', 'pipeline_triggers', now))
    .executeTakeFirst()

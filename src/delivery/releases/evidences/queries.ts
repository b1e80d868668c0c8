/** Reads of the evidences of releases. */

import type { Db } from '../../../platform/db/connection.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'

const evidences = (db: Db) => db.selectFrom('release_evidences').selectAll('release_evidences')

export type EvidenceRow = Awaited<ReturnType<ReturnType<typeof evidences>['executeTakeFirstOrThrow']>>

/** The columns in lists: without the summaries, which can be large. */
export type ListedEvidence = Pick<EvidenceRow, 'id' | 'release_id' | 'sha' | 'collected_at'>

/** The evidences of releases, by release, newest first: one statement. */
export async function evidencesOfReleases(db: Db, releaseIds: readonly number[]): Promise<Map<number, ListedEvidence[]>> {
  const rows = await db
    .selectFrom('release_evidences')
    .select(['id', 'release_id', 'sha', 'collected_at'])
    .where('release_id', '=', anyOf(releaseIds))
    .orderBy('id', 'desc')
    .execute()
  return Map.groupBy(rows, row => row.release_id)
}

/** The evidence of a release with this id. */
export const evidenceById = (db: Db, releaseId: number, id: number) =>
  evidences(db).where('release_id', '=', releaseId).where('id', '=', id).executeTakeFirst()

/** Collects evidence: a snapshot of what a release consists of. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import { transact } from '../../../platform/db/transact.ts'
import { enqueue } from '../../../platform/events/worker.ts'
import { type Deps, systemContext } from '../../../platform/kernel/context.ts'
import { projectsById } from '../../../spaces/projects/queries.ts'
import { type ReleaseRow, releaseById } from '../queries.ts'
import { summaryOf } from './summary.ts'

/** Queues evidence for `released_at`, or immediately if that has passed. Of repeated calls, the later time counts. */
export const askForEvidence = (db: Db, { id, released_at }: ReleaseRow): Promise<void> =>
  enqueue(db, 'collect_evidence', { release_id: id }, { jobKey: `collect_evidence:${id}`, runAt: new Date(released_at) })

/** Queues evidence immediately, whatever was collected before. */
export const askForEvidenceNow = (db: Db, { id }: ReleaseRow): Promise<void> => enqueue(db, 'collect_evidence', { release_id: id })

/** Stores a snapshot of a release, with the digest of the text that is sent of it. */
export async function collectEvidence(deps: Deps, { release_id }: { readonly release_id: number }): Promise<void> {
  await transact(deps.database.db, async db => {
    const ctx = systemContext(deps, db)
    const release = await releaseById(db, release_id)
    const project = release && (await projectsById(db, [release.project_id])).get(release.project_id)
    if (!project) return
    const summary = await asStored(db, await summaryOf(ctx, project, release))
    const sha = createHash('sha256').update(summary).digest('hex')
    await db.insertInto('release_evidences').values({ release_id, sha, summary, collected_at: ctx.now, created_at: ctx.now }).execute()
  })
}

/** The text of a summary as the database gives it back: it has an order of its own for keys. */
async function asStored(db: Db, summary: object): Promise<string> {
  const { rows } = await sql<{ summary: object }>`select ${JSON.stringify(summary)}::jsonb as summary`.execute(db)
  return JSON.stringify(rows[0]?.summary)
}

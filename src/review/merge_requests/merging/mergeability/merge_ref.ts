/** The result of a trial merge, for clients that test it: `refs/merge-requests/:iid/merge` (merge requests API at 14.0). */

import { MergeConflict, mergeCommit, mergeRequestRef, type ObjectId, setRef } from '../../../../platform/git/index.ts'
import type { Context } from '../../../../platform/kernel/context.ts'
import { Refusal } from '../../../../platform/kernel/errors.ts'
import type { MergeRequestRow } from '../../queries.ts'
import { mergeMessage } from '../messages.ts'
import { tipsOf } from '../tips.ts'

const refused = (message: string) => new Refusal('bad_request', { message })

/** Author of the commit: no user merges yet. */
const server = { name: 'Ingot', email: 'ingot@localhost' }

/**
 * Merges both branches as they are now, writes the reference, and returns the commit. The same branches give the same commit.
 * @throws Refusal 400 if they cannot be merged
 */
export async function writeMergeRef(ctx: Context, row: MergeRequestRow): Promise<ObjectId> {
  const { target, start, head } = await tipsOf(ctx, row)
  const source = row.source_project_id === row.project_id ? head : row.head_sha
  if (!target || start === undefined || !source || row.state !== 'opened') throw refused('Merge request is not mergeable')
  try {
    const text = { author: server, committer: server, message: mergeMessage(row, []), now: new Date(row.created_at) }
    const id = await mergeCommit(target, { ...text, target: start, source })
    await setRef(target, mergeRequestRef(row.iid, 'merge'), id)
    return id
  } catch (error) {
    // Contract: a conflict is a 400 (merge requests API, "Merge to default merge ref path").
    throw error instanceof MergeConflict ? refused('Merge request is not mergeable') : error
  }
}

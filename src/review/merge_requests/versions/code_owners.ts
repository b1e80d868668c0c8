/** Another CODEOWNERS file on the target branch changes who must approve, though the merge request has no new commits. */

import { ownersFileAt } from '../../../code/code_owners/read.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { transact } from '../../../platform/db/transact.ts'
import type { ObjectId, Repository } from '../../../platform/git/index.ts'
import { ownersFrom, setCodeOwners } from '../../approvals/code_owners.ts'
import { type MergeRequestRow, mergeRequestById } from '../queries.ts'

/**
 * Makes the rules of the code owners of the file at `start`, the tip of the target branch, if they are of another file. Returns whether they were.
 * Not to be called inside a transaction.
 */
export async function refreshCodeOwners(
  db: Db,
  target: Repository,
  start: ObjectId,
  seen: Pick<MergeRequestRow, 'id' | 'code_owners_file'>,
): Promise<boolean> {
  const file = await ownersFileAt(target, start)
  if (file === seen.code_owners_file) return false
  const row = await mergeRequestById(db, seen.id, null)
  if (!row || row.base_commit_sha === null || row.head_commit_sha === null) return false
  const found = await ownersFrom(target, file, { base: row.base_commit_sha, head: row.head_commit_sha })
  await transact(db, async tx => {
    await tx.selectFrom('merge_requests').select('id').where('id', '=', row.id).forNoKeyUpdate().execute()
    const now = await mergeRequestById(tx, row.id, null)
    // A new version has rules of its own.
    if (now?.state !== 'opened' || now.latest_version_id !== row.latest_version_id) return
    await setCodeOwners(tx, now, found)
    await tx.updateTable('merge_requests').set({ code_owners_file: file }).where('id', '=', row.id).execute()
  })
  return true
}

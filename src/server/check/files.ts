/** The bytes of the object store and the rows that name them. */
import { createHash } from 'node:crypto'
import type { Deps } from '../../platform/kernel/context.ts'
import type { ObjectRow } from '../../platform/object_store/rows.ts'
import { findUnknownObjects, sweepObjects } from '../../platform/object_store/unused.ts'
import type { Looking } from './check.ts'
import { mayDeleteUnowned } from './unowned.ts'

/** Rows per statement. */
const PAGE = 500
/** A bucket is asked for so many files at a time. */
const ABREAST = 8

/** Rows without their bytes, or with others. */
export async function checkFiles({ deps, faults, digests }: Looking): Promise<void> {
  const { database } = deps
  for (let last = 0; ; ) {
    const page = await database.db
      .selectFrom('stored_objects')
      .select(['id', 'key', 'size', 'sha256'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(PAGE)
      .execute()
    for (let at = 0; at < page.length; at += ABREAST) {
      const rows = page.slice(at, at + ABREAST)
      const says = await Promise.all(rows.map(row => faultOf(deps, row, digests)))
      for (const [index, fault] of says.entries()) {
        faults.looked += 1
        const { id, key } = rows[index]!
        if (fault === undefined) continue
        // Deleted meanwhile: the row goes first.
        const row = await database.db.selectFrom('stored_objects').select('id').where('id', '=', id).executeTakeFirst()
        if (row) faults.add(`${key} ${fault}`)
      }
    }
    if (page.length < PAGE) return
    last = page.at(-1)!.id
  }
}

async function faultOf({ objects }: Deps, { key, size, sha256 }: ObjectRow, digests: boolean): Promise<string | undefined> {
  const found = await objects.sizeOf(key)
  if (found === undefined) return 'is missing'
  if (found !== size) return `has ${found} bytes, not ${size}`
  if (!digests) return undefined
  const hash = createHash('sha256')
  for await (const chunk of await objects.read(key)) hash.update(chunk)
  return hash.digest('hex') === sha256 ? undefined : 'has other bytes than it was given'
}

/** Bytes without a row that are older than any request: of crashes. */
export async function checkFilesWithoutRow(looking: Looking): Promise<void> {
  const { deps, faults, mend } = looking
  for await (const { key, isUnknown } of findUnknownObjects(deps)) {
    faults.looked += 1
    if (isUnknown) faults.add(key)
  }
  if (!mayDeleteUnowned(looking) || !mend) return
  await sweepObjects(deps)
  if (faults.found === 0) return
  // While a backup is made, the store keeps everything.
  let left = 0
  for await (const { isUnknown } of findUnknownObjects(deps)) if (isUnknown) left += 1
  faults.addMended(Math.max(0, faults.found - left))
}

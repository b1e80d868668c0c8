/** Badges. */
import type { Db } from '../../../platform/db/connection.ts'
import { insertRows } from '../../../platform/db/statements/insert_rows.ts'
import { assertAddresses } from '../../../spaces/badges/commands.ts'
import { type Import, relationOf, timesOf } from '../../archives/importing/import.ts'
import { ArchiveRefused } from '../../archives/reading/refused.ts'

/** `badges.ndjson`. */
export async function* exportBadges(db: Db, groupId: number): AsyncGenerator<object> {
  const rows = await db.selectFrom('badges').selectAll().where('namespace_id', '=', groupId).orderBy('id').execute()
  for (const { namespace_id, ...badge } of rows) yield { ...badge, group_id: namespace_id, type: 'GroupBadge' }
}

/** Most badges of a group: each page of its projects has them all. */
const MOST = 500

/** Reads `badges.ndjson`. */
export async function importBadges(state: Import, namespace_id: number): Promise<void> {
  const rows = []
  for await (const row of relationOf(state, 'badges')) {
    if (rows.length === MOST) throw new ArchiveRefused(`badges: a group has more than ${MOST}`, 'badges')
    const addresses = { link_url: row.text('link_url', 255), image_url: row.text('image_url', 255) }
    assertAddresses(addresses)
    rows.push({ namespace_id, name: row.maybeText('name', 255) ?? null, ...addresses, ...timesOf(state, row) })
  }
  await insertRows(state.db, 'badges', rows)
}

/** Writes a group with the groups below it as files in the form of the platform's archives (import and export of groups at 14.0). */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { wikiKeyOf } from '../../../collaboration/wikis/repository.ts'
import type { Actor } from '../../../platform/access/actor.ts'
import type { Db } from '../../../platform/db/connection.ts'
import type { Deps } from '../../../platform/kernel/context.ts'
import { type GroupRow, groups } from '../../../spaces/groups/queries.ts'
import { findStored } from '../../../spaces/projects/repository/store.ts'
import { exportBoards } from '../../archives/relations/boards.ts'
import { exportLabels } from '../../archives/relations/labels.ts'
import { exportGroupMembers } from '../../archives/relations/members.ts'
import { exportMilestones } from '../../archives/relations/milestones.ts'
import type { Turn } from '../../archives/turns.ts'
import { writeBundle, writeRelations, writeVersion } from '../../archives/writing/tree.ts'
import { exportBadges } from '../relations/badges.ts'
import { exportEpics } from '../relations/epics.ts'
import { exportIterations } from '../relations/iterations.ts'
import { exportedGroup } from '../relations/settings.ts'

/** A group and those below it that are not being deleted, each after the one that it is in. */
const treeOf = (db: Db, groupId: number): Promise<GroupRow[]> =>
  groups(db)
    .where(sql<boolean>`namespaces.traversal_ids @> ${[groupId]}`)
    .where('namespaces.deleting', '=', false)
    .orderBy(sql`cardinality(namespaces.traversal_ids)`)
    .orderBy('namespaces.id')
    .execute()

/** Writes the rows, in a transaction that sees one moment. Answers the ids of the groups. */
export async function writeTree(db: Db, group: GroupRow, actor: Actor, folder: string, turn: Turn): Promise<number[]> {
  const tree = await treeOf(db, group.id)
  const ids = tree.map(({ id }) => id)
  const known = new Set(ids)
  const root = join(folder, 'tree', 'groups')
  await mkdir(root, { recursive: true })
  await writeVersion(folder)
  await writeFile(join(root, '_all.ndjson'), ids.map(id => `${id}\n`).join(''))
  for (const each of tree) {
    const place = { namespace_id: each.id }
    const relations = join(root, String(each.id))
    await mkdir(relations)
    await writeFile(join(root, `${each.id}.json`), JSON.stringify(exportedGroup(each)))
    const written = {
      members: exportGroupMembers(db, each.id, actor),
      labels: exportLabels(db, place),
      milestones: exportMilestones(db, place),
      badges: exportBadges(db, each.id),
      boards: exportBoards(db, place),
      iterations: exportIterations(db, each.id),
      epics: exportEpics(db, each.id, known),
    }
    await writeRelations(relations, written, turn)
  }
  return ids
}

/** Writes the wikis of groups. */
export async function writeWikis({ storages }: Pick<Deps, 'storages'>, ids: readonly number[], folder: string, turn: Turn): Promise<void> {
  await mkdir(join(folder, 'repositories'))
  for (const id of ids) {
    const { storage, key } = wikiKeyOf({ group: { id } })
    await writeBundle(await findStored(storages, storage, key), join(folder, 'repositories', `${id}.wiki.bundle`), turn)
  }
}

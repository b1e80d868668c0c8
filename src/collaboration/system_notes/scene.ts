/** What tests read of system notes: also those that the API lists as resource events, which only pages show. */
import type { Scene } from '../../../test/scene.ts'
import { anonymous } from '../../platform/access/actor.ts'
import { actingAs } from '../../platform/access/credentials/credentials.ts'
import { systemContext } from '../../platform/kernel/context.ts'
import { visibleProject } from '../../spaces/projects/queries.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { discussionsOf } from '../discussions/queries.ts'
import { itemKind } from '../item_kinds/item_kind.ts'

/** The texts of all system notes on an issue that the user may read, oldest first; without an id those for anonymous callers. */
export async function systemNotesShown(scene: Scene, userId: number | undefined, projectId: number, iid: number): Promise<string[]> {
  const { db } = scene.deps.database
  const actor = userId === undefined ? anonymous : await actingAs(db, userId)
  if (!actor) throw new Error(`User ${userId} is not active`)
  const project = (await visibleProject(db, actor, String(projectId))) as ProjectWithRole
  const noteable = await itemKind('issue').find?.(systemContext(scene.deps, db, actor), project, iid)
  if (!noteable) throw new Error(`There is no issue ${iid}`)
  const threads = discussionsOf(db, actor, noteable, 'changes')
  const rows = await threads.slice(0, 1_000)
  return rows.flatMap(({ notes }) => notes.filter(note => note.action !== null).map(note => note.body))
}

/** Where a text stands that mentions people and items: what mentions need to know of the item that it is about. */
import type { Context } from '../../platform/kernel/context.ts'
import type { GroupRow } from '../../spaces/groups/queries.ts'
import type { MemberPlace } from '../../spaces/members/queries.ts'
import type { ProjectRow } from '../../spaces/projects/queries.ts'
import type { ItemKey } from '../item_kinds/kinds.ts'

/** The item whose text it is, and its place. */
export interface TextPlace {
  readonly key: ItemKey
  readonly iid: number
  /** The full path of its project or group. */
  readonly path: string
  /** Where references without a place lead, as far as they are about projects. */
  readonly home: Pick<ProjectRow, 'full_path' | 'namespace_full_path'>
  /** Whom `@all` means. */
  readonly members: Omit<MemberPlace, 'role'>
  /** Where a to-do item about it is. */
  readonly place: { readonly project_id: number } | { readonly namespace_id: number }
  /**
   * Those of these people who may read the text.
   * @param internal it is an internal note
   */
  readers(ctx: Context, userIds: readonly number[], internal: boolean): Promise<number[]>
}

/** What the texts of all items of a project have in common. */
export function inProjectPlace(project: ProjectRow) {
  const place = { project_id: project.id }
  const members = { key: place, above: project.namespace_traversal_ids, ownerId: project.namespace_owner_id }
  return { path: project.full_path, home: project, members, place }
}

/** What the texts of all items of a group have in common. */
export function inGroupPlace(group: GroupRow) {
  const place = { namespace_id: group.id }
  const members = { key: place, above: group.traversal_ids, ownerId: null }
  return { path: group.full_path, home: { full_path: '', namespace_full_path: group.full_path }, members, place }
}

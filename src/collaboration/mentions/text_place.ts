/** What mentions need to know of the item that a text belongs to. */
import type { Context } from '../../platform/kernel/context.ts'
import type { GroupRow } from '../../spaces/groups/queries.ts'
import type { MemberPlace } from '../../spaces/members/queries.ts'
import type { ProjectRow } from '../../spaces/projects/queries.ts'
import type { NoteableKey } from '../item_kinds/kinds.ts'

/** The item or commit of a text, and its place. */
export interface TextPlace {
  readonly key: NoteableKey
  readonly iid: number
  /** The full path of its project or group. */
  readonly path: string
  /** The project in which references without a path are resolved. */
  readonly home: Pick<ProjectRow, 'full_path' | 'namespace_full_path'>
  /** The members that `@all` mentions. */
  readonly members: Omit<MemberPlace, 'role'>
  /** The project or group of a to-do item about it. */
  readonly place: { readonly project_id: number } | { readonly namespace_id: number }
  /**
   * How a note in the project or group `path` names it, for what has no sign and number.
   * @returns the words, and the columns of the note
   */
  named?(path: string): { readonly words: string; readonly named_commit: string; readonly named_project_id?: number | undefined }
  /**
   * The users among these who may read the text.
   * @param internal whether it is an internal note
   */
  readers(ctx: Context, userIds: readonly number[], internal: boolean): Promise<number[]>
}

/** The properties that texts of all items of a project share. */
export function inProjectPlace(project: ProjectRow) {
  const place = { project_id: project.id }
  const members = { key: place, above: project.namespace_traversal_ids, ownerId: project.namespace_owner_id }
  return { path: project.full_path, home: project, members, place }
}

/** The properties that texts of all items of a group share. */
export function inGroupPlace(group: GroupRow) {
  const place = { namespace_id: group.id }
  const members = { key: place, above: group.traversal_ids, ownerId: null }
  return { path: group.full_path, home: { full_path: '', namespace_full_path: group.full_path }, members, place }
}

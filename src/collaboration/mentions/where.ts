/** Where a text stands that mentions people and things: what the three kinds of things have in common. */
import { epicReadersAmong } from '../../planning/epics/readers.ts'
import { type Confidence, readersAmong } from '../../planning/issues/readers.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { mergeRequestReadersAmong } from '../../review/merge_requests/readers.ts'
import type { GroupRow } from '../../spaces/groups/queries.ts'
import type { MemberPlace } from '../../spaces/members/queries.ts'
import type { ProjectRow } from '../../spaces/projects/queries.ts'
import type { ThingKey } from '../item_kinds/kinds.ts'

interface Numbered {
  readonly id: number
  readonly iid: number
}

/** The thing whose text it is. */
export type Where =
  | { readonly project: ProjectRow; readonly issue: Confidence & Numbered }
  | { readonly project: ProjectRow; readonly mergeRequest: Numbered }
  | { readonly group: GroupRow; readonly epic: Numbered & { readonly confidential: boolean } }

/** What mentions need to know of it. */
export interface Here {
  readonly key: ThingKey
  readonly iid: number
  readonly sign: '#' | '!' | '&'
  /** As in "mentioned in issue #3". */
  readonly noun: 'issue' | 'merge request' | 'epic'
  /** The full path of its project or group. */
  readonly path: string
  /** Where references without a place lead, as far as they are about projects. */
  readonly home: Pick<ProjectRow, 'full_path' | 'namespace_full_path'>
  /** Whom `@all` means. */
  readonly members: Omit<MemberPlace, 'role'>
  /** The column of notes elsewhere that name it. */
  readonly named: { readonly named_issue_id?: number; readonly named_merge_request_id?: number; readonly named_epic_id?: number }
  /** Where a to-do item about it is. */
  readonly place: { readonly project_id: number } | { readonly namespace_id: number }
  /**
   * Those of these people who may read the text.
   * @param internal it is an internal note
   */
  readers(ctx: Context, userIds: readonly number[], internal: boolean): Promise<number[]>
}

/** A thing of one of the three kinds, as a place for texts. */
export function hereOf(where: Where): Here {
  if ('epic' in where) {
    const { group, epic } = where
    const key = { namespace_id: group.id }
    return {
      key: { epic_id: epic.id },
      iid: epic.iid,
      sign: '&',
      noun: 'epic',
      path: group.full_path,
      home: { full_path: '', namespace_full_path: group.full_path },
      members: { key, above: group.traversal_ids, ownerId: null },
      named: { named_epic_id: epic.id },
      place: key,
      readers: ({ db }, userIds, internal) => epicReadersAmong(db, group, userIds, epic.confidential || internal),
    }
  }
  const { project } = where
  const place = { project_id: project.id }
  const common = {
    path: project.full_path,
    home: project,
    members: { key: place, above: project.namespace_traversal_ids, ownerId: project.namespace_owner_id },
    place,
  }
  if ('issue' in where) {
    const { issue } = where
    return {
      ...common,
      key: { issue_id: issue.id },
      iid: issue.iid,
      sign: '#',
      noun: 'issue',
      named: { named_issue_id: issue.id },
      readers: ({ db }, userIds, internal) => readersAmong(db, project, userIds, issue, internal ? 'read_internal_note' : 'read_issue'),
    }
  }
  const { mergeRequest } = where
  return {
    ...common,
    key: { merge_request_id: mergeRequest.id },
    iid: mergeRequest.iid,
    sign: '!',
    noun: 'merge request',
    named: { named_merge_request_id: mergeRequest.id },
    readers: ({ db }, userIds, internal) =>
      mergeRequestReadersAmong(db, project, userIds, internal ? 'read_internal_merge_request_note' : 'read_merge_request'),
  }
}

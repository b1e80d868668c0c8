/** The attributes of a merge request that callers can set, who may set them, and how ids of users are resolved. */
import { allows } from '../../../platform/access/abilities.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { ProjectRow } from '../../../spaces/projects/queries.ts'
import { type ProjectWithRole, projectSubject } from '../../../spaces/projects/scope.ts'
import { mergeRequestReadersAmong } from '../item_kind/readers.ts'

/** Attributes that every user who may write the merge request can set. */
export interface OwnAttributes {
  readonly title?: string | undefined
  readonly description?: string | null | undefined
  /** The author's setting for removing the source branch after the merge. */
  readonly remove_source_branch?: boolean | undefined
  /** Effective only where the project leaves the choice to the author. */
  readonly squash?: boolean | undefined
  /** Users who may merge may push to the source branch of the fork. */
  readonly allow_collaboration?: boolean | undefined
  readonly approvals_before_merge?: number | undefined
}

/** Attributes that require the Developer role in the target project. */
export interface AdminAttributes {
  /** All labels, by name; missing ones are created. */
  readonly labels?: readonly string[] | undefined
  /** 0 means none. On tier `free` only the first counts. */
  readonly assignee_ids?: readonly number[] | undefined
  readonly reviewer_ids?: readonly number[] | undefined
  /** 0 and null mean none. */
  readonly milestone_id?: number | null | undefined
  readonly discussion_locked?: boolean | null | undefined
}

/** May the actor set the attributes that require the Developer role? */
export const mayAdminister = ({ actor }: Pick<Context, 'actor'>, project: ProjectWithRole): boolean =>
  allows(actor, 'admin_merge_request', projectSubject(project)) === 'yes'

/**
 * The ids of the users that can be assignees or reviewers. Contract: users who may not see the project's merge requests are silently
 * ignored, and on tier `free` a merge request has one assignee and one reviewer (public behaviour at 14.0).
 */
export async function peopleAmong(
  { db, tier }: Pick<Context, 'db' | 'tier'>,
  project: ProjectRow,
  userIds: readonly number[],
): Promise<number[]> {
  const ids = await mergeRequestReadersAmong(db, project, userIds)
  return tier === 'free' ? ids.slice(0, 1) : ids
}

/** Whether commits are squashed: the author's choice, unless the project's setting decides (document 3 `squash_option`). */
export function squashIn({ squash_option }: Pick<ProjectRow, 'squash_option'>, asked: boolean | undefined): boolean {
  if (squash_option === 'never' || squash_option === 'always') return squash_option === 'always'
  return asked ?? squash_option === 'default_on'
}

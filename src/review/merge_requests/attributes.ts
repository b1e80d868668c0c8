/** What can be given to a merge request, by whom, and how ids become the people that are meant. */
import { allows } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ProjectRow } from '../../spaces/projects/queries.ts'
import { type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import { mergeRequestReadersAmong } from './readers.ts'

/** What whoever may write a merge request can give it. */
export interface OwnAttributes {
  readonly title?: string | undefined
  readonly description?: string | null | undefined
  /** Whether the source branch goes once it is merged, as the author wishes. */
  readonly remove_source_branch?: boolean | undefined
  /** As far as the project leaves it to them. */
  readonly squash?: boolean | undefined
  /** Those who may merge may push to the source branch of a fork. */
  readonly allow_collaboration?: boolean | undefined
  readonly approvals_before_merge?: number | undefined
}

/** What takes the role of a Developer in the target project. */
export interface AdminAttributes {
  /** All labels, by name; those that are missing are created. */
  readonly labels?: readonly string[] | undefined
  /** 0 stands for nobody. On tier `free` only the first counts. */
  readonly assignee_ids?: readonly number[] | undefined
  readonly reviewer_ids?: readonly number[] | undefined
  /** 0 and null stand for none. */
  readonly milestone_id?: number | null | undefined
  readonly discussion_locked?: boolean | null | undefined
}

/** May the actor give what takes the role of a Developer? */
export const mayAdminister = ({ actor }: Pick<Context, 'actor'>, project: ProjectWithRole): boolean =>
  allows(actor, 'admin_merge_request', projectSubject(project)) === 'yes'

/**
 * The ids of those who can be assigned, or asked to review. Contract: people who may not see the project's merge requests are left
 * out in silence, and on tier `free` a merge request has one assignee and one reviewer (public behaviour at 14.0).
 */
export async function peopleAmong(
  { db, tier }: Pick<Context, 'db' | 'tier'>,
  project: ProjectRow,
  userIds: readonly number[],
): Promise<number[]> {
  const ids = await mergeRequestReadersAmong(db, project, userIds)
  return tier === 'free' ? ids.slice(0, 1) : ids
}

/** Whether the commits are squashed: as asked for, as far as the project leaves it to the author (document 3 `squash_option`). */
export function squashIn({ squash_option }: Pick<ProjectRow, 'squash_option'>, asked: boolean | undefined): boolean {
  if (squash_option === 'never' || squash_option === 'always') return squash_option === 'always'
  return asked ?? squash_option === 'default_on'
}

/** A draft of release notes: what was merged since the last release, and the issues that its milestones got closed. */

import { latestReleaseOf } from '../../delivery/releases/queries.ts'
import { issueVisibleIn } from '../../planning/issues/lists/visible.ts'
import { type Ability, allows } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { projectSubject } from '../../spaces/projects/scope.ts'

/** Merge requests, and issues, that a draft names at most: the latest. */
const MOST = 200

/** What a draft is made from. */
export interface DraftFacts {
  /** The day of the last release; undefined for the first. */
  readonly since: string | undefined
  readonly merged: readonly { readonly iid: number; readonly title: string; readonly username: string | null }[]
  readonly closed: readonly { readonly iid: number; readonly title: string; readonly milestone: string }[]
}

/** A title in one line; what would begin a mark of Markdown is escaped, so that titles stay as they are. Pure. */
const plainTitle = (title: string): string => title.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>#!@~|&]/g, '\\$&')

/** The draft in Markdown. Pure. */
export function draftOf({ since, merged, closed }: DraftFacts): string {
  const byMilestone = [...Map.groupBy(closed, ({ milestone }) => milestone)]
  const parts = [
    ...(merged.length === 0
      ? []
      : [
          `## Merged${since === undefined ? '' : ` since ${since}`}\n\n${merged.map(({ iid, title, username }) => `- ${plainTitle(title)} (!${iid}${username === null ? '' : ` by @${username}`})`).join('\n')}`,
        ]),
    ...byMilestone.map(
      ([milestone, issues]) =>
        `## Closed in ${plainTitle(milestone)}\n\n${issues.map(({ iid, title }) => `- ${plainTitle(title)} (#${iid})`).join('\n')}`,
    ),
  ]
  return parts.length === 0
    ? 'Nothing was merged since the last release, and no issue of the milestones was closed.\n'
    : `${parts.join('\n\n')}\n`
}

/**
 * Reads what a draft is made from, as far as the caller may see it. Confidential issues are left out: the notes are for all readers.
 * @param milestones titles of the release's milestones
 */
export async function draftFacts(
  { db, actor, now }: Context,
  project: ProjectWithRole,
  milestones: readonly string[],
): Promise<DraftFacts> {
  const may = (ability: Ability) => allows(actor, ability, projectSubject(project)) === 'yes'
  const last = await latestReleaseOf(db, project.id, now)
  const merged = may('read_merge_request')
    ? await db
        .selectFrom('merge_requests')
        .leftJoin('users', 'users.id', 'merge_requests.author_id')
        .select(['merge_requests.iid', 'merge_requests.title', 'users.username'])
        .where('merge_requests.project_id', '=', project.id)
        .where('merge_requests.merged_at', '>', last?.released_at ?? '1970-01-01T00:00:00Z')
        .orderBy('merge_requests.merged_at', 'desc')
        .orderBy('merge_requests.id', 'desc')
        .limit(MOST)
        .execute()
    : []
  const closed =
    milestones.length === 0 || !may('read_issue')
      ? []
      : await db
          .selectFrom('issues')
          .innerJoin('milestones', 'milestones.id', 'issues.milestone_id')
          .select(['issues.iid', 'issues.title', 'milestones.title as milestone'])
          .where(issueVisibleIn(actor, [project.id]))
          .where('issues.confidential', '=', false)
          .where('issues.state', '=', 'closed')
          .where('milestones.title', 'in', milestones)
          .orderBy('milestones.title')
          .orderBy('issues.closed_at', 'desc')
          .orderBy('issues.id', 'desc')
          .limit(MOST)
          .execute()
  return { since: last?.released_at.slice(0, 10), merged, closed }
}

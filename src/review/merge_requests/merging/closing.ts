/** Closes issues after a merge, in the background, on behalf of the user who merged (document 3 "closes_issues"). */

import { updateIssue } from '../../../planning/issues/changes/update.ts'
import { findIssue, isOwnIssue } from '../../../planning/issues/scope.ts'
import { allows } from '../../../platform/access/abilities.ts'
import { transact } from '../../../platform/db/transact.ts'
import type { Events } from '../../../platform/events/catalog.ts'
import type { RecordedEvent } from '../../../platform/events/recorded.ts'
import type { Deps } from '../../../platform/kernel/context.ts'
import { type Origin, originOf } from '../../../spaces/projects/facts/origin.ts'
import { visibleProject } from '../../../spaces/projects/queries.ts'
import { projectSubject } from '../../../spaces/projects/scope.ts'

/** Closes the issues if the merge was into the default branch and the project enables it. Idempotent. */
export async function closeIssues(
  deps: Deps,
  { merge_request_id }: Events['merge_request.merged'],
  event: Pick<RecordedEvent, 'actor_id' | 'project_id'>,
  origin: Origin = originOf(deps, event),
): Promise<void> {
  const { db } = deps.database
  const issues = await db
    .selectFrom('merge_request_closing_issues')
    .innerJoin('merge_requests', 'merge_requests.id', 'merge_request_closing_issues.merge_request_id')
    .innerJoin('projects', 'projects.id', 'merge_requests.project_id')
    .innerJoin('issues', 'issues.id', 'merge_request_closing_issues.issue_id')
    .innerJoin('routes', 'routes.project_id', 'projects.id')
    .select(['issues.project_id', 'issues.iid', 'merge_requests.iid as merge_request_iid', 'routes.path'])
    .where('merge_requests.id', '=', merge_request_id)
    .whereRef('merge_requests.target_branch', '=', 'projects.default_branch')
    .where('projects.autoclose_referenced_issues', '=', true)
    .where('issues.state', '=', 'opened')
    // A fixed lock order avoids deadlocks between concurrent merges.
    .orderBy('issues.id')
    .execute()
  const ctx = issues.length === 0 ? undefined : await origin.context()
  if (!ctx) return
  for (const { project_id, iid, merge_request_iid, path } of issues)
    await transact(db, async tx => {
      const within = { ...ctx, db: tx }
      const project = await visibleProject(tx, ctx.actor, String(project_id))
      if (!project) return
      const issue = await findIssue(within, project, iid)
      const subject = { ...projectSubject(project), own: isOwnIssue(issue, ctx.userId) }
      const closer = { merge_request_id, iid: merge_request_iid, project_path: path }
      if (allows(ctx.actor, 'update_issue', subject) === 'yes') await updateIssue(within, project, issue, { state_event: 'close', closer })
    })
}

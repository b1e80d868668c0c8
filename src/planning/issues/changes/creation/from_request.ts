/** Creates an issue from a request: by one statement where that suffices, else in a transaction of several. */

import { hasQuickActions } from '../../../../collaboration/quick_actions/interpret.ts'
import { countCreation } from '../../../../platform/application_settings/creation_limits.ts'
import { foreignKeyViolation } from '../../../../platform/db/errors.ts'
import { transact } from '../../../../platform/db/transact.ts'
import type { Context } from '../../../../platform/kernel/context.ts'
import { findProject, type ProjectWithRole } from '../../../../spaces/projects/scope.ts'
import { issueWriting } from '../../item_kind/quick_actions/with_quick_actions.ts'
import type { IssueRow } from '../../queries.ts'
import { createIssueInOneStatement, isSingleStatement, type NewIssue } from './create.ts'
import { type Continued, createFollowUp } from './follow_up.ts'

/** Creates an issue; `ctx.db` must not be a transaction. @throws the refusals of createFollowUp; 429 where `issues_create_limit` says so */
export async function createIssueFromRequest(
  ctx: Context,
  project: ProjectWithRole,
  given: NewIssue,
  continued: Continued,
): Promise<IssueRow> {
  await countCreation(ctx, 'issues_create_limit')
  const isContinuing = continued.merge_request_to_resolve_discussions_of !== undefined
  const isPlain =
    !isContinuing && isSingleStatement(given) && !(given.description && (await hasQuickActions(issueWriting, given.description)))
  let known: ProjectWithRole | undefined = project
  if (isPlain) {
    try {
      const made = await createIssueInOneStatement(ctx, project, given)
      if (made) return made
    } catch (error) {
      if (foreignKeyViolation(error) === undefined) throw error
      // A label, a milestone or the project was deleted meanwhile: resolve the names again.
      known = undefined
    }
  }
  return transact(ctx.db, async db => {
    const here = known ?? (await findProject(db, ctx.actor, String(project.id)))
    known = undefined
    return createFollowUp({ ...ctx, db }, here, given, continued)
  })
}

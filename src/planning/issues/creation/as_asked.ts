/** Making an issue as a request asks for it: in one statement where that is all of it, and in a transaction of several where it is not. */

import { hasQuickActions } from '../../../collaboration/quick_actions/interpret.ts'
import { foreignKeyViolation } from '../../../platform/db/errors.ts'
import { transact } from '../../../platform/db/transact.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { findProject, type ProjectWithRole } from '../../../spaces/projects/scope.ts'
import type { IssueRow } from '../queries.ts'
import { issueWriting } from '../quick_actions/with_quick_actions.ts'
import { createIssueAtOnce, isWrittenAtOnce, type NewIssue } from './create.ts'
import { type Continued, createFollowUp } from './follow_up.ts'

/** Creates an issue; `ctx.db` must be the connections. @throws what createFollowUp refuses */
export async function createAsAsked(ctx: Context, project: ProjectWithRole, given: NewIssue, continued: Continued): Promise<IssueRow> {
  const isContinuing = continued.merge_request_to_resolve_discussions_of !== undefined
  const isPlain = !isContinuing && isWrittenAtOnce(given) && !(given.description && hasQuickActions(issueWriting, given.description))
  let known: ProjectWithRole | undefined = project
  if (isPlain) {
    try {
      const made = await createIssueAtOnce(ctx, project, given)
      if (made) return made
    } catch (error) {
      if (foreignKeyViolation(error) === undefined) throw error
      // A label, a milestone or the project itself went in the meantime: whatever it names is looked for anew.
      known = undefined
    }
  }
  return transact(ctx.db, async db => {
    const here = known ?? (await findProject(db, ctx.actor, String(project.id)))
    known = undefined
    return createFollowUp({ ...ctx, db }, here, given, continued)
  })
}

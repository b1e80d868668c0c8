/** Who may approve a merge request (merge request approvals API at 14.0). */

import { allows } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { projectSubject } from '../../spaces/projects/scope.ts'
import type { Place } from './committers.ts'
import { committersOf } from './committers.ts'
import type { ApprovalFacts } from './facts.ts'

/**
 * May the caller approve now? Developers and users named by a rule may, once each. The project's settings decide whether the author
 * and the committers may.
 */
export async function mayApprove(ctx: Context, { project, mergeRequest }: Place, facts: ApprovalFacts): Promise<boolean> {
  const userId = ctx.actor.user?.id
  if (userId === undefined || mergeRequest.state !== 'opened' || facts.approved_by.includes(userId)) return false
  const { settings, rules } = facts
  const isAble =
    allows(ctx.actor, 'approve_merge_request', projectSubject(project)) === 'yes' || rules.some(rule => rule.approver_ids?.includes(userId))
  if (!isAble) return false
  if (mergeRequest.author_id === userId && rules.length > 0 && !settings.merge_requests_author_approval) return false
  if (!settings.merge_requests_disable_committers_approval) return true
  return !(await committersOf(ctx, { project, mergeRequest })).has(userId)
}

/** A mail to the personal address of a project becomes an issue of its sender, by the rules of the API. */
import { isIncomingTokenValid } from '../../identity/users/activity/incoming_email_tokens.ts'
import { createIssueWithQuickActions } from '../../planning/issues/item_kind/quick_actions/with_quick_actions.ts'
import { TITLE_LENGTH } from '../../planning/issues/params.ts'
import { allows } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { visibleProject } from '../../spaces/projects/queries.ts'
import { type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import type { Destination } from '../incoming_mail/destinations.ts'
import { MailRefused } from '../incoming_mail/refused.ts'
import { senderOf } from '../incoming_mail/sender.ts'
import { once } from '../incoming_mail/taken.ts'
import type { MailedKey } from './addresses.ts'

const gone = () => new MailRefused(({ say }) => ({ says: say('refused.gone_project') }))

/** The project, as the actor of `ctx` may make issues in it now. @throws MailRefused where they may not */
async function projectFor(ctx: Context, projectId: number): Promise<ProjectWithRole> {
  const project = await visibleProject(ctx.db, ctx.actor, String(projectId))
  const verdict = project ? allows(ctx.actor, 'create_issue', projectSubject(project)) : 'hidden'
  if (!project || verdict === 'hidden') throw gone()
  if (verdict === 'no') throw new MailRefused(({ say }) => ({ says: say('refused.no_issues'), advice: say('refused.rights_advice') }))
  return project
}

/** What becomes of a mail with this key. */
export const toNewIssue =
  ({ projectId, holder }: MailedKey): Destination =>
  async (ctx, { from, subject, text }) => {
    const actor = await senderOf(ctx.db, holder.id, from?.address ?? '')
    if (!actor) return undefined
    if (!(await isIncomingTokenValid(ctx.db, holder)))
      throw new MailRefused(({ say }) => ({ says: say('refused.replaced'), advice: say('refused.replaced_issues_advice') }))
    const title = subject.slice(0, TITLE_LENGTH).toWellFormed()
    if (title === '') throw new MailRefused(({ say }) => ({ says: say('refused.no_subject'), advice: say('refused.no_subject_advice') }))
    const project = await projectFor({ ...ctx, actor }, projectId)
    return {
      actor,
      project,
      text,
      mayBeEmpty: true,
      write: (acting, description, claim, after) =>
        once(acting, claim, async tx => {
          // Again in the transaction: rights may have changed meanwhile.
          await createIssueWithQuickActions(tx, await projectFor(tx, projectId), { title, description })
          await after(tx)
        }),
    }
  }

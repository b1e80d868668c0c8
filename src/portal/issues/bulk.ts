/** Changing several issues of a project together: the declaration of the API for each of them, all or none. */

import { userByUsername } from '../../identity/users/queries.ts'
import { updateIssue } from '../../planning/issues/endpoints.ts'
import { findIssue, isOwnIssue } from '../../planning/issues/scope.ts'
import { milestoneTitled } from '../../planning/milestones/queries.ts'
import { allows } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { CommaList, integer, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { forbidden, invalid } from '../../platform/kernel/errors.ts'
import { readAs } from '../../platform/pages/answers.ts'
import { formEndpoint } from '../../platform/pages/forms/declare.ts'
import { done } from '../../platform/pages/frame/document.ts'
import { localPath } from '../../platform/pages/frame/local_path.ts'
import { projectPath } from '../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import { type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import { planningPlace } from './choices.ts'

/** Issues that are changed together at most: those of a page of a list. */
const MOST = 100

/** What people name, as the parameters of the API. */
async function changesOf(
  ctx: Context & { project: ProjectWithRole },
  given: { assignee_username?: string | undefined; milestone_title?: string | undefined },
): Promise<Record<string, unknown>> {
  const changes: Record<string, unknown> = {}
  if (given.assignee_username) {
    const name = given.assignee_username.replace(/^@/, '')
    const user = /^none$/i.test(name) ? undefined : await userByUsername(ctx.db, name)
    if (!user && !/^none$/i.test(name)) throw invalid({ assignee_username: ['is not the name of an account'] })
    changes.assignee_ids = user ? [user.id] : [0]
  }
  if (given.milestone_title) {
    const isNone = /^none$/i.test(given.milestone_title)
    const milestone = isNone
      ? undefined
      : await milestoneTitled(ctx.db, planningPlace(ctx.project), given.milestone_title).executeTakeFirst()
    if (!milestone && !isNone) throw invalid({ milestone_title: ['is not the title of a milestone'] })
    changes.milestone_id = milestone?.id ?? 0
  }
  return changes
}

export const changeSeveral = formEndpoint({
  route: 'POST /:project_path/-/issues/bulk',
  summary: 'Change several issues of a project',
  scope: inProjectPage,
  can: 'admin_issue',
  params: {
    iids: CommaList(integer('Number of an issue'), { minItems: 1, maxItems: MOST, description: 'Numbers of the issues', examples: [[1]] }),
    state_event: optional(OneOf(['close', 'reopen'], { description: 'Closes or reopens them' })),
    add_labels: optional(text('Names of labels to add, with commas', { maxLength: 1_000 })),
    remove_labels: optional(text('Names of labels to take away, with commas', { maxLength: 1_000 })),
    assignee_username: optional(text('The account to assign; `None` for nobody', { maxLength: 255 })),
    milestone_title: optional(text('The milestone; `None` for none', { maxLength: 255 })),
    back: optional(text('The list to show again', { maxLength: 4_000 })),
  },
  errors: ['not_found', 'conflict'],
  async run(ctx) {
    const { project, params } = ctx
    const { iids, back, assignee_username, milestone_title, ...attributes } = params
    const given = Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined && value !== ''))
    const changes = { ...given, ...(await changesOf(ctx, { assignee_username, milestone_title })) }
    const to = localPath(back, projectPath(project, '/-/issues'))
    if (Object.keys(changes).length === 0) return done(ctx, to, 'Nothing was changed: nothing was chosen to change.')
    const read = readAs(ctx, updateIssue, changes)
    // In order of their numbers, so that two people who change the same issues do not wait for each other in a circle.
    for (const iid of [...new Set(iids)].sort((a, b) => a - b)) {
      const issue = await findIssue(ctx, project, iid)
      const isOwn = isOwnIssue(issue, ctx.actor.user?.id)
      if (allows(ctx.actor, 'update_issue', { ...projectSubject(project), own: isOwn }) !== 'yes') throw forbidden()
      await updateIssue.run({ ...ctx, issue, isOwn, params: read } as never)
    }
    return done(ctx, to, `${new Set(iids).size} ${new Set(iids).size === 1 ? 'issue was' : 'issues were'} changed.`)
  },
})

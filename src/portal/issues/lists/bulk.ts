/** Changing several issues of a project together: the declarations of the API for each of them, all or none. */
import { noteEndpoints } from '../../../collaboration/notes/endpoints.ts'
import { userByUsername } from '../../../identity/users/queries.ts'
import { epicsAbove } from '../../../planning/epics/queries.ts'
import { subscribe, unsubscribe, updateIssue } from '../../../planning/issues/endpoints.ts'
import { issueApi, noteableIssue } from '../../../planning/issues/item_kind/noteable.ts'
import type { IssueRow } from '../../../planning/issues/queries.ts'
import { moveIssue } from '../../../planning/issues/relocation/endpoints.ts'
import { findIssue, isOwnIssue } from '../../../planning/issues/scope.ts'
import { healthStatuses } from '../../../planning/issues/states.ts'
import { iterationsMatching } from '../../../planning/iterations/queries.ts'
import { milestoneTitled } from '../../../planning/milestones/queries.ts'
import { allows } from '../../../platform/access/abilities.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { ByteAnswer, Endpoint } from '../../../platform/kernel/declaration/endpoint.ts'
import { CommaList, Day, integer, OneOf, onTier, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { forbidden, invalid, Refusal } from '../../../platform/kernel/errors.ts'
import { Repeated, type Wire } from '../../../platform/kernel/request/wire.ts'
import { readAs } from '../../../platform/pages/answers.ts'
import { formEndpoint } from '../../../platform/pages/forms/declare.ts'
import { declarationOf } from '../../../platform/pages/forms/declared.ts'
import { messagesOf, valuesOf } from '../../../platform/pages/forms/form.ts'
import { done, page } from '../../../platform/pages/frame/document.ts'
import { localPath } from '../../../platform/pages/frame/local_path.ts'
import { planningPlaceOf } from '../../../spaces/places/places.ts'
import { projectPath, projectPlace } from '../../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../../spaces/projects/pages/scope.ts'
import { type ProjectWithRole, projectSubject } from '../../../spaces/projects/scope.ts'
import { planningPlace } from '../choices.ts'
import { bulkFields, refusedBulkView } from './bulk_view.ts'

/** Issues that are changed together at most: those of a page of a list. */
const MOST = 100

const createNote = declarationOf(noteEndpoints(issueApi), 'POST', /\/notes$/)

type Caller = Context & { readonly project: ProjectWithRole }

const isNone = (words: string): boolean => /^none$/i.test(words)

/** What people name in the form. */
interface Named {
  readonly assignee_username?: string | undefined
  readonly milestone_title?: string | undefined
  readonly epic?: string | undefined
  readonly iteration_title?: string | undefined
  readonly confidential?: 'yes' | 'no' | undefined
  readonly health?: string | undefined
}

/** What people name, as the parameters of the API. */
async function changesOf({ db, actor, project, tier }: Caller, given: Named): Promise<Record<string, unknown>> {
  const changes: Record<string, unknown> = {}
  const { assignee_username, milestone_title, epic, confidential, health } = given
  if (assignee_username) {
    const name = assignee_username.replace(/^@/, '')
    const user = isNone(name) ? undefined : await userByUsername(db, name)
    if (!user && !isNone(name)) throw invalid({ assignee_username: ['is not the name of an account'] })
    changes.assignee_ids = user ? [user.id] : [0]
  }
  if (milestone_title) {
    const milestone = isNone(milestone_title)
      ? undefined
      : await milestoneTitled(db, planningPlace(project), milestone_title).executeTakeFirst()
    if (!milestone && !isNone(milestone_title)) throw invalid({ milestone_title: ['is not the title of a milestone'] })
    changes.milestone_id = milestone?.id ?? 0
  }
  if (epic && tier !== 'free') {
    const wanted = epic.replace(/^&/, '')
    const found = isNone(wanted)
      ? undefined
      : await epicsAbove(db, actor, planningPlaceOf(project).above)
          .where(({ or, eb }) =>
            or([eb('epics.title', '=', epic), ...(/^\d{1,15}$/.test(wanted) ? [eb('epics.iid', '=', Number(wanted))] : [])]),
          )
          .executeTakeFirst()
    if (!found && !isNone(wanted)) throw invalid({ epic: ['is not the title or number of an epic'] })
    changes.epic_id = found?.id ?? 0
  }
  if (confidential) changes.confidential = confidential === 'yes'
  if (health) changes.health_status = isNone(health) ? null : health
  return changes
}

/** Numbers as boxes send them, one by one, or as a text with commas. */
const numbersOf = (sent: unknown): readonly number[] =>
  (sent instanceof Repeated ? sent.values : Array.isArray(sent) ? sent : String(sent ?? '').split(',')).map(Number)

/** Shows what was refused again, with what was chosen and typed. */
async function refusedPage(ctx: Caller, refusal: Refusal, sent: Wire): Promise<ByteAnswer> {
  const list = projectPath(ctx.project, '/-/issues')
  const values = valuesOf(sent)
  const numbers = numbersOf(sent.iids).filter(iid => Number.isSafeInteger(iid) && iid > 0)
  const { wrong, alert } = messagesOf(refusal, bulkFields)
  const view = {
    action: `${list}/bulk`,
    iids: [...new Set(numbers)].slice(0, MOST),
    back: localPath(typeof values.back === 'string' ? values.back : undefined, list),
    list,
    values,
    wrong,
    alert,
  }
  return page(ctx, {
    title: 'Change issues',
    place: projectPlace(ctx.actor, ctx.project, 'issues'),
    heading: 'own',
    status: 422,
    body: refusedBulkView(ctx, view),
  })
}

/** The quick action that sets an iteration: the API has no parameter for it (14.0). Undefined where none is named. */
async function iterationAction({ db, project, now, tier }: Caller, title: string | undefined): Promise<string | undefined> {
  if (!title || tier === 'free') return undefined
  if (isNone(title)) return '/remove_iteration'
  const found = await iterationsMatching(db, planningPlace(project), { include_ancestors: true }, now.toISOString().slice(0, 10))
    .where('iterations.title', '=', title)
    .executeTakeFirst()
  if (!found) throw invalid({ iteration_title: ['is not the title of an iteration'] })
  return `/iteration *iteration:${found.id}`
}

/** Runs a declaration; what is so already is done. */
async function run(endpoint: Endpoint, ctx: object): Promise<unknown> {
  try {
    return await endpoint.run(ctx as never)
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'not_modified') return undefined
    throw error
  }
}

const words = (about: string, maxLength: number) => optional(text(about, { maxLength }))

export const changeSeveral = formEndpoint({
  route: 'POST /:project_path/-/issues/bulk',
  summary: 'Change several issues of a project',
  scope: inProjectPage,
  can: 'admin_issue',
  params: {
    iids: CommaList(integer('Number of an issue'), { minItems: 1, maxItems: MOST, description: 'Numbers of the issues', examples: [[1]] }),
    state_event: optional(OneOf(['close', 'reopen'], { description: 'Closes or reopens them' })),
    add_labels: words('Names of labels to add, with commas', 1_000),
    remove_labels: words('Names of labels to take away, with commas', 1_000),
    assignee_username: words('The account to assign; `None` for nobody', 255),
    milestone_title: words('The milestone; `None` for none', 255),
    due_date: optional(Day('Last day')),
    epic: onTier('premium', words('Title or number of an epic; `None` for none', 255)),
    iteration_title: onTier('premium', words('The iteration; `None` for none', 255)),
    weight: onTier('premium', optional(integer('Weight', { minimum: 0, maximum: 2_147_483_647 }))),
    health: onTier('ultimate', optional(OneOf([...healthStatuses, 'none'], { description: 'The health; `none` for none' }))),
    confidential: optional(OneOf(['yes', 'no'], { description: 'Whether they are confidential' })),
    subscription: optional(OneOf(['subscribe', 'unsubscribe'], { description: 'Whether the caller is notified of them' })),
    to_project: words('Full path of a project to move them to', 512),
    back: words('The list to show again', 4_000),
  },
  // A form sends what was left empty, too.
  sent: wire => Object.fromEntries(Object.entries(wire).filter(([, value]) => value !== '')),
  errors: ['not_found', 'conflict'],
  async run(ctx) {
    const { project, params } = ctx
    const {
      iids,
      back,
      assignee_username,
      milestone_title,
      epic,
      iteration_title,
      health,
      confidential,
      subscription,
      to_project,
      ...attributes
    } = params
    const given = Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined))
    const changes = { ...given, ...(await changesOf(ctx, { assignee_username, milestone_title, epic, confidential, health })) }
    const iteration = await iterationAction(ctx, iteration_title)
    const to = localPath(back, projectPath(project, '/-/issues'))
    const isChanging = Object.keys(changes).length > 0
    if (!isChanging && iteration === undefined && subscription === undefined && to_project === undefined)
      return done(ctx, to, 'Nothing was changed: nothing was chosen to change.')
    const read = isChanging ? readAs(ctx, updateIssue, changes) : undefined
    // In order of their numbers, so that two people who change the same issues do not wait for each other in a circle.
    const numbers = [...new Set(iids)].sort((a, b) => a - b)
    for (const iid of numbers) {
      const issue = await findIssue(ctx, project, iid)
      const isOwn = isOwnIssue(issue, ctx.actor.user?.id)
      if (allows(ctx.actor, 'update_issue', { ...projectSubject(project), own: isOwn }) !== 'yes') throw forbidden()
      const one = { ...ctx, issue, isOwn, noteable: noteableIssue(ctx, project, issue) }
      const after = read === undefined ? issue : ((await run(updateIssue, { ...one, params: read })) as IssueRow)
      if (iteration !== undefined) await run(createNote, { ...one, params: { body: iteration } })
      if (subscription !== undefined) await run(subscription === 'subscribe' ? subscribe : unsubscribe, { ...one, params: {} })
      if (to_project !== undefined) await run(moveIssue, { ...one, issue: after, params: { to_project_id: to_project } })
    }
    const moved = to_project === undefined ? 'changed' : 'moved'
    return done(ctx, to, numbers.length === 1 ? `One issue was ${moved}.` : `${numbers.length} issues were ${moved}.`)
  },
  refused: (ctx, refusal, sent) => refusedPage(ctx as Caller, refusal, sent),
})

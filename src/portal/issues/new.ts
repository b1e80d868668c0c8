/** The form of a new issue. */
import { ownTemplatesOf } from '../../code/templates/scope.ts'
import { followUpText } from '../../planning/issues/changes/creation/follow_up.ts'
import { createIssue } from '../../planning/issues/endpoints.ts'
import { listProjectIssues } from '../../planning/issues/lists/endpoints.ts'
import { allows } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { answerOf } from '../../platform/pages/answers.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'
import { form, type Values } from '../../platform/pages/forms/form.ts'
import { page, part } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { projectPath, projectPlace } from '../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import { type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import { itemList, type ListedItem } from '../home/item_view.ts'
import { typed } from '../items/comment_fields.ts'
import { descriptionParams } from '../items/text_changes.ts'
import { epicChoices, labelChoices, memberChoices, milestoneChoices, moreOf, oneOf, planningPlace } from './choices.ts'
import { issuePath } from './scope.ts'

type Caller = Context & { readonly project: ProjectWithRole }

/** The largest number that an id can have. */
const MOST_NUMBER = 2 ** 31 - 1

/** Values that a link gives: `?issue[title]=…&issue[description]=…`, and the template of the description. */
async function valuesOf(ctx: Caller): Promise<Values> {
  const given = queryOf(ctx)
  const continued = continuedBy(given)
  const followed = continued && (await followUpText(ctx, ctx.project, continued))
  if (continued && followed)
    return { ...continued, title: followed.title, description: followed.description, milestone_id: '0', epic_id: '0' }
  const template = given.get('issuable_template')
  // Public behaviour: the text of the settings goes before the repository's default template.
  const begins = async () => (template === null && ctx.project.issues_template) || (await templateNamed(ctx, template ?? 'Default'))
  const description = given.get('issue[description]') ?? given.get('description') ?? (await begins())
  return {
    title: given.get('issue[title]') ?? given.get('title') ?? '',
    description,
    milestone_id: given.get('issue[milestone_id]') ?? '0',
    epic_id: '0',
    issue_type: given.get('issue[issue_type]') ?? 'issue',
    confidential: given.get('issue[confidential]') ?? undefined,
  }
}

const queryOf = ({ request }: Caller): URLSearchParams => new URLSearchParams(request.address.split('?', 2)[1] ?? '')

/** The threads of a merge request that the issue follows up, by what the address or the form says; undefined where it names none. */
function continuedBy(given: { get(name: string): string | null }) {
  const iid = Number(given.get('merge_request_to_resolve_discussions_of') || Number.NaN)
  const discussion_to_resolve = given.get('discussion_to_resolve') || undefined
  if (!Number.isInteger(iid) || iid < 1 || iid > MOST_NUMBER) return undefined
  return { merge_request_to_resolve_discussions_of: iid, ...(discussion_to_resolve !== undefined && { discussion_to_resolve }) }
}

/** Says which threads the issue resolves. */
async function followUpView(ctx: Caller): Promise<Html | undefined> {
  const continued = continuedBy(queryOf(ctx))
  const followed = continued && (await followUpText(ctx, ctx.project, continued))
  if (!continued || !followed || followed.threads === 0) return undefined
  const iid = continued.merge_request_to_resolve_discussions_of
  const threads = followed.threads === 1 ? '1 unresolved thread' : `${followed.threads} unresolved threads`
  return html`<p class="notice">${icon('comment')}<span>The issue follows up ${threads} of <a href="${projectPath(ctx.project, `/-/merge_requests/${iid}`)}">!${iid}</a>${followed.resolves ? `, and resolves ${followed.threads === 1 ? 'it' : 'them'}` : ''}.</span></p>`
}

/** The text of a template of the repository, if the caller may read it; empty where there is none. */
async function templateNamed(ctx: Caller, name: string): Promise<string> {
  const found = await ownTemplatesOf(ctx, ctx.project, 'issues').find(name)
  return found && 'content' in found ? found.content : ''
}

/** Links to the form with each of the templates. */
async function templateMenu(ctx: Caller): Promise<Html | undefined> {
  const names = await ownTemplatesOf(ctx, ctx.project, 'issues').list()
  if (names.length === 0) return undefined
  const base = projectPath(ctx.project, '/-/issues/new')
  return html`<p data-templates>Templates: ${names.map(({ key, name }) => html`<a href="${base}?issuable_template=${encodeURIComponent(key)}">${name}</a> `)}</p>`
}

const newIssue = form<{ readonly project: ProjectWithRole }>({
  path: '/:project_path/-/issues/new',
  summary: 'Open an issue',
  scope: inProjectPage,
  of: createIssue,
  instead: {
    of: ['description'],
    params: { description: descriptionParams.description },
    adapt: async (_ctx, { description, ...params }) => ({ ...params, description: typed(description) }),
  },
  async fields(ctx, sent): Promise<readonly FieldSpec[]> {
    const { project, tier } = ctx
    const continued = sent ?? continuedBy(queryOf(ctx)) ?? {}
    const followUps = (['merge_request_to_resolve_discussions_of', 'discussion_to_resolve'] as const).filter(name => name in continued)
    const texts: readonly FieldSpec[] = [
      ...followUps.map(name => ({ name, control: 'hidden' }) as const),
      {
        name: 'title',
        autofocus: true,
        hint: '',
        below: html`<similar-items data-from="${projectPath(project, '/-/issues/similar')}"></similar-items>`,
      },
      { name: 'description', control: 'markdown', base: projectPath(project, '/-'), hint: '' },
      {
        name: 'confidential',
        label: 'Confidential',
        hint: 'Only members with the Reporter role or higher, its author and its assignees see it.',
      },
    ]
    if (allows(ctx.actor, 'admin_issue', projectSubject(project)) !== 'yes') return texts
    const members = await memberChoices(ctx, project, [])
    return [
      ...texts,
      tier === 'free'
        ? { name: 'assignee_ids', label: 'Assignee', hint: '', ...oneOf(ctx, [['0', 'Nobody'], ...members]) }
        : { name: 'assignee_ids', label: 'Assignees', control: 'checkboxes', hint: '', ...moreOf(ctx, members) },
      {
        name: 'labels',
        label: 'Labels',
        control: 'checkboxes',
        hint: '',
        ...moreOf(ctx, await labelChoices(ctx, planningPlace(project), [])),
      },
      { name: 'milestone_id', label: 'Milestone', hint: '', ...oneOf(ctx, await milestoneChoices(ctx, project, null)) },
      { name: 'due_date', label: 'Due date', hint: '' },
      ...(tier === 'free'
        ? []
        : [
            { name: 'epic_id', label: 'Epic', hint: '', ...oneOf(ctx, await epicChoices(ctx, project, null)) } as const,
            { name: 'weight', hint: '' } as const,
          ]),
      { name: 'issue_type', label: 'Type', hint: '' },
    ]
  },
  values: valuesOf,
  before: async ctx => (await followUpView(ctx)) ?? (await templateMenu(ctx)),
  next: ({ project }, issue: { readonly iid: number }) => issuePath({ project, issue }),
  cancel: ({ project }) => projectPath(project, '/-/issues'),
  notice: 'The issue was opened.',
  button: 'Open issue',
  frame: ({ actor, project }) => ({ title: 'New issue', place: projectPlace(actor, project, 'issues'), scripts: ['markdown_editor.js'] }),
})

export const showNewIssue = newIssue.show
export const submitNewIssue = newIssue.submit

/** Similar issues that are shown. */
const FEW = 5

export const showSimilar = pageEndpoint({
  route: 'GET /:project_path/-/issues/similar',
  summary: 'Show issues whose title has the words of another',
  scope: inProjectPage,
  can: 'read_issue',
  params: { title: text('The title', { maxLength: 255, default: '' }) },
  async run(ctx) {
    const words = ctx.params.title.split(/\s+/).filter(word => word.length > 3)
    const found =
      words.length === 0
        ? []
        : (await answerOf(ctx, listProjectIssues, { search: words.slice(0, 6).join(' '), in: 'title', per_page: FEW })).rows
    const body =
      found.length === 0
        ? undefined
        : html`<section class="similar"><h2>Similar issues</h2>${itemList(found as readonly ListedItem[])}</section>`
    if (ctx.request.headers['x-part'] !== undefined) return part(body ?? html``)
    const none = empty({ icon: 'issue-opened', title: 'No similar issues', says: 'No title has these words.' })
    return page(ctx, { title: 'Similar issues', place: projectPlace(ctx.actor, ctx.project, 'issues'), body: body ?? none })
  },
})

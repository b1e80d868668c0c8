/** The form of a new issue. */
import { ownTemplatesOf } from '../../code/templates/scope.ts'
import { createIssue } from '../../planning/issues/endpoints.ts'
import { listProjectIssues } from '../../planning/issues/lists/endpoints.ts'
import { allows } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { answerOf } from '../../platform/pages/answers.ts'
import { empty } from '../../platform/pages/components/empty.ts'
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
import { labelChoices, memberChoices, milestoneChoices, moreOf, planningPlace } from './choices.ts'
import { issuePath } from './scope.ts'

type Caller = Context & { readonly project: ProjectWithRole }

/** Values that a link gives: `?issue[title]=…&issue[description]=…`, and the template of the description. */
async function valuesOf(ctx: Caller): Promise<Values> {
  const given = new URLSearchParams(ctx.request.address.split('?', 2)[1] ?? '')
  const template = given.get('issuable_template') ?? 'Default'
  const description = given.get('issue[description]') ?? given.get('description') ?? (await templateNamed(ctx, template))
  return {
    title: given.get('issue[title]') ?? given.get('title') ?? '',
    description,
    milestone_id: given.get('issue[milestone_id]') ?? '0',
    confidential: given.get('issue[confidential]') ?? undefined,
  }
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
  return html`<p>Templates: ${names.map(({ key, name }) => html`<a href="${base}?issuable_template=${encodeURIComponent(key)}">${name}</a> `)}</p>`
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
  async fields(ctx): Promise<readonly FieldSpec[]> {
    const { project, tier } = ctx
    const texts: readonly FieldSpec[] = [
      { name: 'title', autofocus: true, hint: '' },
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
        ? { name: 'assignee_ids', label: 'Assignee', control: 'select', hint: '', choices: [['0', 'Nobody'], ...members] }
        : { name: 'assignee_ids', label: 'Assignees', control: 'checkboxes', hint: '', ...moreOf(ctx, members) },
      {
        name: 'labels',
        label: 'Labels',
        control: 'checkboxes',
        hint: '',
        ...moreOf(ctx, await labelChoices(ctx, planningPlace(project), [])),
      },
      { name: 'milestone_id', label: 'Milestone', control: 'select', hint: '', choices: await milestoneChoices(ctx, project, null) },
      { name: 'due_date', label: 'Due date', hint: '' },
    ]
  },
  values: valuesOf,
  before: templateMenu,
  after: ({ project }) => html`<similar-items data-from="${projectPath(project, '/-/issues/similar')}"></similar-items>`,
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
        : html`<section class="section"><h2>Similar issues</h2>${itemList(found as readonly ListedItem[])}</section>`
    if (ctx.request.headers['x-part'] !== undefined) return part(body ?? html``)
    const none = empty({ icon: 'issue-opened', title: 'No similar issues', says: 'No title has these words.' })
    return page(ctx, { title: 'Similar issues', place: projectPlace(ctx.actor, ctx.project, 'issues'), body: body ?? none })
  },
})

/** What an issue is to other things: moved, a duplicate, promoted to an epic, linked to other issues. */

import { noteEndpoints } from '../../collaboration/notes/endpoints.ts'
import { issueApi } from '../../planning/issues/item_kind/noteable.ts'
import { createLink, deleteLink, inIssueLinkOf } from '../../planning/issues/links/endpoints.ts'
import { type IssueRow, visibleIssuesById } from '../../planning/issues/queries.ts'
import { moveIssue } from '../../planning/issues/relocation/endpoints.ts'
import { embeddedEpics } from '../../planning/shared/epics.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { badRequest, invalid, type Refusal } from '../../platform/kernel/errors.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { pageLink } from '../../platform/pages/components/page_link.ts'
import { action } from '../../platform/pages/forms/action.ts'
import { declarationOf } from '../../platform/pages/forms/declared.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { withoutSlashes } from '../../platform/patterns/slashes.ts'
import { projectPlace } from '../../spaces/projects/pages/place.ts'
import { suggestedIssues, suggestedProjects } from './choices.ts'
import { type InIssue, ISSUE, inIssuePage, issuePath } from './scope.ts'

const createNote = declarationOf(noteEndpoints(issueApi), 'POST', /\/notes$/)

const back = (ctx: InIssue): string => issuePath(ctx)

const frame = (title: string) => (ctx: Context & InIssue) => ({
  title: `${title}: #${ctx.issue.iid} ${ctx.issue.title}`,
  place: projectPlace(ctx.actor, ctx.project, 'issues'),
})

const move = form<InIssue>({
  path: `${ISSUE}/move`,
  summary: 'Move an issue to another project',
  scope: inIssuePage,
  of: moveIssue,
  instead: {
    of: ['to_project_id'],
    params: { to_project: text('Full path of the other project', { minLength: 1, maxLength: 512, examples: ['group/project'] }) },
    adapt: async ({ url }, { to_project }) => ({
      to_project_id: withoutSlashes(String(to_project).trim().replace(`${url}/`, '')),
    }),
  },
  fields: async ctx => [
    {
      name: 'to_project',
      label: 'Project',
      autofocus: true,
      suggested: await suggestedProjects(ctx),
      suggestedFrom: issuePath(ctx, '/move'),
      placeholder: 'group/project',
      hint: 'The issue is closed here and goes on there, with its comments, files, reactions and times. You need the Reporter role in both.',
    },
  ],
  next: (_ctx, moved: IssueRow) => issuePath({ project: { full_path: moved.project_path }, issue: moved }),
  cancel: back,
  notice: 'The issue was moved: this is where it goes on.',
  button: 'Move',
  within: () => 'edit-move',
  frame: frame('Move'),
})

/** The declaration of a note that is one quick action alone: one that does nothing is a refusal. */
const actionAlone = (refusal: () => Refusal): Endpoint => ({
  ...createNote,
  async run(ctx) {
    const said = (await createNote.run(ctx)) as { readonly commands_changes: object }
    if (Object.keys(said.commands_changes).length === 0) throw refusal()
    return said
  },
})

/** The API has no parameter for it (14.0): a quick action closes the issue as a duplicate. */
const duplicate = form<InIssue>({
  path: `${ISSUE}/duplicate`,
  summary: 'Close an issue as a duplicate of another one',
  scope: inIssuePage,
  of: actionAlone(() => invalid({ original: ['is no other issue that you may see: write #3, or group/project#3'] })),
  instead: {
    of: ['body', 'created_at', 'confidential', 'internal'],
    params: { original: text('The issue that it repeats: `#3`, or `group/project#3`', { minLength: 1, maxLength: 512, examples: ['#2'] }) },
    adapt: async (_ctx, { original }) => ({ body: `/duplicate ${String(original).trim().split(/\s/, 1)[0]}` }),
  },
  fields: async ctx => [
    {
      name: 'original',
      label: 'Original',
      autofocus: true,
      suggested: await suggestedIssues(ctx),
      suggestedFrom: issuePath(ctx, '/duplicate'),
    },
  ],
  next: back,
  cancel: back,
  notice: 'The issue was closed as a duplicate.',
  button: 'Close as a duplicate',
  within: () => 'edit-duplicate',
  frame: frame('Duplicate'),
})

const link = form<InIssue>({
  path: `${ISSUE}/links/new`,
  summary: 'Link an issue to another one',
  scope: inIssuePage,
  of: createLink,
  instead: {
    of: ['target_project_id', 'target_issue_iid'],
    params: { target: text('The other issue: `#3`, or `group/project#3`', { minLength: 1, maxLength: 512, examples: ['#1'] }) },
    async adapt({ project, url }, { target, ...params }) {
      const given = String(target)
        .trim()
        .replace(`${url}/`, '')
        .replace(/\/-\/issues\/(\d+).*$/s, '#$1')
      const [, path, iid] = /^([^#]*)#?(\d{1,15})$/.exec(given) ?? []
      if (iid === undefined) throw invalid({ target: ['is no issue: write #3, or group/project#3'] })
      return { ...params, target_project_id: path || String(project.id), target_issue_iid: Number(iid) }
    },
  },
  fields: async ctx => [
    {
      name: 'target',
      label: 'Other issue',
      autofocus: true,
      suggested: await suggestedIssues(ctx),
      suggestedFrom: issuePath(ctx, '/links/new'),
    },
    {
      name: 'link_type',
      label: 'Relation',
      control: 'select',
      hint: '',
      choices: [
        ['relates_to', 'relates to it'],
        ['blocks', 'blocks it'],
        ['is_blocked_by', 'is blocked by it'],
      ],
    },
  ],
  next: back,
  cancel: back,
  notice: 'The issues are linked.',
  button: 'Link',
  within: () => 'edit-links',
  frame: frame('Link'),
})

export const issueRelations = {
  showLink: link.show,
  link: link.submit,
  showMove: move.show,
  move: move.submit,
  showDuplicate: duplicate.show,
  duplicate: duplicate.submit,
  promote: action<InIssue>({
    route: `POST ${ISSUE}/promote`,
    of: actionAlone(() => badRequest('This issue cannot be promoted: it was before, or its project is in no group, or you may not')),
    scope: inIssuePage,
    instead: { params: {}, adapt: async () => ({ body: '/promote' }) },
    next: back,
    notice: 'The issue was promoted to an epic of its group.',
  }),
  unlink: action({
    route: `POST ${ISSUE}/links/:issue_link_id/delete`,
    of: deleteLink,
    scope: inIssueLinkOf(inIssuePage),
    next: back as never,
    notice: 'The issues are not linked any more.',
  }),
}

/** Where an issue goes on, as far as the caller may know: the issue that it was moved to or repeats, the epic that it was promoted to. */
export async function fateOf(
  { db, actor }: Context,
  { moved_to_id, duplicated_to_id, promoted_to_epic_id, project_path }: IssueRow,
): Promise<Html | undefined> {
  const ids = [moved_to_id, duplicated_to_id].filter(id => id !== null)
  const [others, epics] = await Promise.all([
    visibleIssuesById(db, actor, ids, project_path),
    embeddedEpics(db, actor, promoted_to_epic_id === null ? [] : [promoted_to_epic_id]),
  ])
  const line = (id: number | null, says: string) => {
    const other = id === null ? undefined : others.get(id)
    if (!other) return undefined
    const { project_path: path, iid, title } = other
    return html`<p>${says} <a href="${issuePath({ project: { full_path: path }, issue: other })}">${path === project_path ? '' : path}#${iid} ${title}</a>.</p>`
  }
  const epic = promoted_to_epic_id === null ? undefined : epics.get(promoted_to_epic_id)
  const lines = [
    line(moved_to_id, 'It was moved, and goes on as'),
    line(duplicated_to_id, 'It repeats'),
    epic && html`<p>It was promoted to ${pageLink(`/groups/${epic.group_path}/-/epics/${epic.iid}`, `&${epic.iid} ${epic.title}`)}.</p>`,
  ].filter(shown => shown !== undefined)
  return lines.length === 0 ? undefined : html`<div class="notice attention section">${icon('link')}<div>${lines}</div></div>`
}

/** Opening a merge request: the branches are chosen first, then its text is written above what it would bring. */
import { presentOwn } from '../../../code/repository/commits/entity.ts'
import { ownTemplatesOf } from '../../../code/templates/scope.ts'
import type { ChangedFile } from '../../../platform/git/index.ts'
import type { ByteAnswer } from '../../../platform/kernel/declaration/endpoint.ts'
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import type { FieldSpec } from '../../../platform/pages/forms/fields.ts'
import { form } from '../../../platform/pages/forms/form.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { createMergeRequest } from '../../../review/merge_requests/endpoints.ts'
import type { MergeRequestRow } from '../../../review/merge_requests/queries.ts'
import { projectPath, projectPlace } from '../../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../../spaces/projects/pages/scope.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { typed } from '../../items/comment_fields.ts'
import { descriptionParams } from '../../items/text_changes.ts'
import { revisionPage } from '../../repository/addresses.ts'
import { filesAlone } from '../../repository/diffs/answer.ts'
import { diffScript, diffView } from '../../repository/diffs/diff_view.ts'
import { shownDiff } from '../../repository/diffs/load.ts'
import { diffParams, keepingLook, lookOf, plainLook } from '../../repository/diffs/look.ts'
import { commitList, signedAmong } from '../../repository/history/commits_view.ts'
import { accountsOf } from '../../repository/history/people.ts'
import { pipelineOfEach } from '../../repository/history/pipelines.ts'
import { mergeRequestPath, newMergeRequestPath } from '../scope.ts'
import { attributeFields } from './changes.ts'
import { choosePage } from './choose.ts'
import { type Caller, type Proposal, proposalOf, wordsOf } from './proposal.ts'

const hidden = (name: string): FieldSpec => ({ name, control: 'hidden' })

const made = form<{ readonly project: ProjectWithRole }>({
  path: '/:project_path/-/merge_requests/new',
  summary: 'Open a merge request',
  scope: inProjectPage,
  of: createMergeRequest,
  instead: {
    of: ['description'],
    params: { description: descriptionParams.description },
    adapt: async (_ctx, { description, ...params }) => ({ ...params, description: typed(description) }),
  },
  fields: async (ctx, sent) => {
    const proposal = await proposalOf(ctx, sent)
    const isKnown = typeof proposal === 'object'
    const { project, ...rest } = ctx
    const branches: readonly FieldSpec[] = isKnown
      ? [hidden('source_branch'), hidden('target_project_id'), hidden('target_branch')]
      : [
          { name: 'source_branch', label: 'Source branch', hint: 'The branch with your commits.' },
          hidden('target_project_id'),
          { name: 'target_branch', label: 'Target branch', hint: 'Where they are to be merged.' },
        ]
    return [
      ...branches,
      { name: 'title', hint: 'A draft begins with `Draft:`.', autofocus: true },
      { name: 'description', control: 'markdown', base: projectPath(isKnown ? proposal.target : project, '/-'), hint: '' },
      ...(await attributeFields(
        { ...rest },
        isKnown ? proposal.target : project,
        undefined,
        isKnown ? addressOf(ctx, proposal) : undefined,
      )),
    ]
  },
  values: async ctx => {
    const proposal = await proposalOf(ctx)
    if (typeof proposal !== 'object') return {}
    const { names, target } = proposal
    const { remove_source_branch_after_merge: remove_source_branch, squash_option } = target
    const squash = squash_option === 'default_on' || squash_option === 'always'
    return { ...names, target_project_id: target.id, remove_source_branch, squash, ...(await wordsOf(ctx, proposal)) }
  },
  before: async (ctx, sent) => {
    const proposal = await proposalOf(ctx, sent)
    return typeof proposal === 'object' ? headOf(ctx, proposal) : undefined
  },
  after: async (ctx, sent) => {
    const proposal = await proposalOf(ctx, sent)
    return typeof proposal === 'object' ? changesOf(ctx, proposal) : html``
  },
  // In the project that it goes to, which a fork's is not.
  next: (_ctx, row: MergeRequestRow) => mergeRequestPath({ project: { full_path: row.project_path }, mergeRequest: row }),
  cancel: ({ project }) => projectPath(project, '/-/merge_requests'),
  notice: 'The merge request was opened.',
  button: 'Open merge request',
  frame: ({ actor, project }) => ({
    title: 'New merge request',
    place: projectPlace(actor, project, 'merge_requests'),
    scripts: ['markdown_editor.js', diffScript],
    width: 'wide',
  }),
})

/** The address of the form with these branches. */
const addressOf = ({ project }: Caller, { names, target }: Proposal): string =>
  newMergeRequestPath(project, names.source_branch, names.target_branch, target.id === project.id ? undefined : target.id)

/** What goes where, and the templates. */
async function headOf(ctx: Caller, proposal: Proposal): Promise<Html> {
  const { project } = ctx
  const { names, target, count } = proposal
  const templates = await ownTemplatesOf(ctx, target, 'merge_requests').list()
  const address = addressOf(ctx, proposal)
  const of = (place: ProjectWithRole) => target.id !== project.id && html`<span class="muted">${place.full_path}:</span>`
  return html`<p class="row">${of(project)}<a class="mono" href="${revisionPage(project, 'tree', names.source_branch)}">${names.source_branch}</a> <span class="muted">into</span> ${of(target)}<a class="mono" href="${revisionPage(target, 'tree', names.target_branch)}">${names.target_branch}</a> <a class="btn btn-sm" href="${address}&amp;change_branches=true">Change branches</a></p>
${count === 0 && html`<div class="notice attention" role="status"><span>There is nothing to merge yet: <span class="mono">${names.source_branch}</span> has no commit that <span class="mono">${names.target_branch}</span> lacks.</span></div>`}
${templates.length > 0 && html`<p data-templates>Templates: ${templates.map(({ key, name }) => html`<a href="${address}&amp;issuable_template=${encodeURIComponent(key)}">${name}</a> `)}</p>`}`
}

/** Commits and changes, as they would be. */
async function changesOf(ctx: Caller, proposal: Proposal): Promise<Html> {
  const { project, db } = ctx
  const { commits, count } = proposal
  if (count === 0) return html``
  const shown = commits.map(presentOwn)
  const [accounts, pipelines, view] = await Promise.all([
    accountsOf(db, shown),
    pipelineOfEach(
      ctx,
      project,
      shown.map(({ id }) => id),
    ),
    diffOf(ctx, proposal),
  ])
  return html`<section class="section"><h2>${count} ${count === 1 ? 'commit' : 'commits'}</h2>${count > commits.length && html`<p class="muted">The newest ${commits.length} are shown.</p>`}${commitList({ project, accounts, pipelines, signed: signedAmong(commits) }, shown)}</section>
<section class="section"><h2>Changes</h2>${diffView(view)}</section>`
}

interface DiffParams {
  readonly only?: string
}

async function diffOf(ctx: Caller, proposal: Proposal) {
  const { project } = ctx
  const { repository, base, head } = proposal
  const { only } = ((ctx as { params?: DiffParams }).params ?? {}) as DiffParams
  const isShown = ctx.request.method === 'GET'
  const look = isShown ? lookOf(ctx as never) : plainLook
  return {
    diff: await shownDiff(repository, { from: base, to: head }, { look, only: isShown ? only : undefined }),
    look,
    ends: { project, before: base, after: head },
    address: isShown ? ctx.request.address : addressOf(ctx, proposal),
    fileHref: ({ deleted_file, old_path, new_path }: ChangedFile) =>
      deleted_file ? revisionPage(project, 'blob', base, old_path) : revisionPage(project, 'blob', head, new_path),
  }
}

export const showNew = pageEndpoint({
  route: 'GET /:project_path/-/merge_requests/new',
  summary: 'Open a merge request: the choice of branches, and the form',
  scope: inProjectPage,
  can: createMergeRequest.can as never,
  cost: 'heavy',
  params: diffParams,
  async run(ctx): Promise<ByteAnswer> {
    const isAsked = new URLSearchParams(ctx.request.address.split('?', 2)[1] ?? '').has('change_branches')
    const proposal = await proposalOf(ctx)
    if (typeof proposal !== 'object' || proposal.existing !== undefined || isAsked)
      return choosePage(ctx, typeof proposal === 'object' ? proposal.existing : proposal)
    const alone = ctx.request.headers['turbo-frame'] === undefined ? undefined : filesAlone(ctx, await diffOf(ctx, proposal))
    return alone ?? keepingLook(ctx, await made.show.run(ctx))
  },
})

export const open = made.submit

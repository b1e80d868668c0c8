/** The pages of branches. */
import { branchRights } from '../../../code/protected_branches/rights.ts'
import { createBranch, deleteBranch, deleteMergedBranches } from '../../../code/repository/branches/endpoints.ts'
import { Branch } from '../../../code/repository/branches/entity.ts'
import { inBranchPage } from '../../../code/repository/branches/scope.ts'
import { inRepositoryPage } from '../../../code/repository/scope.ts'
import { allows } from '../../../platform/access/abilities.ts'
import { presentAll } from '../../../platform/kernel/answer/entity.ts'
import { slicesOf } from '../../../platform/kernel/answer/page.ts'
import { OneOf, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { empty } from '../../../platform/pages/components/empty.ts'
import { action, actionButton } from '../../../platform/pages/forms/action.ts'
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { form } from '../../../platform/pages/forms/form.ts'
import { askFrame, page } from '../../../platform/pages/frame/document.ts'
import { html } from '../../../platform/pages/html.ts'
import { listPage, listParams, withParameter } from '../../../platform/pages/lists.ts'
import { livePart } from '../../../platform/pages/live/part.ts'
import { projectPath, projectPlace } from '../../../spaces/projects/pages/place.ts'
import { type ProjectWithRole, projectSubject } from '../../../spaces/projects/scope.ts'
import { revisionPage } from '../addresses.ts'
import { repositoryOf } from '../live.ts'
import { branchList } from './branches_view.ts'
import { branchesIn, divergencesOf } from './queries.ts'

const states = [
  ['all', 'All'],
  ['active', 'Active'],
  ['stale', 'Stale'],
] as const

export const showBranches = pageEndpoint({
  route: 'GET /:project_path/-/branches',
  summary: 'Show the branches of a repository',
  scope: inRepositoryPage,
  can: 'read_code',
  cost: 'heavy',
  params: {
    ...listParams,
    search: optional(text('Part of the name; `^x` for names that begin with x, `x$` for names that end with x', { maxLength: 255 })),
    state: OneOf(['all', 'active', 'stale'], { description: 'Stale ones have had no commit for 90 days', default: 'all' }),
  },
  async run(ctx) {
    const { project, repository, params, actor } = ctx
    const { search, state } = params
    const place = projectPlace(actor, project, 'branches')
    askFrame(ctx, place)
    const branches = repository ? await branchesIn(repository, { search, state, now: ctx.now }) : []
    const rows = repository ? branches.map(branch => ({ ...branch, project, repository })) : []
    const found = await listPage(ctx, slicesOf(rows), params)
    const commits = found.rows.map(({ commit }) => commit)
    const [shown, divergences, rights] = await Promise.all([
      presentAll(Branch, ctx, found.rows),
      repository ? divergencesOf(repository, project.default_branch, commits) : new Map(),
      branchRights(ctx, project),
    ])
    const mayPush = allows(actor, 'push_code', projectSubject(project)) === 'yes'
    const base = branchesPath(project)
    const { address } = ctx.request
    return page(ctx, {
      title: 'Branches',
      place,
      heading: 'own',
      live: [repositoryOf(project)],
      body: html`<div class="heading"><h1>Branches</h1>${mayPush && html`<div class="row"><a class="btn btn-primary" href="${base}/new">New branch</a>${actionButton(ctx, { to: projectPath(project, '/-/merged_branches/delete'), face: 'Delete merged branches', look: 'danger', asks: 'Delete all branches that are merged into the default one and not protected?' })}</div>`}</div>
<nav class="subnav" aria-label="State">${states.map(([key, label]) => html`<a href="${withParameter(address, 'state', key === 'all' ? undefined : key)}"${key === state && html` aria-current="page"`}>${label}</a>`)}</nav>
<form class="filter-bar section" action="${base}">${state !== 'all' && html`<input type="hidden" name="state" value="${state}">`}<label class="sr-only" for="search">Part of the name</label><input class="form-control" type="search" id="search" name="search" value="${search ?? ''}" placeholder="Part of the name"><button class="btn">Search</button></form>
${livePart(
  'branches',
  repositoryOf(project),
  html`${
    shown.length > 0
      ? html`<section class="section" aria-label="${found.total ?? 'Many'} branches">${branchList(
          {
            ctx,
            project,
            divergences,
            mayPropose: allows(actor, 'create_merge_request_from', projectSubject(project)) === 'yes',
            mayProtect: allows(actor, 'admin_protected_branches', projectSubject(project)) === 'yes',
            mayDelete: ({ name, default: isDefault }) => mayPush && !isDefault && rights.mayDelete(name),
          },
          shown,
        )}</section>`
      : empty({
          icon: 'git-branch',
          title: 'No branches',
          says: repository ? 'No branch matches.' : 'A branch is a line of work. The first one comes with the first push.',
        })
  }${found.links}`,
)}`,
    })
  },
})

const branchesPath = (project: ProjectWithRole): string => projectPath(project, '/-/branches')

const creation = form({
  path: '/:project_path/-/branches/new',
  summary: 'Create a branch',
  scope: inRepositoryPage,
  of: createBranch,
  fields: () => [
    { name: 'branch', label: 'Name', hint: '', autofocus: true },
    { name: 'ref', label: 'Start from', hint: 'A branch, a tag or a commit.' },
  ],
  values: ({ project, request }) => ({
    ref: new URLSearchParams(request.address.split('?', 2)[1] ?? '').get('ref') ?? project.default_branch ?? '',
  }),
  next: ({ project }, made: { readonly name: string }) => revisionPage(project, 'tree', made.name),
  notice: 'The branch was created.',
  button: 'Create branch',
  cancel: ({ project }) => branchesPath(project),
  frame: ({ actor, project }) => ({ title: 'New branch', place: projectPlace(actor, project, 'branches') }),
})
export const showNewBranch = creation.show
export const submitNewBranch = creation.submit

export const removeBranch = action({
  route: 'POST /:project_path/-/branches/:branch/delete',
  of: deleteBranch,
  scope: inBranchPage,
  next: ({ project }) => branchesPath(project),
  notice: 'The branch was deleted.',
})

export const removeMergedBranches = action({
  route: 'POST /:project_path/-/merged_branches/delete',
  of: deleteMergedBranches,
  scope: inRepositoryPage,
  next: ({ project }) => branchesPath(project),
  notice: 'The merged branches were deleted.',
})

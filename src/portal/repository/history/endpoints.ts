/** The pages of commits: lists, and each with what it changed. */
import { pushing } from '../../../code/protected_branches/collaboration.ts'
import { cherryPickCommit, listRepositoryCommits, revertCommit } from '../../../code/repository/commits/endpoints.ts'
import { inRepositoryPage } from '../../../code/repository/scope.ts'
import { allows } from '../../../platform/access/abilities.ts'
import { compare, diffOfCommit, listBranches, resolveCommits } from '../../../platform/git/index.ts'
import { optional, text } from '../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../platform/kernel/errors.ts'
import { answerOf } from '../../../platform/pages/answers.ts'
import { empty } from '../../../platform/pages/components/empty.ts'
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { form } from '../../../platform/pages/forms/form.ts'
import { page } from '../../../platform/pages/frame/document.ts'
import { html } from '../../../platform/pages/html.ts'
import { listParams, pageLinks } from '../../../platform/pages/lists.ts'
import { projectPath, projectPlace } from '../../../spaces/projects/pages/place.ts'
import { type ProjectWithRole, projectSubject } from '../../../spaces/projects/scope.ts'
import { commitPage, revisionPage } from '../addresses.ts'
import { diffView, FILES_PER_PAGE } from '../diffs/diff_view.ts'
import { pathCrumbs } from '../files/tree_view.ts'
import { inRevisionPage } from '../scope.ts'
import { commitFacts } from './commit_view.ts'
import { commitList, type ListedCommit } from './commits_view.ts'
import { inCommitPage } from './scope.ts'

export const showCommits = pageEndpoint({
  route: 'GET /:project_path/-/commits/*revision_path',
  summary: 'Show the commits of a revision, or those that changed a path',
  scope: inRevisionPage,
  can: 'read_code',
  params: {
    ...listParams,
    author: optional(text('Part of the name or email of the author', { maxLength: 255 })),
    since: optional(text('Committed on this day or later', { pattern: '^(\\d{4}-\\d{2}-\\d{2})?$' })),
    until: optional(text('Committed on this day or earlier', { pattern: '^(\\d{4}-\\d{2}-\\d{2})?$' })),
  },
  async run(ctx) {
    const { project, revision, params } = ctx
    const { ref, commit, path } = revision
    const { author = '', since = '', until = '' } = params
    const found = await answerOf(ctx, listRepositoryCommits, {
      ref_name: commit,
      path,
      page: params.page,
      per_page: params.per_page,
      ...(author === '' ? {} : { author }),
      ...(since === '' ? {} : { since: `${since}T00:00:00Z` }),
      ...(until === '' ? {} : { until: `${until}T23:59:59Z` }),
    })
    const base = revisionPage(project, 'commits', ref, path)
    return page(ctx, {
      title: `Commits of ${path === '' ? ref : `${path} at ${ref}`}`,
      place: projectPlace(ctx.actor, project, 'commits'),
      heading: 'own',
      body: html`<div class="heading"><h1>Commits</h1></div><div class="row">${pathCrumbs(project, ref, path)}<span class="muted">at ${ref}</span></div>
<form class="filter-bar section" action="${base}"><label class="sr-only" for="author">Author</label><input class="form-control" type="search" id="author" name="author" value="${author}" placeholder="Author"><label class="sr-only" for="since">From</label><input class="form-control" type="date" id="since" name="since" value="${since}"><label class="sr-only" for="until">To</label><input class="form-control" type="date" id="until" name="until" value="${until}"><button class="btn">Filter</button></form>
${found.rows.length > 0 ? commitList(project, found.rows as readonly ListedCommit[]) : empty({ icon: 'git-commit', title: 'No commits', says: 'No commit matches.' })}${found.links}`,
    })
  },
})

export const showCommit = pageEndpoint({
  route: 'GET /:project_path/-/commit/:sha',
  summary: 'Show a commit and what it changed',
  scope: inCommitPage,
  can: 'read_code',
  cost: 'heavy',
  params: { page: listParams.page },
  async run(ctx) {
    const { project, params } = ctx
    const { commit, repository } = ctx.commit
    const diff = await diffOfCommit(repository, commit)
    const mayPush = allows(ctx.actor, 'push_code', projectSubject(project)) === 'yes'
    return page(ctx, {
      title: commit.title || commit.id.slice(0, 8),
      place: projectPlace(ctx.actor, project, 'commits'),
      heading: 'own',
      body: html`${commitFacts({ project, commit, mayPush })}
${diffView({ diff, page: params.page, fileHref: path => revisionPage(project, 'blob', commit.id, path), links: fileLinks(ctx.request.address, params.page, diff.entries.length) })}`,
    })
  },
})

/** Links to the other pages of files. */
function fileLinks(address: string, number: number, files: number) {
  const pages = Math.max(1, Math.ceil(files / FILES_PER_PAGE))
  return pageLinks(address, {
    page: number,
    pages,
    next: number < pages ? number + 1 : undefined,
    previous: number > 1 ? number - 1 : undefined,
  })
}

const replaying = {
  scope: pushing(inCommitPage),
  next: ({ project }: { readonly project: ProjectWithRole }, made: { readonly commit: { readonly id: string } }) =>
    commitPage(project, made.commit.id),
}

const branchField = { name: 'branch', label: 'Branch', hint: 'The commit is added to this branch.', autofocus: true } as const

const revert = form({
  ...replaying,
  path: '/:project_path/-/commit/:sha/revert',
  summary: 'Revert a commit on a branch',
  of: revertCommit,
  fields: () => [branchField],
  values: ({ project }) => ({ branch: project.default_branch }),
  notice: 'The commit was reverted.',
  button: 'Revert',
  frame: ({ actor, project, commit }) => ({
    title: `Revert ${commit.commit.id.slice(0, 8)}`,
    place: projectPlace(actor, project, 'commits'),
  }),
})
export const showRevert = revert.show
export const submitRevert = revert.submit

const cherryPick = form({
  ...replaying,
  path: '/:project_path/-/commit/:sha/cherry_pick',
  summary: 'Cherry-pick a commit onto a branch',
  of: cherryPickCommit,
  fields: () => [branchField],
  notice: 'The commit was picked.',
  button: 'Cherry-pick',
  frame: ({ actor, project, commit }) => ({
    title: `Cherry-pick ${commit.commit.id.slice(0, 8)}`,
    place: projectPlace(actor, project, 'commits'),
  }),
})
export const showCherryPick = cherryPick.show
export const submitCherryPick = cherryPick.submit

export const showCompare = pageEndpoint({
  route: 'GET /:project_path/-/compare',
  summary: 'Choose two revisions and compare them',
  scope: inRepositoryPage,
  can: 'read_code',
  cost: 'heavy',
  params: {
    page: listParams.page,
    from: optional(text('Where the comparison begins: a branch, tag or commit', { maxLength: 1024 })),
    to: optional(text('Where the comparison ends: a branch, tag or commit', { maxLength: 1024 })),
  },
  async run(ctx) {
    const { project, repository, params } = ctx
    const { from = project.default_branch ?? 'HEAD', to = '' } = params
    const branches = repository ? await listBranches(repository, { order: 'updated', sort: 'desc' }) : []
    const [start, end] = repository && to !== '' ? await resolveCommits(repository, [from, to]) : []
    if (to !== '' && (!repository || !start || !end)) throw notFound('Revision')
    const found = repository && start && end ? await compare(repository, start, end) : undefined
    const base = projectPath(project, '/-/compare')
    return page(ctx, {
      title: to === '' ? 'Compare' : `${from}...${to}`,
      place: projectPlace(ctx.actor, project, 'commits'),
      heading: 'own',
      body: html`<div class="heading"><h1>Compare</h1></div><form class="filter-bar" action="${base}"><label class="sr-only" for="from">From</label><input class="form-control" id="from" name="from" value="${from}" list="branches" required placeholder="From"><label class="sr-only" for="to">To</label><input class="form-control" id="to" name="to" value="${to}" list="branches" required placeholder="To"><datalist id="branches">${branches.slice(0, MOST_SUGGESTED).map(({ name }) => html`<option value="${name}"></option>`)}</datalist><button class="btn btn-primary">Compare</button>${to !== '' && html`<a class="btn" href="${base}?${new URLSearchParams({ from: to, to: from }).toString()}">Swap</a>`}</form>
${
  found
    ? html`<section class="section"><h2>${found.commits.length} commits</h2>${commitList(
        project,
        found.commits
          .toReversed()
          .slice(0, MOST_COMMITS)
          .map(({ id, title, message, author, committer }) => ({
            id,
            title,
            message,
            author_name: author.name,
            committed_date: committer.date,
          })),
      )}</section>
<section class="section"><h2>Changes</h2>${diffView({ diff: found.diff, page: params.page, fileHref: path => revisionPage(project, 'blob', to, path), links: fileLinks(ctx.request.address, params.page, found.diff.entries.length) })}</section>`
    : empty({
        icon: 'git-compare',
        title: 'Choose two revisions',
        says: 'Branches, tags or commits: what the second has and the first lacks is shown.',
      })
}`,
    })
  },
})

/** Branches that the fields suggest, and commits that a comparison lists. */
const MOST_SUGGESTED = 500
const MOST_COMMITS = 100

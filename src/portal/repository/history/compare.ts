/** The pages of comparisons: what one revision has and another one lacks. */

import { presentOwn } from '../../../code/repository/commits/entity.ts'
import { inRepositoryPage } from '../../../code/repository/scope.ts'
import { allows } from '../../../platform/access/abilities.ts'
import {
  type ChangedFile,
  comparisonBase,
  countCommits,
  listBranches,
  listCommits,
  type Repository,
  resolveCommits,
} from '../../../platform/git/index.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../../platform/kernel/declaration/endpoint.ts'
import { optional, type ParamsOf, text } from '../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../platform/kernel/errors.ts'
import { empty } from '../../../platform/pages/components/empty.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { page } from '../../../platform/pages/frame/document.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { projectPath, projectPlace } from '../../../spaces/projects/pages/place.ts'
import { type ProjectWithRole, projectSubject } from '../../../spaces/projects/scope.ts'
import { newMergeRequestPath } from '../../merge_requests/scope.ts'
import { comparePage, revisionPage } from '../addresses.ts'
import { filesAlone } from '../diffs/answer.ts'
import { diffScript, diffView } from '../diffs/diff_view.ts'
import { shownDiff } from '../diffs/load.ts'
import { diffParams, keepingLook, lookOf } from '../diffs/look.ts'
import { commitList, signedAmong } from './commits_view.ts'
import { accountsOf } from './people.ts'
import { pipelineOfEach } from './pipelines.ts'

/** Branches that the fields suggest, and commits that a comparison lists. */
const MOST_SUGGESTED = 500
const MOST_COMMITS = 100

type Input = Context & { readonly project: ProjectWithRole; readonly repository: Repository | undefined }
type DiffInput = Input & { readonly params: ParamsOf<typeof diffParams> }

/** What is compared. */
interface Ends {
  readonly from: string
  readonly to: string
  /** With `from` itself, not with where the two have parted. */
  readonly straight: boolean
}

export const showCompare = pageEndpoint({
  route: 'GET /:project_path/-/compare',
  summary: 'Choose two revisions and compare them',
  scope: inRepositoryPage,
  can: 'read_code',
  cost: 'heavy',
  params: {
    ...diffParams,
    from: optional(text('Where the comparison begins: a branch, tag or commit', { maxLength: 1024 })),
    to: optional(text('Where the comparison ends: a branch, tag or commit', { maxLength: 1024 })),
  },
  async run(ctx) {
    const { project, params } = ctx
    const { from = project.default_branch ?? 'HEAD', to = '' } = params
    if (to !== '') {
      const missing = await missingAmong(ctx, [from, to])
      if (missing.length === 0) return comparison(ctx, { from, to, straight: false })
      const says = `No branch, tag or commit has the name ${missing.join(' or ')}.`
      return comparePageOf(ctx, { from, to, missing }, empty({ icon: 'git-compare', title: 'Nothing to compare', says }))
    }
    const says = 'Branches, tags or commits: what the second has and the first lacks is shown.'
    return comparePageOf(ctx, { from, to }, empty({ icon: 'git-compare', title: 'Choose two revisions', says }))
  },
})

export const showComparison = pageEndpoint({
  route: 'GET /:project_path/-/compare/*revisions',
  summary: 'Compare two revisions, `from...to`, or directly, `from..to`',
  scope: inRepositoryPage,
  can: 'read_code',
  cost: 'heavy',
  params: {
    ...diffParams,
    revisions: text('Branches, tags or commits with three or two dots between them', { maxLength: 2048, examples: ['main...main'] }),
  },
  async run(ctx) {
    // No name of a reference has two dots in a row.
    const [, from, dots, to] = /^(.+?)(\.\.\.?)(.+)$/s.exec(ctx.params.revisions) ?? []
    if (from === undefined || to === undefined) throw notFound('Revision')
    return comparison(ctx, { from, to, straight: dots === '..' })
  },
})

/** The revisions that are not there. */
async function missingAmong({ repository }: Input, names: readonly string[]): Promise<readonly string[]> {
  const found = repository ? await resolveCommits(repository, names) : []
  return names.filter((_, index) => !found[index])
}

async function comparison(ctx: DiffInput, { from, to, straight }: Ends): Promise<ByteAnswer> {
  const { project, repository, params } = ctx
  const [start, end] = repository ? await resolveCommits(repository, [from, to]) : []
  if (!repository || !start || !end) throw notFound('Revision')
  const base = straight ? start : ((await comparisonBase(repository, start, end)) ?? start)
  const look = lookOf(ctx)
  const view = {
    diff: await shownDiff(repository, { from: base, to: end }, { look, only: params.only }),
    look,
    ends: { project, before: base, after: end },
    address: ctx.request.address,
    fileHref: ({ deleted_file, old_path, new_path }: ChangedFile) =>
      deleted_file ? revisionPage(project, 'blob', base, old_path) : revisionPage(project, 'blob', to, new_path),
  }
  const alone = filesAlone(ctx, view)
  if (alone) return alone
  const range = { from: [end], except: [start] }
  const listed = await listCommits(repository, { ...range, limit: MOST_COMMITS })
  const commits = listed.map(presentOwn)
  const count = commits.length < MOST_COMMITS ? commits.length : await countCommits(repository, range, 10_000)
  const accounts = await accountsOf(ctx.db, commits)
  const pipelines = await pipelineOfEach(
    ctx,
    project,
    commits.map(({ id }) => id),
  )
  const body = html`<section class="section"><h2>${count} ${count === 1 ? 'commit' : 'commits'}</h2>${count > commits.length && html`<p class="muted">The newest ${commits.length} are shown.</p>`}${commits.length === 0 && html`<p class="muted">${to} has nothing that ${from} lacks.</p>`}${commitList({ project, accounts, pipelines, signed: signedAmong(listed) }, commits)}</section>
<section class="section"><h2>Changes</h2>${diffView(view)}</section>`
  return keepingLook(ctx, await comparePageOf(ctx, { from, to, hasCommits: count > 0 }, body))
}

/** What the form of the page shows: its fields, those of them that name nothing, and whether there is something to merge. */
interface Chosen extends Pick<Ends, 'from' | 'to'> {
  readonly missing?: readonly string[]
  readonly hasCommits?: boolean
}

/** The page with its form, and below it `body`. */
async function comparePageOf(ctx: Input, { from, to, missing = [], hasCommits = false }: Chosen, body: Html): Promise<ByteAnswer> {
  const { project, repository } = ctx
  const branches = repository ? await listBranches(repository, { order: 'updated', sort: 'desc' }) : []
  const field = (name: string, label: string, value: string) =>
    html`<label class="sr-only" for="${name}">${label}</label><input class="form-control" id="${name}" name="${name}" value="${value}" list="branches" required${missing.includes(value) && html` aria-invalid="true"`} placeholder="${label}" autocapitalize="none">`
  const mayPropose =
    hasCommits &&
    [from, to].every(end => branches.some(({ name }) => name === end)) &&
    allows(ctx.actor, 'create_merge_request_from', projectSubject(project)) === 'yes'
  return page(ctx, {
    title: to === '' ? 'Compare' : `${from}...${to}`,
    place: projectPlace(ctx.actor, project, 'commits'),
    heading: 'own',
    scripts: [diffScript],
    ...(missing.length > 0 && { status: 404 }),
    body: html`<div class="heading"><h1>Compare</h1>${mayPropose && html`<div class="row"><a class="btn btn-primary" href="${newMergeRequestPath(project, to, from)}">${icon('git-pull-request')} Open a merge request</a></div>`}</div>
<form class="filter-bar" action="${projectPath(project, '/-/compare')}">${field('from', 'From', from)}<span class="muted" aria-hidden="true">…</span>${field('to', 'To', to)}<datalist id="branches">${branches.slice(0, MOST_SUGGESTED).map(({ name }) => html`<option value="${name}"></option>`)}</datalist><button class="btn${!mayPropose && ' btn-primary'}">Compare</button>${to !== '' && html`<a class="btn" href="${comparePage(project, to, from)}">${icon('git-compare')} Swap</a>`}</form>
${body}`,
  })
}

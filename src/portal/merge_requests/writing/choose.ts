/** The page on which the branches of a new merge request are chosen. */
import { presentOwn } from '../../../code/repository/commits/entity.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import { listBranches, type Repository, readCommits } from '../../../platform/git/index.ts'
import type { ByteAnswer } from '../../../platform/kernel/declaration/endpoint.ts'
import { empty } from '../../../platform/pages/components/empty.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { time } from '../../../platform/pages/components/time.ts'
import { page } from '../../../platform/pages/frame/document.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { projectPath, projectPlace } from '../../../spaces/projects/pages/place.ts'
import { forkSourcesOf } from '../../../spaces/projects/queries.ts'
import { findRepository } from '../../../spaces/projects/repository/store.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { mergeRequestPath, newMergeRequestPath } from '../scope.ts'
import { type Caller, type Names, type NoProposal, namesOf, targetOf } from './proposal.ts'

/** Branches that are listed, and that the fields suggest. */
const MOST_LISTED = 20
const MOST_SUGGESTED = 500

const alerts: Readonly<Record<Exclude<NoProposal, 'no_source'>, (names: Names) => Html>> = {
  source_missing: ({ source_branch }) => html`There is no branch <span class="mono">${source_branch}</span>.`,
  target_missing: ({ target_branch }) => html`There is no branch <span class="mono">${target_branch}</span> to merge into.`,
  same: () => html`Source and target are the same branch.`,
}

/** @param why why the form is not shown: what is wrong with the branches, or the number of the merge request that they have already */
export async function choosePage(ctx: Caller, why: NoProposal | number | undefined): Promise<ByteAnswer> {
  const { project, db, actor, deps } = ctx
  const names = await namesOf(ctx)
  const upstream = (await forkSourcesOf(db, actor, [project.id])).get(project.id)
  const target = (await targetOf(ctx, names)) ?? project
  const [own, other] = await Promise.all(
    [project, target].map(({ id, repository_storage }) => findRepository(deps.storages, { id, repository_storage })),
  )
  const [branches, targets] = await Promise.all([branchesOf(own), target.id === project.id ? undefined : branchesOf(other)])
  const targetNames = (targets ?? branches).map(({ name }) => name)
  const alert =
    typeof why === 'number'
      ? html`<div class="notice attention" role="alert">${icon('git-pull-request')}<span><a href="${mergeRequestPath({ project: target, mergeRequest: { iid: why } })}">!${why}</a> is open for <span class="mono">${names.source_branch}</span> into <span class="mono">${names.target_branch}</span> already: what is pushed comes there.</span></div>`
      : why !== undefined &&
        why !== 'no_source' &&
        html`<div class="notice danger" role="alert">${icon('alert')}<span>${alerts[why](names)}</span></div>`
  const base = projectPath(project, '/-/merge_requests/new')
  return page(ctx, {
    title: 'New merge request',
    place: projectPlace(actor, project, 'merge_requests'),
    ...(typeof why === 'string' && why !== 'no_source' && { status: 422 }),
    body: html`${alert}<form action="${base}" class="choose-branches"><div class="panel" role="group" aria-label="Source"><div class="body"><h2>From</h2><p class="muted mono">${project.full_path}</p>${field(
      'source_branch',
      'Source branch',
      names.source_branch,
      branches.map(({ name }) => name),
    )}</div></div>
<div class="panel" role="group" aria-label="Target"><div class="body"><h2>Into</h2>${targetChoice(project, upstream, target)}${field('target_branch', 'Target branch', names.target_branch, targetNames)}</div></div>
<p><button class="btn btn-primary">Compare and continue</button></p></form>
<section class="section"><h2>Branches pushed lately</h2>${await lately(ctx, own, branches, names, target)}</section>`,
  })
}

const branchesOf = async (repository: Repository | undefined) =>
  repository ? listBranches(repository, { order: 'updated', sort: 'desc' }) : []

const field = (name: string, label: string, value: string, suggested: readonly string[]): Html =>
  html`<div class="field"><label for="${name}">${label}</label><input class="form-control mono" id="${name}" name="merge_request[${name}]" value="${value}" list="${name}s" required maxlength="255" autocapitalize="none" autocomplete="off" spellcheck="false"><datalist id="${name}s">${suggested.slice(0, MOST_SUGGESTED).map(name => html`<option value="${name}"></option>`)}</datalist></div>`

/** In a fork: the project that it was forked from, or the fork itself. */
const targetChoice = (
  project: ProjectWithRole,
  upstream: { readonly id: number; readonly full_path: string } | undefined,
  target: ProjectWithRole,
): Html =>
  upstream
    ? html`<div class="field"><label for="target-project">Target project</label><select class="form-control form-select" id="target-project" name="merge_request[target_project_id]">${[upstream, project].map(({ id, full_path }) => html`<option value="${id}"${id === target.id && html` selected`}>${full_path}</option>`)}</select></div>`
    : html`<p class="muted mono">${project.full_path}</p>`

interface Tip {
  readonly name: string
  readonly commit: string
}

/** The branches with the newest commits: what each holds, and its merge request or a link that opens one. */
async function lately(
  ctx: Caller,
  repository: Repository | undefined,
  branches: readonly Tip[],
  names: Names,
  target: ProjectWithRole,
): Promise<Html> {
  const { project, db } = ctx
  const isTarget = ({ name }: Tip) => name === project.default_branch || (target.id === project.id && name === names.target_branch)
  const listed = branches.filter(branch => !isTarget(branch)).slice(0, MOST_LISTED)
  if (!repository || listed.length === 0)
    return empty({
      icon: 'git-branch',
      title: 'No other branch',
      says: 'Push your commits to a branch of their own; a merge request then proposes them.',
    })
  const [commits, open] = await Promise.all([
    readCommits(
      repository,
      listed.map(({ commit }) => commit as never),
    ),
    db
      .selectFrom('merge_requests')
      .select(['iid', 'source_branch'])
      .where('project_id', '=', target.id)
      .where('source_project_id', '=', project.id)
      .where('source_branch', '=', anyOf(listed.map(({ name }) => name)))
      .where('state', '=', 'opened')
      .execute(),
  ])
  const known = new Map(open.map(({ iid, source_branch }) => [source_branch, iid]))
  return html`<ul class="list" data-list>${listed.map(({ name }, index) => {
    const commit = commits[index]
    const iid = known.get(name)
    const to = newMergeRequestPath(project, name, names.target_branch, target.id === project.id ? undefined : target.id)
    return html`<li>${icon('git-branch')}<div class="main"><div class="title"><a class="mono" href="${to}">${name}</a></div>${commit && html`<div class="facts"><span>${commit.title}</span><span>${commit.author.name}</span>${time(presentOwn(commit).committed_date)}</div>`}</div>${iid !== undefined && html`<a class="btn btn-sm" href="${mergeRequestPath({ project: target, mergeRequest: { iid } })}">!${iid}</a>`}</li>`
  })}</ul>`
}

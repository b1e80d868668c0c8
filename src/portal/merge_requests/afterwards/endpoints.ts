/** What is done after a merge request has ended: its change is reverted or picked elsewhere, its source branch deleted or restored. */

import { pushing } from '../../../code/protected_branches/collaboration.ts'
import { createBranch, deleteBranch } from '../../../code/repository/branches/endpoints.ts'
import { replayCommit } from '../../../code/repository/commits/commands.ts'
import { cherryPickCommit, revertCommit } from '../../../code/repository/commits/endpoints.ts'
import type { CommitRow } from '../../../code/repository/commits/entity.ts'
import { type ObjectId, type Repository, readCommit, readRefs } from '../../../platform/git/index.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { Endpoint } from '../../../platform/kernel/declaration/endpoint.ts'
import { within } from '../../../platform/kernel/declaration/scope.ts'
import { flag, optional } from '../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../platform/kernel/errors.ts'
import { action } from '../../../platform/pages/forms/action.ts'
import { form, type Values } from '../../../platform/pages/forms/form.ts'
import { html } from '../../../platform/pages/html.ts'
import type { MergeRequestRow } from '../../../review/merge_requests/queries.ts'
import { projectPlace } from '../../../spaces/projects/pages/place.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { commitPage } from '../../repository/addresses.ts'
import { inMergeRequestPage, MERGE_REQUEST, mergeRequestPath, newMergeRequestPath } from '../scope.ts'

interface InOne {
  readonly project: ProjectWithRole
  readonly mergeRequest: MergeRequestRow
}

/** A merge request that was merged by a commit of its own, with that commit as `inCommit` gives it; 404 for any other. */
const inMergedPage = within(inMergeRequestPage, {
  name: 'inMergedPage',
  path: {},
  async load({ project, repository, mergeRequest }) {
    const id = mergeRequest.merge_commit_sha ?? mergeRequest.squash_commit_sha
    const commit = repository && id !== null ? await readCommit(repository, id as ObjectId) : undefined
    if (mergeRequest.state !== 'merged' || !repository || !commit) throw notFound('Commit')
    return { repository, commit: { commit, project, repository } satisfies CommitRow as CommitRow }
  },
})

type InMerged = InOne & { readonly commit: CommitRow; readonly repository: Repository }

/** The branch that a new merge request comes from: with a number behind it where that name is taken. */
async function freeName(repository: Repository, wanted: string): Promise<string> {
  const names = Array.from({ length: 20 }, (_, index) => (index === 0 ? wanted : `${wanted}-${index + 1}`))
  const tips = await readRefs(
    repository,
    names.map(name => `refs/heads/${name}`),
  )
  return names.find((_, index) => tips[index] === undefined) ?? wanted
}

/** The declaration of the API; with `new_merge_request` on a branch of its own, which begins at `branch`. */
const replayed = (of: Endpoint, how: 'revert' | 'cherry_pick'): Endpoint => ({
  ...of,
  params: {
    branch: of.params.branch as never,
    new_merge_request: optional(flag('On a branch of its own, from which a new merge request is opened')),
  },
  async run(ctx: Context & InMerged & { readonly params: { readonly branch: string; readonly new_merge_request?: boolean } }) {
    const { project, commit, repository, params } = ctx
    if (params.new_merge_request !== true) return { made: await replayCommit(ctx, how, project, commit, { branch: params.branch }) }
    const branch = await freeName(repository, `${how.replace('_', '-')}-${commit.commit.id.slice(0, 8)}`)
    return { made: await replayCommit(ctx, how, project, commit, { branch, start_branch: params.branch }), branch }
  },
})

interface Replayed {
  readonly made: CommitRow
  /** Of the new merge request. */
  readonly branch?: string
}

const replaying = (
  how: 'revert' | 'cherry_pick',
  of: Endpoint,
  words: { readonly title: string; readonly says: string; readonly notice: string },
) =>
  form<InMerged>({
    path: `${MERGE_REQUEST}/${how}`,
    summary: `${words.title} a merge request`,
    scope: pushing(inMergedPage) as never,
    of: replayed(of, how),
    fields: () => [
      { name: 'branch', label: 'Branch', hint: words.says, autofocus: true },
      {
        name: 'new_merge_request',
        label: 'Open a new merge request for it',
        hint: 'The commit then stands on a branch of its own, and goes to the branch by review.',
      },
    ],
    values: ({ mergeRequest }) => ({ branch: how === 'revert' ? mergeRequest.target_branch : '', new_merge_request: true }),
    before: ({ commit }) =>
      html`<p class="muted">The commit <span class="mono">${commit.commit.id.slice(0, 8)}</span>: ${commit.commit.title}</p>`,
    next: (ctx, { made, branch }: Replayed) =>
      branch === undefined
        ? commitPage(ctx.project, made.commit.id)
        : newMergeRequestPath(ctx.project, branch, (ctx.params as Values).branch as string),
    notice: words.notice,
    button: words.title,
    cancel: mergeRequestPath,
    frame: ({ actor, project, mergeRequest }) => ({
      title: `${words.title} !${mergeRequest.iid}`,
      place: projectPlace(actor, project, 'merge_requests'),
    }),
  })

const revert = replaying('revert', revertCommit, {
  title: 'Revert',
  says: 'The branch on which the change is undone.',
  notice: 'The change was reverted.',
})
export const showRevert = revert.show
export const submitRevert = revert.submit

const cherryPick = replaying('cherry_pick', cherryPickCommit, {
  title: 'Cherry-pick',
  says: 'The branch to which the change is added too.',
  notice: 'The change was picked.',
})
export const showCherryPick = cherryPick.show
export const submitCherryPick = cherryPick.submit

/** The source branch of a merge request within the project, as the scope of branches gives one. */
const inSourceBranch = within(inMergeRequestPage, {
  name: 'inSourceBranch',
  path: {},
  async load({ project, repository, mergeRequest }) {
    const { source_project_id, source_branch } = mergeRequest
    const [commit] = repository && source_project_id === project.id ? await readRefs(repository, [`refs/heads/${source_branch}`]) : []
    if (!repository || commit === undefined) throw notFound('Branch')
    return { branch: { name: source_branch, commit, project, repository } }
  },
})

export const deleteSourceBranch = action({
  route: `POST ${MERGE_REQUEST}/source_branch/delete`,
  of: deleteBranch,
  scope: inSourceBranch,
  next: ctx => mergeRequestPath(ctx),
  notice: 'The source branch was deleted.',
})

export const restoreSourceBranch = action<InOne>({
  route: `POST ${MERGE_REQUEST}/source_branch/restore`,
  of: {
    ...createBranch,
    params: {},
    run: ctx => {
      const { source_branch, source_project_id, head_sha } = ctx.mergeRequest
      if (source_project_id !== ctx.project.id || head_sha === null) throw notFound('Branch')
      return createBranch.run({ ...ctx, params: { branch: source_branch, ref: head_sha } })
    },
  },
  scope: inMergeRequestPage,
  next: ctx => mergeRequestPath(ctx),
  notice: 'The source branch is there again.',
})

/** The payloads of pushes: one for each branch and tag, and for system hooks one for the push as a whole (webhook events, 14.0). */

import type { UserRow } from '../../../identity/users/queries.ts'
import {
  type Commit,
  changedPaths,
  countCommits,
  listCommits,
  type RefMove,
  type Repository,
  readCommit,
  readRefs,
  readTag,
  resolveCommit,
  shortNameOf,
  zeroId,
} from '../../../platform/git/index.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { ProjectRow } from '../../../spaces/projects/queries.ts'
import { findRepository } from '../../../spaces/projects/repository/store.ts'
import { commitPart } from './commit.ts'
import { projectPart, pushedRepositoryPart, pusherPart } from './project.ts'

/** Maximum commits in a payload; their number is given separately. */
const MAX_COMMITS = 20

/** Commits are counted up to this number. */
const MAX_COUNTED = 10_000

/** A push, its user, and its project. */
export interface Pushed {
  readonly project: ProjectRow
  readonly pusher: UserRow | undefined
}

type Means = Pick<Context, 'deps' | 'url' | 'sshUrl'>

/** The payload of one branch or tag; undefined if the repository was deleted. */
export async function pushPayload(ctx: Means, { project, pusher }: Pushed, move: RefMove): Promise<object | undefined> {
  const repository = await findRepository(ctx.deps.storages, project)
  if (!repository) return undefined
  const kind = shortNameOf(move.ref)?.kind === 'tag' ? 'tag_push' : 'push'
  const tip = move.new === zeroId ? undefined : await resolveCommit(repository, move.new)
  const { commits, total } = await broughtBy(repository, move, tip, project.default_branch)
  return {
    object_kind: kind,
    event_name: kind,
    before: move.old,
    after: move.new,
    ref: move.ref,
    checkout_sha: tip ?? null,
    message: kind === 'tag_push' && move.new !== zeroId ? ((await readTag(repository, move.new))?.message ?? null) : null,
    ...pusherPart(pusher, ctx),
    project_id: project.id,
    project: projectPart(project, ctx),
    commits: await commitParts(ctx, repository, project, commits),
    total_commits_count: total,
    push_options: {},
    repository: pushedRepositoryPart(project, ctx),
  }
}

/** The newest commits of a move, newest first, and their number. For a tag, the commit that it names. */
async function broughtBy(
  repository: Repository,
  move: RefMove,
  tip: string | undefined,
  defaultBranch: string | null,
): Promise<{ readonly commits: readonly Commit[]; readonly total: number }> {
  if (tip === undefined) return { commits: [], total: 0 }
  const branch = shortNameOf(move.ref)
  if (branch?.kind === 'tag') {
    const commit = await readCommit(repository, tip)
    return { commits: commit ? [commit] : [], total: commit ? 1 : 0 }
  }
  const known = await knownBefore(repository, move, branch?.name === defaultBranch ? null : defaultBranch)
  const filter = { from: [tip], ...(known === undefined ? {} : { except: [known] }) }
  const commits = await listCommits(repository, { ...filter, limit: MAX_COMMITS })
  return { commits, total: commits.length < MAX_COMMITS ? commits.length : await countCommits(repository, filter, MAX_COUNTED) }
}

/** The base of a move: the former tip of the branch, or for a new one the default branch. */
async function knownBefore(repository: Repository, { old }: RefMove, defaultBranch: string | null): Promise<string | undefined> {
  // A rewritten history may have been garbage-collected since.
  if (old !== zeroId) return resolveCommit(repository, old)
  return defaultBranch === null ? undefined : (await readRefs(repository, [`refs/heads/${defaultBranch}`]))[0]
}

/** Commits in payloads, newest last. */
async function commitParts(means: Means, repository: Repository, project: ProjectRow, commits: readonly Commit[]) {
  const paths = await changedPaths(repository, commits)
  return commits.toReversed().map(commit => ({
    ...commitPart(commit, project, means),
    ...paths.get(commit.id),
  }))
}

/** The payload of a whole push, for system hooks. */
export const repositoryUpdatePayload = (ctx: Means, { project, pusher }: Pushed, moves: readonly RefMove[]): object => {
  const { user_username: _, ...who } = pusherPart(pusher, ctx)
  return {
    event_name: 'repository_update',
    ...who,
    project_id: project.id,
    project: projectPart(project, ctx),
    changes: moves.map(({ ref, old, new: after }) => ({ before: old, after, ref })),
    refs: moves.map(({ ref }) => ref),
  }
}

/** Writes of commits: from file actions, by cherry-pick or by revert. */
import {
  ActionRefused,
  type Commit,
  cherryPick,
  commitActions,
  type FileAction,
  GitError,
  isAncestor,
  isObjectId,
  isValidShortName,
  MergeConflict,
  NothingToChange,
  type ObjectId,
  type Person,
  type Repository,
  readCommit,
  readRefs,
  resolveCommit,
  revert,
  zeroId,
} from '../../../platform/git/index.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { forbidden, notFound, Refusal } from '../../../platform/kernel/errors.ts'
import { ensureRepository } from '../../../spaces/projects/repository/store.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { withRoomForCommit } from '../../../spaces/storage_limits/limits.ts'
import type { BranchRights } from '../../protected_branches/branch_rights.ts'
import { branchRights } from '../../protected_branches/rights.ts'
import { moveReferences } from '../../ref_updates/move.ts'
import { pushRefused, refused, refusedRace } from '../refusals.ts'
import type { CommitRow } from './entity.ts'
import { personOf } from './person.ts'

export interface NewCommit {
  readonly branch: string
  readonly commit_message: string
  readonly actions: readonly FileAction[]
  /** The branch to start from, if not the branch itself. */
  readonly start_branch?: string | undefined
  /** The commit to start from. */
  readonly start_sha?: string | undefined
  readonly author_name?: string | undefined
  readonly author_email?: string | undefined
  /** Build on the start even if the branch exists, and move the branch. */
  readonly force?: boolean | undefined
}

/** Minimum bytes of the names and trees of a change, besides its content. */
const OBJECT = 256

/**
 * Commits file actions to a branch, a new one if a start is given; also the first commit of an empty repository.
 * @param words the text of a refused action
 */
export async function createCommit(
  ctx: Context,
  project: ProjectWithRole,
  given: NewCommit,
  words: (refusal: ActionRefused) => string = ({ message }) => message,
): Promise<CommitRow> {
  const { branch } = given
  if (!isValidShortName(branch)) throw refused('Branch name is invalid')
  const rights = await branchRights(ctx, project)
  if (!rights.mayPush(branch)) throw pushRefused()
  const repository = await ensureRepository(ctx.db, ctx.deps.storages, project)
  const contents = given.actions.reduce((sum, action) => sum + OBJECT + ('content' in action ? (action.content?.length ?? 0) : 0), 0)
  const bytes = contents + OBJECT + Buffer.byteLength(given.commit_message)
  return withRoomForCommit(ctx.deps, project, bytes, async () => {
    const { tip, parent } = await startOf(repository, project, given)
    if (given.force) await assertNoRewrite(repository, rights, branch, tip, parent)
    const committer = personOf(ctx.actor)
    const author: Person = { name: given.author_name || committer.name, email: given.author_email || committer.email }
    const commit = { parent: parent ?? null, actions: given.actions, author, committer, message: given.commit_message, now: ctx.now }
    const id = await written(() => commitActions(repository, commit), words)
    return moveBranch(ctx, project, repository, branch, tip, id)
  })
}

/** The tip of the branch, and the parent of the commit; both undefined for the first commit of a repository. */
async function startOf(
  repository: Repository,
  project: ProjectWithRole,
  { branch, start_branch = branch, start_sha, force = false }: NewCommit,
): Promise<{ tip: ObjectId | undefined; parent: ObjectId | undefined }> {
  if (!isValidShortName(start_branch)) throw refused('You can only create or edit files when you are on a branch')
  const [tip, start] = await readRefs(repository, [`refs/heads/${branch}`, `refs/heads/${start_branch}`])
  if (start_sha === undefined && start_branch === branch) {
    if (tip === undefined && project.default_branch !== null) throw refused('You can only create or edit files when you are on a branch')
    return { tip, parent: tip }
  }
  if (tip !== undefined && !force)
    throw refused(`A branch called '${branch}' already exists. Switch to that branch in order to make changes`)
  if (start_sha === undefined) {
    if (start === undefined && project.default_branch !== null) throw refused('You can only create or edit files when you are on a branch')
    return { tip, parent: start }
  }
  if (!isObjectId(start_sha)) throw refused(`Invalid start_sha '${start_sha}'`)
  const parent = await resolveCommit(repository, start_sha)
  if (parent === undefined) throw refused(`Cannot find start_sha '${start_sha}'`)
  return { tip, parent }
}

/** 403 if a protected branch would lose commits. */
async function assertNoRewrite(
  repository: Repository,
  rights: BranchRights,
  branch: string,
  tip: ObjectId | undefined,
  parent: ObjectId | undefined,
): Promise<void> {
  if (tip === undefined || tip === parent || rights.allowsForce(branch)) return
  if (parent === undefined || !(await isAncestor(repository, tip, parent)))
    throw forbidden('You are not allowed to force push code to a protected branch on this project.')
}

/** Runs a write of objects; invalid input becomes a refusal. */
async function written<T>(write: () => Promise<T>, words?: (refusal: ActionRefused) => string): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (error instanceof ActionRefused) throw refused(words ? words(error) : error.message)
    if (error instanceof GitError && error.kind === 'invalid' && !(error instanceof NothingToChange)) throw refused(error.message)
    throw error
  }
}

async function moveBranch(
  ctx: Context,
  project: ProjectWithRole,
  repository: Repository,
  branch: string,
  tip: ObjectId | undefined,
  id: ObjectId,
): Promise<CommitRow> {
  try {
    await moveReferences(ctx, project, [{ ref: `refs/heads/${branch}`, old: tip ?? zeroId, new: id }])
  } catch (error) {
    throw refusedRace(error)
  }
  return { commit: (await readCommit(repository, id)) as Commit, project, repository }
}

/** The operations that apply an existing commit. */
const replays = {
  cherry_pick: {
    apply: cherryPick,
    message: ({ message, id }: Commit) => `${message.trimEnd()}\n\n(cherry picked from commit ${id})`,
    refusal: `Sorry, we cannot cherry-pick this commit automatically. This commit may already have been cherry-picked, or a more recent commit may have updated some of its content.`,
  },
  revert: {
    apply: revert,
    message: ({ title, id }: Commit) => `Revert "${title}"\n\nThis reverts commit ${id}`,
    refusal: `Sorry, we cannot revert this commit automatically. This commit may already have been reverted, or a more recent commit may have updated some of its content.`,
  },
} as const

export interface Replay {
  readonly branch: string
  /** The branch that a new `branch` begins at. */
  readonly start_branch?: string | undefined
  /** Only check whether it would succeed. */
  readonly dry_run?: boolean | undefined
  readonly message?: string | undefined
}

/**
 * Cherry-picks a commit onto a branch, or reverts it there. Returns the new commit, or the same one for a successful dry run; 400 with
 * `error_code` `conflict` or `empty` if it fails.
 */
export async function replayCommit(
  ctx: Context,
  how: keyof typeof replays,
  project: ProjectWithRole,
  row: CommitRow,
  { branch, start_branch, dry_run = false, message }: Replay,
): Promise<CommitRow> {
  const { commit, repository } = row
  const { apply, refusal, message: standard } = replays[how]
  const from = start_branch ?? branch
  const [tip] = isValidShortName(from) ? await readRefs(repository, [`refs/heads/${from}`]) : []
  if (tip === undefined) throw notFound('Branch')
  if (!isValidShortName(branch)) throw refused('Branch name is invalid')
  if (!(await branchRights(ctx, project)).mayPush(branch)) throw pushRefused()
  let id: ObjectId
  try {
    const replay = { commit, onto: tip, committer: personOf(ctx.actor), message: message || standard(commit), now: ctx.now }
    const bytes = OBJECT + Buffer.byteLength(replay.message)
    id = await withRoomForCommit(ctx.deps, project, bytes, () => written(() => apply(repository, replay)))
  } catch (error) {
    const code = error instanceof MergeConflict ? 'conflict' : error instanceof NothingToChange ? 'empty' : undefined
    throw code ? new Refusal('bad_request', { message: refusal, error_code: code }) : error
  }
  return dry_run ? row : moveBranch(ctx, project, repository, branch, start_branch === undefined ? tip : undefined, id)
}

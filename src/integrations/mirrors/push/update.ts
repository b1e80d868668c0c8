/** Updates of push mirrors: what the repository elsewhere has is compared with the project's, and only what differs is pushed. */
import { fitsName } from '../../../code/protected_branches/branch_rights.ts'
import { protectedBranches } from '../../../code/protected_branches/queries.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { awaitWalFlush } from '../../../platform/db/embedded/wal_flush.ts'
import type { Events } from '../../../platform/events/catalog.ts'
import type { RecordedEvent } from '../../../platform/events/recorded.ts'
import { enqueueJobs } from '../../../platform/events/worker.ts'
import {
  isAncestor,
  listBranches,
  listTags,
  type ObjectId,
  objectInfo,
  pushToRemote,
  type RemoteMove,
  type Repository,
  remoteRefs,
  resolveCommits,
  shortNameOf,
  zeroId,
} from '../../../platform/git/index.ts'
import type { Deps } from '../../../platform/kernel/context.ts'
import { storedSource } from '../../../spaces/projects/imports/commands.ts'
import { findRepository } from '../../../spaces/projects/repository/store.ts'
import { attemptUpdate, type UpdateLimits, UpdateRefused, updateLimits } from '../attempt.ts'
import { remoteAt, withReasons } from '../remote.ts'
import { named } from '../words.ts'
import { PURPOSE, updateJob } from './commands.ts'
import { type RemoteMirrorRow, remoteMirrorsOf } from './queries.ts'

/** Minutes between the beginnings of two updates that follow pushes; fewer where little is pushed. */
const apart = { protectedOnly: 1, all: 5 } as const

/** After a push: the project's mirrors are updated immediately, or when the last update is some minutes ago. */
export async function updatePushMirrors(
  { database, now }: Deps,
  _payload: Events['repository.updated'],
  { project_id }: RecordedEvent<'repository.updated'>,
): Promise<void> {
  if (project_id === null) return
  const mirrors = await remoteMirrorsOf(database.db, project_id).where('enabled', '=', true).execute()
  const jobs = mirrors.map(({ id, last_update_started_at, only_protected_branches }) => {
    const minutes = only_protected_branches ? apart.protectedOnly : apart.all
    const earliest = last_update_started_at === null ? 0 : new Date(last_update_started_at).getTime() + minutes * 60_000
    return updateJob(id, new Date(Math.max(now().getTime(), earliest)))
  })
  await enqueueJobs(database.db, jobs)
}

/** Updates a push mirror, and queues another attempt if that may help. Nothing for one that is disabled or gone, or whose project is archived. */
export async function updateRemoteMirror(
  deps: Deps,
  { mirror_id }: { readonly mirror_id: number },
  limits: UpdateLimits = updateLimits,
): Promise<void> {
  const { db } = deps.database
  const mirror = await db.selectFrom('remote_mirrors').selectAll().where('id', '=', mirror_id).executeTakeFirst()
  const project =
    mirror &&
    (await db
      .selectFrom('projects')
      .select(['id', 'repository_storage', 'default_branch', 'archived'])
      .where('id', '=', mirror.project_id)
      .executeTakeFirst())
  if (!mirror?.enabled || !project || project.archived) return
  const ended = await attemptUpdate(deps, 'remote_mirrors', mirror_id, async () => {
    const repository = await findRepository(deps.storages, project)
    // Nothing was pushed to the project yet.
    if (repository) await bringUpToDate(deps, mirror, { repository, defaultBranch: project.default_branch }, limits)
  })
  if (ended?.failed && ended.pause !== undefined)
    await enqueueJobs(db, [updateJob(mirror_id, new Date(deps.now().getTime() + ended.pause * 60_000))])
}

interface Source {
  readonly repository: Repository
  readonly defaultBranch: string | null
}

async function bringUpToDate(deps: Deps, mirror: RemoteMirrorRow, source: Source, limits: UpdateLimits): Promise<void> {
  const { db } = deps.database
  const { repository } = source
  const { timeoutMs } = limits
  const address = storedSource(deps, mirror.address, PURPOSE)
  const remote = await remoteAt(deps, address)
  const isMirrored = await mirroredBranches(db, mirror)
  // What a crash could still take back must not be known elsewhere.
  await awaitWalFlush(db)
  const { refused, diverged } = await withReasons(deps, address, 'git-receive-pack', limits, async () => {
    const theirs = await remoteRefs(repository, remote, timeoutMs)
    const plan = await planOf(source, theirs, mirror.keep_divergent_refs, isMirrored)
    const refused = await pushToRemote(repository, remote, plan.moves, timeoutMs)
    return { refused, diverged: plan.diverged }
  })
  const failures = [
    ...(refused.length > 0 ? [`The remote repository has refused ${named(refused)}`] : []),
    ...(diverged.length > 0 ? [`These have diverged in the remote and were left as they are: ${named(diverged)}`] : []),
  ]
  if (failures.length > 0) throw new UpdateRefused(failures.join('. '))
}

/** Which branches a mirror has. */
async function mirroredBranches(db: Db, { project_id, only_protected_branches }: RemoteMirrorRow): Promise<(ref: string) => boolean> {
  if (!only_protected_branches) return () => true
  const names = (await protectedBranches(db, project_id).execute()).map(({ name }) => name)
  return ref => {
    const short = shortNameOf(ref)
    return short?.kind !== 'branch' || names.some(name => fitsName(name, short.name))
  }
}

/**
 * What is to be moved in the remote. Contract: a branch or tag that is gone here is deleted there if the default branch has its commits; others are
 * left (public documentation of push mirrors). References that have diverged are overwritten, or left as they are.
 */
async function planOf(
  { repository, defaultBranch }: Source,
  theirs: ReadonlyMap<string, ObjectId>,
  keepsDivergent: boolean,
  isMirrored: (ref: string) => boolean,
): Promise<{ readonly moves: readonly RemoteMove[]; readonly diverged: readonly string[] }> {
  const ours = new Map<string, ObjectId>([
    ...(await listBranches(repository)).map(({ name, commit }) => [`refs/heads/${name}`, commit] as const),
    ...(await listTags(repository)).map(({ name, target }) => [`refs/tags/${name}`, target] as const),
  ])
  const [moves, diverged]: [RemoteMove[], string[]] = [[], []]
  const known = await knownCommits(
    repository,
    [...theirs].filter(([ref, id]) => ours.get(ref) !== id).map(([, id]) => id),
  )
  for (const [ref, id] of ours) {
    const old = theirs.get(ref) ?? zeroId
    if (old === id || !isMirrored(ref)) continue
    const isForward = old === zeroId || (ref.startsWith('refs/heads/') && known.has(old) && (await isAncestor(repository, old, id)))
    if (isForward) moves.push({ ref, old, new: id, force: false })
    else if (keepsDivergent) diverged.push(ref)
    else moves.push({ ref, old, new: id, force: true })
  }
  const tip = ours.get(`refs/heads/${defaultBranch}`)
  if (keepsDivergent || tip === undefined) return { moves, diverged }
  for (const [ref, old] of theirs) {
    const commit = ours.has(ref) || !isMirrored(ref) ? undefined : known.get(old)
    if (commit !== undefined && (await isAncestor(repository, commit, tip))) moves.push({ ref, old, new: zeroId, force: true })
  }
  return { moves, diverged }
}

/** The commits that ids of the remote lead to, as far as the repository has them. */
async function knownCommits(repository: Repository, ids: readonly ObjectId[]): Promise<ReadonlyMap<ObjectId, ObjectId>> {
  const found = await objectInfo(repository, ids)
  const here = ids.filter((_, index) => found[index] !== undefined)
  const commits = await resolveCommits(repository, here)
  return new Map(here.flatMap((id, index) => (commits[index] === undefined ? [] : [[id, commits[index]] as const])))
}

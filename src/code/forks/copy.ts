/** The task that fills a fork's repository. The copy is independent of the source and survives its deletion. */

import { allows } from '../../platform/access/abilities.ts'
import type { Actor } from '../../platform/access/actor.ts'
import { actingAs } from '../../platform/access/credentials/credentials.ts'
import { transactOnce } from '../../platform/db/transact.ts'
import { enqueue } from '../../platform/events/worker.ts'
import { copyBranchesAndTags, GitError, type Repository, repositorySize, setDefaultBranch } from '../../platform/git/index.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { Refusal, sentenceOf } from '../../platform/kernel/errors.ts'
import { moveImport } from '../../spaces/projects/imports/states.ts'
import { visibleProject } from '../../spaces/projects/queries.ts'
import { findRepository, initialBranch, type Stored } from '../../spaces/projects/repository/store.ts'
import { projectSubject } from '../../spaces/projects/scope.ts'
import { withRoomForCopy } from '../../spaces/storage_limits/limits.ts'
import { copyLfsObjects } from '../lfs/commands.ts'
import { lfsBytesOf } from '../lfs/queries.ts'
import { recordArrival } from '../ref_updates/arrival.ts'

/** The public error of a fork that could not be filled; the reason is in the log. */
const FAILED = 'The repository could not be copied.'

/** Interval at which a fork of an unfinished project checks again, in milliseconds. */
const WAIT = 3_000

/**
 * Copies the repository of `source_id` into the fork `project_id`, whose status is `started` and then `finished` or `failed`. After a
 * crash it copies again; a fork that is finished or deleted is ignored.
 */
export async function copyFork(deps: Deps, { project_id, source_id }: { project_id: number; source_id: number }): Promise<void> {
  const { db } = deps.database
  const [fork, source] = await Promise.all([stored(deps, project_id), stored(deps, source_id)])
  if (!fork) return
  // A fork of a project that is being filled waits for it.
  if (source && ['scheduled', 'started'].includes(source.import_status))
    return enqueue(db, 'copy_fork', { project_id, source_id }, { runAt: new Date(deps.now().getTime() + WAIT) })
  if (!(await transactOnce(db, tx => moveImport(tx, project_id, 'start')))) return
  try {
    if (!source) throw new GitError('not_found', 'the source of the fork is gone')
    if (!(await mayStillFork(deps, fork, source)))
      throw new GitError('not_found', 'the user who made the fork may not read its source any more')
    const from = await findRepository(deps.storages, source)
    const bytes = async () => (from ? await repositorySize(from) : 0) + (await lfsBytesOf(db, source_id))
    await withRoomForCopy(deps, fork, bytes, async () => {
      if (from) await copyInto(deps, fork, from, source.default_branch ?? (await initialBranch(db)))
      await transactOnce(db, tx => copyLfsObjects(tx, source_id, project_id))
    })
  } catch (error) {
    if (!(error instanceof GitError || error instanceof Refusal)) throw error
    deps.log.warn(
      { err: error, project: project_id, detail: error instanceof GitError ? error.detail : undefined },
      'a fork could not be filled',
    )
    const reason = error instanceof Refusal ? sentenceOf(error) : FAILED
    await transactOnce(db, tx => moveImport(tx, project_id, 'fail', reason))
    return
  }
  await transactOnce(db, async tx => {
    const arrived = { db: tx, storages: deps.storages, now: deps.now() }
    if (await findRepository(deps.storages, fork)) await recordArrival(arrived, project_id, fork.creator_id ?? undefined)
    await moveImport(tx, project_id, 'finish')
  })
}

/** Is the user who created the fork active, and may they still read the source's code? */
async function mayStillFork(
  { database: { db } }: Deps,
  fork: { readonly creator_id: number | null },
  source: { readonly id: number },
): Promise<boolean> {
  const actor = await actingAs(db, fork.creator_id)
  const project = actor && (await visibleProject(db, actor, String(source.id)))
  return project !== undefined && allows(actor as Actor, 'read_code', projectSubject(project)) === 'yes'
}

const stored = ({ database }: Deps, id: number) =>
  database.db
    .selectFrom('projects')
    .select(['id', 'repository_storage', 'default_branch', 'import_status', 'creator_id'])
    .where('id', '=', id)
    .executeTakeFirst()

/** Copies into the fork's repository, which may exist already (after a crash, or because a git client requested it). */
async function copyInto({ storages }: Deps, fork: Stored, from: Repository, defaultBranch: string): Promise<void> {
  const fill = (into: Repository) => copyBranchesAndTags(into, from)
  const existing = await findRepository(storages, fork)
  if (!existing) await storages.get(fork.repository_storage).create(fork.id, { defaultBranch, fill })
  else {
    await fill(existing)
    await setDefaultBranch(existing, defaultBranch)
  }
}

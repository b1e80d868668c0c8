/** Updates of projects that pull: what the other repository has is fetched aside, and the project's branches and tags follow as by a push. */
import { withoutPipelines } from '../../../code/ref_updates/continuations.ts'
import { moveReferences } from '../../../code/ref_updates/move.ts'
import { type PushRights, pushRights } from '../../../code/ref_updates/push_rules.ts'
import { allows } from '../../../platform/access/abilities.ts'
import { actingAs } from '../../../platform/access/credentials/credentials.ts'
import {
  allRefs,
  fetchRemote,
  isAncestor,
  isValidShortName,
  RefConflict,
  type RefMove,
  type Repository,
  shortNameOf,
  zeroId,
} from '../../../platform/git/index.ts'
import { type Context, type Deps, systemContext } from '../../../platform/kernel/context.ts'
import { Refusal } from '../../../platform/kernel/errors.ts'
import { importSourceOf } from '../../../spaces/projects/imports/commands.ts'
import { type ProjectRow, projects, visibleProject } from '../../../spaces/projects/queries.ts'
import { ensureRepository } from '../../../spaces/projects/repository/store.ts'
import { type ProjectWithRole, projectSubject } from '../../../spaces/projects/scope.ts'
import { withRestOfRoom } from '../../../spaces/storage_limits/limits.ts'
import { attemptUpdate, type UpdateLimits, UpdateRefused, updateLimits } from '../attempt.ts'
import { remoteAt, withReasons } from '../remote.ts'
import { named } from '../words.ts'
import { INTERVAL, pulls, setNextPull } from './commands.ts'
import { pullMirrorOf } from './queries.ts'

/** Where what was fetched is kept: clients do not see it. */
const UPSTREAM = 'refs/ingot/upstream/'

/** Maximum size of the repository, in bytes. */
const MAX_BYTES = 20 * 1024 ** 3

/** Minutes until a project is looked at again whose import has not ended. */
const AFTER_IMPORT = 1

/**
 * Pulls into a project, and sets when it is done next: in half an hour, sooner or later after failures, and not by itself after many. Nothing for a
 * project that does not pull, or is archived.
 */
export async function pullMirror(
  deps: Deps,
  { project_id }: { readonly project_id: number },
  limits: UpdateLimits = updateLimits,
): Promise<void> {
  const { db } = deps.database
  const project = await projects(db).where('projects.id', '=', project_id).executeTakeFirst()
  const state = project && (await pullMirrorOf(db, project_id))
  if (!project || !state || !pulls(project)) return
  const inMinutes = (minutes: number) => new Date(deps.now().getTime() + minutes * 60_000)
  if (['scheduled', 'started'].includes(project.import_status)) return setNextPull(db, project_id, inMinutes(AFTER_IMPORT))
  const ended = await attemptUpdate(deps, 'pull_mirrors', state.id, () => bringUpToDate(deps, project, limits))
  if (!ended) return
  const pause = ended.failed ? ended.pause : INTERVAL
  await setNextPull(db, project_id, pause === undefined ? null : inMinutes(pause))
}

async function bringUpToDate(deps: Deps, project: ProjectRow, limits: UpdateLimits): Promise<void> {
  const { db } = deps.database
  const source = importSourceOf(deps, project.import_credentials)
  if (!source) throw new UpdateRefused('No address is set to pull from')
  const actor = await actingAs(db, project.mirror_user_id)
  const own = actor && (await visibleProject(db, actor, String(project.id)))
  if (!own || allows(actor, 'push_code', projectSubject(own)) !== 'yes')
    throw new UpdateRefused('The user who pulls is not active, or may not push to the project any more')
  const remote = await remoteAt(deps, source)
  const repository = await ensureRepository(db, deps.storages, project)
  await withReasons(deps, source, 'git-upload-pack', limits, () =>
    withRestOfRoom(deps, project, (most = MAX_BYTES) =>
      fetchRemote(repository, remote, Math.min(most, MAX_BYTES), { into: UPSTREAM, timeoutMs: limits.timeoutMs }),
    ),
  )
  await follow(systemContext(deps, db, actor), own, repository)
}

/** Moves the project's references to what was fetched. @throws UpdateRefused where some could not follow */
async function follow(ctx: Context, project: ProjectWithRole, repository: Repository): Promise<void> {
  const { moves, refused, diverged } = await planOf(ctx, project, repository)
  refused.push(...(await moveAll(ctx, project, moves)))
  const failures = [
    ...(refused.length > 0 ? [`The user who pulls may not move ${named(refused)}, or the names are taken`] : []),
    ...(diverged ? [`The default branch ${project.default_branch} has diverged from the other repository and was left as it is`] : []),
  ]
  if (failures.length > 0) throw new UpdateRefused(failures.join('. '))
}

interface Plan {
  readonly moves: readonly RefMove[]
  /** What the user who pulls may not move. */
  readonly refused: string[]
  /** Whether the default branch has commits that the other repository lacks. */
  readonly diverged: boolean
}

/**
 * What follows from what was fetched. Contract: branches that have diverged are left as they are, unless they are to be overwritten; only for the
 * default branch that is an error. Nothing is deleted, and tags are overwritten (public documentation of pull mirrors).
 */
async function planOf(ctx: Context, project: ProjectWithRole, repository: Repository): Promise<Plan> {
  const all = await allRefs(repository)
  const rights = await pushRights(ctx, project)
  const [moves, refused]: [RefMove[], string[]] = [[], []]
  let diverged = false
  for (const [fetched, id] of all) {
    if (!fetched.startsWith(UPSTREAM)) continue
    const ref = `refs/${fetched.slice(UPSTREAM.length)}`
    const short = shortNameOf(ref)
    const old = all.get(ref) ?? zeroId
    if (!short || old === id || !isMirrored(project, short, rights)) continue
    if (!isAllowed(short, rights)) refused.push(ref)
    else if (short.kind === 'tag' || old === zeroId || (await isAncestor(repository, old, id))) moves.push({ ref, old, new: id })
    // What is ahead of the other repository has not diverged.
    else if (await isAncestor(repository, id, old)) continue
    else if (project.mirror_overwrites_diverged_branches) moves.push({ ref, old, new: id })
    else diverged ||= short.name === project.default_branch
  }
  return { moves, refused, diverged }
}

type Short = NonNullable<ReturnType<typeof shortNameOf>>

const isMirrored = (project: ProjectRow, { kind, name }: Short, { branches }: PushRights): boolean =>
  kind === 'tag' || !project.only_mirror_protected_branches || branches.isProtected(name)

const isAllowed = ({ kind, name }: Short, { branches, tags }: PushRights): boolean =>
  isValidShortName(name) && (kind === 'branch' ? branches.mayPush(name) : tags.mayCreate(name))

/** Moves all references in one step, or where one of them cannot be moved each by itself. Returns those that could not. */
async function moveAll(ctx: Context, project: ProjectWithRole, moves: readonly RefMove[]): Promise<string[]> {
  if (moves.length === 0) return []
  const options = project.mirror_trigger_builds ? [] : [withoutPipelines]
  try {
    await moveReferences(ctx, project, moves, { options })
    return []
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof RefConflict)) throw error
    if (moves.length === 1) return moves.map(({ ref }) => ref)
  }
  const refused: string[] = []
  for (const move of moves) refused.push(...(await moveAll(ctx, project, [move])))
  return refused
}

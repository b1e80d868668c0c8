/** Commits that start from another project of the same fork network (commits API at 14.0: `start_project`). */
import { allows } from '../../../platform/access/abilities.ts'
import {
  fetchInto,
  isObjectId,
  missingBytes,
  type ObjectId,
  readRefs,
  resolveCommit,
  updateRefs,
  zeroId,
} from '../../../platform/git/index.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { forbidden, notFound } from '../../../platform/kernel/errors.ts'
import { ensureRepository, findRepository } from '../../../spaces/projects/repository/store.ts'
import { findProject, type ProjectWithRole, projectSubject } from '../../../spaces/projects/scope.ts'
import { withRoomForCopy } from '../../../spaces/storage_limits/limits.ts'
import { areInOneNetwork } from '../../forks/queries.ts'
import { refused } from '../refusals.ts'

/** The start of a commit: a branch or a commit of a project, by default the branch that is committed to. */
export interface Start {
  readonly branch: string
  readonly start_branch?: string | undefined
  readonly start_sha?: string | undefined
  readonly start_project?: string | undefined
}

/**
 * Fetches the commit that `start_project` names into the project's repository. Returns its id, or undefined if the start
 * is in the project itself.
 * @throws Refusal 404 for a project that the caller may not see or read, 403 for one outside of the fork network
 */
export async function fetchForeignStart(ctx: Context, project: ProjectWithRole, given: Start): Promise<ObjectId | undefined> {
  if (given.start_project === undefined) return undefined
  const source = await findProject(ctx.db, ctx.actor, given.start_project)
  if (source.id === project.id) return undefined
  if (!(await areInOneNetwork(ctx.db, source.id, project.id)))
    throw forbidden(`Project is not included in the fork network for ${project.full_name}`)
  if (allows(ctx.actor, 'read_code', projectSubject(source)) !== 'yes') throw notFound('Project')
  const { storages } = ctx.deps
  const from = await findRepository(storages, source)
  const commit = from && (await commitOf(from, given))
  if (!from || commit === undefined) throw refused('The start cannot be found in start_project')
  const into = await ensureRepository(ctx.db, storages, project)
  // The reference is needed for this request only: unreachable objects are kept far longer than a request.
  const ref = `refs/tmp/start/${ctx.request.id || commit}`
  const bring = () => fetchInto(into, from, [{ from: commit, to: ref }])
  await withRoomForCopy(ctx.deps, project, () => missingBytes(into, from, commit), bring)
  await updateRefs(into, [{ ref, old: commit, new: zeroId }])
  return commit
}

async function commitOf(
  repository: Parameters<typeof readRefs>[0],
  { branch, start_branch = branch, start_sha }: Start,
): Promise<ObjectId | undefined> {
  if (start_sha !== undefined) return isObjectId(start_sha) ? resolveCommit(repository, start_sha) : undefined
  const [tip] = await readRefs(repository, [`refs/heads/${start_branch}`])
  return tip
}

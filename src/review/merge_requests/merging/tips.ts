/** The current tips of the two branches of a merge request, from git. */

import type { Db } from '../../../platform/db/connection.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import { isValidShortName, type ObjectId, type Repository, type RepositoryStorages, readRefs } from '../../../platform/git/index.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { findRepository, type Stored } from '../../../spaces/projects/repository/store.ts'
import type { MergeRequestRow } from '../queries.ts'

/** The fields of a merge request that name its branches. */
export type Branches = Pick<MergeRequestRow, 'project_id' | 'source_project_id' | 'source_branch' | 'target_branch'>

/** Undefined for a branch or repository that does not exist. */
export interface Tips {
  readonly target: Repository | undefined
  readonly source: Repository | undefined
  /** The tip of the target branch. */
  readonly start: ObjectId | undefined
  /** The tip of the source branch. */
  readonly head: ObjectId | undefined
}

export const branchRef = (name: string): string => `refs/heads/${name}`

/** Within one project one request to git, and one statement unless the target project is `known`. */
export async function tipsOf({ db, deps: { storages } }: Pick<Context, 'db' | 'deps'>, branches: Branches, known?: Stored): Promise<Tips> {
  const { project_id, source_project_id } = branches
  const ids = [project_id, ...(source_project_id === null ? [] : [source_project_id])]
  const stored = known && ids.every(id => id === known.id) ? new Map([[known.id, known]]) : await storedProjects(db, ids)
  const source = source_project_id === null ? undefined : stored.get(source_project_id)
  return tipsIn(storages, { source, target: stored.get(project_id) }, branches)
}

/** Like `tipsOf`, for loaded projects. Invalid branch names have no tip. */
export async function tipsIn(
  storages: RepositoryStorages,
  ends: { readonly source: Stored | undefined; readonly target: Stored | undefined },
  names: { readonly source_branch: string; readonly target_branch: string },
): Promise<Tips> {
  const repositoryOf = async (project: Stored | undefined) => project && findRepository(storages, project)
  const read = async (repository: Repository | undefined, branches: readonly string[]) => {
    const known = branches.filter(isValidShortName)
    const tips = repository ? await readRefs(repository, known.map(branchRef)) : []
    return branches.map(name => tips[known.indexOf(name)])
  }
  const target = await repositoryOf(ends.target)
  if (ends.source?.id === ends.target?.id) {
    const [start, head] = await read(target, [names.target_branch, names.source_branch])
    return { target, source: target, start, head }
  }
  const source = await repositoryOf(ends.source)
  const [[start], [head]] = [await read(target, [names.target_branch]), await read(source, [names.source_branch])]
  return { target, source, start, head }
}

async function storedProjects(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, Stored>> {
  const rows = await db.selectFrom('projects').select(['id', 'repository_storage']).where('id', '=', anyOf(ids)).execute()
  return new Map(rows.map(row => [row.id, row]))
}

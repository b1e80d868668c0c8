/** Where the two branches of a merge request are, as git says at this moment. */
import { anyOf } from '../../db/any.ts'
import type { Db } from '../../db/connection.ts'
import { readRefs } from '../../git/objects/objects.ts'
import type { ObjectId } from '../../git/objects/oid.ts'
import type { Repository } from '../../git/repository.ts'
import type { Context } from '../../kernel/context.ts'
import { findRepository, type Stored } from '../../repository/store.ts'
import type { MergeRequestRow } from '../queries.ts'

/** What of a merge request says where its branches are. */
export type Branches = Pick<MergeRequestRow, 'project_id' | 'source_project_id' | 'source_branch' | 'target_branch'>

/** Undefined for a branch, or a repository, that is not there. */
export interface Tips {
  readonly target: Repository | undefined
  readonly source: Repository | undefined
  /** The tip of the target branch. */
  readonly start: ObjectId | undefined
  /** The tip of the source branch. */
  readonly head: ObjectId | undefined
}

export const branchRef = (name: string): string => `refs/heads/${name}`

/** One statement and, within one project, one exchange with git. */
export async function tipsOf({ db, deps: { storages } }: Pick<Context, 'db' | 'deps'>, branches: Branches): Promise<Tips> {
  const { project_id, source_project_id, source_branch, target_branch } = branches
  const stored = await storedProjects(db, [project_id, ...(source_project_id === null ? [] : [source_project_id])])
  const repositoryOf = async (id: number | null) => {
    const project = id === null ? undefined : stored.get(id)
    return project && findRepository(storages, project)
  }
  const target = await repositoryOf(project_id)
  if (source_project_id === project_id) {
    const [start, head] = target ? await readRefs(target, [branchRef(target_branch), branchRef(source_branch)]) : []
    return { target, source: target, start, head }
  }
  const source = await repositoryOf(source_project_id)
  const [start] = target ? await readRefs(target, [branchRef(target_branch)]) : []
  const [head] = source ? await readRefs(source, [branchRef(source_branch)]) : []
  return { target, source, start, head }
}

async function storedProjects(db: Db, ids: readonly number[]): Promise<Map<number, Stored>> {
  const rows = await db.selectFrom('projects').select(['id', 'repository_storage']).where('id', '=', anyOf(ids)).execute()
  return new Map(rows.map(row => [row.id, row]))
}

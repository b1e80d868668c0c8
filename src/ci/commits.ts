/** The commits of pipelines and jobs, for pages that may span several projects. */

import { anyOf } from '../platform/db/statements/any.ts'
import { type Commit, readCommits } from '../platform/git/index.ts'
import type { Context } from '../platform/kernel/context.ts'
import { findRepository } from '../spaces/projects/repository/store.ts'

/** Which commit of which project. */
export interface CommitPlace {
  readonly project_id: number
  readonly sha: string
}

/** Commits by project and id. */
export type Commits = ReadonlyMap<string, Commit>

const keyOf = ({ project_id, sha }: CommitPlace): string => `${project_id}:${sha}`

/** The commit; undefined if git no longer has it. */
export const commitAt = (commits: Commits, place: CommitPlace): Commit | undefined => commits.get(keyOf(place))

/** Loads these commits: one statement, and one exchange with git for each project. */
export async function commitsAt({ db, deps }: Context, places: readonly CommitPlace[]): Promise<Commits> {
  const found = new Map<string, Commit>()
  if (places.length === 0) return found
  const ofProjects = Map.groupBy(places, place => place.project_id)
  const projects = await db
    .selectFrom('projects')
    .select(['id', 'repository_storage'])
    .where('id', '=', anyOf([...ofProjects.keys()]))
    .execute()
  for (const project of projects) {
    const repository = await findRepository(deps.storages, project)
    if (!repository) continue
    const shas = [...new Set((ofProjects.get(project.id) ?? []).map(({ sha }) => sha))]
    for (const commit of await readCommits(repository, shas))
      if (commit) found.set(keyOf({ project_id: project.id, sha: commit.id }), commit)
  }
  return found
}

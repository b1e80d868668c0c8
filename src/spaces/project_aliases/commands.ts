/** Writes of project aliases. */

import { failuresOf, pathProblems } from '../../identity/paths/names.ts'
import { uniqueViolation } from '../../platform/db/errors.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import { findProject } from '../projects/scope.ts'
import type { ProjectAliasRow } from './queries.ts'

/**
 * Adds another name of a project in git addresses.
 * @param project id or full path
 * @throws invalid the name is taken or cannot be in an address (decision 13); notFound for an unknown project (decision 53)
 */
export async function createProjectAlias({ db, actor }: Context, project: string, name: string): Promise<ProjectAliasRow> {
  const { id: project_id } = await findProject(db, actor, project)
  const failures = failuresOf({ name: pathProblems(name, 'top') })
  if (failures) throw invalid(failures)
  return db
    .insertInto('project_aliases')
    .values({ project_id, name })
    .returning(['id', 'project_id', 'name'])
    .executeTakeFirstOrThrow()
    .catch(rethrowTaken)
}

function rethrowTaken(error: unknown): never {
  if (uniqueViolation(error) === 'project_aliases_name_key') throw invalid({ name: ['has already been taken'] })
  throw error
}

/** Removes an alias. */
export async function deleteProjectAlias({ db }: Context, { id }: ProjectAliasRow): Promise<void> {
  await db.deleteFrom('project_aliases').where('id', '=', id).returning('id').executeTakeFirstOrThrow()
}

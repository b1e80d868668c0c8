/** Writes of project aliases. */

import { failuresOf, pathProblems } from '../../identity/paths/names.ts'
import { uniqueViolation } from '../../platform/db/errors.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import { findProject } from '../projects/scope.ts'
import type { ProjectAliasRow } from './queries.ts'

/**
 * Adds another name of a project in git addresses.
 * @param project id or full path
 * @throws invalid the name is taken or cannot be in an address (decision 13); notFound for an unknown project (decision 53)
 */
export async function createProjectAlias(ctx: Context, project: string, name: string): Promise<ProjectAliasRow> {
  const { db, actor } = ctx
  const { id: project_id } = await findProject(db, actor, project)
  const failures = failuresOf({ name: pathProblems(name, 'top') })
  if (failures) throw invalid(failures)
  const alias = await db
    .insertInto('project_aliases')
    .values({ project_id, name })
    .returning(['id', 'project_id', 'name'])
    .executeTakeFirstOrThrow()
    .catch(rethrowTaken)
  await recordEvent(ctx, { kind: 'project_alias.created', payload: { id: alias.id, name }, projectId: project_id })
  return alias
}

function rethrowTaken(error: unknown): never {
  if (uniqueViolation(error) === 'project_aliases_name_key') throw invalid({ name: ['has already been taken'] })
  throw error
}

/** Removes an alias. */
export async function deleteProjectAlias(ctx: Context, { id, name, project_id }: ProjectAliasRow): Promise<void> {
  await ctx.db.deleteFrom('project_aliases').where('id', '=', id).returning('id').executeTakeFirstOrThrow()
  await recordEvent(ctx, { kind: 'project_alias.deleted', payload: { id, name }, projectId: project_id })
}

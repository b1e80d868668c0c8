/** Resolves the labels and milestone given for an issue or merge request. */

import { anyOf } from '../../platform/db/statements/any.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import { planningPlaceOf } from '../../spaces/places/places.ts'
import type { ProjectRow } from '../../spaces/projects/queries.ts'
import { labelsForNames } from '../labels/commands.ts'

/** The ids of the labels with these names; missing ones are created in the project. */
export const labelIdsFor = (ctx: Context, project: ProjectRow, names: readonly string[]): Promise<number[]> =>
  labelsForNames(ctx, planningPlaceOf(project), names)

/** A milestone available in the project; null for none. 400 for another one. */
export async function milestoneFor({ db }: Context, project: ProjectRow, id: number | null): Promise<number | null> {
  if (id === null || id === 0) return null
  const { key, above } = planningPlaceOf(project)
  const found = await db
    .selectFrom('milestones')
    .select('id')
    .where('id', '=', id)
    .where(({ or, eb }) => or([eb('project_id', '=', key.project_id), eb('namespace_id', '=', anyOf(above))]))
    .executeTakeFirst()
  if (!found) throw invalid({ milestone_id: ['is invalid'] })
  return found.id
}

/** Subjects of boards and lists: labels, users, milestones and iterations of the place. */

import { usersById } from '../../identity/users/queries.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { type Failures, invalid } from '../../platform/kernel/errors.ts'
import type { PlanningPlace } from '../../spaces/places/places.ts'
import { labelNamed } from '../labels/queries.ts'

/** Ids of subjects, by parameter. */
export interface SubjectIds {
  readonly label_id?: number | null | undefined
  readonly assignee_id?: number | null | undefined
  readonly milestone_id?: number | null | undefined
  readonly iteration_id?: number | null | undefined
}

/** 400 for subjects that do not exist or cannot be used in the place. */
export async function assertSubjectsAreVisible(ctx: Context, place: PlanningPlace, ids: SubjectIds): Promise<void> {
  const { db, actor } = ctx
  const groupIds = place.noun === 'group' ? [...place.above, place.id] : place.above
  const serving = {
    label_id: async (id: number) => (await labelNamed(db, actor, place, String(id)))?.id === id,
    assignee_id: async (id: number) => (await usersById(db, [id])).has(id),
    milestone_id: async (id: number) =>
      db
        .selectFrom('milestones')
        .select('id')
        .where('id', '=', id)
        .where(({ or, eb }) =>
          or([eb('namespace_id', '=', anyOf(groupIds)), ...(place.noun === 'project' ? [eb('project_id', '=', place.id)] : [])]),
        )
        .executeTakeFirst(),
    iteration_id: async (id: number) =>
      db.selectFrom('iterations').select('id').where('id', '=', id).where('namespace_id', '=', anyOf(groupIds)).executeTakeFirst(),
  }
  const failures: Failures = {}
  for (const [name, serves] of Object.entries(serving)) {
    const id = ids[name as keyof SubjectIds]
    if (id != null && !(await serves(id))) failures[name] = ['does not exist here']
  }
  if (Object.keys(failures).length > 0) throw invalid(failures)
}

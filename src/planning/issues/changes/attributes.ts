/** The attributes of an issue that callers can set, who may set them, and how names and ids are resolved. */

import { type RawBuilder, sql } from 'kysely'
import { allows } from '../../../platform/access/abilities.ts'
import { isAdmin } from '../../../platform/access/actor.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { invalid } from '../../../platform/kernel/errors.ts'
import { planningPlaceOf } from '../../../spaces/places/places.ts'
import type { ProjectRow } from '../../../spaces/projects/queries.ts'
import { type ProjectWithRole, projectSubject } from '../../../spaces/projects/scope.ts'
import { embeddedEpics } from '../../shared/epics.ts'
import { readersAmong } from '../item_kind/readers.ts'
import type { healthStatuses, issueTypes } from '../states.ts'

/** Attributes that every user who may write the issue can set. */
export interface OwnAttributes {
  readonly title?: string | undefined
  readonly description?: string | null | undefined
  readonly issue_type?: (typeof issueTypes)[number] | undefined
  readonly confidential?: boolean | undefined
}

/** Attributes that require the Reporter role. */
export interface AdminAttributes {
  /** All labels, by name; missing ones are created. */
  readonly labels?: readonly string[] | undefined
  /** 0 means none. On tier `free` only the first counts. */
  readonly assignee_ids?: readonly number[] | undefined
  /** 0 and null mean none. */
  readonly milestone_id?: number | null | undefined
  readonly iteration_id?: number | null | undefined
  readonly epic_id?: number | null | undefined
  /** Deprecated: the number of an epic of the project's own group. */
  readonly epic_iid?: number | null | undefined
  readonly due_date?: string | null | undefined
  readonly weight?: number | null | undefined
  readonly health_status?: (typeof healthStatuses)[number] | null | undefined
  readonly discussion_locked?: boolean | undefined
}

/** May the actor set the attributes that require the Reporter role? */
export const mayAdminister = ({ actor }: Context, project: ProjectWithRole): boolean =>
  allows(actor, 'admin_issue', projectSubject(project)) === 'yes'

/** May the actor set numbers and times? */
export const mayChooseTimes = ({ actor }: Context, project: ProjectWithRole): boolean =>
  isAdmin(actor) || allows(actor, 'destroy_issue', projectSubject(project)) === 'yes'

/**
 * The ids of the users that can be assigned. Contract: users who may not see the project's issues are silently ignored, and
 * on tier `free` an issue has one assignee (public behaviour at 14.0).
 */
export async function assigneesAmong({ db, tier }: Context, project: ProjectRow, userIds: readonly number[]): Promise<number[]> {
  const ids = await readersAmong(db, project, userIds)
  return tier === 'free' ? ids.slice(0, 1) : ids
}

/** An iteration of a group above the project; null for none. 400 for another one. */
export async function iterationFor({ db }: Context, project: ProjectRow, id: number | null): Promise<number | null> {
  if (id === null || id === 0) return null
  const { above } = planningPlaceOf(project)
  const found = await db
    .selectFrom('iterations')
    .select('id')
    .where('id', '=', id)
    .where('namespace_id', '=', anyOf(above))
    .executeTakeFirst()
  if (!found) throw invalid({ iteration_id: ['is invalid'] })
  return found.id
}

/**
 * The id of the given epic, of a group above the project, which the caller may see; null for none, undefined if none is
 * given. 400 for another one.
 */
export async function epicFor(
  { db, actor }: Context,
  project: ProjectRow,
  { epic_id, epic_iid }: Pick<AdminAttributes, 'epic_id' | 'epic_iid'>,
): Promise<number | null | undefined> {
  const [name, named] = epic_id === undefined ? (['epic_iid', epic_iid] as const) : (['epic_id', epic_id] as const)
  if (named === undefined) return undefined
  if (named === null || named === 0) return null
  const id = name === 'epic_id' ? named : await epicOfGroup(db, project, named)
  const epic = id === undefined ? undefined : (await embeddedEpics(db, actor, [id])).get(id)
  if (!epic || !planningPlaceOf(project).above.includes(epic.namespace_id)) throw invalid({ [name]: ['is invalid'] })
  return epic.id
}

/** The id of the epic with this number in the group of the project. */
const epicOfGroup = async (db: Db, project: ProjectRow, iid: number): Promise<number | undefined> =>
  (await db.selectFrom('epics').select('id').where('namespace_id', '=', project.namespace_id).where('iid', '=', iid).executeTakeFirst())?.id

/** The position after all issues of an epic. */
export const lastInEpic = (epicId: number | null | RawBuilder<unknown>) =>
  sql<number>`(select coalesce(max(others.epic_position) + 1, 0) from issues others where others.epic_id = ${epicId})`

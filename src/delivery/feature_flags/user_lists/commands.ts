/** Writes of lists of users of feature flags. */
import { uniqueViolation } from '../../../platform/db/errors.ts'
import { changesExcept } from '../../../platform/events/audit/changes.ts'
import { recordEvent } from '../../../platform/events/events.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { conflict, invalid } from '../../../platform/kernel/errors.ts'
import { nextIid } from '../../../spaces/places/iids.ts'
import { withinSize } from '../size.ts'
import type { UserListRow } from './queries.ts'
import { xidsFailure } from './xids.ts'

interface UserListAttributes {
  readonly name?: string | undefined
  readonly user_xids?: string | undefined
}

/** 400 for ids that are not separated by commas, or come twice. */
function assertXids({ user_xids }: UserListAttributes): void {
  const failure = user_xids === undefined ? undefined : xidsFailure(user_xids, 'user_xids')
  if (failure !== undefined) throw invalid({ user_xids: [failure] })
}

function rethrowTaken(error: unknown): never {
  throw uniqueViolation(error) === undefined ? error : invalid({ name: ['has already been taken'] })
}

/** Lists of a project: a page of flags offers all of them. */
const MOST = 200

/** Adds a list; 400 for a name that is taken. */
export async function createUserList(ctx: Context, project_id: number, given: Required<UserListAttributes>): Promise<UserListRow> {
  const { db, now } = ctx
  assertXids(given)
  const iid = await nextIid(db, { project_id }, 'flag_user_list')
  // After the counter, whose row later requests wait for: they count this one.
  const { count } = await db
    .selectFrom('flag_user_lists')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('project_id', '=', project_id)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MOST) throw invalid({ base: [`Maximum number of user lists (${MOST}) exceeded`] })
  const made = await db
    .insertInto('flag_user_lists')
    .values({ project_id, iid, name: given.name as string, user_xids: given.user_xids as string, created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch(rethrowTaken)
  await recordEvent(ctx, { kind: 'flag_user_list.created', payload: { id: made.id, name: made.name }, projectId: project_id })
  return made
}

/** Changes a list, and with it what the flags that name it are on for. */
export async function updateUserList(ctx: Context, list: UserListRow, changes: UserListAttributes): Promise<UserListRow> {
  assertXids(changes)
  const { id, project_id, name } = list
  const payload = { id, name, changes: changesExcept(list, changes, []) }
  const write = () =>
    ctx.db
      .updateTable('flag_user_lists')
      .set({ ...changes, updated_at: ctx.now })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
      .catch(rethrowTaken)
  const changed = await (changes.user_xids === undefined ? write() : withinSize(ctx.db, project_id, write))
  await recordEvent(ctx, { kind: 'flag_user_list.updated', payload, projectId: project_id })
  return changed
}

/** Deletes a list; 409 while a strategy names it. */
export async function removeUserList(ctx: Context, { id, project_id, name }: UserListRow): Promise<void> {
  const { db } = ctx
  // Locked first: a strategy that is added meanwhile waits, and finds no list.
  await db.selectFrom('flag_user_lists').select('id').where('id', '=', id).forUpdate().execute()
  const used = await db.selectFrom('project_flag_strategies').select('id').where('user_list_id', '=', id).limit(1).executeTakeFirst()
  if (used) throw conflict(['User list is associated with a strategy'])
  await db.deleteFrom('flag_user_lists').where('id', '=', id).returning('id').executeTakeFirstOrThrow()
  await recordEvent(ctx, { kind: 'flag_user_list.deleted', payload: { id, name }, projectId: project_id })
}

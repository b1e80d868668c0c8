/** Writes of trigger tokens. */
import { isAdmin } from '../../platform/access/actor.ts'
import { changesExcept } from '../../platform/events/audit/changes.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { forbidden } from '../../platform/kernel/errors.ts'
import { digestOf, newToken } from '../../platform/kernel/secrets.ts'
import type { TriggerRow } from './queries.ts'

/** The associated data of the encryption of tokens. */
export const TRIGGER_TOKEN_PURPOSE = 'pipeline_triggers.token'

/** Creates a token, whose pipelines run for the actor. */
export async function createTrigger(ctx: Context, project_id: number, description: string): Promise<TriggerRow> {
  const { db, deps, actor, now } = ctx
  const token = newToken()
  const made = await db
    .insertInto('pipeline_triggers')
    .values({
      project_id,
      owner_id: actor.user?.id ?? null,
      description,
      token_digest: digestOf(token),
      token: deps.secrets.encrypt(token, TRIGGER_TOKEN_PURPOSE),
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordEvent(ctx, { kind: 'trigger.created', payload: { id: made.id, name: description }, projectId: project_id })
  return made
}

/** Changes the description of a token; 403 for users other than its owner. */
export async function updateTrigger(ctx: Context, trigger: TriggerRow, description?: string): Promise<TriggerRow> {
  const { db, actor, now } = ctx
  const { id, owner_id, project_id } = trigger
  if (owner_id !== actor.user?.id && !isAdmin(actor)) throw forbidden()
  const changes = changesExcept(trigger, { description }, [])
  await recordEvent(ctx, { kind: 'trigger.updated', payload: { id, name: trigger.description ?? '', changes }, projectId: project_id })
  return db
    .updateTable('pipeline_triggers')
    .set({ ...(description !== undefined && { description }), updated_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Removes a token. */
export async function removeTrigger(ctx: Context, { id, description, project_id }: TriggerRow): Promise<void> {
  await ctx.db.deleteFrom('pipeline_triggers').where('id', '=', id).returning('id').executeTakeFirstOrThrow()
  await recordEvent(ctx, { kind: 'trigger.deleted', payload: { id, name: description ?? '' }, projectId: project_id })
}

/** Records that a token was used. */
export async function noteUse({ db, now }: Pick<Context, 'db' | 'now'>, { id }: TriggerRow): Promise<void> {
  await db.updateTable('pipeline_triggers').set({ last_used_at: now }).where('id', '=', id).execute()
}

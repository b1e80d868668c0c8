/** Writes of the tokens by which others start pipelines. */
import { isAdmin } from '../../access/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { forbidden } from '../../kernel/errors.ts'
import { digestOf, newToken } from '../../kernel/secrets.ts'
import type { TriggerRow } from './queries.ts'

/** What the encryption of tokens is bound to. */
export const TRIGGER_TOKEN_PURPOSE = 'pipeline_triggers.token'

/** Makes a token, whose pipelines run for the actor. */
export async function createTrigger({ db, deps, actor, now }: Context, project_id: number, description: string): Promise<TriggerRow> {
  const token = newToken()
  return db
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
}

/** Changes the description of a token; 403 for others than its owner. */
export async function updateTrigger({ db, actor, now }: Context, { id, owner_id }: TriggerRow, description?: string): Promise<TriggerRow> {
  if (owner_id !== actor.user?.id && !isAdmin(actor)) throw forbidden()
  return db
    .updateTable('pipeline_triggers')
    .set({ ...(description !== undefined && { description }), updated_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Removes a token. */
export async function removeTrigger({ db }: Context, { id }: TriggerRow): Promise<void> {
  await db.deleteFrom('pipeline_triggers').where('id', '=', id).execute()
}

/** Notes that a token was used. */
export async function noteUse({ db, now }: Pick<Context, 'db' | 'now'>, { id }: TriggerRow): Promise<void> {
  await db.updateTable('pipeline_triggers').set({ last_used_at: now }).where('id', '=', id).execute()
}

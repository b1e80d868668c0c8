/** The instance ID of a project: what its applications show to read its flags. Kept encrypted, since Developers may look at it again. */
import { timingSafeEqual } from 'node:crypto'
import { recordEvent } from '../../../platform/events/events.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { digestOf, newToken } from '../../../platform/kernel/secrets.ts'
import type { Secret } from '../../../platform/secret.ts'

/** Binds the ciphertext to its column. */
const PURPOSE = 'flag_clients.token'

const stored = ({ db }: Pick<Context, 'db'>, projectId: number) =>
  db.selectFrom('flag_clients').select('token').where('project_id', '=', projectId).executeTakeFirst()

/** The instance ID of a project, made when it is first asked for. */
export async function instanceIdOf(ctx: Pick<Context, 'db' | 'deps'>, project_id: number): Promise<Secret> {
  const { db, deps } = ctx
  const found = await stored(ctx, project_id)
  if (found) return deps.secrets.decrypt(found.token, PURPOSE)
  await db
    .insertInto('flag_clients')
    .values({ project_id, token: deps.secrets.encrypt(newToken(), PURPOSE) })
    .onConflict(on => on.doNothing())
    .execute()
  // Read again: a concurrent request may have made one.
  return deps.secrets.decrypt((await stored(ctx, project_id))!.token, PURPOSE)
}

/** Replaces the instance ID: applications that show the former one are refused from now on. */
export async function resetInstanceId(ctx: Context, project_id: number): Promise<Secret> {
  const { db, deps, now } = ctx
  const fresh = newToken()
  const token = deps.secrets.encrypt(fresh, PURPOSE)
  await db
    .insertInto('flag_clients')
    .values({ project_id, token, created_at: now })
    .onConflict(on => on.column('project_id').doUpdateSet({ token, created_at: now }))
    .execute()
  await recordEvent(ctx, { kind: 'flag_client.token_reset', payload: {}, projectId: project_id })
  return fresh
}

/** Is it the instance ID of the project? In constant time. */
export async function isInstanceId(ctx: Pick<Context, 'db' | 'deps'>, projectId: number, shown: string): Promise<boolean> {
  const found = await stored(ctx, projectId)
  if (!found) return false
  const expected = ctx.deps.secrets.decrypt(found.token, PURPOSE)
  return timingSafeEqual(Buffer.from(digestOf(expected)), Buffer.from(digestOf(shown)))
}

/** From a runner's token to the runner, and what it tells of itself whenever it asks. */
import { sql } from 'kysely'
import { anonymous } from '../../platform/access/actor.ts'
import { isInForce } from '../../platform/access/lifetimes.ts'
import { compiled } from '../../platform/db/compiled.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { forbidden } from '../../platform/kernel/errors.ts'
import { digestOf } from '../../platform/kernel/secrets.ts'
import { type RunnerRow, runners } from './queries.ts'

/** How often the time of its last call is written down, in milliseconds: asking costs no write in between. */
export const NOTED_EVERY = 60_000

/** What a runner says of itself, as it comes. */
export type RunnerInfo = unknown

/** The refusal of a wrong token: 403, by which a runner knows that it was removed. Counted like an anonymous request, against guessing. */
export async function rejectToken({ deps, request }: Context): Promise<never> {
  await deps.limiter.request(anonymous, request.ip)
  throw forbidden()
}

const ofDigest = compiled((db, digest: string, now: Date) =>
  runners(db)
    .where('token_digest', '=', digest)
    .where(isInForce('runners.token_digest', 'runners', now)),
)

/** The runner that this token belongs to; 403 for none, and for a token that has ended. */
export async function runnerByToken(ctx: Context, token: string): Promise<RunnerRow> {
  const [found] = await ofDigest(ctx.db, digestOf(token), ctx.deps.now())
  return found ?? rejectToken(ctx)
}

/** Columns of what a runner tells of itself; what it leaves out, or says in another form, stays as it is. */
const told = ['name', 'version', 'revision', 'platform', 'architecture', 'executor'] as const

/** What of `info` is kept. */
export function factsOf(info: RunnerInfo): Partial<Record<(typeof told)[number], string>> {
  if (typeof info !== 'object' || info === null) return {}
  const said = info as Record<string, unknown>
  return Object.fromEntries(
    told.flatMap(name => (typeof said[name] === 'string' && said[name] !== '' ? [[name, said[name].slice(0, 255)]] : [])),
  )
}

/** The features that a runner says it has: `{"trace_reset": true}`. */
export function featuresOf(info: RunnerInfo): Readonly<Record<string, unknown>> {
  const { features } = (typeof info === 'object' && info !== null ? info : {}) as { features?: unknown }
  return typeof features === 'object' && features !== null ? (features as Record<string, unknown>) : {}
}

/** What a runner tells of itself with a request that is not known yet; undefined for nothing. */
export function newsOf({ request }: Pick<Context, 'request'>, runner: RunnerRow, info: RunnerInfo): Partial<RunnerRow> | undefined {
  const facts = { ...factsOf(info), ip_address: request.ip }
  const isKnown = Object.entries(facts).every(([name, value]) => runner[name as keyof typeof facts] === value)
  return isKnown ? undefined : facts
}

/**
 * Notes that a runner has asked, from where, and what it is; without a write where that is known and less than a minute old. Answers the
 * runner as it is then.
 */
export async function noteContact(ctx: Pick<Context, 'db' | 'now' | 'request'>, runner: RunnerRow, info: RunnerInfo): Promise<RunnerRow> {
  const { db, now } = ctx
  const news = newsOf(ctx, runner, info)
  const isFresh = runner.contacted_at !== null && now.getTime() - Date.parse(runner.contacted_at) < NOTED_EVERY
  if (!news && isFresh) return runner
  await db
    .updateTable('runners')
    .set({ ...news, contacted_at: now })
    .where('id', '=', runner.id)
    .execute()
  return { ...runner, ...news, contacted_at: now.toISOString() }
}

/** Notes when these runners asked last, by their ids. */
export async function noteContacts(db: Db, met: ReadonlyMap<number, Date>): Promise<void> {
  const known = sql`select * from unnest(${[...met.keys()]}::bigint[], ${[...met.values()]}::timestamptz[]) as met(id, at)`
  await sql`
    update runners set contacted_at = met.at from (${known}) as met
     where runners.id = met.id and (runners.contacted_at is null or runners.contacted_at < met.at)`.execute(db)
}

/** The same for a runner that tells of a job. */
export async function noteContactById({ db, now }: Pick<Context, 'db' | 'now'>, id: number): Promise<void> {
  await db
    .updateTable('runners')
    .set({ contacted_at: now })
    .where('id', '=', id)
    .where(sql<boolean>`(contacted_at is null or contacted_at < ${new Date(now.getTime() - NOTED_EVERY)})`)
    .execute()
}

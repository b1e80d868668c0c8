/** From a runner's token to the runner, and the facts that a runner reports about itself with its requests. */
import { sql } from 'kysely'
import { anonymous } from '../../platform/access/actor.ts'
import { isInForce } from '../../platform/access/credentials/lifetimes.ts'
import type { Db } from '../../platform/db/connection.ts'
import { compiled } from '../../platform/db/statements/compiled.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { forbidden } from '../../platform/kernel/errors.ts'
import { digestOf } from '../../platform/kernel/secrets.ts'
import { type RunnerRow, runners } from './queries.ts'

/** How often the time of its last request is written, in milliseconds: requests in between cause no write. */
export const NOTED_EVERY = 60_000

/** A runner's description of itself, unvalidated. */
export type RunnerInfo = unknown

/** The refusal of a wrong token: 403, which tells a runner that it was removed. Counted like an anonymous request, against guessing. */
export async function rejectToken({ deps, request }: Context): Promise<never> {
  await deps.limiter.request(anonymous, request.ip)
  throw forbidden()
}

const ofDigest = compiled((db, digest: string, now: Date) =>
  runners(db)
    .where('token_digest', '=', digest)
    .where(isInForce('runners.token_digest', 'runners', now)),
)

/** The runner that this token belongs to; 403 for none, and for an expired token. */
export async function runnerByToken(ctx: Context, token: string): Promise<RunnerRow> {
  const [found] = await ofDigest(ctx.db, digestOf(token), ctx.deps.now())
  return found ?? rejectToken(ctx)
}

/** Columns that a runner reports; absent or malformed ones stay unchanged. */
const factColumns = ['name', 'version', 'revision', 'platform', 'architecture', 'executor'] as const

/** The valid columns of `info`. */
export function factsOf(info: RunnerInfo): Partial<Record<(typeof factColumns)[number], string>> {
  if (typeof info !== 'object' || info === null) return {}
  const reported = info as Record<string, unknown>
  return Object.fromEntries(
    factColumns.flatMap(name =>
      typeof reported[name] === 'string' && reported[name] !== '' ? [[name, reported[name].slice(0, 255)]] : [],
    ),
  )
}

/** The features that a runner reports: `{"trace_reset": true}`. */
export const featuresOf = (info: RunnerInfo): Readonly<Record<string, unknown>> => reportedFeatures(info) ?? {}

/** Does a runner report its features at all? */
export const listsFeatures = (info: RunnerInfo): boolean => reportedFeatures(info) !== undefined

function reportedFeatures(info: RunnerInfo): Readonly<Record<string, unknown>> | undefined {
  const { features } = (typeof info === 'object' && info !== null ? info : {}) as { features?: unknown }
  return typeof features === 'object' && features !== null ? (features as Record<string, unknown>) : undefined
}

/** The changes that a runner reports with a request; undefined if there are none. */
export function newsOf({ request }: Pick<Context, 'request'>, runner: RunnerRow, info: RunnerInfo): Partial<RunnerRow> | undefined {
  const facts = { ...factsOf(info), ip_address: request.ip }
  const isKnown = Object.entries(facts).every(([name, value]) => runner[name as keyof typeof facts] === value)
  return isKnown ? undefined : facts
}

/**
 * Records the contact of a runner, with its address and its facts; writes nothing if these are known and less than a minute old. Returns
 * the runner as it is then.
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

/** Records the last contacts of these runners, by their ids. */
export async function noteContacts(db: Db, met: ReadonlyMap<number, Date>): Promise<void> {
  const known = sql`select * from unnest(${[...met.keys()]}::bigint[], ${[...met.values()]}::timestamptz[]) as met(id, at)`
  await sql`
    update runners set contacted_at = met.at from (${known}) as met
     where runners.id = met.id and (runners.contacted_at is null or runners.contacted_at < met.at)`.execute(db)
}

/** The same for a runner that reports on a job. */
export async function noteContactById({ db, now }: Pick<Context, 'db' | 'now'>, id: number): Promise<void> {
  await db
    .updateTable('runners')
    .set({ contacted_at: now })
    .where('id', '=', id)
    .where(sql<boolean>`(contacted_at is null or contacted_at < ${new Date(now.getTime() - NOTED_EVERY)})`)
    .execute()
}

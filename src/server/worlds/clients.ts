/** People of a world that is being made, as clients of the API, in this process and on days of the past. */
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { userByUsername } from '../../identity/users/queries.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { RateLimiter } from '../../platform/kernel/request/rate_limit.ts'
import { newToken } from '../../platform/kernel/secrets.ts'
import type { Secret } from '../../platform/secret.ts'
import { ensureToken, forgetToken } from '../../spaces/tokens/commands.ts'
import { buildApp } from '../app.ts'
import { startTaskWorker } from '../tasks.ts'

/** What an endpoint answered. */
// biome-ignore lint/suspicious/noExplicitAny: makers read a few fields of many entities, as clients do
export type Answer = any

/** An endpoint refused what a world should have. */
export class WorldRefused extends Error {}

/** The clock of the world, which its maker sets. */
export interface Clock {
  now: Date
}

export interface Clients {
  /** Calls an endpoint as a person, or with the headers of a machine. Throws unless it succeeds. */
  call(who: string | Readonly<Record<string, string>>, route: string, body?: object | FormData | Buffer): Promise<Answer>
  /** Opens it for one more user. */
  join(username: string): Promise<void>
  /** Ends what `openClients` began. */
  close(): Promise<void>
}

/**
 * Opens the API for some people. Nothing is listened on, nothing is limited, and background work is done here with that clock,
 * unless a server that runs on the same database does it first.
 */
export async function openClients(outer: Deps, clock: Clock, usernames: readonly string[]): Promise<Clients> {
  const deps: Deps = {
    ...outer,
    config: { ...outer.config, runnerWait: 0, smtpUrl: undefined },
    limiter: new RateLimiter(undefined),
    now: () => clock.now,
  }
  const { db } = deps.database
  const tokens = new Map<string, Secret>()
  const join = async (username: string) => {
    const user = await userByUsername(db, username)
    if (!user) throw new Error(`there is no user ${username}`)
    const secret = newToken()
    await ensureToken(db, user.id, { name: 'Ingot', scopes: ['api'] }, secret.reveal())
    tokens.set(username, secret)
  }
  for (const username of usernames) await join(username)
  const app = await buildApp(deps)
  const worker = await startTaskWorker(deps, { concurrency: 2 })
  return {
    join,
    call: (who, route, body) =>
      call(app, typeof who === 'string' ? { 'private-token': (tokens.get(who) as Secret).reveal() } : who, route, body),
    async close() {
      await worker.stop()
      await app.close()
      for (const secret of tokens.values()) await forgetToken(db, secret)
    },
  }
}

async function call(
  app: FastifyInstance,
  headers: Readonly<Record<string, string>>,
  route: string,
  body: object | FormData | Buffer | undefined,
): Promise<Answer> {
  const [method, path] = route.split(' ') as ['GET', string]
  // `Response` writes multipart bodies as `fetch` does.
  const isRaw = body instanceof FormData || Buffer.isBuffer(body)
  const sent = body === undefined ? undefined : new Response(isRaw ? (body as FormData) : JSON.stringify(body))
  const type = sent?.headers.get('content-type')
  const answer = await app.inject({
    method,
    url: `/api/v4${path}`,
    headers: { ...(sent && { 'content-type': isRaw && type ? type : 'application/json' }), ...headers },
    ...(sent && { payload: Buffer.from(await sent.arrayBuffer()) }),
  })
  if (answer.statusCode >= 400) throw new WorldRefused(`${route} answered ${answer.statusCode} ${answer.body}`)
  return answer.body === '' || !answer.headers['content-type']?.toString().includes('json') ? undefined : answer.json()
}

/** Asks until there is an answer: pipelines are made and move in the background. */
export async function until(ask: () => Promise<Answer>, what: string, interval = 20): Promise<Answer> {
  for (const end = performance.now() + 60_000; performance.now() < end; await delay(interval)) {
    const answer = await ask()
    if (answer) return answer
  }
  throw new WorldRefused(`there is no sign of ${what} after a minute`)
}

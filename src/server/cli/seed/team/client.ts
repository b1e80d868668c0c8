/** People of the demo world as clients of the API, in this process and on days of the past. */
import type { FastifyInstance } from 'fastify'
import { userByUsername } from '../../../../identity/users/queries.ts'
import type { Deps } from '../../../../platform/kernel/context.ts'
import { RateLimiter } from '../../../../platform/kernel/request/rate_limit.ts'
import { newToken } from '../../../../platform/kernel/secrets.ts'
import type { Secret } from '../../../../platform/secret.ts'
import { ensureToken, forgetToken } from '../../../../spaces/tokens/commands.ts'
import { buildApp } from '../../../app.ts'
import { startTaskWorker } from '../../../tasks.ts'

/** What an endpoint answered. */
// biome-ignore lint/suspicious/noExplicitAny: the story reads a few fields of many entities, as a client does
export type Answer = any

/** The clock of the world, which the story sets. */
export interface Clock {
  now: Date
}

export interface Clients {
  /** Calls an endpoint as a person, or with the headers of a machine. Throws unless it succeeds. */
  call(who: string | Readonly<Record<string, string>>, route: string, body?: object | FormData | Buffer): Promise<Answer>
  /** Ends what `openClients` began. */
  close(): Promise<void>
}

/**
 * Opens the API for some people. Nothing is listened on, nothing is limited, and background work is done here with the clock of the story,
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
  for (const username of usernames) {
    const user = await userByUsername(db, username)
    if (!user) throw new Error(`the demo world has no ${username}`)
    const secret = newToken()
    await ensureToken(db, user.id, { name: 'ingot seed', scopes: ['api'] }, secret.reveal())
    tokens.set(username, secret)
  }
  const app = await buildApp(deps)
  const worker = await startTaskWorker(deps, { concurrency: 2 })
  return {
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
  if (answer.statusCode >= 400) throw new Error(`the demo world could not be made: ${route} answered ${answer.statusCode} ${answer.body}`)
  return answer.body === '' || !answer.headers['content-type']?.toString().includes('json') ? undefined : answer.json()
}

/** The stream of changes that open pages listen to. */
import { type Actor, anonymous } from '../../access/actor.ts'
import { actorOfSession } from '../../access/current_actor.ts'
import type { Context } from '../../kernel/context.ts'
import { bytes, endpoint } from '../../kernel/declaration/endpoint.ts'
import { inInstance } from '../../kernel/declaration/scope.ts'
import { integer, optional, text } from '../../kernel/declaration/types.ts'
import { whyActorInactive } from '../../kernel/request/authenticate.ts'
import { pages } from '../dialect.ts'
import { messagesNow, openStream } from './stream.ts'

/** The latest time that a Date can be, in milliseconds since 1970. */
const LATEST = 8_640_000_000_000_000

/** Topics of one page. */
const MOST_TOPICS = 20

const EVENT_STREAM = 'text/event-stream'

export const listenToChanges = endpoint({
  route: 'GET /-/live',
  summary: 'Listen to changes of what a page shows, as server-sent events; without `Accept: text/event-stream`, ask once',
  scope: inInstance,
  can: 'read_instance',
  dialect: pages,
  cost: 'live',
  params: {
    on: text('What the page shows: kinds and ids, with spaces', { maxLength: 1000, examples: ['repository:1 activity:1'] }),
    since: optional(integer('When the page was made, in milliseconds since 1970', { minimum: 0, maximum: LATEST })),
  },
  answers: bytes(EVENT_STREAM),
  async run(ctx) {
    const { headers } = ctx.request
    const last = Number(headers['last-event-id'])
    const since = new Date(Number.isSafeInteger(last) && last > 0 && last <= LATEST ? last : (ctx.params.since ?? ctx.now.getTime()))
    const topics = ctx.params.on.split(' ').slice(0, MOST_TOPICS)
    const asked = { ctx: { ...ctx, db: ctx.deps.database.db }, topics, since, actorNow: () => actorNow(ctx) }
    if (headers.accept?.includes(EVENT_STREAM) !== true) return { body: await messagesNow(asked) }
    const stream = await openStream(asked)
    // With this status the browser does not come back.
    if (!stream) return { body: '', status: 204 }
    // Proxies that gather answers would hold the messages back.
    return { body: stream.body, headers: { 'x-accel-buffering': 'no' }, work: stream.ended }
  },
})

/** Who the caller is now; an open page alone does not prolong its session. Undefined once it has ended or the account is not active. */
async function actorNow({ actor: { credential }, deps }: Context): Promise<Actor | undefined> {
  if (credential?.kind !== 'session') return anonymous
  const actor = await actorOfSession(deps.database.db, credential.id, deps.now(), deps.config.impersonationEnabled)
  return actor && !whyActorInactive(actor) ? actor : undefined
}

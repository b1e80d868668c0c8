/**
 * The steps of a declaration between what was sent and its result, for those who run one: the route that it is mounted on, and a mutation of GraphQL,
 * which runs the declaration of the REST API as it stands, so that nothing of it is forgotten.
 */
import { isDeepStrictEqual } from 'node:util'
import type { TProperties } from 'typebox'
import { allows } from '../../access/abilities.ts'
import type { Actor } from '../../access/actor.ts'
import { transact } from '../../db/transact.ts'
import { keysetParams, pageParams } from '../answer/page.ts'
import type { Context, Deps } from '../context.ts'
import { forbidden, notFound, Refusal, refusedTo } from '../errors.ts'
import { recordActing, recordSudo } from '../request/acting.ts'
import { assertAccess } from '../request/authenticate.ts'
import { costOf } from '../request/cost.ts'
import { ParameterReader } from '../request/params.ts'
import type { Wire } from '../request/wire.ts'
import { causeOf } from '../vanished.ts'
import type { Endpoint } from './endpoint.ts'
import { requirementOf, tierCovers } from './types.ts'

/** The parameters of an endpoint besides its path: its own, and those of its page. */
export function paramsOf(endpoint: Endpoint): TProperties {
  if (endpoint.answers.kind !== 'page') return endpoint.params
  return { ...endpoint.params, ...pageParams, ...(endpoint.answers.options.keyset ? keysetParams : {}) }
}

/** What reads an endpoint's parameters: its path alone, and all of them. */
export interface Readers {
  readonly path: ParameterReader
  readonly all: ParameterReader
}

/** They follow from the declaration alone, and keep compiled validators: applications of one process share them. */
const readers = new WeakMap<Endpoint, Readers>()

/** The readers of an endpoint's parameters. */
export function readersOf(endpoint: Endpoint): Readers {
  const known = readers.get(endpoint)
  if (known) return known
  const made = { path: new ParameterReader(endpoint.scope.path, []), all: new ParameterReader(paramsOf(endpoint), endpoint.rules) }
  readers.set(endpoint, made)
  return made
}

/** An id in a path that is not of its type names nothing: 404, not 400. */
export function readPath(reader: ParameterReader, wire: Wire, deps: Deps): Record<string, unknown> {
  try {
    return reader.read(wire, deps.config.tier)
  } catch (error) {
    throw error instanceof Refusal ? notFound() : error
  }
}

/** Asks whether the caller has the ability of the endpoint: 404, or 401 / 403. */
export function assertAbility(endpoint: Endpoint, actor: Actor, subjects: object): void {
  const verdict = allows(actor, endpoint.can, endpoint.scope.subject(subjects as never))
  if (verdict === 'hidden') throw notFound()
  if (verdict === 'no') throw refusedTo(actor)
}

/**
 * Checks parameters that need an ability of their own and returns those that the caller may set. An unchanged value from a caller without
 * the ability is left out, because clients send whole objects back.
 */
export function attributeJudge(endpoint: Endpoint) {
  const marked = Object.entries(endpoint.params).flatMap(([name, schema]) => {
    const taking = requirementOf(schema)
    return taking ? [{ name, ...taking }] : []
  })
  return (actor: Actor, subjects: object, params: Record<string, unknown>): Record<string, unknown> => {
    const sent = marked.filter(({ name }) => params[name] !== undefined)
    if (sent.length === 0) return params
    const subject = endpoint.scope.subject(subjects as never)
    const present = endpoint.present?.(subjects) ?? {}
    const withheld = new Set<string>()
    for (const { name, ability, otherwise } of sent) {
      const verdict = allows(actor, ability, subject)
      if (verdict === 'yes') continue
      if (otherwise === 'refused' && !isDeepStrictEqual(params[name], present[name])) throw verdict === 'hidden' ? notFound() : forbidden()
      withheld.add(name)
    }
    return withheld.size === 0 ? params : Object.fromEntries(Object.entries(params).filter(([name]) => !withheld.has(name)))
  }
}

/** What came of a declaration that was carried out. */
export interface Performed {
  /** What the ids of its path are. */
  readonly subjects: Readonly<Record<string, unknown>>
  /** What its command returned. */
  readonly result: unknown
}

/**
 * Carries out the declaration of a write for the caller of another request, in its order: rate limit, access of the credential, parameters, scope,
 * ability, and the command in its transaction. Returns when the result is on disk.
 * @param sent ids of the path and parameters, as a client would send them
 * @throws Refusal as the endpoint itself would
 */
export async function perform(endpoint: Endpoint, ctx: Context, sent: Wire): Promise<Performed> {
  const { deps, actor } = ctx
  const cost = costOf(endpoint)
  await deps.limiter.request(actor, ctx.request.ip, cost)
  if (!tierCovers(deps.config.tier, endpoint.tier)) throw notFound()
  assertAccess(endpoint, actor, deps)
  const { path: pathReader, all } = readersOf(endpoint)
  const path = readPath(pathReader, sent, deps)
  const permitted = attributeJudge(endpoint)
  let release: (() => void) | undefined
  try {
    const params = all.read(sent, deps.config.tier)
    await recordActing(ctx)
    const act = async (within: Context): Promise<Performed> => {
      const subjects = await endpoint.scope.load(within, path as never)
      assertAbility(endpoint, actor, subjects)
      const allowed = permitted(actor, subjects, params)
      release ??= await deps.limiter.enter(cost, { actor, ...ctx.request })
      const result = await endpoint.run({ ...within, ...subjects, params: allowed })
      await recordSudo(within)
      return { subjects: subjects as Performed['subjects'], result }
    }
    return await (endpoint.writes === 'own' ? act(ctx) : transact(ctx.db, db => act({ ...ctx, db })))
  } catch (error) {
    throw await causeOf(error, async () => endpoint.scope.load(ctx, path as never))
  } finally {
    release?.()
  }
}

/**
 * The answer check: in tests, every answer of every endpoint must be exactly what its declaration says: all fields, no
 * others, none above the tier, and no refusal that it does not name (house rule "Derived from the declaration").
 */
import type { FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { urlOf } from '../../src/platform/kernel/addresses/paths.ts'
import { statusIn } from '../../src/platform/kernel/declaration/dialect.ts'
import { type Endpoint, type Shown, statusesOf } from '../../src/platform/kernel/declaration/endpoint.ts'
import { type Tier, tierCovers, tierOf } from '../../src/platform/kernel/declaration/types.ts'
import type { RefusalKind } from '../../src/platform/kernel/errors.ts'
import { bodyIn, everywhere, isForPeople, refusalsOf } from '../../src/platform/kernel/openapi/refusals.ts'
import { noteRefusal } from './refusals_seen.ts'

/** Adds the check to an application that is not ready yet; `report` gets a line for each answer that differs. */
export function checkAnswers(app: FastifyInstance, endpoints: readonly Endpoint[], tier: Tier, report: (line: string) => void): void {
  const checks = new Map<string, () => Check | undefined>()
  // Most tests meet few endpoints: a check is made with the first answer that needs it.
  for (const endpoint of endpoints)
    checks.set(
      `${endpoint.method} ${urlOf(endpoint)}`,
      once(() => checkOf(endpoint, tier)),
    )
  app.addHook('onSend', async (request, reply, payload) => {
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const check = checks.get(`${method} ${request.knownPath?.url}`)?.()
    const difference = check?.(reply.statusCode, payload as Buffer | undefined, request.method === 'HEAD')
    // Who is acted for is looked up before an endpoint is reached: anyone may be asked for, and not be there.
    const isOfSudo = reply.statusCode === 404 && ('sudo' in request.headers || 'sudo' in (request.query as object))
    if (difference && !isOfSudo) report(`${request.method} ${request.url} answered ${reply.statusCode}, but ${difference}`)
    return payload
  })
}

/** The same function, called at most once. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Says how an answer differs from the declaration, or undefined. */
type Check = (status: number, payload: Buffer | undefined, bodiless?: boolean) => string | undefined

/** The check of an endpoint's answers, good ones and refusals. */
export function checkOf(endpoint: Endpoint, tier: Tier): Check {
  const done = checkOfDone(endpoint, tier)
  const refused = checkOfRefusals(endpoint)
  return (status, payload, bodiless = false) => {
    if (status >= 300) return refused(status, payload, bodiless)
    return bodiless ? undefined : done?.(status, payload)
  }
}

/** The check of an endpoint's good answers; of bytes, which are the endpoint's own, only the status counts. */
function checkOfDone(endpoint: Endpoint, tier: Tier): Check | undefined {
  const { answers } = endpoint
  switch (answers.kind) {
    case 'bytes':
      if (isForPeople(endpoint)) return undefined
      return status => (answers.statuses.includes(status) ? undefined : `the declaration says ${answers.statuses.join(' or ')}`)
    case 'nothing':
      return (status, payload) =>
        status !== answers.status
          ? `the declaration says ${answers.status}`
          : payload && payload.length > 0
            ? 'the declaration says nothing'
            : undefined
    case 'one': {
      const expected = statusesOf(answers, endpoint.method)
      const differs = differenceFrom(answers.entity, tier)
      return (status, payload) => (expected.includes(status) ? differs(parsed(payload)) : `the declaration says ${expected.join(' or ')}`)
    }
    case 'page': {
      const differs = differenceFrom(answers.entity, tier)
      return (_status, payload) => {
        const rows = parsed(payload)
        if (!Array.isArray(rows)) return 'a page is a list'
        for (const row of rows) {
          const difference = differs(row)
          if (difference) return difference
        }
        return undefined
      }
    }
  }
}

/** The check of what an endpoint refuses: with a status that it names, in the words of its dialect. */
function checkOfRefusals(endpoint: Endpoint): Check {
  const { answers, dialect } = endpoint
  // What people see is a page, whatever happened.
  if (isForPeople(endpoint)) return () => undefined
  const bodies = new Map<number, readonly RefusalKind[]>()
  for (const kind of refusalsOf(endpoint)) {
    const status = statusIn(dialect, kind)
    bodies.set(status, [...(bodies.get(status) ?? []), kind])
  }
  return (status, payload, bodiless) => {
    if (everywhere.has(status) || (answers.kind === 'bytes' && answers.statuses.includes(status))) return undefined
    // Refused before an endpoint is reached (src/platform/kernel/connections/guard.ts).
    if (status === 400 && String(payload).includes('several hosts')) return undefined
    const kinds = bodies.get(status)
    if (!kinds) return 'the declaration does not say so: name it in `errors`'
    for (const kind of kinds) noteRefusal(endpoint, kind)
    const schema = bodyIn(dialect, kinds[0] as RefusalKind)
    if (bodiless || schema === null) return undefined
    const body = dialect.mediaType.endsWith('json') ? parsed(payload) : String(payload)
    const validator = validatorOf(schema)
    return validator.Check(body) ? undefined : `its body is none of this dialect's: ${JSON.stringify(body)}`
  }
}

const validators = new WeakMap<TSchema, Validator>()

function validatorOf(schema: TSchema): Validator {
  const known = validators.get(schema) ?? Compile(exactly(schema, 'ultimate'))
  validators.set(schema, known)
  return known
}

const parsed = (payload: Buffer | undefined): unknown => JSON.parse(String(payload))

/** How a value differs from what is declared; undefined where it does not. */
type Difference = (value: unknown) => string | undefined

/** What has been made in this process: making one takes as long as a thousand comparisons, and each scene has an application of its own. */
const differences = new Map<Tier, WeakMap<Shown<never>, Difference>>()

function differenceFrom(shown: Shown<never>, tier: Tier): Difference {
  const made = differences.get(tier) ?? new WeakMap<Shown<never>, Difference>()
  differences.set(tier, made)
  const difference = made.get(shown) ?? makeDifference(shown, tier)
  made.set(shown, difference)
  return difference
}

/** How a value differs from every size of an entity, compared with the size that it is closest to. */
function makeDifference(shown: Shown<never>, tier: Tier): Difference {
  const sizes = 'sizes' in shown ? shown.sizes : [shown]
  const validators = sizes.map(({ name, schema }) => ({ name, validator: Compile(exactly(schema, tier)) }))
  return value => {
    if (validators.some(({ validator }) => validator.Check(value))) return undefined
    // Only now: telling what is wrong takes a thousand times as long as seeing that nothing is.
    const failures = validators.map(({ name, validator }) => ({ name, errors: validator.Errors(value) }))
    const [closest] = failures.sort((a, b) => a.errors.length - b.errors.length)
    const lines = (closest?.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
    )
    return `it is no ${closest?.name}: ${lines.join('; ')}`
  }
}

/** The schema without the fields above the tier, and with no room for others. */
export function exactly(schema: TSchema, tier: Tier): TSchema {
  const close = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(close)
    if (typeof part !== 'object' || part === null) return part
    const shape = part as Record<string, unknown>
    const closed = Object.fromEntries(Object.entries(shape).map(([key, value]) => [key, key === 'enum' ? value : close(value)]))
    if (shape.type !== 'object' || !shape.properties) return closed
    const own = Object.entries(shape.properties as Record<string, TSchema>).filter(([, property]) => tierCovers(tier, tierOf(property)))
    const names = own.map(([name]) => name)
    return {
      ...closed,
      properties: Object.fromEntries(own.map(([name, property]) => [name, close(property)])),
      required: ((shape.required ?? []) as string[]).filter(name => names.includes(name)),
      additionalProperties: false,
    }
  }
  return close(schema) as TSchema
}

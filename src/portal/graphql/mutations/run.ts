/** One mutation of a request: carried out, or answered with what was wrong. */

import { refusalByGit } from '../../../platform/kernel/answer/git_refusals.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { Endpoint, Route } from '../../../platform/kernel/declaration/endpoint.ts'
import { assertAbility, type Performed, perform, readersOf, readPath } from '../../../platform/kernel/declaration/steps.ts'
import { notFound, Refusal, type RefusalKind } from '../../../platform/kernel/errors.ts'
import type { Wire } from '../../../platform/kernel/request/wire.ts'
import type { GraphRequest } from '../reading/request.ts'
import { messagesOf } from './messages.ts'
import type { Mutation } from './mutation.ts'

/** The fields of a payload; those that are missing are null. */
export type Payload = Readonly<Record<string, unknown>>

/** What is wrong with the values that were given. Other refusals are about the caller: they are errors of the whole field. */
const domain: ReadonlySet<RefusalKind> = new Set(['bad_request', 'conflict', 'unprocessable', 'method_not_allowed', 'not_acceptable'])

/** Values that a client gives for one declaration: ids of its path, and parameters. Those that are undefined were not given. */
export type Sent = Readonly<Record<string, unknown>>

/** The payload of one mutation while it is made. */
export class MutationRun {
  readonly request: GraphRequest
  readonly #mutation: Mutation

  constructor(request: GraphRequest, mutation: Mutation) {
    this.request = request
    this.#mutation = mutation
  }

  get ctx(): Context {
    return this.request.ctx
  }

  /**
   * Carries out a declaration. Where the state that was asked for holds already, there is no result.
   * @throws Refusal as the endpoint of the REST API would
   */
  async perform(what: Route | Endpoint, sent: Sent): Promise<Performed> {
    const endpoint = this.#declaration(what)
    const wire = wireOf(sent)
    try {
      const performed = await perform(endpoint, this.ctx, wire)
      this.request.recordChange()
      return performed
    } catch (error) {
      const refusal = error instanceof Refusal ? error : (refusalByGit(error) ?? error)
      if (!(refusal instanceof Refusal) || refusal.kind !== 'not_modified') throw refusal
      return { subjects: await this.#load(endpoint, wire), result: undefined }
    }
  }

  /**
   * What the ids in the path of a declaration are, for callers who may carry it out. It is not carried out. A scope alone does not say who may see
   * what it loads.
   * @throws Refusal for all others
   */
  async subjects(what: Route | Endpoint, sent: Sent): Promise<Performed['subjects']> {
    const endpoint = this.#declaration(what)
    const subjects = await this.#load(endpoint, wireOf(sent))
    assertAbility(endpoint, this.ctx.actor, subjects)
    return subjects
  }

  async #load(endpoint: Endpoint, wire: Wire): Promise<Performed['subjects']> {
    const path = readPath(readersOf(endpoint).path, wire, this.ctx.deps)
    return (await endpoint.scope.load(this.ctx, path as never)) as Performed['subjects']
  }

  #declaration(what: Route | Endpoint): Endpoint {
    if (!this.#mutation.runs.includes(what))
      throw new Error(`the mutation does not say that it runs ${typeof what === 'string' ? what : what.route}`)
    return typeof what === 'string' ? this.request.declared(what) : what
  }

  /** The payload of the mutation, or that of its errors. */
  async answer(input: { readonly clientMutationId?: string | null }): Promise<Payload> {
    await this.request.beginMutation()
    const always = { clientMutationId: input.clientMutationId ?? null, ...this.#nulls() }
    try {
      return { ...always, errors: [], ...(await this.#mutation.run(input, this)) }
    } catch (error) {
      if (!(error instanceof Refusal) || !domain.has(error.kind)) throw error
      this.request.forget()
      return { ...always, ...(await this.#mutation.otherwise?.(input, this)), errors: messagesOf(error) }
    }
  }

  #nulls(): Payload {
    return Object.fromEntries([...(this.#mutation.payload ?? '').matchAll(/(\w+):/g)].map(([, name]) => [name as string, null]))
  }
}

/** @throws Refusal 404, in whose words a missing thing and a hidden one are the same */
export function required<T>(value: T | undefined | null): T {
  if (value === undefined || value === null) throw notFound()
  return value
}

const wireOf = (sent: Sent): Wire => Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)) as Wire

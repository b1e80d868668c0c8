/**
 * The declaration of an endpoint. The rest is derived from it: route, validation, access, pages, API description, and the generic tests of
 * every endpoint.
 */
import type { Readable } from 'node:stream'
import type { TProperties } from 'typebox'
import type { Ability, AbilityAbout, SubjectKind } from '../../access/abilities.ts'
import type { DeployTokenScope, TokenScope } from '../../access/credentials/token_scopes.ts'
import type { Choice, Entity } from '../answer/entity.ts'
import type { PageOptions, Rows } from '../answer/page.ts'
import type { Context } from '../context.ts'
import type { Refusal, RefusalKind } from '../errors.ts'
import type { Cost } from '../request/cost.ts'
import type { Rule } from '../request/params.ts'
import type { Wire } from '../request/wire.ts'
import { type Dialect, rest } from './dialect.ts'
import type { Scope } from './scope.ts'
import type { ParamsOf } from './types.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** `METHOD /path` below `/api/v4`, or below the root if the dialect says so. */
export type Route = `${Method} /${string}`

/** The content of an answer: an entity, or a choice between the variants of one. */
// biome-ignore lint/suspicious/noExplicitAny: what `load` hands to `present` is the entity's own affair
export type Shown<Row> = Entity<Row, any, any> | Choice<Row>

/** A status that depends on the answered object. */
export interface StatusOf<Row> {
  /** The possible statuses, the usual one first. */
  readonly among: readonly [number, ...number[]]
  of(row: Row): number
}

/** A form for which `run` decides whether it needs a confirmation: only some of what is sent to it does. */
export interface ConfirmedInRun {
  /** The address of the page with the form, made of what was sent: there those go who do not confirm. */
  readonly formAt: (sent: Wire) => string
}

/** One JSON object. */
export interface One<Row> {
  readonly kind: 'one'
  readonly entity: Shown<Row>
  readonly status: number | StatusOf<Row> | undefined
  readonly headers: ((row: Row) => Record<string, string>) | undefined
}

/** A page of a list. */
export interface PageOf<Row> {
  readonly kind: 'page'
  readonly entity: Shown<Row>
  readonly options: PageOptions
}

/** A status without a body, 204 by default. */
export interface Nothing {
  readonly kind: 'nothing'
  readonly status: number
}

/** A stream or a page of the server's own: files, archives, HTML. */
export interface Bytes {
  readonly kind: 'bytes'
  readonly mediaType: string
  /** The possible statuses, the usual one first. */
  readonly statuses: readonly [number, ...number[]]
  /** A client may ask for a part, or whether its copy is current (`rangedAnswer`). */
  readonly ranged: boolean
}

/** What the `run` of a `bytes()` endpoint returns. */
export interface ByteAnswer {
  readonly body: Readable | Buffer | string
  readonly headers?: Record<string, string>
  readonly status?: number
  /** Identifies this version of the bytes; a client that has it gets 304 (decision 15). */
  readonly etag?: string
  /**
   * When these bytes came to be. A client that says the same second has them, and gets 304: the text is compared, not the time, since older bytes may
   * come back.
   */
  readonly modifiedAt?: Date
  /** Expensive work that produces the body and continues after the handler returns: it keeps its slot until it ends. */
  readonly work?: Promise<unknown>
}

export type Answers = One<never> | PageOf<never> | Nothing | Bytes

/**
 * Answers one `entity`; 201 for POST and 200 for the rest unless `status` is given (decision 14).
 * @param headers additional response headers
 */
export const one = <Row>(entity: Shown<Row>, status?: One<Row>['status'], headers?: One<Row>['headers']): One<Row> => ({
  kind: 'one',
  entity,
  status,
  headers,
})

/** Answers a page of `entity` and adds the parameters `page` and `per_page`. */
export const pageOf = <Row>(entity: Shown<Row>, options: PageOptions = {}): PageOf<Row> => ({ kind: 'page', entity, options })

/** Answers 204. */
export const nothing: Nothing = { kind: 'nothing', status: 204 }

/** Answers bytes that the endpoint produces. */
export const bytes = (mediaType: string, ...[status = 200, ...others]: number[]): Bytes => ({
  kind: 'bytes',
  mediaType,
  statuses: [status, ...others],
  ranged: false,
})

/** Answers bytes of which a client may ask for a part, and whether its copy is current (`rangedAnswer`). */
export const ranged = (mediaType: string): Bytes => ({ kind: 'bytes', mediaType, statuses: [200, 206], ranged: true })

/** The possible statuses of an answer of one object, the usual one first. */
export const statusesOf = ({ status }: One<never>, method: Method): readonly [number, ...number[]] =>
  typeof status === 'object' ? status.among : [status ?? (method === 'POST' ? 201 : 200)]

/** What `run` returns for answers `A`. */
export type ResultOf<A> =
  A extends One<infer Row>
    ? Row | Promise<Row>
    : A extends PageOf<infer Row>
      ? Rows<Row> | Promise<Rows<Row>>
      : A extends Bytes
        ? ByteAnswer | Promise<ByteAnswer>
        : void | Promise<void>

/** The input of `run`: the request, the subjects of its scope, and its parameters. */
export type Input<Subjects, P extends TProperties> = Context & Subjects & { readonly params: ParamsOf<P>; readonly body: Readable }

/** The names of the ids in a route: `id` and `issue_iid` of `GET /projects/:id/issues/:issue_iid`. */
type IdsIn<R extends string> = R extends `${infer Before}/${infer Rest}` ? IdIn<Before> | IdsIn<Rest> : IdIn<R>
type IdIn<Segment extends string> = string extends Segment
  ? string
  : Segment extends `:${infer Name}.${string}`
    ? Name
    : Segment extends `:${infer Name}` | `*${infer Name}`
      ? Name
      : never

/**
 * The ids in which a route differs from what is read of its path: ids that neither the scope (`Path`) nor a parameter (`P`) reads, and ids
 * that the scope reads and the route lacks. Not checked if the ids are known only at run time.
 */
type MisfitOf<R extends string, Path, P> = string extends keyof Path | IdsIn<R>
  ? never
  : Exclude<IdsIn<R>, keyof Path | keyof P> | Exclude<keyof Path, IdsIn<R>>

/** Empty if route and scope match; else a requirement that no declaration can satisfy, with the ids in the message. */
type Fitting<R extends string, Path, P> = [MisfitOf<R, Path, P>] extends [never]
  ? unknown
  : { readonly route: { readonly misfit: `the route and the scope differ in :${MisfitOf<R, Path, P> & string}` } }

/** An endpoint as it is declared. */
export interface Declaration<
  Subjects extends object,
  P extends TProperties,
  A,
  R extends Route = Route,
  Path extends TProperties = TProperties,
  On extends SubjectKind = SubjectKind,
> {
  readonly route: R
  /** One line, in the imperative. */
  readonly summary: string
  /** How the path's ids become subjects; unknown or invisible is 404. */
  readonly scope: Scope<Subjects, Path, On>
  /** The ability that the caller must have on the scope's subject, or 401 / 403. */
  readonly can: AbilityAbout<On>
  readonly params?: P
  readonly rules?: readonly Rule[]
  readonly answers: A
  /**
   * What `run` throws besides the refusals that follow from the rest (openapi/refusals.ts says which): `['conflict']`. They are described, and
   * tests fail where another one is answered, or where one of these never is.
   */
  readonly errors?: readonly RefusalKind[]
  readonly run: (input: Input<Subjects, P>) => ResultOf<A>
  /** Token scopes that permit it besides `api` (and `read_api` for GET). */
  readonly scopes?: readonly (TokenScope | DeployTokenScope)[]
  /**
   * Allows callers without credentials to use a write whose ability is open to them: the request itself contains the proof of identity, or
   * nothing is changed. Without it no write runs without credentials. Reads depend on the ability alone.
   */
  readonly anonymous?: true
  /**
   * The current values of the attributes that need an ability of their own (`requiresAbility` in types.ts): a value that is sent back unchanged does
   * not count as given.
   */
  readonly present?: (subjects: Subjects) => Readonly<Record<string, unknown>>
  /** Sessions reach it whose user must have a second factor and has none: setting one up, and leaving. */
  readonly withoutSecondFactor?: true
  /** A running job's token permits it too (document 1, Authentication rule 4); for some endpoints from a tier on. */
  readonly jobToken?: boolean | 'premium'
  /**
   * `transaction` (default for writes): one transaction for all. `own`: the command opens its own, because it moves git references in
   * between, or is a single statement.
   */
  readonly writes?: 'transaction' | 'own'
  /** The body is not parsed into parameters: `run` reads the stream. */
  readonly rawBody?: boolean
  /** The route of the declaration that a form or button runs. */
  readonly shows?: Route
  /** The parameters of `shows` that a form asks for under other names. */
  readonly covers?: readonly string[]
  /** What was sent, as parameters: an HTML form also sends fields that were left empty. Default: as it came. */
  readonly sent?: (wire: Wire) => Wire
  /**
   * Shows a refusal of what was sent (400, 409, 422) together with it, on the page of a form. Runs after the scope and the ability have been
   * checked, outside of the transaction that was rolled back. Default: the dialect's form of a refusal.
   */
  readonly refused?: (input: Context & Subjects, refusal: Refusal, sent: Wire) => ByteAnswer | Promise<ByteAnswer>
  /** A form of a page that is carried out only where its user confirmed lately; else they are asked to first (pages/forms/confirm.ts). */
  readonly confirms?: true | ConfirmedInRun
  /** Limit of the body in bytes; default: the dialect's. */
  readonly bodyLimit?: number
  /** Address prefix and protocol; default: the REST dialect. */
  readonly dialect?: Dialect
  /** Requests count towards the rate limits (default). `false`: a load balancer asks, from an address that many clients share. */
  readonly counted?: boolean
  /** How much a request counts, and whether it takes a slot for expensive work; default: by the method. */
  readonly cost?: Cost
  /** The lowest tier that has it (document 1 "Notation"). Below it the address does not exist. */
  readonly tier?: 'premium' | 'ultimate'
}

/** A declared endpoint with its types checked and erased, so that endpoints of all kinds fit in one list. */
export interface Endpoint extends Omit<Declaration<object, TProperties, Answers>, 'run' | 'can' | 'refused'> {
  readonly can: Ability
  readonly dialect: Dialect
  readonly method: Method
  readonly path: string
  readonly params: TProperties
  readonly rules: readonly Rule[]
  // biome-ignore lint/suspicious/noExplicitAny: checked where it was declared
  readonly run: (input: any) => any
  // biome-ignore lint/suspicious/noExplicitAny: checked where it was declared
  readonly refused?: (input: any, refusal: Refusal, sent: Wire) => ByteAnswer | Promise<ByteAnswer>
}

/** Declares an endpoint. The types of parameters, subjects and answer are inferred and must fit each other. */
export function endpoint<
  Subjects extends object,
  const P extends TProperties = Record<never, never>,
  A = Nothing,
  const R extends Route = Route,
  Path extends TProperties = TProperties,
  On extends SubjectKind = SubjectKind,
>(declared: Declaration<Subjects, P, A, R, Path, On> & Fitting<R, Path, P>): Endpoint {
  const [method, path] = declared.route.split(' ') as [Method, string]
  return { params: {}, rules: [], dialect: rest, ...declared, method, path } as unknown as Endpoint
}

/** One request of the GraphQL API: parsed, checked, measured and executed. What is wrong with it is said in `errors`, with status 200. */
import {
  type DocumentNode,
  execute,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  getOperationAST,
  MaxIntrospectionDepthRule,
  type OperationDefinitionNode,
  OverlappingFieldsCanBeMergedRule,
  parse,
  specifiedRules,
  VariablesInAllowedPositionRule,
  validate,
} from 'graphql'
import { hasScope, isActive } from '../../../platform/access/actor.ts'
import { breather } from '../../../platform/kernel/answer/time_slicing.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { Refusal, sentenceOf } from '../../../platform/kernel/errors.ts'
import { RepositoryWork } from '../reading/repository_work.ts'
import { type Declarations, GraphRequest, type SharedByQueries } from '../reading/request.ts'
import { attributeOf } from '../reading/things.ts'
import { lenientIds } from './lenient_ids.ts'
import { limitsFor, type Measured, measure, refusalFor } from './limits.ts'
import { UNAVAILABLE } from './unavailable.ts'

/** A query as clients send it. */
export interface Asked {
  readonly query: string
  readonly operationName: string | undefined
  readonly variables: Readonly<Record<string, unknown>>
}

/** An answer as it is sent. */
export interface Answer {
  readonly data?: unknown
  readonly errors?: readonly GraphQLFormattedError[]
}

/** Characters of a query. Contract: as on the platform (its GraphQL API, "Limits"). */
export const LONGEST_QUERY = 10_000

/** Errors of a check: with many of them, the first ones say enough, and finding them all takes long. */
const MOST_ERRORS = 10

/** Comparing all fields of a name takes the square of their number, so it comes after the complexity was found to be small. */
const firstRules = specifiedRules
  .filter(rule => rule !== OverlappingFieldsCanBeMergedRule && rule !== MaxIntrospectionDepthRule)
  .map(rule => (rule === VariablesInAllowedPositionRule ? lenientIds : rule))

const refused = (...errors: readonly GraphQLError[]): Answer => ({ errors: errors.map(error => error.toJSON()) })

/** A query that may be executed, or why it may not. */
interface Checked {
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  readonly measured: Measured
}

function check(schema: GraphQLSchema, { query, operationName, variables }: Asked): Checked | readonly GraphQLError[] {
  if (query.length > LONGEST_QUERY)
    return [new GraphQLError(`Query has ${query.length} characters, which exceeds the limit of ${LONGEST_QUERY}`)]
  // The database keeps no texts with such a character.
  if (/\0|\\u(?:0000|\{0+\})/.test(query) || JSON.stringify(variables).includes('\\u0000'))
    return [new GraphQLError('Texts must not contain null characters')]
  let document: DocumentNode
  try {
    document = parse(query, { maxTokens: LONGEST_QUERY })
  } catch (error) {
    if (error instanceof GraphQLError) return [error]
    // The parser calls itself for each level.
    if (error instanceof RangeError) return [new GraphQLError('The query is nested too deeply')]
    throw error
  }
  const wrong = validate(schema, document, firstRules, { maxErrors: MOST_ERRORS })
  if (wrong.length > 0) return wrong
  const operation = getOperationAST(document, operationName)
  if (!operation)
    return [
      new GraphQLError(operationName ? `No operation named "${operationName}"` : 'An operation name is required: the query has several'),
    ]
  try {
    const fragments = new Map(
      document.definitions.flatMap(node => (node.kind === 'FragmentDefinition' ? [[node.name.value, node] as const] : [])),
    )
    return { document, operation, measured: measure(schema, operation, fragments as Map<string, FragmentDefinitionNode>, variables) }
  } catch (error) {
    if (error instanceof GraphQLError) return [error]
    throw error
  }
}

/**
 * Answers queries that were sent together, one after the other. Their complexity, and what they read from repositories, counts as that of one;
 * to the rate limit each is a request, since reading and checking it is what most of them cost.
 */
export async function answerAll(
  ctx: Context,
  schema: GraphQLSchema,
  declarations: Declarations,
  asked: readonly Asked[],
): Promise<readonly Answer[]> {
  for (const _ of asked.slice(1)) await ctx.deps.limiter.request(ctx.actor, ctx.request.ip)
  const repositories = new RepositoryWork(ctx)
  try {
    return await answerEach(ctx, schema, asked, { repositories, declarations, mutations: 0, hasChanged: false })
  } finally {
    await repositories.end()
  }
}

async function answerEach(ctx: Context, schema: GraphQLSchema, asked: readonly Asked[], shared: SharedByQueries): Promise<Answer[]> {
  const limits = limitsFor(ctx.actor)
  let spent = 0
  const answers: Answer[] = []
  const breathe = breather()
  for (const one of asked) {
    await breathe()
    const checked = check(schema, one)
    if (!('document' in checked)) {
      answers.push(refused(...checked))
      continue
    }
    spent += checked.measured.complexity
    const tooMuch = refusalFor({ ...checked.measured, complexity: spent }, limits)
    const wrong =
      tooMuch.length > 0 ? tooMuch : validate(schema, checked.document, [OverlappingFieldsCanBeMergedRule], { maxErrors: MOST_ERRORS })
    answers.push(
      wrong.length > 0
        ? refused(...wrong)
        : await run(
            new GraphRequest(ctx, { score: checked.measured.complexity, limit: limits.complexity }, shared),
            shared,
            schema,
            one,
            checked,
          ),
    )
  }
  return answers
}

/** Is one of the queries a mutation? */
export const isMutation = ({ query, operationName }: Asked): boolean => {
  try {
    return getOperationAST(parse(query, { maxTokens: LONGEST_QUERY }), operationName)?.operation === 'mutation'
  } catch {
    return false
  }
}

async function run(
  request: GraphRequest,
  shared: SharedByQueries,
  schema: GraphQLSchema,
  { operationName, variables }: Asked,
  { document, operation }: Checked,
): Promise<Answer> {
  const { actor, request: http } = request.ctx
  // The addresses of queries are asked for by other sites too, with the session of the browser.
  if (operation.operation === 'mutation' && http.method !== 'POST') return refused(new GraphQLError(UNAVAILABLE))
  // Contract: callers who may not change anything get the words for what is not there (public behaviour).
  if (operation.operation === 'mutation' && !(actor.user && isActive(actor) && (actor.sudoBy || hasScope(actor, ['api']))))
    return { data: null, errors: [new GraphQLError(UNAVAILABLE).toJSON()] }
  const { data, errors } = await execute({
    schema,
    document,
    variableValues: variables,
    operationName: operationName ?? null,
    contextValue: request,
    fieldResolver: (source, args, context, info) => {
      const own = (source as Record<string, unknown> | null | undefined)?.[info.fieldName]
      if (typeof own === 'function') return own(args, context, info)
      return own === undefined ? attributeOf(source, info.fieldName) : own
    },
  })
  const limited = errors?.find(({ originalError }) => originalError instanceof Refusal && originalError.kind === 'too_many_requests')
  // Clients wait and send the request again, which is right as long as nothing of it was done.
  if (limited && !shared.hasChanged) throw limited.originalError
  return {
    ...(data === undefined ? {} : { data }),
    ...(errors === undefined ? {} : { errors: errors.map(error => shown(request.ctx, error)) }),
  }
}

/** An error as it is sent: refusals in their words, what was not foreseen without its own. */
function shown(ctx: Context, error: GraphQLError): GraphQLFormattedError {
  const { originalError } = error
  if (originalError === undefined || originalError instanceof GraphQLError) return error.toJSON()
  const { message: _, ...rest } = error.toJSON()
  if (originalError instanceof Refusal) {
    const isHidden = ['not_found', 'forbidden', 'unauthenticated'].includes(originalError.kind)
    return { ...rest, message: isHidden ? UNAVAILABLE : sentenceOf(originalError) }
  }
  ctx.log.error({ err: originalError, path: error.path }, 'a GraphQL field failed')
  return { ...rest, message: 'Internal server error' }
}

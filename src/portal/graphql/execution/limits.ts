/**
 * What a query may cost: its depth, and its complexity, counted as the platform does. A field is one point, an argument `sort` one more and
 * `search` five; the points of a connection grow by a hundredth for each node of its page. Fragments are
 * followed by name and counted once, so that counting is short however long the query would be when it is written out.
 */
import {
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
  valueFromASTUntyped,
} from 'graphql'
import { type Actor, isAdmin } from '../../../platform/access/actor.ts'
import { PAGE } from '../reading/connections.ts'

/** The limits of a caller. */
export interface Limits {
  readonly complexity: number
  readonly depth: number
}

/** The limits for this caller. Contract: those of the platform at 14.0 (its GraphQL API, "Limits"). */
export const limitsFor = (actor: Actor): Limits => ({
  complexity: isAdmin(actor) ? 300 : actor.user ? 250 : 200,
  depth: actor.user ? 20 : 15,
})

/** What a query costs. */
export interface Measured {
  readonly complexity: number
  readonly depth: number
}

type Variables = Readonly<Record<string, unknown>>

/** Introspection fields that list types or parts of them: nested, their answers multiply. */
const listing: ReadonlySet<string> = new Set(['fields', 'inputFields', 'interfaces', 'possibleTypes'])

/** Measures a query that is valid besides its cost. */
export function measure(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  variables: Variables,
): Measured {
  const root = schema.getRootType(operation.operation)
  const known = new Map<string, Measured>()
  let schemas = 0
  const ofSet = (set: SelectionSetNode | undefined, on: unknown, listed: boolean): Measured => {
    let complexity = 0
    let depth = 0
    const add = (one: Measured) => {
      complexity += one.complexity
      depth = Math.max(depth, one.depth)
    }
    for (const node of set?.selections ?? []) {
      if (node.kind === 'Field') {
        const field = fieldOf(schema, on, node.name.value)
        const type = field ? getNamedType(field.type) : undefined
        if (field === SchemaMetaFieldDef && ++schemas > 1) throw new GraphQLError('The schema can be asked for once in a query')
        const lists = listing.has(node.name.value) && on !== undefined && isIntrospectionType(on as never)
        if (lists && listed) throw new GraphQLError(`Introspection lists \`${node.name.value}\` within another list`)
        const below = ofSet(node.selectionSet, isCompositeType(type) ? type : undefined, listed || lists)
        const args = Object.fromEntries(
          (node.arguments ?? []).map(({ name, value }) => [name.value, valueFromASTUntyped(value, variables)]),
        )
        // Programs ask for the whole schema when they are built: that costs half, and is as deep as it is.
        const isSchema = field === SchemaMetaFieldDef
        const complexity = pointsOf(field, args, below.complexity)
        add({ complexity: isSchema ? Math.ceil(complexity / 2) : complexity, depth: isSchema ? 1 : below.depth + 1 })
      } else if (node.kind === 'InlineFragment') {
        const condition = node.typeCondition ? schema.getType(node.typeCondition.name.value) : on
        add(ofSet(node.selectionSet, condition, listed))
      } else {
        const { value: name } = node.name
        const key = `${name} ${listed}`
        let measured = known.get(key)
        if (!measured) {
          const fragment = fragments.get(name)
          measured = ofSet(fragment?.selectionSet, fragment && schema.getType(fragment.typeCondition.name.value), listed)
          known.set(key, measured)
        }
        add(measured)
      }
    }
    return { complexity, depth }
  }
  return ofSet(operation.selectionSet, root, false)
}

function fieldOf(schema: GraphQLSchema, on: unknown, name: string): GraphQLField<unknown, unknown> | undefined {
  if (name === SchemaMetaFieldDef.name && on === schema.getQueryType()) return SchemaMetaFieldDef
  if (name === TypeMetaFieldDef.name && on === schema.getQueryType()) return TypeMetaFieldDef
  return isObjectType(on) || isInterfaceType(on) ? on.getFields()[name] : undefined
}

function pointsOf(field: GraphQLField<unknown, unknown> | undefined, args: Record<string, unknown>, below: number): number {
  const isConnection = field !== undefined && getNamedType(field.type).name.endsWith('Connection')
  const sum = 1 + (args.sort == null ? 0 : 1) + (args.search == null ? 0 : 5) + below
  if (!isConnection) return sum
  const nodes = Math.min(...[args.first, args.last, PAGE].filter(value => typeof value === 'number'))
  return Math.floor(sum + (sum * Math.max(0, nodes)) / 100)
}

/** Refuses a query that costs too much. Contract: the words of the platform, which its library has. */
export function refusalFor({ complexity, depth }: Measured, limits: Limits): readonly GraphQLError[] {
  return [
    ...(depth > limits.depth ? [new GraphQLError(`Query has depth of ${depth}, which exceeds max depth of ${limits.depth}`)] : []),
    ...(complexity > limits.complexity
      ? [new GraphQLError(`Query has complexity of ${complexity}, which exceeds max complexity of ${limits.complexity}`)]
      : []),
  ]
}

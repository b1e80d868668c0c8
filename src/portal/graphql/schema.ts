/** The schema: the parts put together, with the arguments and types that all connections share. */
import {
  buildASTSchema,
  GraphQLError,
  type GraphQLField,
  GraphQLInt,
  type GraphQLObjectType,
  type GraphQLSchema,
  GraphQLString,
  getNamedType,
  isAbstractType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  parse,
} from 'graphql'
import { pipelines } from './code/pipelines.ts'
import { releases } from './code/releases.ts'
import { repository } from './code/repository.ts'
import { runners } from './code/runners.ts'
import { snippets } from './code/snippets.ts'
import { paceIntrospection } from './execution/introspection.ts'
import { boardsPart } from './items/boards.ts'
import { epics } from './items/epics.ts'
import { issues } from './items/issues.ts'
import { mergeRequests } from './items/merge_requests.ts'
import { notes } from './items/notes.ts'
import { planning } from './items/planning.ts'
import { todos } from './items/todos.ts'
import { mutationsPart } from './mutations/all.ts'
import { globalIdIn, isIdScalar } from './reading/ids.ts'
import type { Part } from './reading/part.ts'
import { groups } from './spaces/groups.ts'
import { members } from './spaces/members.ts'
import { projects } from './spaces/projects.ts'
import { root } from './spaces/root.ts'
import { users } from './spaces/users.ts'

const parts: readonly Part[] = [
  root,
  users,
  members,
  groups,
  projects,
  issues,
  mergeRequests,
  notes,
  planning,
  pipelines,
  repository,
  releases,
  todos,
  boardsPart,
  snippets,
  runners,
  epics,
  mutationsPart,
]

const shared = `
  "Date represented in ISO 8601: \`2021-06-01\`"
  scalar Date
  "Time represented in ISO 8601: \`2021-06-01T12:00:00.000Z\`"
  scalar Time
  "A whole number that may have more than 32 bits, as a text"
  scalar BigInt
  "Where a page lies in its connection"
  type PageInfo {
    "When paginating forwards, the cursor to continue"
    endCursor: String
    "When paginating forwards, are there more items?"
    hasNextPage: Boolean!
    "When paginating backwards, are there more items?"
    hasPreviousPage: Boolean!
    "When paginating backwards, the cursor to continue"
    startCursor: String
  }
`

/** The types of the connections that the fields name. */
function connectionTypes(text: string): string {
  const names = [...new Set([...text.matchAll(/\b(\w+)Connection\b/g)].map(([, name]) => name as string))].sort()
  return names
    .map(
      name => `
  "The connection type for ${name}"
  type ${name}Connection {
    "Total count of the collection; the highest is 10000"
    count: Int!
    "A list of edges"
    edges: [${name}Edge]
    "A list of nodes"
    nodes: [${name}]
    "Information to aid in pagination"
    pageInfo: PageInfo!
  }
  "An edge in a connection of ${name}"
  type ${name}Edge {
    "A cursor for use in pagination"
    cursor: String!
    "The item at the end of the edge"
    node: ${name}
  }`,
    )
    .join('\n')
}

const pageArgs = [
  ['after', GraphQLString, 'Returns the elements in the list that come after the specified cursor'],
  ['before', GraphQLString, 'Returns the elements in the list that come before the specified cursor'],
  ['first', GraphQLInt, 'Returns the first n elements from the list; at most 100'],
  ['last', GraphQLInt, 'Returns the last n elements from the list; at most 100'],
] as const

/** Puts the schema together. */
function made(): GraphQLSchema {
  const text = parts.map(part => part.types).join('\n')
  paceIntrospection()
  const schema = buildASTSchema(parse(`${shared}\n${text}\n${connectionTypes(text)}`))
  const resolvers = new Map<string, Part['resolvers'][string]>()
  const resolveTypes = new Map<string, (source: unknown) => string>()
  for (const part of parts) {
    for (const [type, fields] of Object.entries(part.resolvers)) resolvers.set(type, { ...resolvers.get(type), ...fields })
    for (const [type, resolve] of Object.entries(part.resolveType ?? {})) resolveTypes.set(type, resolve)
  }
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue
    if (isAbstractType(type)) type.resolveType = resolveTypes.get(type.name) ?? null
    if (isScalarType(type) && type.name === 'BigInt') type.serialize = value => String(value)
    if (isScalarType(type) && ['Time', 'Date', 'ISO8601Date'].includes(type.name)) type.parseValue = parsedTime
    const { name } = type
    if (isScalarType(type) && isIdScalar(name)) {
      type.parseValue = value => {
        globalIdIn(name, value)
        return value
      }
    }
    if (!isObjectType(type) && !isInterfaceType(type)) continue
    for (const field of Object.values(type.getFields())) complete(type as GraphQLObjectType, field, resolvers.get(type.name)?.[field.name])
    for (const name of Object.keys(resolvers.get(type.name) ?? {}))
      if (!type.getFields()[name]) throw new Error(`${type.name} has a resolver for ${name} and no such field`)
  }
  return schema
}

/** An instant or a day, which the queries take as it was written. */
function parsedTime(value: unknown): string {
  if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:?\d{2})?)?$/.test(value) && !Number.isNaN(Date.parse(value)))
    return value
  throw new GraphQLError(`${JSON.stringify(value)} is not a time`)
}

function complete(type: GraphQLObjectType, field: GraphQLField<unknown, unknown>, resolver: Part['resolvers'][string][string] | undefined) {
  if (resolver) field.resolve = resolver as NonNullable<typeof field.resolve>
  if (!getNamedType(field.type).name.endsWith('Connection')) return
  const args = pageArgs.map(([name, argType, description]) => ({
    name,
    type: argType,
    description,
    defaultValue: undefined,
    deprecationReason: undefined,
    extensions: {},
    astNode: undefined,
  }))
  field.args = [...field.args, ...args]
  if (!resolver && isObjectType(type)) throw new Error(`${type.name}.${field.name} has no resolver`)
}

let schema: GraphQLSchema | undefined

/** The schema of `/api/graphql`: put together with the first request, which takes as long as a tenth of a start. */
export function graphSchema(): GraphQLSchema {
  schema ??= made()
  return schema
}

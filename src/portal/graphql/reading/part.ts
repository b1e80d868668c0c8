/** The schema as parts: the types of a resource in GraphQL's own language, and the resolvers of the fields that are not attributes. */
import type { GraphQLResolveInfo } from 'graphql'
import type { GraphRequest } from './request.ts'

/** Computes a field. */
// biome-ignore lint/suspicious/noExplicitAny: the type of the source follows from the field that answers it, which the schema says and not TypeScript
export type Resolver = (source: any, args: any, request: GraphRequest, info: GraphQLResolveInfo) => unknown

/** The types of a resource. */
export interface Part {
  readonly types: string
  readonly resolvers: Readonly<Record<string, Readonly<Record<string, Resolver>>>>
  /** How an object of an interface or union is recognized. */
  readonly resolveType?: Readonly<Record<string, (source: unknown) => string>>
}

/** The root of queries: the caller, the instance, and the things that are found by a path, a name or a global id. */
import { apiVersion, version } from '../../../platform/system/version.ts'
import type { Part } from '../reading/part.ts'

export const root: Part = {
  types: `
    type Query {
      "Information about the instance"
      metadata: Metadata
      "Text to echo back"
      echo("Text to echo back" text: String!): String!
      "Information about the complexity of the query"
      queryComplexity: QueryComplexity
    }
    "The instance"
    type Metadata {
      "Version of the API"
      version: String!
      "Revision of the program"
      revision: String!
    }
    "What the query costs"
    type QueryComplexity {
      "Complexity of the query"
      score: Int
      "Most that a query of the caller may have"
      limit: Int
    }
  `,
  resolvers: {
    Query: {
      // Contract: for callers who are signed in alone (public behaviour).
      metadata: (_, __, { ctx }) => (ctx.actor.user ? { version: apiVersion(ctx.tier), revision: version } : null),
      echo: (_, { text }: { text: string }, { ctx }) => `${ctx.actor.user ? `"${ctx.actor.user.username}"` : 'nil'} says: ${text}`,
      queryComplexity: (_, __, { complexity }) => complexity,
    },
  },
}

/** The description of a mutation, and the schema that is made of it. */
import type { Endpoint, Route } from '../../../platform/kernel/declaration/endpoint.ts'
import type { Part, Resolver } from '../reading/part.ts'
import { MutationRun, type Payload } from './run.ts'

/** A mutation. What it changes is said by declarations of the REST API, which it carries out as they stand: with their abilities, checks and events. */
export interface Mutation {
  /** One line, in the imperative. */
  readonly says: string
  /** The fields of its input besides `clientMutationId`, in the language of schemas. */
  readonly input: string
  /** The fields of its payload besides `clientMutationId` and `errors`. */
  readonly payload?: string
  /** All declarations that it may carry out: routes of the REST API, or declarations that only mutations have. */
  readonly runs: readonly (Route | Endpoint)[]
  // biome-ignore lint/suspicious/noExplicitAny: the schema says what the input is, and not TypeScript
  readonly run: (input: any, run: MutationRun) => Promise<Payload>
  /** What is shown beside errors: the thing as it is. Default: nothing. */
  // biome-ignore lint/suspicious/noExplicitAny: the schema says what the input is, and not TypeScript
  readonly otherwise?: (input: any, run: MutationRun) => Promise<Payload>
}

/** Mutations by name. */
export type Mutations = Readonly<Record<string, Mutation>>

const CLIENT_ID = '"A text of the client, which comes back" clientMutationId: String'

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

const typesOf = (name: string, { input, payload = '' }: Mutation): string => `
  "Parameters of ${name}"
  input ${capitalized(name)}Input {
    ${CLIENT_ID}
    ${input}
  }
  "What ${name} answers"
  type ${capitalized(name)}Payload {
    ${CLIENT_ID}
    "What was wrong; empty where the mutation was carried out"
    errors: [String!]!
    ${payload}
  }`

/** The part of the schema that these mutations are. `types`: other types that their inputs and payloads name. */
export function mutationPart(mutations: Mutations, types: string): Part {
  const fields = Object.entries(mutations).map(
    ([name, { says }]) => `"${says}" ${name}("Parameters of ${name}" input: ${capitalized(name)}Input!): ${capitalized(name)}Payload`,
  )
  const resolvers = Object.entries(mutations).map(([name, mutation]): [string, Resolver] => [
    name,
    (_source, { input }: { input: { clientMutationId?: string | null } }, request) => new MutationRun(request, mutation).answer(input),
  ])
  return {
    types: `
      "What can be changed"
      type Mutation {
        ${fields.join('\n')}
      }
      ${Object.entries(mutations)
        .map(([name, mutation]) => typesOf(name, mutation))
        .join('\n')}
      ${types}`,
    resolvers: { Mutation: Object.fromEntries(resolvers) },
  }
}

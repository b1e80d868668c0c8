/** What the resolvers of an object read: a row, and the JSON that the REST API shows of it. */
import { GraphQLError } from 'graphql'

/** A row with its JSON. */
export class Thing<Row = unknown, Json = unknown> {
  readonly row: Row
  readonly json: Json

  constructor(row: Row, json: Json) {
    this.row = row
    this.json = json
  }
}

const snake = (name: string): string => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** A field without a resolver: the attribute of the same name, as the REST API has it, else as the row has it. */
export function attributeOf(source: unknown, name: string): unknown {
  const key = snake(name)
  for (const place of source instanceof Thing ? [source.json, source.row] : [source]) {
    const value = (place as Record<string, unknown> | null)?.[key]
    if (value !== undefined) return value
  }
  throw new Error(`a ${source instanceof Thing ? 'thing' : 'value'} has no attribute ${key}`)
}

/** The global id of a thing: `gid://gitlab/Issue/1`. */
export const globalId = (kind: string, id: number | string): string => `gid://gitlab/${kind}/${id}`

/**
 * The id in a global id of one of these kinds.
 * @throws GraphQLError for what is none, in the words of a value that is not of its type
 */
export function idIn(value: string, ...kinds: readonly string[]): number {
  const [, kind, id] = /^gid:\/\/gitlab\/([\w:]+)\/(\d{1,15})$/.exec(value) ?? []
  if (kind === undefined || !kinds.includes(kind)) throw new GraphQLError(`"${value}" does not represent an instance of ${kinds[0]}`)
  return Number(id)
}

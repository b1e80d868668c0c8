/** The schemas of declarations, as OpenAPI writes them. */
import type { TSchema } from 'typebox'
import { originalOf } from '../declaration/types.ts'

/** Annotations that only the parameter reader uses. */
const ours = new Set(['commas', 'upload', 'message', 'zeroAs'])

/** A record's keys may be anything: TypeBox spells that as a pattern. */
const ANY_KEY = '^.*$'

/** A JSON object of the description. */
export type Json = { [key: string]: unknown }

/** What of an entity is described. */
export interface Named {
  readonly name: string
  readonly schema: TSchema
}

/** Describes schemas, those of entities once each and by name. */
export class SchemaBook {
  readonly #named = new Map<string, TSchema>()
  readonly #names = new Map<TSchema, string>()

  /** @throws Error two entities share a name */
  constructor(entities: readonly Named[]) {
    for (const { name, schema } of entities) {
      const known = this.#named.get(name)
      if (known && known !== schema) throw new Error(`two entities are called ${name}: rename one`)
      this.#named.set(name, schema)
      this.#names.set(schema, name)
    }
  }

  /** The entities, for `components.schemas`, one after the other. */
  *components(): Generator<[string, Json], void, void> {
    for (const [name, schema] of this.#named) yield [name, this.#write(schema as Json)]
  }

  /** A reference to the entity, or to any one of several sizes. */
  anyOf(entities: readonly Named[]): Json {
    const references = entities.map(({ schema }) => this.describe(schema))
    return references.length === 1 ? (references[0] as Json) : { anyOf: references }
  }

  /** The schema; an entity's, anywhere inside it, as a reference. */
  describe(schema: TSchema): Json {
    const name = this.#names.get(originalOf(schema))
    if (name === undefined) return this.#write(schema as Json)
    const { description } = schema as Json
    return { ...(description !== undefined && { description }), $ref: `#/components/schemas/${name}` }
  }

  #write(schema: Json): Json {
    const written: Json = {}
    for (const [key, value] of Object.entries(schema)) {
      if (ours.has(key)) continue
      switch (key) {
        case 'tier':
          written['x-tier'] = value
          break
        case 'takes':
          written['x-ability'] = (value as { ability: string }).ability
          break
        case 'properties':
          written.properties = Object.fromEntries(
            Object.entries(value as Record<string, TSchema>).map(([name, property]) => [name, this.describe(property)]),
          )
          break
        case 'patternProperties':
          written.additionalProperties = this.describe((value as Record<string, TSchema>)[ANY_KEY] as TSchema)
          break
        case 'items':
          written.items = this.describe(value as TSchema)
          break
        case 'anyOf':
        case 'allOf':
          written[key] = (value as TSchema[]).map(member => withoutRepetition(this.describe(member), schema.description))
          break
        case 'enum':
          written.type = 'string'
          written.enum = value
          break
        default:
          written[key] = value
      }
    }
    return written
  }
}

/** A member of a union without the description that the union has too. */
function withoutRepetition({ description, ...rest }: Json, ofUnion: unknown): Json {
  return description === undefined || description === ofUnion ? rest : { description, ...rest }
}

/**
 * The API in chapters, as its pages show it: read from the description that `GET /openapi.json` sends, chapter by chapter, so that the two cannot
 * differ. It depends on the declarations alone and is kept.
 */
import type { Ability } from '../../platform/access/abilities.ts'
import { runInSlices } from '../../platform/kernel/answer/time_slicing.ts'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { describing, type Examples } from '../../platform/kernel/openapi/openapi.ts'
import { isForPeople } from '../../platform/kernel/openapi/refusals.ts'
import { alsoCalled, areas, titleOfChapter } from './areas.ts'
import { entityOf, type Field, fieldsOf, type Json, type Param, paramsOf } from './fields.ts'

/** An answer that is no refusal. */
export interface Success {
  readonly status: string
  readonly says: string
  readonly isList: boolean
  /** The names of the entities that it may be. */
  readonly entities: readonly string[]
  readonly mediaType: string | undefined
}

/** A refusal, as the chapter's list of errors says it once. */
export interface Failure {
  readonly name: string
  readonly says: string
  readonly status: string
  readonly body: unknown
}

/** An endpoint as it is shown. */
export interface Operation {
  /** Its anchor. */
  readonly id: string
  readonly endpoint: Endpoint
  readonly summary: string
  /** Below the root, with ids as in `/projects/:id`. */
  readonly address: string
  readonly params: readonly Param[]
  /** What no type can say of the parameters. */
  readonly rules: readonly string[]
  readonly successes: readonly Success[]
  readonly failures: readonly Pick<Failure, 'name' | 'status'>[]
  readonly ability: Ability
  readonly tier: string | undefined
}

/** An object of the API with an example of it. */
export interface Entity {
  readonly name: string
  readonly fields: readonly Field[]
  readonly example: unknown
}

export interface Chapter {
  readonly name: string
  readonly title: string
  readonly operations: readonly Operation[]
  readonly entities: readonly Entity[]
  readonly failures: readonly Failure[]
}

/** An endpoint as the search finds it. */
export interface Entry {
  readonly chapter: string
  readonly id: string
  readonly method: string
  readonly address: string
  readonly summary: string
}

const idOf = ({ method, path }: Endpoint): string =>
  `${method.toLowerCase()} ${path}`
    // Paths that differ in the case of a letter or by a part `-` have anchors of their own.
    .replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
    .replaceAll('/-/', '/dash/')
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/-$/, '')

const addressOf = ({ dialect, path }: Endpoint): string => `${dialect.prefix}${path}`

/** Words of an endpoint of which all that are searched for must be part. */
const wordsOf = (chapter: string, endpoint: Endpoint): string =>
  [
    ...[endpoint.method, addressOf(endpoint), endpoint.summary, titleOfChapter(chapter), alsoCalled[chapter] ?? ''],
    ...Object.keys(endpoint.params),
  ]
    .join(' ')
    .toLowerCase()

export class ApiChapters {
  readonly #resources: () => Readonly<Record<string, readonly Endpoint[]>>
  readonly #examples: () => Examples
  readonly #made = new Map<string, Promise<Chapter>>()
  #known: Examples | undefined
  #entries: readonly (Entry & { readonly words: string })[] | undefined

  constructor(resources: () => Readonly<Record<string, readonly Endpoint[]>>, examples: () => Examples) {
    this.#resources = resources
    this.#examples = examples
  }

  /** How many endpoints a chapter has; undefined where there is no such chapter. */
  countIn(name: string): number | undefined {
    const resources = this.#resources()
    return Object.hasOwn(resources, name) ? resources[name]?.filter(endpoint => !isForPeople(endpoint)).length : undefined
  }

  /** The paths of the examples, by scope. */
  get paths(): Examples['paths'] {
    return this.#knownExamples.paths
  }

  /** The examples are a file that is read whole: once, not for each endpoint of a page. */
  get #knownExamples(): Examples {
    this.#known ??= this.#examples()
    return this.#known
  }

  /** A chapter; undefined where there is none of this name. The first call makes it, in slices. */
  async chapter(name: string): Promise<Chapter | undefined> {
    if (!this.countIn(name)) return undefined
    const made = this.#made.get(name) ?? runInSlices(this.#making(name))
    this.#made.set(name, made)
    return made
  }

  /** The endpoints that all of these words are part of; those whose summary or address has them first. */
  search(text: string): readonly Entry[] {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean)
    this.#entries ??= this.#index()
    const found = this.#entries.filter(entry => words.every(word => entry.words.includes(word)))
    const isNear = ({ summary, address }: Entry) => words.every(word => `${summary} ${address}`.toLowerCase().includes(word))
    return [...found.filter(isNear), ...found.filter(entry => !isNear(entry))]
  }

  #index() {
    const resources = this.#resources()
    return areas
      .flatMap(({ chapters }) => chapters)
      .flatMap(chapter =>
        (resources[chapter] ?? [])
          .filter(endpoint => !isForPeople(endpoint))
          .map(endpoint => ({
            chapter,
            id: idOf(endpoint),
            method: endpoint.method,
            address: addressOf(endpoint),
            summary: endpoint.summary,
            words: wordsOf(chapter, endpoint),
          })),
      )
  }

  *#making(name: string): Generator<void, Chapter, void> {
    const endpoints = (this.#resources()[name] ?? []).filter(endpoint => !isForPeople(endpoint))
    const examples = this.#knownExamples
    yield
    const description = yield* describing({ [name]: endpoints }, { version: '', examples })
    const { schemas, responses } = description.components as { schemas: Record<string, Json>; responses: Record<string, Json> }
    const paths = description.paths as Record<string, Record<string, Json>>
    const operations: Operation[] = []
    for (const endpoint of endpoints) {
      const address = addressOf(endpoint)
      const operation = paths[address.replaceAll(/[:*]([A-Za-z_]\w*)/g, '{$1}')]?.[endpoint.method.toLowerCase()] as Json
      operations.push(operationOf(endpoint, address, operation))
      yield
    }
    const entities: Entity[] = []
    for (const [entity, schema] of Object.entries(schemas)) {
      const fields = fieldsOf(schema).filter(({ name }) => !name.includes('['))
      entities.push({ name: entity, fields, example: (schema.examples as readonly unknown[] | undefined)?.[0] })
      yield
    }
    const failures = new Map(operations.flatMap(operation => operation.failures.map(failure => [failure.name, failure] as const)))
    return {
      name,
      title: titleOfChapter(name),
      operations,
      entities,
      failures: [...failures.values()]
        .map(failure => ({ ...failure, ...failureOf(responses[failure.name] as Json) }))
        .sort((one, other) => one.status.localeCompare(other.status)),
    }
  }
}

function operationOf(endpoint: Endpoint, address: string, operation: Json): Operation {
  const responses = Object.entries(operation.responses as Record<string, Json>)
  return {
    id: idOf(endpoint),
    endpoint,
    summary: endpoint.summary,
    address,
    params: paramsOf(operation),
    rules: endpoint.rules.map(({ says }) => says),
    successes: responses.filter(([status, { $ref }]) => $ref === undefined && status !== 'default').map(successOf),
    failures: responses.flatMap(([status, { $ref }]) =>
      typeof $ref === 'string' && status !== 'default' ? [{ status, name: $ref.split('/').at(-1) as string }] : [],
    ),
    ability: endpoint.can,
    tier: endpoint.tier,
  }
}

function successOf([status, response]: readonly [string, Json]): Success {
  const [mediaType, content] = Object.entries((response.content ?? {}) as Record<string, Json>)[0] ?? []
  const schema = (content?.schema ?? {}) as Json
  const isList = schema.type === 'array'
  const shown = isList ? (schema.items as Json) : schema
  const names = [shown, ...((shown.anyOf ?? []) as readonly Json[])].map(entityOf).filter(name => name !== undefined)
  return { status, says: String(response.description), isList, entities: names, mediaType }
}

/** What a refusal means, and an example of its body. */
function failureOf(response: Json): Pick<Failure, 'says' | 'body'> {
  const [content] = Object.values((response.content ?? {}) as Record<string, Json>)
  return { says: String(response.description), body: content && (content.example ?? outlineOf(content.schema as Json)) }
}

/** An example of a body of which there is none: each field with what it holds. */
function outlineOf(schema: Json): unknown {
  const [variant] = (schema.anyOf ?? []) as readonly Json[]
  if (variant) return outlineOf(variant)
  if (schema.type === 'object')
    return Object.fromEntries(
      Object.entries((schema.properties ?? {}) as Record<string, Json>).map(([name, property]) => [
        name,
        property.description ?? outlineOf(property),
      ]),
    )
  if (schema.type === 'array') return [outlineOf((schema.items ?? {}) as Json)]
  return (schema.examples as readonly unknown[] | undefined)?.[0] ?? schema.const ?? '…'
}

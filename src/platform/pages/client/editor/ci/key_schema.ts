/** What the JSON schema of CI files says of a place in one. Pure, and without a browser. */
import { topLevelKeys, topLevelList, type YamlPlace } from './yaml_place.ts'

/** A part of the schema, as far as it is read here. */
export interface KeySchema {
  readonly $ref?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly examples?: readonly unknown[]
  readonly deprecated?: boolean
  readonly properties?: Readonly<Record<string, KeySchema>>
  readonly patternProperties?: Readonly<Record<string, KeySchema>>
  readonly additionalProperties?: KeySchema | boolean
  readonly items?: KeySchema
  readonly definitions?: Readonly<Record<string, KeySchema>>
}

/** What may be written at a place. */
export interface Proposal {
  readonly label: string
  readonly description?: string | undefined
  readonly kind: 'key' | 'value'
  /** What is written for it. */
  readonly text: string
  readonly isLast?: boolean
}

/** The schema of what a path of keys leads to. */
export function schemaAt(root: KeySchema, path: readonly string[]): KeySchema | undefined {
  let found: KeySchema | undefined = root
  for (const key of path) {
    found = found && below(root, found, key)
    if (!found) return undefined
  }
  return found
}

function below(root: KeySchema, schema: KeySchema, key: string): KeySchema | undefined {
  const own = Object.hasOwn(schema.properties ?? {}, key) ? schema.properties?.[key] : undefined
  const ofItem = Object.hasOwn(schema.items?.properties ?? {}, key) ? schema.items?.properties?.[key] : undefined
  const byPattern = Object.entries(schema.patternProperties ?? {}).find(([pattern]) => new RegExp(pattern).test(key))?.[1]
  const other = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined
  return followed(root, own ?? ofItem ?? byPattern ?? other)
}

/** Follows `#/definitions/job/properties/script`. */
function followed(root: KeySchema, schema: KeySchema | undefined): KeySchema | undefined {
  if (schema?.$ref === undefined) return schema
  let found: unknown = root
  for (const part of schema.$ref.replace(/^#\//, '').split('/')) found = (found as Record<string, unknown> | undefined)?.[part]
  return found as KeySchema | undefined
}

/** The keys that name jobs of the file. */
const namesJobs = new Set(['needs', 'dependencies', 'extends', 'job', 'on_stop'])

/** What may be written at a place of a file. */
export function proposalsAt(root: KeySchema, text: string, place: YamlPlace): readonly Proposal[] {
  const schema = schemaAt(root, place.path)
  const last = place.path.at(-1)
  const values = place.kind === 'value' || place.isItem ? valuesOf(root, text, schema, last, place) : []
  return place.kind === 'key' ? [...keysOf(root, schema, place), ...values] : values
}

function keysOf(root: KeySchema, schema: KeySchema | undefined, { siblings, column, path }: YamlPlace): Proposal[] {
  const properties = { ...schema?.items?.properties, ...schema?.properties }
  return Object.entries(properties)
    .filter(([key]) => !siblings.includes(key))
    .map(([key, found]) => {
      const { description, examples, deprecated } = followed(root, found) ?? {}
      return {
        label: key,
        description,
        kind: 'key',
        text: `${key}:${opening(examples?.[0], column)}`,
        isLast: deprecated === true || path.length === 0,
      }
    })
}

/** What follows a key: its value on the same line, or a map or list on the next. */
function opening(example: unknown, column: number): string {
  const indent = '\n'.padEnd(column + 3)
  if (Array.isArray(example)) return `${indent}- `
  return typeof example === 'object' && example !== null ? indent : ' '
}

function valuesOf(root: KeySchema, text: string, schema: KeySchema | undefined, key: string | undefined, { path }: YamlPlace): Proposal[] {
  const value = (label: string): Proposal => ({ label, kind: 'value', text: label })
  // A key may also be without a value.
  const listed = [...(schema?.enum ?? []), ...(schema?.items?.enum ?? [])]
    .filter(one => one !== null)
    .map(String)
    .map(value)
  const top = Object.keys(root.properties ?? {})
  const jobs = topLevelKeys(text)
    .map(({ name }) => name)
    .filter(name => !top.includes(name) && name !== path[0])
  if (key === 'stage' && path.length === 2) return ['.pre', ...topLevelList(text, 'stages'), '.post'].map(value)
  if (key === 'extends') return jobs.map(value)
  return namesJobs.has(key ?? '') && path.length > 1 ? [...listed, ...jobs.filter(name => !name.startsWith('.')).map(value)] : listed
}

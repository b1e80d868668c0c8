/** Requests that nobody expects: valid ones of every declaration, the API's and those of pages and forms, with something changed. */
import type { TSchema } from 'typebox'
import { urlOf } from '../../src/platform/kernel/addresses/paths.ts'
import type { Endpoint } from '../../src/platform/kernel/declaration/endpoint.ts'
import { paramsOf } from '../../src/platform/kernel/declaration/steps.ts'
import type { Chance } from '../chance.ts'

/** As it goes out. */
export interface FuzzRequest {
  readonly route: string
  readonly method: string
  readonly path: string
  readonly type?: string
  readonly body?: Buffer
}

const LONG = 'x'.repeat(70_000)
/** Texts that programs stumble over. */
const texts = [
  '',
  ' ',
  '0',
  '-1',
  'null',
  'true',
  'a\0b',
  '\ud83e',
  '🦊'.repeat(40),
  `'"\\%_;--`,
  '{{7*7}}',
  '../../../etc/passwd',
  '--upload-pack=touch',
  LONG,
  '%',
  '%zz',
  '\r\nset-cookie: a=b',
  '<script>alert(1)</script>',
  'ﷺ'.repeat(30),
  '\u202eabc',
  'refs/heads/main',
  'HEAD',
  '-',
  '*',
  '[',
  '(((((((((((a+)+)+)+)+)+',
  '2021-02-30',
  '9999-12-31T23:59:59Z',
  '0001-01-01',
  '-infinity',
  '1e400',
  'http://127.0.0.1/',
  'a@b',
  '@ada',
  '/close\n/label ~bug',
  '```mermaid\n```',
  '[a](javascript:alert(1))',
  '&#0;',
  'main~1000000',
  'main^{/.*}',
  '@{-1}',
] as const
const numbers = [0, -1, 1, 2, 2 ** 31 - 1, 2 ** 31, 2 ** 53, -(2 ** 63), 1.5, 1e308] as const

/** Values that things of the world have, by the last word of a parameter's name. */
const known: Readonly<Record<string, readonly unknown[]>> = {
  id: [1, 2, 3, 4, 5, 'tools/anvil', 'tools', 'grace/notes'],
  iid: [1, 2, 3],
  ref: ['main', 'hammer', 'tongs', 'v0.1'],
  branch: ['main', 'hammer', 'tongs'],
  path: ['README.md', 'tools/anvil', 'tools', 'hammer.txt'],
  name: ['main', 'v1.0', 'bug', 'build', 'README.md'],
  sha: ['main', 'v0.1', 'hammer'],
  username: ['ada', 'grace', 'boss', 'root'],
  title: ['It squeaks', '1.0'],
}

const wordOf = (name: string) => /[a-z]+$/.exec(name)?.[0] ?? ''

/** A value as its name and schema have it, mostly. */
function plainValue(chance: Chance, name: string, schema: TSchema | undefined): unknown {
  const {
    type,
    enum: words,
    anyOf,
    examples,
    items,
  } = (schema ?? {}) as { type?: string; enum?: unknown[]; anyOf?: TSchema[]; examples?: unknown[]; items?: TSchema }
  if (words && words.length > 0) return chance.of(words)
  if (examples && examples.length > 0 && chance.below(2) === 0) return chance.of(examples)
  if (anyOf && anyOf.length > 0) return plainValue(chance, name, chance.of(anyOf))
  if (type === 'boolean') return chance.below(2) === 0
  if (type === 'array') return Array.from({ length: chance.below(4) }, () => plainValue(chance, name, items))
  const values = known[wordOf(name)]
  if (type === 'integer' || type === 'number') return chance.of((values ?? [1, 2, 3]).filter(value => typeof value === 'number').concat(1))
  return values ? chance.of(values) : `text ${chance.below(1_000)}`
}

/** A value that is not expected. */
function oddValue(chance: Chance): unknown {
  switch (chance.below(8)) {
    case 0:
      return chance.of(numbers)
    case 1:
      return [chance.of(texts), null, [1]]
    case 2:
      return { [chance.of(['a', '__proto__', 'constructor', '0'])]: chance.of(texts) }
    case 3:
      return chance.of([null, true, false])
    case 4:
      return Array.from({ length: 500 }, (_, index) => index)
    default:
      return chance.of(texts)
  }
}

/** The names in a path, `:id` and `*path`. */
const namesIn = (path: string) => [...path.matchAll(/[:*]([a-z_]+)/g)].map(([, name]) => name as string)

/** Ways that the bytes of a body are broken. */
function broken(chance: Chance, bytes: Buffer): Buffer {
  if (bytes.length === 0) return Buffer.from(chance.of(texts).slice(0, 100))
  const copy = Buffer.from(bytes)
  switch (chance.below(3)) {
    case 0:
      return copy.subarray(0, chance.below(copy.length))
    case 1:
      copy[chance.below(copy.length)] = chance.below(256)
      return copy
    default:
      return Buffer.concat([copy, copy])
  }
}

const form = (parameters: Record<string, unknown>): string =>
  new URLSearchParams(
    Object.entries(parameters).map(([name, value]) => [name, typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value)]),
  ).toString()

/** A request to a declaration: mostly valid, with up to three things changed. */
export function requestTo(endpoint: Endpoint, chance: Chance): FuzzRequest {
  const url = urlOf(endpoint)
  const names = namesIn(url)
  const schemas = paramsOf(endpoint) as Record<string, TSchema>
  const parameters: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(schemas))
    if (!names.includes(name) && (!('~optional' in schema) || chance.below(4) === 0)) parameters[name] = plainValue(chance, name, schema)
  const inPath = Object.fromEntries(names.map(name => [name, plainValue(chance, name, schemas[name])]))
  for (let changes = chance.below(4); changes > 0; changes--) {
    const all = Object.keys(schemas).filter(name => !names.includes(name))
    if (names.length > 0 && chance.below(4) === 0) inPath[chance.of(names)] = oddValue(chance)
    else if (all.length > 0) parameters[chance.of(all)] = oddValue(chance)
    else parameters[chance.of(['unknown', 'page', 'per_page', 'a[b]', '__proto__'])] = oddValue(chance)
  }
  const filled = url.replaceAll(/[:*]([a-z_]+)(\([^)]*\))?/g, (_all, name: string) =>
    encodeURIComponent(String(inPath[name]).toWellFormed().slice(0, 2_000)),
  )
  const { route, method } = endpoint
  if (method === 'GET' || method === 'DELETE') {
    const query = form(parameters).slice(0, 8_000)
    return { route, method, path: query && chance.below(10) > 0 ? `${filled}?${query}` : filled }
  }
  const isForm = endpoint.dialect.name === 'pages' || chance.below(4) === 0
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
  const body = Buffer.from(isForm ? form(parameters) : JSON.stringify(parameters))
  const isBroken = chance.below(12) === 0
  return { route, method, path: filled, type: chance.below(20) === 0 ? 'text/csv' : type, body: isBroken ? broken(chance, body) : body }
}

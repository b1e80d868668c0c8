/** What a job produces, and what it reuses from earlier runs: artifacts, cache, release. */
import { isNever, parseDuration } from '../durations.ts'
import { limits } from '../limits.ts'
import type { ArtifactsOption, CacheOption } from '../plan.ts'
import { isList, isMap, type YamlMap } from '../reading/values.ts'
import {
  anyText,
  at,
  fields,
  flag,
  map,
  ofLaterLevel,
  oneOf,
  oneOrMore,
  optional,
  orList,
  type Place,
  type Read,
  type Shape,
  shaped,
  text,
  texts,
} from './place.ts'

/** Reports that runners of this level support. */
export const reportTypes = new Set([
  'accessibility',
  'api_fuzzing',
  'browser_performance',
  'cluster_applications',
  'cluster_image_scanning',
  'cobertura',
  'codequality',
  'container_scanning',
  'coverage_fuzzing',
  'coverage_report',
  'cyclonedx',
  'dast',
  'dependency_scanning',
  'dotenv',
  'junit',
  'license_management',
  'license_scanning',
  'load_performance',
  'lsif',
  'metrics',
  'performance',
  'requirements',
  'sast',
  'secret_detection',
  'terraform',
])

const expiry: Read<string> = shaped({ types: ['string', 'number'] }, (value, place) => {
  const words = typeof value === 'number' ? String(value) : value
  return typeof words === 'string' && (isNever(words) || parseDuration(words) !== undefined)
    ? words
    : place.refuse('config should be a duration')
})

const reports: Read<Readonly<Record<string, readonly string[]>>> = shaped({ types: ['object'] }, (value, place) => {
  if (!isMap(value)) return place.refuse('config should be a hash')
  place.knows(value, reportTypes)
  const found = [...value.keys()].flatMap(type => {
    // A report with its format, as later levels write it.
    const inner = value.get(type)
    const paths = isMap(inner) ? at(inner, 'path', place.below(type), oneOrMore) : at(value, type, place, oneOrMore)
    if (!paths) return []
    // The later levels' word for a coverage report, with its format beside it.
    if (type !== 'coverage_report') return [[type, paths] as const]
    if (isMap(inner) && inner.get('coverage_format') === 'cobertura') return [['cobertura', paths] as const]
    return place.below(type).refuse('config should have the coverage_format cobertura') ?? []
  })
  return Object.fromEntries(found)
})

const outcomes = ['on_success', 'on_failure', 'always'] as const

const artifactFields = fields({
  name: text,
  paths: texts,
  exclude: texts,
  untracked: flag,
  when: oneOf(outcomes),
  expire_in: expiry,
  expose_as: text,
  public: flag,
  reports,
})

export const artifacts: Read<ArtifactsOption> = shaped(artifactFields.shape as Shape, (value, place) => {
  const found = artifactFields(value, place)
  if (!found) return undefined
  if (found.expose_as !== undefined && !found.paths) return place.refuse('paths should be given where expose_as is')
  if (found.expose_as !== undefined && found.paths?.some(path => path.includes('*')))
    return place.refuse('paths should be without patterns where expose_as is given')
  return found
})

/** A cache key or key prefix: it becomes part of a path on the runner, also if it is URL-encoded. */
const keyText: Read<string> = shaped(anyText.shape as Shape, (value, place) => {
  const key = anyText(value, place)
  return key !== undefined && /^(\.|%2e)+$|\/|%2f/i.test(key) ? place.refuse('config should be without slashes, and more than dots') : key
})

const keyFields = fields({ files: texts, prefix: keyText }, ['files'])

const cacheKey: Read<Pick<CacheOption, 'key' | 'key_files'>> = shaped(
  { types: ['string', 'number', 'object'], ...(keyFields.shape?.keys && { keys: keyFields.shape.keys }) },
  (value, place) => {
    if (!isMap(value)) {
      const key = keyText(value, place)
      return key === undefined ? undefined : { key }
    }
    const { files, prefix } = keyFields(value, place) ?? {}
    if (!files) return undefined
    if (files.length === 0 || files.length > 2) return place.below('files').refuse('config should have one or two files')
    return { key_files: { files, ...optional('prefix', prefix) } }
  },
)

const cacheFields = fields({
  key: cacheKey,
  paths: texts,
  untracked: flag,
  policy: oneOf(['pull-push', 'pull', 'push'] as const),
  when: oneOf(outcomes),
  unprotect: ofLaterLevel,
  fallback_keys: ofLaterLevel,
})

const oneCache: Read<CacheOption> = (value, place) => {
  const { key, ...found } = cacheFields(value, place) ?? {}
  return { ...key, ...found }
}

/** One cache or a list of them; an empty list means no cache, although the defaults have one. */
export const caches: Read<readonly CacheOption[]> = shaped(
  orList(cacheFields.shape as Shape, { maxItems: limits.caches }),
  (value, place) => {
    const list = isList(value) ? value : [value]
    if (list.length > limits.caches) return place.refuse(`config should have at most ${limits.caches} caches`)
    return list.flatMap((item, index) => {
      const where = isList(value) ? place.below(`[${index}]`) : place
      if (isMap(item) && item.size === 0) return []
      const cache = map(item, where) && oneCache(item, where)
      return cache ? [cache] : []
    })
  },
)

const linkFields = fields({ name: text, url: text, filepath: text, link_type: oneOf(['other', 'runbook', 'image', 'package'] as const) }, [
  'name',
  'url',
])

const links: Read<readonly object[]> = shaped({ types: ['array'], items: linkFields.shape }, (value, place) =>
  isList(value)
    ? value.flatMap((link, index) => linkFields(link, place.below(`[${index}]`)) ?? [])
    : place.refuse('config should be an array of links'),
)

const releaseFields = fields(
  {
    tag_name: anyText,
    tag_message: text,
    description: text,
    name: text,
    ref: anyText,
    milestones: oneOrMore,
    released_at: text,
    assets: fields({ links }),
  },
  ['tag_name', 'description'],
)

export const release: Read<Readonly<Record<string, unknown>>> = shaped(releaseFields.shape as Shape, (value, place) => {
  const found = releaseFields(value, place)
  if (found?.released_at !== undefined && !found.released_at.includes('$') && Number.isNaN(Date.parse(found.released_at)))
    return place.below('released_at').refuse('config should be a date in ISO 8601')
  return found
})

/** Rejects keys that are not supported here, with a clear message. */
export function assertNoSecrets(job: YamlMap, place: Place): void {
  // A key without a value has no effect.
  if ((job.get('secrets') ?? null) !== null)
    place.below('secrets').refuse('are not supported: this server reads no external vaults, use masked variables')
}

/** What a job runs and where: scripts, image, services, variables. */
import { limits } from '../limits.ts'
import type { Image, PlanVariable, Service } from '../plan.ts'
import { isList, isMap, type YamlValue } from '../reading/values.ts'
import type { DescribedVariable } from './config.ts'
import { anyText, fields, flag, ofLaterLevel, oneOrMore, type Place, type Read, shaped, shapesOf, text, texts } from './place.ts'

/**
 * Commands: one, or nested lists, which are flattened.
 * Contract: a number is no command, though it could be run as one (public behaviour).
 */
export const script: Read<readonly string[]> = shaped(
  { types: ['string', 'array'], items: { types: ['string', 'array'] } },
  (value, place) => {
    const commands = flattened(value, 0)
    return commands ?? place.refuse(`config should be a string or a nested array of strings up to ${limits.scriptDepth} levels deep`)
  },
)

function flattened(value: YamlValue, depth: number): string[] | undefined {
  if (typeof value === 'string') return [value]
  if (!isList(value) || depth > limits.scriptDepth) return undefined
  const commands: string[] = []
  for (const item of value) {
    const below = flattened(item, depth + 1)
    if (!below) return undefined
    commands.push(...below)
  }
  return commands
}

/** Ports of a container. Only a web terminal, which Ingot does not have, would use them. */
const ports: Read<readonly number[]> = shaped({ types: ['array'], items: { types: ['number', 'object'] } }, (value, place) =>
  isList(value) && value.every(port => typeof port === 'number' || isMap(port))
    ? value.map(port => (isMap(port) ? Number(port.get('number')) : Number(port)))
    : place.refuse('config should be an array of ports'),
)

const command: Read<readonly string[]> = oneOrMore

const imageReaders = { name: text, entrypoint: command, ports, pull_policy: ofLaterLevel }
const imageFields = fields(imageReaders, ['name'])

export const image: Read<Image> = shaped({ types: ['string', 'object'], keys: shapesOf(imageReaders) }, (value, place) => {
  if (typeof value === 'string') return value === '' ? place.refuse("config can't be blank") : { name: value }
  if (!isMap(value)) return place.refuse('config should be a hash or a string')
  const found = imageFields(value, place) ?? {}
  return typeof found.name === 'string' ? { ...found, name: found.name } : undefined
})

const serviceReaders = { name: text, entrypoint: command, command, alias: text, ports, pull_policy: ofLaterLevel }
const serviceFields = fields(serviceReaders, ['name'])

const service: Read<Service> = shaped({ types: ['string', 'object'], keys: shapesOf(serviceReaders) }, (value, place) => {
  if (typeof value === 'string') return { name: value }
  if (!isMap(value)) return place.refuse('config should be a hash or a string')
  const found = serviceFields(value, place) ?? {}
  return typeof found.name === 'string' ? { ...found, name: found.name } : undefined
})

export const services: Read<readonly Service[]> = shaped(
  { types: ['array'], items: service.shape, maxItems: limits.services },
  (value, place) => {
    if (!isList(value)) return place.refuse('config should be an array of services')
    if (value.length > limits.services) return place.refuse(`config should have at most ${limits.services} services`)
    return value.flatMap((item, index) => service(item, place.below(`[${index}]`)) ?? [])
  },
)

const variableFields = fields({ value: anyValue, description: text, expand: flag, options: texts })

function anyValue(value: YamlValue, place: Place): string | undefined {
  return typeof value === 'boolean' ? String(value) : anyText(value, place)
}

/** Variables: `{ KEY: value }`, or maps with a value and a description. */
export const variables: Read<readonly PlanVariable[]> = shaped({ types: ['object', 'array'], maxItems: 0 }, (value, place) => {
  if (isList(value) && value.length === 0) return []
  if (!isMap(value)) return place.refuse('config should be a hash of key value pairs')
  const found: PlanVariable[] = []
  for (const [key, given] of value) {
    if (isMap(given)) {
      const { value: inner = '', expand } = variableFields(given, place.below(key)) ?? {}
      found.push({ key, value: inner, ...(expand === false ? { raw: true } : {}) })
    } else if (given === null) found.push({ key, value: '' })
    else if (isList(given)) return place.refuse('config should be a hash of key value pairs')
    else found.push({ key, value: anyValue(given, place.below(key)) ?? '' })
  }
  return found
})

/** The variables that have a description; `variables` has reported what is wrong with them. */
export const describedVariables = (value: YamlValue): readonly DescribedVariable[] =>
  [...(isMap(value) ? value : [])].flatMap(([key, given]) => {
    const description = isMap(given) ? given.get('description') : undefined
    if (!isMap(given) || typeof description !== 'string') return []
    const options = given.get('options')
    return [{ key, value: String(given.get('value') ?? ''), description, options: isList(options) ? options.map(String) : [] }]
  })

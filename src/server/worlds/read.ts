/** Reads the file of a world. What is wrong with it is said with the line and the path of the place, all of it in one message. */
import { readFile } from 'node:fs/promises'
import { CORE_SCHEMA, loadAll, YAMLException } from 'js-yaml'
import { Compile as compile, type Validator } from 'typebox/compile'
import { lineFinder } from '../../ci/config/index.ts'
import { ConfigError } from '../../platform/config.ts'
import { danglingNames, type Problem } from './names.ts'
import { World } from './schema.ts'

/** A world, with what names a place of it in messages: `world.yml:12: projects[0].path`. */
export interface ReadWorld {
  readonly world: World
  placeOf(keys: readonly string[]): string
}

/** Problems that a message names; the others are counted. */
const MOST = 8

/** @throws ConfigError the file cannot be read, or is no world */
export async function readWorld(file: string): Promise<ReadWorld> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(`--world: cannot read ${file} (${error.code})`)
  })
  return parseWorld(text, file)
}

/**
 * @param file its name in messages
 * @throws ConfigError the text is no world
 */
export function parseWorld(text: string, file: string): ReadWorld {
  const value = parse(text, file)
  const lineOf = lineFinder(text)
  const placeOf = (keys: readonly string[]) => {
    const line = lineOf(keys)
    return `${file}${line === undefined ? '' : `:${line}`}: ${keys.length === 0 ? 'the world' : keys.join('.').replaceAll('.[', '[')}`
  }
  const problems = problemsOf(value)
  if (problems.length > 0) {
    const rest = problems.length > MOST ? `; and ${problems.length - MOST} more` : ''
    const shown = problems.slice(0, MOST).map(({ keys, says }) => `${placeOf(keys)} ${says}`)
    throw new ConfigError(`${shown.join('; ')}${rest}`)
  }
  return { world: value as World, placeOf }
}

function parse(text: string, file: string): unknown {
  try {
    // In this schema dates are texts.
    const [document = {}, another] = loadAll(text, { schema: CORE_SCHEMA })
    if (another !== undefined) throw new ConfigError(`${file}: a world is one document of YAML`)
    return document ?? {}
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    throw new ConfigError(`${file}${error.mark ? `:${error.mark.line + 1}` : ''}: ${error.reason}`)
  }
}

let validator: Validator | undefined

function problemsOf(value: unknown): Problem[] {
  validator ??= compile(World)
  const found = [...validator.Errors(value)].flatMap(error => {
    const keys = keysOf(error.instancePath, value)
    // Those that are not known are named one by one.
    if (error.keyword === 'additionalProperties')
      return (error.params as { additionalProperties: string[] }).additionalProperties.map(key => ({
        keys: [...keys, key],
        says: 'is not known here',
      }))
    if (error.keyword === 'boolean') return []
    if (error.keyword === 'enum')
      return { keys, says: `must be one of ${(error.params as { allowedValues: unknown[] }).allowedValues.join(', ')}` }
    return { keys, says: error.message }
  })
  return found.length > 0 ? found : danglingNames(value as World)
}

/** A JSON pointer as keys; positions in lists are `[0]`. */
function keysOf(pointer: string, value: unknown): string[] {
  let at = value
  return pointer
    .split('/')
    .slice(1)
    .map(escaped => {
      const key = escaped.replaceAll('~1', '/').replaceAll('~0', '~')
      const isList = Array.isArray(at)
      at = (at as Record<string, unknown> | undefined)?.[key]
      return isList ? `[${key}]` : key
    })
}

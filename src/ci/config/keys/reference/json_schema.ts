/**
 * The keys of a CI file as a JSON schema, for editors: completion, help, and values. What a key takes follows from its reader. The schema says less
 * than the reader checks, and refuses nothing that the reader takes.
 */

import { isList, isMap, isReference, type YamlValue } from '../../reading/values.ts'
import { parseYaml } from '../../reading/yaml.ts'
import { topShapes } from '../file.ts'
import { jobReaders } from '../job.ts'
import { type Shape, shapesOf } from '../place.ts'
import { fileKeys } from './file_keys.ts'
import { idTokenKeys, jobKeys, variableKeys } from './job_keys.ts'
import type { Keys, KeyWords } from './words.ts'

/** A part of a JSON schema, as far as this one has them. */
export interface KeySchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly examples?: readonly unknown[]
  readonly deprecated?: true
  readonly properties?: Readonly<Record<string, KeySchema>>
  readonly patternProperties?: Readonly<Record<string, KeySchema>>
  readonly additionalProperties?: KeySchema | false
  readonly items?: KeySchema
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

/** A schema as a whole. */
export interface CiSchema extends KeySchema {
  readonly $schema: string
  readonly title: string
  readonly definitions: Readonly<Record<'job' | 'template', KeySchema>>
}

const uses = { ignored: ' It is read, and has no effect.', refused: ' It is refused.' } as const

/** The schema of CI files. */
export function jsonSchema(): CiSchema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'CI file',
    description: 'The jobs of a project: how it is built, tested and deployed.',
    type: 'object',
    properties: propertiesOf(fileKeys, topShapes()),
    patternProperties: { '^\\.': { $ref: '#/definitions/template' } },
    additionalProperties: { $ref: '#/definitions/job' },
    definitions: {
      job: {
        description: 'A job: a script that a runner runs.',
        type: 'object',
        properties: propertiesOf(jobKeys, shapesOf(jobReaders)),
        additionalProperties: false,
      },
      // What begins with a point is no job, and may be anything.
      template: {
        description: 'A template, which jobs take over by `extends`.',
        properties: Object.fromEntries(Object.keys(jobKeys).map(key => [key, { $ref: `#/definitions/job/properties/${key}` }])),
      },
    },
  }
}

const propertiesOf = (keys: Keys, shapes: Shape['keys'] = {}): Readonly<Record<string, KeySchema>> =>
  Object.fromEntries(Object.entries(keys).map(([name, words]) => [name, schemaOf(name, words, shapes[name])]))

function schemaOf(name: string, { says, example, values, listed, keys, use }: KeyWords, shape: Shape | undefined): KeySchema {
  return {
    description: `${says}${use ? uses[use] : ''}`,
    ...(use && { deprecated: true as const }),
    examples: [read(example)],
    ...merged(
      shape && typed(shape),
      values && (listed ? { items: { enum: values.map(read) } } : { enum: [...values.map(read), null] }),
      keys && withKeys(keys, shape),
      named[name] && { additionalProperties: { properties: propertiesOf(named[name]), additionalProperties: false as const } },
    ),
  }
}

/** The keys of what stands by names of its own. */
const named: Readonly<Record<string, Keys | undefined>> = { variables: variableKeys, id_tokens: idTokenKeys }

/** Parts of a schema put together; what they say of items, too. */
function merged(...parts: readonly (KeySchema | undefined)[]): KeySchema {
  const items = parts.flatMap(part => part?.items ?? [])
  return Object.assign({}, ...parts, items.length > 0 && { items: Object.assign({}, ...items) })
}

/** The kinds of values that a reader takes, with their limits. A key without a value is as if it were not there. */
function typed({ types, keys: _, items, ...limits }: Shape): KeySchema {
  if (types.includes('array'))
    return { type: [...kindsOf(types), 'null'], ...limits, ...(items && { items: { type: kindsOf(items.types) } }) }
  // `!reference [job, key]` stands for any value that is not chosen from a list: editors read it as one of texts.
  return { type: [...kindsOf(types), 'array', 'null'], ...limits, items: { type: 'string' }, minItems: 2 }
}

/** A number with a point is a text to the reader: versions are written so. */
const kindsOf = (types: Shape['types']): readonly string[] => [...new Set(types.includes('string') ? [...types, 'number'] : types)]

/** A map with these keys, or a list of such maps. What is neither is not affected. */
function withKeys(keys: Keys, shape: Shape | undefined): KeySchema {
  const closed = { properties: propertiesOf(keys, shape?.keys ?? shape?.items?.keys), additionalProperties: false as const }
  return shape && !shape.items?.types.includes('object') && shape.types.includes('object') ? closed : { ...closed, items: closed }
}

/** A value that is written as YAML. */
const read = (written: string): unknown => plain(parseYaml(`value: ${written}`, 'example').get('value') ?? null)

const plain = (value: YamlValue): unknown => {
  if (isMap(value)) return Object.fromEntries([...value].map(([key, below]) => [key, plain(below)]))
  if (isReference(value)) return value.reference
  return isList(value) ? value.map(plain) : value
}

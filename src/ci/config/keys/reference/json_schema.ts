/**
 * The keys of a CI file as a JSON schema, for editors: completion, help, and values. It says less than the reader checks, and refuses nothing that the
 * reader takes: what a value is for (a text, a list, a map) is left open, since most keys take several.
 */

import { isList, isMap, isReference, type YamlValue } from '../../reading/values.ts'
import { parseYaml } from '../../reading/yaml.ts'
import { fileKeys } from './file_keys.ts'
import { jobKeys, variableKeys } from './job_keys.ts'
import type { Keys, KeyWords } from './words.ts'

/** A part of a JSON schema, as far as this one has them. */
export interface KeySchema {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly examples?: readonly unknown[]
  readonly deprecated?: true
  readonly properties?: Readonly<Record<string, KeySchema>>
  readonly patternProperties?: Readonly<Record<string, KeySchema>>
  readonly additionalProperties?: KeySchema | false
  readonly items?: KeySchema
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
    properties: propertiesOf(fileKeys),
    patternProperties: { '^\\.': { $ref: '#/definitions/template' } },
    additionalProperties: { $ref: '#/definitions/job' },
    definitions: {
      job: {
        description: 'A job: a script that a runner runs.',
        type: 'object',
        properties: propertiesOf(jobKeys),
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

const propertiesOf = (keys: Keys): Readonly<Record<string, KeySchema>> =>
  Object.fromEntries(Object.entries(keys).map(([name, words]) => [name, schemaOf(name, words)]))

function schemaOf(name: string, { says, example, values, listed, keys, use }: KeyWords): KeySchema {
  return {
    description: `${says}${use ? uses[use] : ''}`,
    ...(use && { deprecated: true as const }),
    examples: [read(example)],
    ...(values && (listed ? { items: { enum: values.map(read) } } : { enum: values.map(read) })),
    ...(keys && withKeys(propertiesOf(keys))),
    ...(name === 'variables' && { additionalProperties: { properties: propertiesOf(variableKeys), additionalProperties: false as const } }),
  }
}

/** A map with these keys, or a list of such maps. What is neither is not affected. */
const withKeys = (properties: Readonly<Record<string, KeySchema>>): KeySchema => ({
  properties,
  additionalProperties: false,
  items: { properties, additionalProperties: false },
})

/** A value that is written as YAML. */
const read = (written: string): unknown => plain(parseYaml(`value: ${written}`, 'example').get('value') ?? null)

const plain = (value: YamlValue): unknown => {
  if (isMap(value)) return Object.fromEntries([...value].map(([key, below]) => [key, plain(below)]))
  if (isReference(value)) return value.reference
  return isList(value) ? value.map(plain) : value
}

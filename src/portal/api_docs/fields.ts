/** Parameters and fields of the API's description, as rows of a table. */

/** A JSON object of the description. */
export type Json = { readonly [key: string]: unknown }

/** What a row says of a parameter or a field. */
export interface Field {
  readonly name: string
  readonly type: string
  /** What it may be, where only some texts are allowed. */
  readonly values: readonly string[]
  readonly required: boolean
  readonly says: string
  readonly standard: unknown
  /** "at most 255 characters" */
  readonly limits: readonly string[]
  readonly example: unknown
  readonly tier: string | undefined
  readonly deprecated: boolean
}

/** A parameter, and where it is sent. */
export interface Param extends Field {
  readonly in: 'path' | 'query' | 'body'
}

const REFERENCE = '#/components/schemas/'

const variantsOf = (schema: Json): readonly Json[] => (schema.anyOf ?? schema.oneOf ?? []) as readonly Json[]

/** The name of the entity that a schema refers to. */
export const entityOf = ({ $ref }: Json): string | undefined =>
  typeof $ref === 'string' && $ref.startsWith(REFERENCE) ? $ref.slice(REFERENCE.length) : undefined

/** The type in words. */
export function typeOf(schema: Json): string {
  const entity = entityOf(schema)
  if (entity !== undefined) return entity
  const variants = variantsOf(schema)
  if (variants.length > 0) return [...new Set(variants.map(typeOf))].join(' or ')
  if ('const' in schema) return typeof schema.const
  if (schema.type === 'array') return `list of ${pluralOf(typeOf((schema.items ?? {}) as Json))}`
  if (schema.format === 'binary') return 'file'
  if (schema.format === 'date') return 'date'
  if (schema.format === 'date-time') return 'date and time'
  return typeof schema.type === 'string' ? schema.type : 'any value'
}

const pluralOf = (type: string): string => (/^(list|any|date and)|[sA-Z]/.test(type) ? type : `${type}s`)

/** The texts that are allowed, at any depth. */
function valuesOf(schema: Json): readonly string[] {
  if (Array.isArray(schema.enum)) return schema.enum.map(String)
  if ('const' in schema) return [String(schema.const)]
  if (schema.type === 'array') return valuesOf((schema.items ?? {}) as Json)
  return variantsOf(schema).flatMap(valuesOf)
}

const limitsInWords: Readonly<Record<string, (limit: unknown) => string>> = {
  minimum: limit => `at least ${limit}`,
  exclusiveMinimum: limit => `more than ${limit}`,
  maximum: limit => `at most ${limit}`,
  minLength: limit => (limit === 1 ? 'not empty' : `at least ${limit} characters`),
  maxLength: limit => `at most ${limit} characters`,
  minItems: limit => `at least ${limit} ${limit === 1 ? 'entry' : 'entries'}`,
  maxItems: limit => `at most ${limit} entries`,
  pattern: limit => `like ${limit}`,
}

const limitsOf = (schema: Json): readonly string[] => [
  ...Object.entries(limitsInWords).flatMap(([key, inWords]) => (key in schema ? [inWords(schema[key])] : [])),
  ...variantsOf(schema).flatMap(limitsOf),
]

const fieldOf = (name: string, schema: Json, required: boolean): Field => ({
  name,
  type: typeOf(schema),
  values: valuesOf(schema),
  required,
  says: String(schema.description ?? ''),
  standard: schema.default,
  limits: limitsOf(schema),
  example: (schema.examples as readonly unknown[] | undefined)?.[0],
  tier: schema['x-tier'] as string | undefined,
  deprecated: schema.deprecated === true,
})

/** The properties of an object; those of an object in it follow it, with its name: `assets[links]`. */
export function fieldsOf(schema: Json, within?: string): readonly Field[] {
  const required = new Set((schema.required ?? []) as readonly string[])
  return Object.entries((schema.properties ?? {}) as Readonly<Record<string, Json>>).flatMap(([key, property]) => {
    const name = within === undefined ? key : `${within}[${key}]`
    const items = property.type === 'array' ? ((property.items ?? {}) as Json) : undefined
    return [fieldOf(name, property, required.has(key)), ...fieldsOf(items ?? property, items ? `${name}[]` : name)]
  })
}

/** The parameters of an operation: those of its path, of its query, and of its body. */
export function paramsOf(operation: Json): readonly Param[] {
  const listed = (operation.parameters ?? []) as readonly Json[]
  const content = ((operation.requestBody as Json | undefined)?.content ?? {}) as Readonly<Record<string, { readonly schema: Json }>>
  const body = Object.values(content)[0]?.schema
  return [
    ...listed.map((parameter): Param => {
      const schema = {
        ...(parameter.schema as Json),
        description: parameter.description,
        'x-tier': parameter['x-tier'],
        deprecated: parameter.deprecated,
      }
      const field = fieldOf(String(parameter.name), schema, parameter.required === true)
      return { ...field, example: parameter.example ?? field.example, in: parameter.in as Param['in'] }
    }),
    ...(body ? fieldsOf(body) : []).map((field): Param => ({ ...field, in: 'body' })),
  ]
}

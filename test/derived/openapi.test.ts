/** The description of the API and the list of its routes are generated, committed, and current. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeApi } from '../../src/platform/kernel/openapi/openapi.ts'
import { impliedRefusals } from '../../src/platform/kernel/openapi/refusals.ts'
import { apiVersion } from '../../src/platform/system/version.ts'
import { routesOf } from '../../src/server/cli/routes.ts'
import { endpoints, resources } from '../../src/server/endpoints.ts'
import { examples } from '../../src/server/examples.ts'
import { assertGolden } from '../golden.ts'

test('openapi.json is what the declarations say', async () => {
  const description = describeApi(resources, { version: apiVersion('ultimate'), examples: examples() })
  await assertGolden('openapi.json', `${JSON.stringify(description, null, 1)}\n`)
})

test('routes.txt lists what is served on the highest tier', async () => {
  await assertGolden('routes.txt', `${routesOf(endpoints, 'ultimate').join('\n')}\n`)
})

test('every field of an answer and every parameter says what it holds', () => {
  const { paths, components } = describeApi(resources, { version: apiVersion('ultimate'), examples: examples() }) as unknown as Description
  const silent = [
    ...Object.entries(components.schemas).flatMap(([name, schema]) => silentFields(schema, name)),
    ...Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { parameters = [], requestBody }]) => [
        ...parameters.filter(({ description }) => !description).map(({ name }) => `${method} ${path} ${name}`),
        ...silentFields(requestBody, `${method} ${path}`),
      ]),
    ),
  ]
  assert.deepEqual(silent, [], 'you are here because these have no description: use text(), integer(), flag() ... of kernel/types.ts')
})

test('errors names what does not follow from the rest of a declaration, and nothing twice', () => {
  // A page has the errors of the declaration that its form shows.
  const superfluous = Object.values(resources)
    .flat()
    .flatMap(endpoint => {
      const { route, errors = [] } = endpoint
      const implied = impliedRefusals(endpoint)
      return errors.filter((kind, index) => implied.has(kind) || errors.indexOf(kind) !== index).map(kind => `${route} ${kind}`)
    })
  assert.deepEqual(superfluous, [], 'you are here because openapi/refusals.ts adds these by itself')
})

test('a field that may be null says when it is', () => {
  const { components } = describeApi(resources, { version: apiVersion('ultimate'), examples: examples() }) as unknown as Description
  const fields = Object.entries(components.schemas).flatMap(([name, schema]) => fieldsOf(schema, name))
  const silent = fields.filter(({ property: { anyOf = [], description = '' } }) => {
    return anyOf.some(({ type }) => type === 'null') && !/\bnull\b/i.test(description)
  })
  assert.deepEqual(
    silent.map(({ path }) => path),
    [],
    'you are here because these do not say what null means: `Nullable(text("Name of the badge; null where it has none"))`',
  )
})

/** What this test reads of the description. */
interface Description {
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}
interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly description?: string }[]
  readonly requestBody?: unknown
}

/** What this test reads of a property. */
interface Property {
  readonly description?: string
  readonly anyOf?: readonly { readonly type?: string }[]
}

/** The paths of all properties in a schema, at any depth, that have no description. */
const silentFields = (schema: unknown, path: string): string[] =>
  fieldsOf(schema, path)
    .filter(({ property }) => !property.description)
    .map(field => field.path)

/** All properties in a schema, at any depth. */
function fieldsOf(schema: unknown, path: string): { readonly path: string; readonly property: Property }[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]) => {
    if (key === 'examples') return []
    if (key !== 'properties') return fieldsOf(value, path)
    return Object.entries(value as Record<string, Property>).flatMap(([name, property]) => [
      { path: `${path}.${name}`, property },
      ...fieldsOf(property, `${path}.${name}`),
    ])
  })
}

/** The description of the API and the list of its routes are generated, committed, and current. */
import { test } from 'node:test'
import { describeApi } from '../../src/platform/kernel/openapi.ts'
import { apiVersion } from '../../src/platform/system/version.ts'
import { routesOf } from '../../src/server/cli/routes.ts'
import { endpoints, resources } from '../../src/server/endpoints.ts'
import { assertGolden } from '../golden.ts'

test('openapi.json is what the declarations say', async () => {
  const description = describeApi(resources, { version: apiVersion('ultimate') })
  await assertGolden('openapi.json', `${JSON.stringify(description, null, 1)}\n`)
})

test('routes.txt lists what is served on the highest tier', async () => {
  await assertGolden('routes.txt', `${routesOf(endpoints, 'ultimate').join('\n')}\n`)
})

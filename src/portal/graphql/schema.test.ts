/** The schema as clients see it: a change of it is a visible difference. */
import { test } from 'node:test'
import { printSchema } from 'graphql'
import { assertGolden } from '../../../test/golden.ts'
import { graphSchema } from './schema.ts'

test('the schema is the one that is committed', async () => {
  await assertGolden('schema.graphql', `${printSchema(graphSchema())}\n`)
})

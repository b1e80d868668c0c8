/** The short form of `npm run torture -- crash`: some kills in the midst of mixed writes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crash } from '../../torture/crash/crash.ts'
import { isWhole } from '../depth.ts'

test('Ingot, its database or both are killed time and again in the midst of mixed writes, and nothing that was acknowledged is lost', async () => {
  const rows = await crash.run({ long: false, ...(!isWhole && { times: 5 }), seed: 24, say: () => {} })

  assert.deepEqual(
    rows.flatMap(({ failures }) => failures),
    [],
  )
  for (const { tried, times } of rows) assert.ok(times > 0, `${tried}: nothing`)
})

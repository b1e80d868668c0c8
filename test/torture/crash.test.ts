/** The short form of `npm run torture -- crash`: ten kills in the midst of mixed writes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crash } from '../../torture/crash/crash.ts'

test('ten times Ingot, its database or both are killed in the midst of mixed writes, and nothing that was acknowledged is lost', async () => {
  const rows = await crash.run({ long: false, seed: 24, say: () => {} })

  assert.deepEqual(
    rows.flatMap(({ failures }) => failures),
    [],
  )
  for (const { tried, times } of rows) assert.ok(times > 0, `${tried}: nothing`)
})

/** The short form of `npm run torture -- races`: some pairs of writes, side by side. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { races } from '../../torture/races/races.ts'
import { isWhole } from '../depth.ts'

test('two writes at a time give what they give one after the other', async () => {
  const rows = await races.run({ long: false, times: isWhole ? 200 : 12, seed: 15, say: () => {} })

  assert.deepEqual(
    rows.flatMap(({ failures }) => failures),
    [],
  )
  assert.ok(rows.reduce((sum, { times }) => sum + times, 0) >= 12)
})

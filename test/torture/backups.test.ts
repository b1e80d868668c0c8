/** The short form of `npm run torture -- backups`: a chain of backups under writes and kills, restored and compared. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backups } from '../../torture/backups.ts'
import { isWhole } from '../depth.ts'

test('backups are made of an instance that is written to, some are killed, and what is restored of the chain is the instance', async () => {
  const rows = await backups.run({ long: false, times: isWhole ? 4 : 3, seed: 11, say: () => {} })

  assert.deepEqual(
    rows.flatMap(({ failures }) => failures),
    [],
  )
  for (const { tried, times } of rows) assert.ok(times > 0, `${tried}: nothing`)
})

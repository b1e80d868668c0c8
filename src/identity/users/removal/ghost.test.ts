import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../../../test/database.ts'
import { eventually } from '../../../../test/eventually.ts'
import { statementsWait } from '../../../../test/held_table.ts'
import { transact } from '../../../platform/db/transact.ts'
import { ghostId } from './ghost.ts'

const { db, pool } = await testDatabase()

test('two transactions that are the first to need the ghost make one', async () => {
  const now = new Date()

  const [first, second] = await transact(db, async one => {
    const id = await ghostId({ db: one, now })
    const other = transact(db, two => ghostId({ db: two, now }))
    await eventually(() => statementsWait({ pool }), 'the second transaction')
    return [id, other] as const
  })

  assert.equal(await second, first)
  assert.equal((await pool.query(`select from users where kind = 'ghost'`)).rowCount, 1)
})

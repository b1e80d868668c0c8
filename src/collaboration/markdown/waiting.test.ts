/** A text that takes long takes a thread, and nothing that others need. In a file of its own, so that no other test has a transaction. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { openScene } from '../../../test/scene.ts'
import { MARKDOWN_LENGTH } from './document.ts'

const scene = await openScene()

test('no transaction is open while a text is rendered', async () => {
  let isOver = false
  const rendering = scene.anonymous.post('/markdown', { text: '<b>'.repeat(MARKDOWN_LENGTH / 3) }).finally(() => {
    isOver = true
  })
  let looks = 0
  while (!isOver) {
    const { rows } = await scene.deps.database.pool.query(
      `select query from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
    )
    assert.deepEqual(rows, [])
    looks += 1
    await delay(50)
  }
  assert.ok(looks > 10, 'it took its time')
  assert.equal((await rendering).status, 400)
})

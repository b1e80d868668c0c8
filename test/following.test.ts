import assert from 'node:assert/strict'
import { executionAsyncId } from 'node:async_hooks'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

const directory = await mkdtemp(join(tmpdir(), 'ingot-following-'))
after(() => rm(directory, { recursive: true, force: true }))

/** Tests of every kind of nesting and of failing, which print what happens when. */
const program = `
import assert from 'node:assert/strict'
import { after, describe, suite, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
const say = what => process.stdout.write('said: ' + what + '\\n')
await suite('a file', async () => {
  await delay(5)
  after(() => say('after the file'))
  test('declares after it has waited', async t => {
    await delay(5)
    after(() => say('after the test'))
    t.after(() => say('after the test, by its context'))
    await t.test('inner', async () => { await delay(1); after(() => say('after inner')) })
  })
  describe('a suite', () => {
    after(() => say('after the suite'))
    test('passes', () => delay(5))
    test('fails', async () => { await delay(1); assert.equal(1, 2) })
    test('throws later', async () => { setTimeout(() => { throw new Error('late') }, 1); await delay(20) })
    test('rejects later', async () => { setTimeout(() => { Promise.reject(new Error('unheard')) }, 1); await delay(20) })
  })
})
test('fails at the top', async () => { await delay(1); throw new Error('top') })
`

/** What the program prints, without what differs from run to run: times, and where the runner's own code stands. */
async function outputOf(flags: readonly string[]): Promise<string> {
  const file = join(directory, 'nested.test.mjs')
  await writeFile(file, program)
  const stdout = await new Promise<string>(resolve =>
    execFile(process.execPath, [...flags, '--test-reporter=tap', file], { env: { PATH: '/usr/local/bin:/usr/bin:/bin' } }, (_error, text) =>
      resolve(text),
    ),
  )
  return stdout.replaceAll(/duration_ms:? [\d.]+/g, 'duration').replaceAll(/^ +(at |async )?.*\(?(file|node):.*\n/gm, '')
}

test('tests are followed as node:test follows them: nesting, hooks, and whose an error is', async () => {
  const [own, followed] = await Promise.all([outputOf([]), outputOf(['--import', import.meta.resolve('./following.ts')])])

  assert.match(own, /said: after inner\n[\s\S]*said: after the test\n[\s\S]*said: after the suite\n[\s\S]*said: after the file\n/)
  assert.match(own, /not ok \d+ - throws later\n[\s\S]*error: 'late'/)
  assert.equal(followed, own)
})

test('promises have no ids, since nobody looks at them', async () => {
  await null
  const ids = await Promise.all(
    [1, 2].map(async () => {
      await null
      return executionAsyncId()
    }),
  )

  // Run alone, this file is followed by node:test's own means.
  assert.equal(new Set(ids).size, process.execArgv.includes('--import') ? 1 : 2)
})

/** Work in threads ends within its limits, whatever it does. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { testFolder } from '../../../test/folder.ts'
import { ThreadedWork, WorkTooLarge } from './threaded_work.ts'

/** Work whose thread runs this text. */
async function workOf<Asked, Answer>(text: string, memory = 64): Promise<ThreadedWork<Asked, Answer>> {
  const file = join(await testFolder(), 'thread.mjs')
  await writeFile(file, `import { parentPort, workerData } from 'node:worker_threads'\n${text}\n`)
  return new ThreadedWork(pathToFileURL(file), memory)
}

const TIME = 60_000

test('a thread answers what it is asked', async () => {
  const doubled = await workOf<number, number>('parentPort.postMessage(workerData * 2)')

  assert.deepEqual(await Promise.all([1, 2, 3].map(number => doubled.run(number, TIME))), [2, 4, 6])
})

test('work without an end, and work that takes all memory, is given up, and the next piece is done', async () => {
  const endless = await workOf<boolean, string>("while (workerData) {}\nparentPort.postMessage('done')")
  const greedy = await workOf<boolean, string>("const all = []\nwhile (workerData) all.push({})\nparentPort.postMessage('done')", 16)

  await assert.rejects(endless.run(true, 100), WorkTooLarge)
  await assert.rejects(greedy.run(true, TIME), WorkTooLarge)

  assert.deepEqual([await endless.run(false, TIME), await greedy.run(false, TIME)], ['done', 'done'])
})

test('a thread that fails says how', async () => {
  const failing = await workOf<undefined, never>("throw new TypeError('no work')")

  await assert.rejects(failing.run(undefined, TIME), { name: 'TypeError', message: 'no work' })
})

test('a process ends while its threads work', async () => {
  const folder = await testFolder()
  const thread = join(folder, 'thread.mjs')
  await writeFile(thread, "import { writeSync } from 'node:fs'\nwriteSync(1, 'begun\\n')\nwhile (true) {}\n")
  const source = JSON.stringify(new URL('./threaded_work.ts', import.meta.url).href)
  const program = join(folder, 'program.mjs')
  await writeFile(
    program,
    `import { ThreadedWork } from ${source}
    process.once('SIGTERM', () => process.exit(0))
    new ThreadedWork(new URL('./thread.mjs', import.meta.url), 64).run(undefined, ${TIME})`,
  )
  const started = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(started, 'exit')
  await once(createInterface(started.stdout), 'line')

  started.kill('SIGTERM')

  assert.deepEqual(await ended, [0, null])
})

/** Work in threads ends within its limits, whatever it does. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import pino from 'pino'
import { emptyDatabaseUrl } from '../../../test/database.ts'
import { eventually } from '../../../test/eventually.ts'
import { testFolder } from '../../../test/folder.ts'
import { listProcesses } from '../../../test/processes.ts'
import { openDatabase } from '../db/connection.ts'
import { transact } from '../db/transact.ts'
import { ThreadedWork, WorkTooLarge } from './threaded_work.ts'

/** A module with this text. */
async function moduleOf(text: string): Promise<URL> {
  const file = join(await testFolder(), 'thread.mjs')
  await writeFile(file, text)
  return pathToFileURL(file)
}

/** Work that this function does, which may use nothing from around it. */
const workOf = async <Asked, Answer>(work: (asked: Asked) => Answer | Promise<Answer>, memory = 64): Promise<ThreadedWork<Asked, Answer>> =>
  new ThreadedWork(await moduleOf(`export default ${work}`), memory)

const TIME = 60_000

/** Fills memory little by little: Node ends the thread. */
const fillSlowly = (filled: boolean): string => {
  const all: object[] = []
  while (filled) all.push({})
  return 'done'
}

/** Asks for one piece of memory that does not fit: Node ends the process. */
const fillInOnePiece = (filled: boolean): string => (filled ? `${new Array<number>(30_000_000).fill(0.5).length}` : 'done')

test('a thread answers what it is asked', async () => {
  const doubled = await workOf((number: number) => number * 2)

  assert.deepEqual(await Promise.all([1, 2, 3].map(number => doubled.run(number, TIME))), [2, 4, 6])
})

test('what is asked and answered is copied: maps, bytes, what is undefined', async () => {
  const same = await workOf((asked: unknown) => asked)

  for (const value of [new Map([['a', new Map([[1, [null, undefined]]])]]), new Uint8Array([1, 2]), undefined, { date: new Date(5) }])
    assert.deepEqual(await same.run(value, TIME), value)
})

test('work without an end, and work that takes all memory, is given up, and the next piece is done', async () => {
  const endless = await workOf((asked: boolean) => {
    while (asked) {}
    return 'done'
  })
  const greedy = await workOf(fillSlowly, 16)
  const greedier = await workOf(fillInOnePiece, 16)

  await assert.rejects(endless.run(true, 100), WorkTooLarge)
  await assert.rejects(greedy.run(true, TIME), WorkTooLarge)
  await assert.rejects(greedier.run(true, TIME), WorkTooLarge)

  assert.deepEqual(
    [await endless.run(false, TIME), await greedy.run(false, TIME), await greedier.run(false, TIME)],
    ['done', 'done', 'done'],
  )
})

test('work beside a piece that ends the process is done nevertheless', async () => {
  const folder = await testFolder()
  const [begun, released] = [join(folder, 'begun'), join(folder, 'released')]
  const held = await workOf(async ({ begun, released }: { begun: string; released: string }) => {
    const { appendFileSync, existsSync } = await import('node:fs')
    appendFileSync(begun, 'x')
    while (!existsSync(released)) await new Promise(resolve => setTimeout(resolve, 5))
    return 'done'
  })
  const greedy = await workOf(fillInOnePiece, 16)
  const times = () =>
    readFile(begun, 'utf8').then(
      text => text.length,
      () => 0,
    )

  const beside = held.run({ begun, released }, TIME)
  await eventually(async () => (await times()) === 1, 'the beginning of the work')
  const bomb = assert.rejects(greedy.run(true, TIME), WorkTooLarge)
  // Done again, in a process of its own.
  await eventually(async () => (await times()) === 2, 'the second beginning')
  await writeFile(released, '')

  assert.equal(await beside, 'done')
  await bomb
})

test('a transaction does not wait for a thread: it begins again when the piece is done', async t => {
  const database = await openDatabase({ url: await emptyDatabaseUrl(), poolSize: 1, log: pino({ level: 'silent' }) })
  t.after(() => database.close())
  const folder = await testFolder()
  const [begun, released] = [join(folder, 'begun'), join(folder, 'released')]
  const held = await workOf(async ({ begun, released }: { begun: string; released: string }) => {
    const { existsSync, writeFileSync } = await import('node:fs')
    writeFileSync(begun, '')
    while (!existsSync(released)) await new Promise(resolve => setTimeout(resolve, 5))
    return 'read'
  })
  let attempts = 0

  const reading = transact(database.db, async tx => {
    attempts += 1
    await sql`select 1`.execute(tx)
    return held.run({ begun, released }, TIME)
  })
  await eventually(() => existsSync(begun), 'the beginning of the work')
  // The one place for a transaction is free.
  const beside = await transact(database.db, async () => 'beside')
  await writeFile(released, '')

  assert.deepEqual([beside, await reading, attempts], ['beside', 'read', 2])
})

test('a thread that fails says how', async () => {
  const failing = await workOf((): never => {
    throw new TypeError('no work')
  })

  await assert.rejects(failing.run(undefined, TIME), { name: 'TypeError', message: 'no work' })
})

test('what cannot be copied fails, and the next piece is done', async () => {
  const same = await workOf((asked: unknown) => (asked === 'function' ? () => asked : asked))

  await assert.rejects(
    same.run(() => 1, TIME),
    /could not be cloned/,
  )
  await assert.rejects(same.run('function', TIME), ({ stack }: Error) => /could not be cloned/.test(String(stack)))

  assert.equal(await same.run('text', TIME), 'text')
})

test('a process ends while its threads work, and so do they', async () => {
  const folder = await testFolder()
  const mark = join(folder, 'mark')
  const thread = join(folder, 'thread.mjs')
  await writeFile(
    thread,
    `import { writeFileSync } from 'node:fs'
    export default () => {
      writeFileSync(${JSON.stringify(mark)}, String(process.pid))
      while (true) {}
    }`,
  )
  const source = JSON.stringify(new URL('./threaded_work.ts', import.meta.url).href)
  const program = join(folder, 'program.mjs')
  await writeFile(
    program,
    `import { ThreadedWork } from ${source}
    process.once('SIGTERM', () => process.exit(0))
    new ThreadedWork(new URL('./thread.mjs', import.meta.url), 64).run(undefined, ${TIME})`,
  )
  const started = spawn(process.execPath, [program], { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(started, 'exit')
  const pid = Number(await eventually(() => readFile(mark, 'utf8').catch(() => undefined), 'the beginning of the work'))

  started.kill('SIGTERM')

  assert.deepEqual(await ended, [0, null])
  await eventually(async () => !(await listProcesses()).some(running => running.pid === pid), 'the end of the work process')
})

test('a server without work in threads ends, and needs not wait for the process that is kept for the next piece', async () => {
  const folder = await testFolder()
  await writeFile(join(folder, 'thread.mjs'), 'export default number => number + 1')
  const source = JSON.stringify(new URL('./threaded_work.ts', import.meta.url).href)
  const program = join(folder, 'program.mjs')
  await writeFile(
    program,
    `import { ThreadedWork } from ${source}
    process.exitCode = await new ThreadedWork(new URL('./thread.mjs', import.meta.url), 64).run(6, ${TIME})`,
  )

  const [code] = await once(spawn(process.execPath, [program], { stdio: ['ignore', 'ignore', 'inherit'] }), 'exit')

  assert.equal(code, 7)
})

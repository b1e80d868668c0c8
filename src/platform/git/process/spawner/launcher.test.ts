import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type Launched, launch } from './launcher.ts'

const environment = { PATH: '/usr/local/bin:/usr/bin:/bin' }
const sh = (script: string) => launch({ program: 'sh', arguments: ['-c', script], directory: '/', environment, niceness: 0 })

/** The parent of a process according to the system. */
const parentOf = (pid: number) => Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

const isAlive = (pid: number): boolean => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** Waits until the process has a pid. */
async function pidOf(launched: Launched): Promise<number> {
  while (launched.pid === undefined) await pause(1)
  return launched.pid
}

test('a process reads what it is sent, and its output and its end come back', async () => {
  const process = await sh('cat; echo bad >&2; exit 3')
  process.stdin.end('hello')

  assert.equal(await text(process.stdout), 'hello')
  assert.deepEqual(await process.ended.then(({ exitCode, stderr }) => ({ exitCode, stderr })), { exitCode: 3, stderr: 'bad\n' })
})

test('a process has only the given environment', async () => {
  const child = await sh('env')
  const names = (await text(child.stdout))
    .trim()
    .split('\n')
    .map(line => line.split('=')[0])
  // The shell adds these itself.
  assert.deepEqual(new Set(names).difference(new Set(['PWD', 'SHLVL', 'OLDPWD', '_'])), new Set(['PATH']))
})

test('what a process has started ends with it when it is killed', async () => {
  // It gets no signal that its parent hands on, and its streams are its own.
  const child = await sh('sleep 600 >/dev/null 2>&1 & echo $!; exec sleep 600')
  const [pid] = (await once(child.stdout, 'data')) as [Buffer]
  assert.ok(isAlive(Number(pid)))
  child.stdout.resume()

  child.kill()
  await child.ended

  while (isAlive(Number(pid))) await pause(1)
})

test('concurrent processes keep their streams apart, whatever their length', async () => {
  const numbers = Array.from({ length: 12 }, (_, index) => index)
  const outputs = await Promise.all(
    numbers.map(async number => {
      const child = await sh(`head -c ${number * 10_000} /dev/zero | tr '\\0' '${number % 10}'; cat`)
      child.stdin.end(`end ${number}`)
      const output = await text(child.stdout)
      // A later test ends the launcher, which would fail what has not ended by then.
      await child.ended
      return output
    }),
  )
  assert.deepEqual(
    outputs,
    numbers.map(number => `${String(number % 10).repeat(number * 10_000)}end ${number}`),
  )
})

test('a program that cannot be started fails and is not waited for', async () => {
  const missing = async () => {
    const child = await launch({ program: 'no-such-program', arguments: [], directory: '/', environment, niceness: 0 })
    child.stdout.resume()
    await child.ended
  }
  await assert.rejects(missing, /ENOENT/)
})

test('a killed process has ended without an exit code', async () => {
  const child = await sh('exec sleep 60')
  child.kill()
  assert.equal((await child.ended).exitCode, null)
})

test('if the launcher dies, its processes have failed, and a new launcher is started', async () => {
  const child = await sh('echo begun; sleep 60')
  child.stdout.on('error', () => {}).resume()
  const pid = await pidOf(child)
  process.kill(parentOf(pid), 'SIGKILL')
  await assert.rejects(child.ended, /launcher of processes has died/)
  process.kill(pid, 'SIGKILL')

  assert.equal(await text((await sh('echo again')).stdout), 'again\n')
})

test('the launcher ends with the process that started it, however that ends', async () => {
  const program = `
    import { launch } from ${JSON.stringify(import.meta.resolve('./launcher.ts'))}
    const child = await launch({ program: 'cat', arguments: [], directory: '/', environment: ${JSON.stringify(environment)}, niceness: 0 })
    while (child.pid === undefined) await new Promise(resolve => setTimeout(resolve, 1))
    console.log(child.pid)
    setInterval(() => {}, 1000)`
  const parent = spawn(process.execPath, ['--input-type=module-typescript', '--eval', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(parent.stdout, 'data')
  const cat = Number(line)
  const launcher = parentOf(cat)
  parent.kill('SIGKILL')

  while (isAlive(launcher) || isAlive(cat)) await pause(5)
})

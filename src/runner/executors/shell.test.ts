import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { eventually } from '../../../test/eventually.ts'
import { runProgram, scriptOf } from './shell.ts'

const directory = await mkdtemp(join(tmpdir(), 'ingot-runner-shell-'))
after(() => rm(directory, { recursive: true, force: true }))

let scripts = 0
async function run(
  commands: readonly string[],
  { shell = 'bash', signal = new AbortController().signal }: { shell?: 'bash' | 'sh'; signal?: AbortSignal } = {},
) {
  const file = join(directory, `script-${++scripts}`)
  await writeFile(file, scriptOf(commands, shell))
  const parts: Buffer[] = []
  const environment = { PATH: '/usr/local/bin:/usr/bin:/bin', NAME: 'Ada' }
  const outcome = await runProgram(shell, [file], { cwd: directory, environment, onOutput: bytes => parts.push(bytes), signal })
  return {
    outcome,
    output: stripVTControlCharacters(Buffer.concat(parts).toString()),
  }
}

/** Does the process live? */
function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const gone = (pid: number) => eventually(() => !lives(pid), `process ${pid} to be gone`)

test('each command is shown and run in one shell, and the first that fails ends the script with its code', async () => {
  for (const shell of ['bash', 'sh'] as const) {
    const { outcome, output } = await run(['GREETING="hello $NAME"', 'echo "$GREETING"', "echo 'it''s'", '(exit 7)', 'echo never'], {
      shell,
    })
    assert.deepEqual(outcome, { kind: 'exited', code: 7 })
    assert.equal(output, `$ GREETING="hello $NAME"\n$ echo "$GREETING"\nhello Ada\n$ echo 'it''s'\nits\n$ (exit 7)\n`)
  }
})

test('a command of several lines is shown by its first', async () => {
  const { outcome, output } = await run(['if true; then\n  echo yes\nfi\n'])
  assert.deepEqual(outcome, { kind: 'exited', code: 0 })
  assert.equal(output, '$ if true; then # collapsed multi-line command\nyes\n')
})

test('in bash a failure within a pipe counts', async () => {
  assert.deepEqual((await run(['false | true'])).outcome, { kind: 'exited', code: 1 })
})

test('what a script leaves in the background ends with it', async () => {
  const { outcome, output } = await run(['sleep 1000 & echo "pid $!"'])

  assert.deepEqual(outcome, { kind: 'exited', code: 0 })
  await gone(Number(/pid (\d+)\n$/.exec(output)?.[1]))
})

test('a script that is stopped ends with all that it has started, even what ignores the first signal', async () => {
  const stopping = new AbortController()
  const file = join(directory, 'pid')
  const running = run([`trap '' TERM; sleep 1000 & echo $! > ${file}; echo $$ >> ${file}; wait; wait; sleep 1000`], {
    signal: stopping.signal,
  })
  const { readFile } = await import('node:fs/promises')
  let pids: number[] = []
  while (pids.length < 2) {
    await new Promise(resolve => setTimeout(resolve, 20))
    pids = (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean).map(Number)
  }

  stopping.abort('enough')

  assert.deepEqual((await running).outcome, { kind: 'stopped', reason: 'enough' })
  for (const pid of pids) await gone(pid)
})

test('a program that is not there is said to be so', async () => {
  const { signal } = new AbortController()
  const outcome = await runProgram('no-such-program', [], { cwd: directory, environment: {}, onOutput: () => {}, signal })
  assert.equal(outcome.kind, 'unstartable')
})

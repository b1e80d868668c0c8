import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

/** A file of tests that does not end by itself, nor by the signal that asks for it. */
const hanging = `
import { createServer } from 'node:net'
import { test } from 'node:test'
test('passes', () => {})
test('waits for ever', () => new Promise(() => createServer().listen(0, '127.0.0.1')))
process.on('SIGTERM', () => {})
`

/** Runs the file as `run.ts` does, with three seconds of patience, and prints what is reported. */
const runner = (entry: string, folder: string) => `
import { run } from 'node:test'
import { reportFlags, Silence } from ${JSON.stringify(import.meta.resolve('./silence.ts'))}
const [entry, folder] = ${JSON.stringify([entry, folder])}
const seen = { passed: [], failed: [], said: '' }
const silence = new Silence(entry, folder, text => { seen.said = text }, 3_000)
for await (const event of run({ files: [entry], execArgv: [...reportFlags(folder)], signal: silence.signal })) {
  silence.heard(event)
  if (event.type === 'test:pass') seen.passed.push(event.data.name)
  if (event.type === 'test:fail') seen.failed.push(event.data.name)
}
silence.end()
console.log(JSON.stringify(seen))
`

test('a process that reports no test is ended, and what it has open is said', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'ingot-silence-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const [entry, program] = [join(folder, 'hangs.test.mjs'), join(folder, 'runner.mjs')]
  await Promise.all([writeFile(entry, hanging), writeFile(program, runner(entry, folder))])
  // biome-ignore lint/style/noProcessEnv: all but what says that this is a process of tests, in which no other one may be started
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const { stdout } = await promisify(execFile)(process.execPath, [program], { env })
  const { passed, failed, said } = JSON.parse(stdout)
  assert.deepEqual(passed, ['passes'])
  assert.ok(failed.length > 0, 'it counts as failed')
  assert.match(said, /^no test was reported for 3 s \(test:\w+: waits for ever\)\nprocess \d+:\n/)
  assert.match(said, /"type":"tcp"/)
})

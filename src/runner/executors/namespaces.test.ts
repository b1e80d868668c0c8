/** Programs in namespaces, as jobs run in them, with the real bubblewrap. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { findNamespaces, inPath, type Namespaces } from './namespaces.ts'
import { type Outcome, runProgram } from './shell.ts'
import { whyNamespacesFail } from './trial.ts'

const PATH = '/usr/local/bin:/usr/bin:/bin'
const builds = await realpath(await mkdtemp(join(tmpdir(), 'ingot-namespaces-')))
after(() => rm(builds, { recursive: true, force: true }))

/** The processes of the machine whose arguments contain a text. */
async function processesWith(text: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name))
  const lines = await Promise.all(pids.map(pid => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return lines.filter(line => line.includes(text))
}

test('without bubblewrap there are no namespaces, and where they cannot be made the trial says why', async () => {
  assert.equal(await findNamespaces({ path: '/nowhere:relative', hidden: [], shown: [] }), undefined)

  const failing = join(builds, 'failing')
  await writeFile(failing, '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n', { mode: 0o755 })
  const silent = join(builds, 'silent')
  await writeFile(silent, '#!/bin/sh\nexit 3\n', { mode: 0o755 })

  assert.equal(
    await whyNamespacesFail({ program: failing, hidden: [], masked: [], shown: [] }, builds),
    'bwrap: No permissions to create new namespace',
  )
  assert.equal(await whyNamespacesFail({ program: silent, hidden: [], masked: [], shown: [] }, builds), 'bubblewrap ended with status 3')
  assert.deepEqual(
    (await readdir(builds)).filter(name => name.startsWith('trial-')),
    [],
  )
})

describe('with bubblewrap', { skip: (await inPath('bwrap', PATH)) === undefined && 'needs bubblewrap' }, () => {
  const [own, other, server] = [join(builds, 'job-1'), join(builds, 'job-2'), join(builds, 'server')]
  // Beside the hidden folders, as the settings of a server are.
  const settings = join(import.meta.dirname, `settings-${process.pid}.json`)
  const node = process.execPath
  let namespaces: Namespaces

  before(async () => {
    for (const folder of [own, other, server]) await mkdir(folder)
    for (const folder of [other, server]) await writeFile(join(folder, 'secret'), 'of another')
    await writeFile(settings, 'of the server')
    const hidden = [builds, server, '/not/there', settings, join(server, 'secret')]
    const found = await findNamespaces({ path: PATH, hidden, shown: [node] })
    assert.ok(found)
    assert.equal(await whyNamespacesFail(found, builds), undefined)
    namespaces = found
  })

  after(() => rm(settings, { force: true }))

  async function run(script: string, environment: Readonly<Record<string, string>> = {}, signal = new AbortController().signal) {
    const parts: Buffer[] = []
    const outcome: Outcome = await runProgram('bash', ['-c', script], {
      cwd: own,
      environment: { PATH, ...environment },
      onOutput: bytes => parts.push(bytes),
      signal,
      apart: { namespaces, directory: own },
    })
    return { outcome, output: Buffer.concat(parts).toString() }
  }

  test('a program writes to the folder of its job, which stays, and to temporary ones, which do not', async () => {
    const { outcome, output } = await run('pwd; echo kept > file; touch /tmp/mine /var/tmp/mine; ls /tmp/mine; exit 7')

    assert.deepEqual(outcome, { kind: 'exited', code: 7 })
    assert.equal(output, `${own}\n/tmp/mine\n`)
    assert.equal(await readFile(join(own, 'file'), 'utf8'), 'kept\n')
    assert.deepEqual(await readdir(tmpdir()).then(names => names.filter(name => name === 'mine')), [])
  })

  test('it sees nothing of other jobs and of the server, and changes nothing of the machine', async () => {
    const { output } = await run(
      `ls ${builds}; cat ${other}/secret ${server}/secret; touch ${other}/x /etc/x /usr/x; test -x ${node} && echo runs`,
    )

    assert.match(output, /^job-1\n/)
    assert.doesNotMatch(output, /of another/)
    assert.equal(output.match(/No such file or directory/g)?.length, 3, output)
    assert.equal(output.match(/Read-only file system/g)?.length, 2, output)
    assert.match(output, /^runs$/m)
  })

  test('it cannot read files of settings, which lie among others that it reads', async () => {
    const { output } = await run(
      `cat ${settings} 2>&1; echo more > ${settings}; test -r ${join(import.meta.dirname, 'namespaces.ts')} && echo reads`,
    )

    assert.doesNotMatch(output, /of the server/)
    assert.match(output, /^reads$/m)
    assert.equal(await readFile(settings, 'utf8'), 'of the server')
  })

  test('it sees no process but its own, and all of them end with it, also what leaves its group', async () => {
    const mark = `1000.${process.pid}`
    const stranger = spawn('sleep', [`2${mark}`], { stdio: 'ignore' })
    try {
      const { output } = await run(
        `grep -la 'sleep' /proc/[0-9]*/cmdline | xargs -r -n1 cat | tr '\\0' ' '; setsid --fork sleep 1${mark}; sleep 0.1; grep -qa 'sleep.1${mark}' /proc/[0-9]*/cmdline && echo started`,
      )

      assert.doesNotMatch(output, new RegExp(`2${mark}`))
      assert.match(output, /started\n$/)
      await eventually(async () => (await processesWith(`1${mark}`)).length === 0, 'the process to end')
    } finally {
      stranger.kill('SIGKILL')
    }
  })

  test('a signal ends all of it, even what ignores signals', async () => {
    const stopping = new AbortController()
    const mark = `3000.${process.pid}`
    const running = run(`trap '' TERM; setsid --fork sh -c "trap '' TERM; sleep ${mark}"; sleep ${mark}`, {}, stopping.signal)
    await eventually(async () => (await processesWith(mark)).filter(line => line.startsWith('sleep')).length === 2, 'both to run')

    stopping.abort('enough')

    assert.deepEqual((await running).outcome, { kind: 'stopped', reason: 'enough' })
    await eventually(async () => (await processesWith(mark)).length === 0, 'all to end')
  })

  test('variables reach the program and not bubblewrap, and no argument of a process has their values', async () => {
    const environment = { TOKEN: `secret ${process.pid} "'\n`, LD_PRELOAD: '/nowhere/evil.so', EMPTY: '' }
    const mark = `4000.${process.pid}`
    const stopping = new AbortController()
    const running = run(
      `test "$TOKEN" = ${JSON.stringify(environment.TOKEN)}; printf '%s' "$TOKEN" > token; sleep ${mark}`,
      environment,
      stopping.signal,
    )
    await eventually(async () => (await processesWith(mark)).some(line => line.startsWith('sleep')), 'it to run')

    const own = (await processesWith('bwrap')).filter(line => line.includes(mark))
    const telling = (await processesWith(`secret ${process.pid}`)).filter(line => !line.includes('test "$TOKEN"'))
    stopping.abort()
    const { output } = await running

    assert.ok(own.length > 0)
    assert.deepEqual(telling, [])
    assert.equal(await readFile(join(builds, 'job-1', 'token'), 'utf8'), environment.TOKEN)
    // The loader of the program says that the library is not there; that of bubblewrap would have said so before anything ran.
    assert.match(output, /evil\.so/)
  })
})

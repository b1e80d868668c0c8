/** The built-in runner as people start it: one word more on the command line. */
import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { inPath } from '../../runner/index.ts'
import { beginIngot, newDirectory, type RunningIngot, runIngot, startIngot } from './scene.ts'

const parent = await newDirectory()
after(() => rm(parent, { recursive: true, force: true }))

/** Ends what a test that failed half-way left running. */
const running = new Set<RunningIngot>()
after(async () => {
  for (const ingot of running) await ingot.end('SIGKILL')
})

async function call({ url, token }: RunningIngot, method: string, path: string, body?: object) {
  const answer = await fetch(`${url}/api/v4${path}`, {
    method,
    headers: { 'private-token': token as string, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return JSON.parse(await answer.text())
}

/** The programs of jobs with and without namespaces, where bubblewrap is installed. */
const surroundings = (await inPath('bwrap', '/usr/bin:/bin')) === undefined ? (['off'] as const) : (['off', 'require'] as const)

/** How many processes of the machine have a word among their arguments. */
async function countWith(word: string): Promise<number> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name))
  const lines = await Promise.all(pids.map(pid => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return lines.filter(line => line.split('\0').includes(word)).length
}

/** A server with its runner, and a project whose CI file has just been pushed. */
async function startWith(ciFile: string, namespaces: 'auto' | 'off' | 'require' = 'auto') {
  const cwd = await newDirectory(parent)
  const ingot = await startIngot(['--ephemeral', '--builtin-runner', '--runner-namespaces', namespaces], { cwd })
  running.add(ingot)
  const { id } = await call(ingot, 'POST', '/projects', { name: 'built' })
  await call(ingot, 'POST', `/projects/${id}/repository/files/.gitlab-ci.yml`, { branch: 'main', content: ciFile, commit_message: 'Build' })
  return { cwd, ingot, id: id as number }
}

/** The log of the latest job of a project; empty while there is none. */
async function traceOf(ingot: RunningIngot, id: number): Promise<string> {
  const [job] = await call(ingot, 'GET', `/projects/${id}/jobs`)
  if (!job) return ''
  const answer = await fetch(`${ingot.url}/api/v4/projects/${id}/jobs/${job.id}/trace`, {
    headers: { 'private-token': ingot.token as string },
  })
  return answer.text()
}

test('a project with a CI file is pushed, and its jobs succeed', async () => {
  const ciFile =
    'stages: [one, two]\nfirst:\n  stage: one\n  script: [test -f .gitlab-ci.yml]\nsecond:\n  stage: two\n  script: [echo done]\n'
  const { ingot, id } = await startWith(ciFile)

  const status = await eventually(async () => {
    const [pipeline] = await call(ingot, 'GET', `/projects/${id}/pipelines`)
    return ['success', 'failed'].includes(pipeline?.status) ? (pipeline.status as string) : undefined
  }, 'a pipeline that has ended')
  const jobs = await call(ingot, 'GET', `/projects/${id}/jobs`)
  const code = await ingot.end('SIGTERM')
  running.delete(ingot)

  assert.equal(status, 'success')
  assert.deepEqual(
    jobs.map((job: { name: string; status: string; runner: { description: string } }) => [
      job.name,
      job.status,
      typeof job.runner.description,
    ]),
    [
      ['second', 'success', 'string'],
      ['first', 'success', 'string'],
    ],
  )
  assert.equal(code, 0)
})

for (const namespaces of surroundings)
  for (const signal of ['SIGTERM', 'SIGKILL'] as const)
    test(`${signal} ends the server with its runner, and with what the jobs have started: namespaces ${namespaces}`, async () => {
      const word = `1000.${process.pid}${namespaces.length}${signal.length}`
      const { ingot, id } = await startWith(`long:\n  script:\n    - sleep ${word} & echo "it runs"\n    - wait\n`, namespaces)
      await eventually(async () => /^it runs/m.test(await traceOf(ingot, id)), 'the job to run')
      assert.equal(await countWith(word), 1)

      await ingot.end(signal)
      running.delete(ingot)

      await eventually(async () => (await countWith(word)) === 0, 'the process to end')
    })

for (const namespaces of surroundings)
  test(`under root a job reaches no key, no repository, no token of the runner, and not the database: namespaces ${namespaces}`, {
    skip: process.getuid?.() !== 0 && 'needs root',
  }, async () => {
    const script = [
      'id -u',
      'for file in secret.key ssh_host_ed25519_key root-credentials.json runner/runner.json; do if cat "$DATA/$file" >/dev/null 2>&1; then echo "READ $file"; fi; done',
      // In namespaces the folders that lead to the job's own are there, without anything else.
      'for folder in . repositories objects postgresql runner tmp; do if ls -A "$DATA/$folder" 2>/dev/null | grep -qvxE "runner|protected-jobs"; then echo "LISTED $folder"; fi; done',
      'for socket in /tmp/ingot-*/; do if ls "$socket" >/dev/null 2>&1; then case "$socket" in *ingot-??????/) [ -e "$socket/.s.PGSQL.5432" ] && echo "SOCKET $socket" || true;; esac; fi; done',
      'if kill -0 $PPID 2>/dev/null && cat /proc/$PPID/environ /proc/$PPID/mem >/dev/null 2>&1; then echo "TRACED the runner"; fi',
      'if setpriv --reuid 0 true 2>/dev/null; then echo "BECAME root"; fi',
      'touch "$HOME/own"; release-cli create 2>&1 | grep -e --tag-name || true',
      'echo finished',
    ]
    const cwd = await newDirectory(parent)
    const data = join(cwd, 'data')
    const ingot = await startIngot(['--data-dir', data, '--builtin-runner', '--runner-namespaces', namespaces], { cwd })
    running.add(ingot)
    const { id } = await call(ingot, 'POST', '/projects', { name: 'curious' })
    const content = JSON.stringify({ variables: { DATA: data }, look: { script } })
    await call(ingot, 'POST', `/projects/${id}/repository/files/.gitlab-ci.yml`, { branch: 'main', content, commit_message: 'Look' })

    const trace = await eventually(async () => {
      const text = await traceOf(ingot, id)
      return /Job (succeeded|failed)/.test(text) ? text : undefined
    }, 'the job to end')
    const lines = trace.split('\n').filter(line => !line.includes('$ '))
    const side = {
      variables: { DATA: data, CI_COMMIT_REF_PROTECTED: 'true' },
      look: {
        script: [
          'id -u',
          'if mkdir "$DATA/runner/protected-jobs/cache"; then echo "WROTE the cache"; fi; ls "$DATA/runner/protected-jobs/" || true',
        ],
      },
    }
    await call(ingot, 'POST', `/projects/${id}/repository/commits`, {
      branch: 'side',
      start_branch: 'main',
      commit_message: 'Look from the side',
      actions: [{ action: 'update', file_path: '.gitlab-ci.yml', content: JSON.stringify(side) }],
    })
    const sideTrace = await eventually(async () => {
      const text = await traceOf(ingot, id)
      return text !== trace && /Job (succeeded|failed)/.test(text) ? text : undefined
    }, 'the job of the side branch to end')
    await ingot.end('SIGTERM')
    running.delete(ingot)

    assert.deepEqual(
      lines.filter(line => /^(READ|LISTED|SOCKET|TRACED|BECAME)/.test(line)),
      [],
    )
    assert.match(trace, /Job succeeded/)
    const uidIn = (text: string) => /^(6\d{4})\r?$/m.exec(text)?.[1]
    assert.deepEqual([uidIn(trace), uidIn(sideTrace)], ['60708', '60707'], `${trace}\n${sideTrace}`)
    assert.doesNotMatch(sideTrace, /^WROTE/m)
    // Without namespaces the folder of protected jobs is there, and another user's; in them nothing is there.
    assert.match(sideTrace, namespaces === 'off' ? /Permission denied/ : /No such file or directory/)
    assert.equal(trace.includes('in namespaces of its own'), namespaces !== 'off')
  })

/** Waits until the job of this name has ended, and answers its status. */
const endOf = (ingot: RunningIngot, id: number, name: string): Promise<string> =>
  eventually(async () => {
    const jobs: { name: string; status: string }[] = await call(ingot, 'GET', `/projects/${id}/jobs`)
    return jobs.find(job => job.name === name && ['success', 'failed'].includes(job.status))?.status
  }, `the end of ${name}`)

test('a file that the runner cannot read fails its job, and the next one runs', async () => {
  const { ingot, id } = await startWith(`
stages: [leave, follow]
leave:
  stage: leave
  script: ["echo a > locked; chmod 000 locked"]
  artifacts: { paths: [locked] }
follow:
  stage: follow
  when: always
  script: ["echo ok"]
`)

  assert.deepEqual([await endOf(ingot, id, 'leave'), await endOf(ingot, id, 'follow')], ['failed', 'success'])

  await ingot.end('SIGTERM')
  running.delete(ingot)
})

test('a job that ends what runs it stops no others for long', async () => {
  const concurrency = 4
  const { ingot, id } = await startWith(
    `
end: { script: ["kill -9 $PPID"], rules: [{ if: '$CI_PIPELINE_SOURCE == "push"' }] }
follow: { script: ["echo ok"], rules: [{ if: '$CI_PIPELINE_SOURCE == "api"' }] }
`,
    'off',
  )
  const statuses = async (name: string): Promise<string[]> =>
    (await call(ingot, 'GET', `/projects/${id}/jobs`))
      .filter((job: { name: string }) => job.name === name)
      .map((job: { status: string }) => job.status)
  await eventually(async () => (await statuses('end')).includes('running'), 'the job to begin')

  // Those that it has taken before it ends are lost with it.
  for (let made = 0; made < 2 * concurrency; made++) await call(ingot, 'POST', `/projects/${id}/pipeline`, { ref: 'main' })

  const isOver = async () => (await statuses('follow')).filter(status => status === 'success').length >= concurrency
  assert.ok(await eventually(isOver, 'the jobs that follow'))
  await ingot.end('SIGTERM')
  running.delete(ingot)
})

test('without a token or with a wrong address the runner says so in one line', async () => {
  const cwd = await newDirectory(parent)

  const without = await runIngot(['runner'], { cwd })
  const nowhere = await runIngot(['runner', '--url', 'http://127.0.0.1:1'], { cwd, env: { INGOT_RUNNER_TOKEN: 'token' } })
  await mkdir(join(cwd, 'kept'))
  await writeFile(join(cwd, 'kept', 'runner.json'), JSON.stringify({ url: 'http://127.0.0.1:1', token: 'own' }))
  const kept = await runIngot(['runner', '--url', 'http://127.0.0.1:1', '--builds-dir', 'kept'], { cwd })

  assert.deepEqual(
    [without.code, without.stderr],
    [2, 'ingot: a registration token is needed: INGOT_RUNNER_TOKEN, or a file that --token-file names\n'],
  )
  assert.equal(nowhere.code, 1)
  assert.deepEqual([kept.code, kept.stderr], [1, nowhere.stderr], 'the token of an earlier start is enough')
  assert.equal(nowhere.stderr, 'ingot: the runner cannot work for http://127.0.0.1:1: the server does not answer (bad port)\n')
})

test('the folder of a runner is in the home of its user unless said otherwise, outside of what npm has installed', async () => {
  const cwd = await newDirectory(parent)
  await mkdir(join(cwd, '.ingot-runner'))
  await writeFile(join(cwd, '.ingot-runner', 'runner.json'), JSON.stringify({ url: 'http://127.0.0.1:1', token: 'own' }))

  const { code, stderr } = await runIngot(['runner', '--url', 'http://127.0.0.1:1'], { cwd })

  assert.deepEqual([code, stderr], [1, 'ingot: the runner cannot work for http://127.0.0.1:1: the server does not answer (bad port)\n'])
})

test('a runner that must have namespaces does not start where bubblewrap is not installed', async () => {
  const { cwd, ingot, id } = await startWith('never:\n  script: [exit 1]\n  tags: [none]\n')
  const { runners_token } = await call(ingot, 'GET', `/projects/${id}`)
  const programs = join(cwd, 'programs')
  await mkdir(programs)
  for (const name of ['readlink', 'dirname', 'find']) await symlink((await inPath(name, '/usr/bin:/bin')) ?? '/', join(programs, name))

  const { code, stderr } = await runIngot(['runner', '--url', ingot.url, '--builds-dir', 'own', '--namespaces', 'require'], {
    cwd,
    env: { INGOT_RUNNER_TOKEN: runners_token, PATH: programs },
  })
  await ingot.end('SIGTERM')
  running.delete(ingot)

  assert.deepEqual([code, stderr], [1, 'ingot: jobs cannot run in namespaces: bubblewrap is not installed\n'])
})

test('a runner whose jobs would be root says so, and how they are not', { skip: process.getuid?.() !== 0 && 'needs root' }, async () => {
  const cwd = await newDirectory(parent)
  const run = (...args: string[]) =>
    runIngot(['runner', '--url', 'http://127.0.0.1:1', ...args], { cwd, env: { INGOT_RUNNER_TOKEN: 'token' } })

  const [asRoot, asUser] = [await run(), await run('--run-as', '1000:1000')]

  assert.match(asRoot.stdout, /^Warning: jobs run as root .* --run-as <uid>:<gid>\n$/)
  assert.equal(asUser.stdout, '')
})

test('a runner of root works as the user that it is given, in a new folder', {
  skip: process.getuid?.() !== 0 && 'needs root',
}, async () => {
  const cwd = await newDirectory(parent)
  const ingot = await startIngot(['--ephemeral'], { cwd })
  running.add(ingot)
  const { id, runners_token } = await call(ingot, 'POST', '/projects', { name: 'built' })
  const commit = { branch: 'main', content: 'who:\n  script: [id -u]\n', commit_message: 'Build' }
  await call(ingot, 'POST', `/projects/${id}/repository/files/.gitlab-ci.yml`, commit)

  const runner = beginIngot(
    ['runner', '--url', ingot.url, '--run-as', '1000:1000', '--builds-dir', join(cwd, 'own'), '--containers', 'off', '--namespaces', 'off'],
    { cwd, env: { INGOT_RUNNER_TOKEN: runners_token } },
  )
  const log = eventually(async () => /^100[01]$/m.exec(await traceOf(ingot, id))?.[0], 'the job to write')
  const written = await Promise.race([log, runner.ended.then(({ stderr }) => stderr)])
  runner.kill()
  await runner.ended
  await ingot.end('SIGTERM')
  running.delete(ingot)

  assert.equal(written, '1001', 'jobs of protected branches have the next user')
})

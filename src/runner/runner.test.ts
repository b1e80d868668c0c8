/** The built-in runner against a real server: jobs by the protocol, over HTTP. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { eventually } from '../../test/eventually.ts'
import { openScene, type Person, type SceneProject } from '../../test/scene.ts'
import { jobById } from '../ci/jobs/queries.ts'
import { pendingJob, type SceneJob, type SceneJobOptions } from '../ci/jobs/scene.ts'
import { Coordinator } from './coordinator.ts'
import { runJob } from './job.ts'
import type { Job } from './payload.ts'
import { runnerToken } from './registration/registration.ts'
import { installedReleaseTool } from './release/release_tool.ts'
import { runJobs } from './runner.ts'

const scene = await openScene()
const { db } = scene.deps.database
const directory = await mkdtemp(join(tmpdir(), 'ingot-runner-'))
after(() => rm(directory, { recursive: true, force: true }))
const inherited = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: directory }

/** A project with a commit, and its registration token. */
async function project() {
  const { project, owner } = await scene.project()
  await owner.post(`${project.url}/repository/files/hello.txt`, { branch: 'main', content: 'hello from git', commit_message: 'Say hello' })
  const sha = (await owner.get(`${project.url}/repository/branches/main`)).body.commit.id as string
  const { runners_token } = (await owner.get(project.url)).body
  return { project, owner, sha, token: runners_token as string }
}

/** Has a runner of the project run, until `done`. */
async function whileRunning(token: string, done: () => Promise<boolean>, builds: string, environment = inherited): Promise<void> {
  const stop = new AbortController()
  const coordinator = new Coordinator(scene.url)
  const own = await runnerToken({ coordinator, url: scene.url, token, description: 'test', tags: [], file: join(builds, 'runner.json') })
  const { signal } = stop
  const place = { coordinator, builds, shell: 'bash' as const, releaseTool: installedReleaseTool, inherited: environment, signal }
  const run = (job: Job, slot: number) => runJob(job, { ...place, slot })
  const running = runJobs({ coordinator, token: own, concurrency: 2, run, signal, say: () => {} })
  await eventually(done, 'the runner to have done it')
  stop.abort()
  await running
}

const isOver = async ({ id }: SceneJob): Promise<boolean> => ['success', 'failed', 'canceled'].includes((await jobById(db, id))!.status)

const traceOf = async ({ id }: SceneJob): Promise<string> => {
  const chunks = await db.selectFrom('job_trace_chunks').select('bytes').where('job_id', '=', id).orderBy('start').execute()
  return Buffer.concat(chunks.map(({ bytes }) => bytes)).toString()
}

async function runIn({ project: place, owner, sha, token }: Awaited<ReturnType<typeof project>>, input: SceneJobOptions) {
  const job = await pendingJob(scene, place as SceneProject, owner as Person, { sha, ...input })
  const builds = join(directory, `builds-${place.id}`)
  await whileRunning(token, () => isOver(job), builds)
  return { job, builds, row: (await jobById(db, job.id))!, trace: await traceOf(job) }
}

test('a job runs in a working copy of its commit, with its variables, and its token is masked in the log', async () => {
  const { row, trace, builds, job } = await runIn(await project(), {
    variables: [{ key: 'GREETING', value: 'in $CI_PROJECT_NAME of $CI_COMMIT_REF_NAME' }],
    options: {
      before_script: ['echo "$GREETING"'],
      script: [
        'cat hello.txt',
        'echo "token=$CI_JOB_TOKEN"',
        'test "$PWD" = "$CI_PROJECT_DIR"',
        'echo "secret of the server: $INGOT_SECRET_KEY."',
      ],
      after_script: ['echo "after $CI_JOB_STATUS"'],
    },
  })

  assert.equal(row.status, 'success', trace)
  assert.match(trace, /^in .+ of main$/m)
  assert.match(trace, /^hello from git/m)
  assert.match(trace, /^token=\[MASKED\]$/m)
  assert.match(trace, /^after success$/m)
  assert.match(trace, /^secret of the server: \.$/m)
  assert.match(trace, /section_start:\d+:step_script\r/)
  assert.ok(!(await readdir(builds)).includes(`job-${job.id}`), 'its directory is gone')
})

test('a job whose file asks for containers says that it runs without them', async () => {
  const { row, trace } = await runIn(await project(), {
    options: { image: { name: 'ruby:2.7' }, services: [{ name: 'postgres:13' }, { name: 'redis:6' }], script: ['echo done'] },
  })
  const plain = await runIn(await project(), { options: { script: ['echo done'] } })

  assert.equal(row.status, 'success', trace)
  assert.match(trace, /WARNING: this runner has no containers: the job runs on the machine itself, with its programs, and not in ruby:2\.7/)
  assert.match(trace, /WARNING: services are not started here: postgres:13, redis:6/)
  assert.doesNotMatch(plain.trace, /WARNING/)
})

test('a job proves what it is to another service by its id token, which is masked in the log', async () => {
  const made = await project()
  const file = join(directory, 'id-token')
  const script = ['echo "token=$CLOUD_TOKEN."', `printf %s "$CLOUD_TOKEN" > '${file}'`]
  const { row, trace, job } = await runIn(made, { options: { script, id_tokens: { CLOUD_TOKEN: { aud: 'https://cloud.example.com' } } } })

  assert.equal(row.status, 'success', trace)
  assert.match(trace, /^token=\[MASKED\]\.$/m)
  const token = await readFile(file, 'utf8')
  const keys = createRemoteJWKSet(new URL(`${scene.url}/-/jwks`))
  const { payload } = await jwtVerify(token, keys, { issuer: scene.url, audience: 'https://cloud.example.com' })
  assert.deepEqual([payload.job_id, payload.project_id, payload.sha], [String(job.id), String(made.project.id), made.sha])
})

test('the token of a job is in no argument of a git process, and in no configuration of git', async () => {
  const made = await project()
  const folder = join(directory, 'watched')
  const [bin, log, found] = ['bin', 'arguments', 'found'].map(name => join(folder, name)) as [string, string, string]
  await mkdir(bin, { recursive: true })
  // What is started first is written down here; git itself tells of the processes that it starts.
  await writeFile(
    join(bin, 'git'),
    `#!/bin/sh\nprintf '%s\\n' "$@" >> '${log}'\nGIT_TRACE='${log}' exec /usr/bin/env PATH=/usr/local/bin:/usr/bin:/bin git "$@"\n`,
    { mode: 0o755 },
  )
  const script = [`echo "$CI_JOB_TOKEN" > '${found}.token'`, 'git fetch --quiet origin', `cat .git/config > '${found}.config'`]
  const job = await pendingJob(scene, made.project, made.owner, { sha: made.sha, options: { script } })

  await whileRunning(made.token, () => isOver(job), join(folder, 'builds'), { ...inherited, PATH: `${bin}:${inherited.PATH}` })

  assert.equal((await jobById(db, job.id))?.status, 'success', await traceOf(job))
  const [token, config, seen] = await Promise.all([`${found}.token`, `${found}.config`, log].map(path => readFile(path, 'utf8')))
  assert.ok(token && token.trim().length > 15)
  assert.match(seen ?? '', /fetch[\s\S]+remote-http/)
  assert.match(config ?? '', /url = http/)
  assert.ok(!seen?.includes(token.trim()) && !config?.includes(token.trim()))
})

test('a script that fails is reported with its exit code, and after_script knows', async () => {
  const { row, trace } = await runIn(await project(), { options: { script: ['exit 42'], after_script: ['echo "after $CI_JOB_STATUS"'] } })

  assert.deepEqual([row.status, row.failure_reason, row.exit_code], ['failed', 'script_failure', 42])
  assert.match(trace, /^after failed$/m)
})

test('a job that takes too long is ended with all that it has started', async () => {
  const place = await project()
  const job = await pendingJob(scene, place.project, place.owner, { sha: place.sha, options: { script: ['sleep 1000 & sleep 1001'] } })
  await db.updateTable('jobs').set({ timeout: 2 }).where('id', '=', job.id).execute()

  await whileRunning(place.token, () => isOver(job), join(directory, 'timeout'))

  const row = (await jobById(db, job.id))!
  assert.deepEqual([row.status, row.failure_reason], ['failed', 'job_execution_timeout'])
})

test('the runner follows no link that a script has put in place of a folder or file of its job', async () => {
  const made = await project()
  const elsewhere = join(directory, 'of-the-machine')
  await mkdir(elsewhere)
  await writeFile(join(elsewhere, 'secret'), 'of the server')
  const own = '"$CI_BUILDS_DIR"/../tmp'

  const copied = await runIn(made, {
    options: {
      artifacts: { paths: ['secret'] },
      script: ['cd /', 'rm -rf "$CI_PROJECT_DIR"', `ln -s ${elsewhere} "$CI_PROJECT_DIR"`],
    },
  })
  const folder = await runIn(made, { options: { script: [`rm -rf ${own}`, `ln -s ${elsewhere} ${own}`], after_script: ['echo followed'] } })
  const file = await runIn(made, {
    options: { script: [`ln -s ${elsewhere}/secret ${own}/after_script.sh`], after_script: ['echo written'] },
  })

  assert.deepEqual([copied.row.status, copied.row.failure_reason], ['failed', 'runner_system_failure'], copied.trace)
  assert.match(copied.trace, /put a link to another folder in place of/)
  assert.doesNotMatch(copied.trace, /Uploaded/)
  assert.doesNotMatch(folder.trace, /^followed/m)
  assert.match(file.trace, /^written$/m)
  assert.deepEqual(await readdir(elsewhere), ['secret'])
  assert.equal(await readFile(join(elsewhere, 'secret'), 'utf8'), 'of the server')
})

test('a cache is there for the next job with its key', async () => {
  const place = await project()
  const cache = [{ key: 'k-$CI_COMMIT_REF_NAME', paths: ['kept/'] }]
  await runIn(place, { options: { cache, script: ['mkdir kept', 'echo "$CI_JOB_ID" > kept/by'] } })

  const { row, trace } = await runIn(place, { options: { cache, script: ['echo "kept by $(cat kept/by)"'] } })

  assert.equal(row.status, 'success', trace)
  assert.match(trace, /^kept by \d+$/m)
})

test('what a job of an open branch leaves in a cache is not there for a protected one, whatever key it names', async () => {
  const place = await project()
  const paths = ['kept/']
  for (const key of ['deps', 'deps-protected'])
    await runIn(place, { options: { cache: [{ key, paths }], script: ['mkdir -p kept', 'echo "echo robbed" > kept/run'] } })

  const { row, trace } = await runIn(place, {
    protected: true,
    variables: [{ key: 'CACHE_FALLBACK_KEY', value: 'deps-non_protected' }],
    options: { cache: [{ key: 'deps', paths }], script: ['test ! -e kept/run'] },
  })

  assert.equal(row.status, 'success', trace)
})

test('GIT_STRATEGY none fetches nothing, GIT_CHECKOUT false checks nothing out, file variables are files', async () => {
  const place = await project()
  const none = await runIn(place, { variables: [{ key: 'GIT_STRATEGY', value: 'none' }], options: { script: ['ls -A | wc -l'] } })
  const fetched = await runIn(place, {
    variables: [{ key: 'GIT_CHECKOUT', value: 'false' }],
    options: { script: ['ls -A', 'git cat-file -t "$CI_COMMIT_SHA"'] },
  })
  await place.owner.post(`${place.project.url}/variables`, { key: 'KEY_FILE', value: 'content of the file', variable_type: 'file' })
  const file = await runIn(place, { options: { script: ['cat "$KEY_FILE"'] } })

  assert.match(none.trace, /^0$/m)
  assert.match(fetched.trace, /^\.git\n(.*\n)?commit$/m)
  assert.match(file.trace, /^content of the file/m)
})

test('the working copy lies where GIT_CLONE_PATH says, within CI_BUILDS_DIR, and is as deep as GIT_DEPTH says (runner protocol c.2)', async () => {
  const place = await project()
  const sha = await scene.commit(place.project as SceneProject, { 'more.txt': 'more' })
  const input = { variables: [{ key: 'GIT_CLONE_PATH', value: '$CI_BUILDS_DIR/here/$CI_PROJECT_NAME' }] }
  const script = ['test "$PWD" = "$CI_BUILDS_DIR/here/$CI_PROJECT_NAME"', 'test "$PWD" = "$CI_PROJECT_DIR"', 'git rev-list --count HEAD']

  const whole = await runIn({ ...place, sha }, { ...input, options: { script } })
  const shallow = await runIn({ ...place, sha }, { variables: [...input.variables, { key: 'GIT_DEPTH', value: '1' }], options: { script } })

  assert.deepEqual([whole.row.status, shallow.row.status], ['success', 'success'], `${whole.trace}\n${shallow.trace}`)
  assert.match(whole.trace, /^2$/m)
  assert.match(shallow.trace, /^1$/m)
  assert.ok(!(await readdir(whole.builds)).includes(`job-${whole.job.id}`), 'it is gone with the rest')
})

test('a GIT_CLONE_PATH outside of CI_BUILDS_DIR is refused before anything is written there, and so is a strategy that is none', async () => {
  const place = await project()
  const outcomes: unknown[] = []
  for (const [key, value] of [
    ['GIT_CLONE_PATH', join(directory, 'elsewhere')],
    ['GIT_CLONE_PATH', '$CI_BUILDS_DIR/../up'],
    ['GIT_CLONE_PATH', 'relative'],
    ['GIT_STRATEGY', 'guess'],
    ['GIT_SUBMODULE_STRATEGY', 'deep'],
  ] as const) {
    const { row, trace } = await runIn(place, { variables: [{ key, value }], options: { script: ['echo never'] } })
    outcomes.push([row.status, row.failure_reason, trace.includes(key), trace.includes('$ echo never')])
  }

  const [path, strategy] = [
    ['failed', 'script_failure', true, false],
    ['failed', 'runner_system_failure', true, false],
  ]
  assert.deepEqual(outcomes, [path, path, path, strategy, strategy])
  assert.ok(!(await readdir(directory)).includes('elsewhere'))
})

test('a runner keeps its token, and is the same runner at the next start', async () => {
  const { token } = await project()
  const file = join(directory, 'kept', 'runner.json')
  const said: string[] = []
  const say = (line: string) => said.push(line)
  const options = { coordinator: new Coordinator(scene.url), url: scene.url, token, description: 'kept', tags: ['a'], file, say }

  const first = await (await runnerToken(options)).use()
  const saidAtFirst = said.length

  assert.equal(await (await runnerToken(options)).use(), first)
  assert.notEqual(first, token)
  assert.deepEqual([saidAtFirst, said], [0, ['The runner is registered already: its tags are changed on its page, not by --tags']])
})

test('a runner replaces its token before it ends, and finds the other one at the next start', async () => {
  const { token } = await project()
  const file = join(directory, 'replaced', 'runner.json')
  let now = Date.now()
  const hours = (count: number) => {
    now += count * 3_600_000
    scene.setTime(new Date(now).toISOString())
  }
  const coordinator = new Coordinator(scene.url)
  const options = { coordinator, url: scene.url, token, description: 'replaced', tags: [], file, clock: () => now }
  const own = await runnerToken(options)
  const first = await own.use()
  await scene.root.put('/application/settings', { project_runner_token_expiration_interval: 40 * 3600 })
  try {
    hours(29)
    assert.equal(await own.use(), first)
    hours(2)
    const second = await own.use()
    assert.notEqual(second, first)
    assert.equal(await coordinator.verify(first), undefined)
    hours(29)
    assert.equal(await own.use(), second)
    const next = await runnerToken(options)
    assert.equal(await next.use(), second)
    hours(2)
    const third = await next.use()
    assert.notEqual(third, second)
    assert.deepEqual(await coordinator.verify(third), { token: third, expiresAt: new Date(now + 40 * 3_600_000).toISOString() })
    hours(41)
    await assert.rejects(next.use(), { status: 403 })
  } finally {
    scene.setTime(undefined)
    await scene.root.put('/application/settings', { project_runner_token_expiration_interval: null })
  }
})

test('a runner says when the server answers again', async () => {
  const { project: place, owner, sha, token } = await project()
  await pendingJob(scene, place, owner, { sha })
  const file = join(directory, `again-${place.id}.json`)
  const own = await runnerToken({ coordinator: new Coordinator(scene.url), url: scene.url, token, description: 'test', tags: [], file })
  let connections = 0
  const sides = new Set<Socket>()
  const door = createServer(socket => {
    if (++connections === 1) return void socket.destroy()
    const through = connect(Number(new URL(scene.url).port), '127.0.0.1')
    for (const side of [socket, through]) sides.add(side.on('error', () => {}))
    socket.pipe(through).pipe(socket)
  })
  door.listen(0, '127.0.0.1')
  await once(door, 'listening')
  const coordinator = new Coordinator(`http://127.0.0.1:${(door.address() as AddressInfo).port}`)
  const stop = new AbortController()
  const lines: string[] = []
  await runJobs({
    coordinator,
    token: own,
    concurrency: 1,
    run: async () => stop.abort(),
    signal: stop.signal,
    say: line => lines.push(line.replace(/\d+|\(.*\)/g, '…')),
  })
  door.close()
  for (const side of sides) side.destroy()

  assert.deepEqual(lines, ['No job: the server does not answer …', 'The server answers again', 'Job … begins', 'Job … is over'])
})

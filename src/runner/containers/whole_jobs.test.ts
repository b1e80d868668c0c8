/** Whole jobs in containers, with a real engine. */
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { openScene } from '../../../test/scene.ts'
import { jobById } from '../../ci/jobs/queries.ts'
import { pendingJob, type SceneJobOptions } from '../../ci/jobs/scene.ts'
import { Coordinator } from '../coordinator.ts'
import { unzipInto } from '../files/zip.ts'
import { runJob } from '../job.ts'
import type { Job } from '../payload.ts'
import { runnerToken } from '../registration/registration.ts'
import { installedReleaseTool } from '../release/release_tool.ts'
import { runJobs } from '../runner.ts'
import { AskedContainers, ServedContainers } from './by_parent.ts'
import type { Containers } from './engine.ts'
import { IMAGE, openEngine } from './scene.ts'

const engine = await openEngine()
const containers = 'containers' in engine ? engine.containers : undefined

describe('with a container engine', { skip: containers === undefined && `whyNot` in engine && engine.whyNot }, async () => {
  const scene = await openScene()
  const { db } = scene.deps.database
  const directory = await mkdtemp(join(tmpdir(), 'ingot-whole-jobs-'))
  after(() => rm(directory, { recursive: true, force: true }))
  const skip = 'withoutNetwork' in engine && engine.withoutNetwork
  const podman = 'podman' in engine ? engine.podman : () => ''

  /** As executors without rights have them: every order and each piece of a stream is a message. */
  function byMessages(own: Containers): Containers {
    const served: ServedContainers = new ServedContainers(own, answer => asked.take(structuredClone(answer)))
    const asked: AskedContainers = new AskedContainers(own.mayShareNetwork, message => served.take(structuredClone(message)))
    return asked
  }

  async function run(
    options: SceneJobOptions['options'],
    more: Omit<SceneJobOptions, 'options'> = {},
    until?: (id: number) => Promise<void>,
  ) {
    const { project, owner } = await scene.project()
    await owner.post(`${project.url}/repository/files/hello.txt`, {
      branch: 'main',
      content: 'hello from git',
      commit_message: 'Say hello',
    })
    await owner.post(`${project.url}/variables`, { key: 'FILE', value: 'in a file', variable_type: 'file' })
    const sha = (await owner.get(`${project.url}/repository/branches/main`)).body.commit.id as string
    const { runners_token: token } = (await owner.get(project.url)).body
    const job = await pendingJob(scene, project, owner, { sha, options, ...more })
    const stop = new AbortController()
    const builds = join(directory, `builds-${project.id}`)
    const coordinator = new Coordinator(scene.url)
    const own = await runnerToken({ coordinator, url: scene.url, token, description: 'test', tags: [], file: join(builds, 'runner.json') })
    const inherited = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: directory, OF_THE_MACHINE: 'yes' }
    const place = { coordinator, builds, shell: 'bash' as const, releaseTool: installedReleaseTool, inherited, signal: stop.signal }
    const one = (payload: Job, slot: number) => runJob(payload, { ...place, slot, containers: byMessages(containers!) })
    const running = runJobs({ coordinator, token: own, concurrency: 1, run: one, signal: stop.signal, say: () => {} })
    await until?.(job.id)
    const isOver = async () => ['success', 'failed', 'canceled'].includes((await jobById(db, job.id))!.status)
    await eventually(isOver, 'the job to be over')
    stop.abort()
    await running
    const chunks = await db.selectFrom('job_trace_chunks').select('bytes').where('job_id', '=', job.id).orderBy('start').execute()
    const trace = Buffer.concat(chunks.map(({ bytes }) => bytes)).toString()
    assert.equal(podman('ps', '--all', '--quiet'), '', 'its containers are gone')
    assert.ok(!(await readdir(builds)).includes(`job-${job.id}`), 'its folder is gone')
    return { project, owner, job, trace, row: (await jobById(db, job.id))! }
  }

  test('a job runs in its image: with its working copy and variables, and nothing of the machine', async () => {
    const { row, trace } = await run(
      {
        image: { name: 'localhost/ingot/$WHICH' },
        before_script: ['touch /installed'],
        script: [
          'cat hello.txt; echo',
          'ls /bin/busybox && ! ls /usr',
          'echo "user $(id -u), machine $OF_THE_MACHINE, greeting $GREETING"',
          'echo "$LINES_OF_IT" | cat',
          'test "$(cat "$FILE")" = "in a file"',
          'test "$PWD" = "$CI_PROJECT_DIR"',
          'wget -q -O - "$CI_API_V4_URL/projects/$CI_PROJECT_ID?job_token=$CI_JOB_TOKEN" >/dev/null || wget -q -O - "$CI_SERVER_URL/-/health"',
        ],
        after_script: ['ls /installed', 'echo "after $CI_JOB_STATUS"'],
      },
      {
        variables: [
          { key: 'WHICH', value: 'box' },
          { key: 'GREETING', value: ' with # and "quotes" $WHICH ' },
          { key: 'LINES_OF_IT', value: "one\nit's two" },
        ],
      },
    )
    assert.equal(row.status, 'success', trace)
    assert.match(trace, /container executor/)
    assert.match(trace, /^hello from git$/m)
    assert.match(trace, /^user 0, machine , greeting {2}with # and "quotes" box $/m)
    assert.match(trace, /^one\nit's two$/m)
    assert.match(trace, /^\/installed$/m)
    assert.match(trace, /^after success$/m)
  })

  test('no program of a job runs on the machine, whatever its variables have git do', async () => {
    const ran = join(directory, 'ran')
    const touch = `touch ${ran}-by`
    const variables = Object.entries({
      GIT_CONFIG_COUNT: '2',
      GIT_CONFIG_KEY_0: 'core.fsmonitor',
      GIT_CONFIG_VALUE_0: `${touch}-fsmonitor; false`,
      GIT_CONFIG_KEY_1: 'credential.helper',
      GIT_CONFIG_VALUE_1: `!${touch}-helper`,
      GIT_CONFIG_PARAMETERS: `'core.fsmonitor=${touch}-parameters; false'`,
      GIT_EXEC_PATH: directory,
      GIT_TRACE: `${ran}-by-trace`,
      XDG_CONFIG_HOME: directory,
    }).map(([key, value]) => ({ key, value }))
    const { row, trace } = await run(
      {
        image: { name: IMAGE, entrypoint: [''] },
        script: ['cat hello.txt'],
        cache: [{ key: 'k', untracked: true }],
      } as SceneJobOptions['options'],
      { variables },
    )
    assert.equal(row.status, 'success', trace)
    assert.deepEqual(
      (await readdir(directory)).filter(name => name.startsWith('ran')),
      [],
    )
  })

  test('what a script leaves is kept as artifacts, with links, for the next job; and in the cache', async () => {
    const { project, owner, job, row, trace } = await run({
      image: { name: IMAGE, entrypoint: [''] },
      script: [
        'mkdir -p out && echo made > out/file',
        'ln -s file out/link 2>/dev/null || busybox ln -s file out/link',
        'echo "#!/bin/sh" > out/tool && busybox chmod 755 out/tool',
      ],
      artifacts: { paths: ['out/'] },
      cache: [{ key: 'k', paths: ['out/'] }],
    } as SceneJobOptions['options'])
    assert.equal(row.status, 'success', trace)
    const { body } = await owner.get(`${project.url}/jobs/${job.id}/artifacts/out/file`)
    assert.equal(body.toString().trim(), 'made')
    assert.match(trace, /Creating cache k/)
    assert.doesNotMatch(trace, /WARNING/)
    const archive = join(directory, 'kept.zip')
    const answer = await fetch(`${scene.url}/api/v4${project.url}/jobs/${job.id}/artifacts`, { headers: { 'private-token': owner.token } })
    await writeFile(archive, Buffer.from(await answer.arrayBuffer()))
    await unzipInto(archive, directory, new AbortController().signal)
    assert.equal(await readlink(join(directory, 'out/link')), 'file')
    assert.equal((await stat(join(directory, 'out/tool'))).mode & 0o100, 0o100, 'a program stays one')
  })

  test('a script that fails is reported with its code, and an image that is no name or cannot be had with the reason', async () => {
    const failed = await run({ image: { name: IMAGE }, script: ['echo begun', 'exit 7', 'echo never'] })
    assert.deepEqual([failed.row.status, failed.row.failure_reason], ['failed', 'script_failure'])
    assert.match(failed.trace, /exit status 7/)
    assert.doesNotMatch(failed.trace, /^never$/m)
    const nameless = await run({ image: { name: 'dir:/etc' }, script: ['true'] })
    assert.match(nameless.trace, /"dir:\/etc" is no name of an image/)
    assert.equal(nameless.row.failure_reason, 'runner_system_failure')
    const missing = await run({ image: { name: 'localhost/not/there' }, script: ['true'] })
    assert.match(missing.trace, /the container of localhost\/not\/there could not be made: .+/)
    const unreachable = await run({ image: { name: '127.0.0.1:9/not/there' }, script: ['true'] })
    assert.match(unreachable.trace, /the image 127\.0\.0\.1:9\/not\/there could not be fetched: .+/)
  })

  test('services run beside the job, by their names, with its variables, and are waited for', { skip }, async () => {
    const { row, trace } = await run(
      {
        image: { name: IMAGE },
        services: [
          {
            name: IMAGE,
            alias: 'echo.test',
            entrypoint: ['sh', '-c'],
            command: ['sleep 1; exec nc -ll -p 7000 -e echo "hello $WHO"'],
          },
        ],
        script: ['nc echo.test 7000 </dev/null', 'nc localhost-ingot-box 7000 </dev/null'],
      },
      { variables: [{ key: 'WHO', value: 'job' }] },
    )
    assert.equal(row.status, 'success', trace)
    assert.equal(trace.match(/^hello job$/gm)?.length, 2, trace)
    assert.match(trace, /WARNING: the job has a network of its own/)
  })

  test('a service that does not listen is said with its own words, and the job runs', { skip }, async () => {
    const { row, trace } = await run(
      {
        image: { name: IMAGE },
        services: [{ name: IMAGE, entrypoint: ['sh', '-c'], command: ['echo "no room"; sleep 600'] }],
        script: ['echo ran'],
      },
      { variables: [{ key: 'WAIT_FOR_SERVICE_SECONDS', value: '1' }] },
    )
    assert.equal(row.status, 'success', trace)
    assert.match(trace, /nothing listens on port 7000 of the service localhost\/ingot\/box after 1 seconds/)
    assert.match(trace, /^no room$/m)
  })

  test('a job that is canceled ends with its containers', async () => {
    const { row } = await run({ image: { name: IMAGE }, script: ['echo begun; sleep 3000'] }, {}, async id => {
      await eventually(async () => podman('ps', '--quiet') !== '', 'the container to run')
      const { project_id } = (await jobById(db, id))!
      await scene.root.post(`/projects/${project_id}/jobs/${id}/cancel`)
    })
    assert.equal(row.status, 'canceled')
  })
})

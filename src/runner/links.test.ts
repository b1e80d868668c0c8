/** What programs of a job leave for the runner, which reads and writes the folders of a job with more rights than its programs have. */
import assert from 'node:assert/strict'
import { access, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventually } from '../../test/eventually.ts'
import { openScene } from '../../test/scene.ts'
import { jobById } from '../ci/jobs/queries.ts'
import { pendingJob, type SceneJobOptions } from '../ci/jobs/scene.ts'
import { Coordinator } from './coordinator.ts'
import { runJob } from './job.ts'
import { runnerToken } from './registration/registration.ts'
import { installedReleaseTool } from './release/release_tool.ts'
import { runJobs } from './runner.ts'

const scene = await openScene()
const { db } = scene.deps.database
const directory = await mkdtemp(join(tmpdir(), 'ingot-links-'))
after(() => rm(directory, { recursive: true, force: true }))
const inherited = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: directory }

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** A project, and what runs jobs of it with one runner. */
async function place() {
  const { project, owner } = await scene.project()
  await scene.commit(project, { 'hello.txt': 'hello from git' })
  const sha = (await owner.get(`${project.url}/repository/branches/main`)).body.commit.id as string
  const { runners_token: token } = (await owner.get(project.url)).body
  const builds = join(directory, `builds-${project.id}`)
  return async (input: SceneJobOptions) => {
    const job = await pendingJob(scene, project, owner, { sha, ...input })
    const stop = new AbortController()
    const { signal } = stop
    const coordinator = new Coordinator(scene.url)
    const own = await runnerToken({ coordinator, url: scene.url, token, description: 'test', tags: [], file: join(builds, 'runner.json') })
    const given = { coordinator, builds, shell: 'bash' as const, releaseTool: installedReleaseTool, inherited, signal }
    const running = runJobs({
      ...{ coordinator, token: own, concurrency: 1, signal, say: () => {} },
      run: (payload, slot) => runJob(payload, { ...given, slot }),
    })
    const isOver = async () => ['success', 'failed', 'canceled'].includes((await jobById(db, job.id))!.status)
    await eventually(isOver, 'the job to be over')
    stop.abort()
    await running
    const chunks = await db.selectFrom('job_trace_chunks').select('bytes').where('job_id', '=', job.id).orderBy('start').execute()
    return { status: (await jobById(db, job.id))!.status, trace: Buffer.concat(chunks.map(({ bytes }) => bytes)).toString() }
  }
}

test('no program of a job runs when its scripts have ended, also where untracked files are looked for', async () => {
  const run = await place()
  const [byConfiguration, byPath, byVariable] = ['configuration', 'path', 'variable'].map(name => join(directory, name)) as [
    string,
    string,
    string,
  ]
  const { status, trace } = await run({
    variables: [
      { key: 'PATH', value: `$CI_PROJECT_DIR/bin:${inherited.PATH}` },
      { key: 'GIT_CONFIG_COUNT', value: '1' },
      { key: 'GIT_CONFIG_KEY_0', value: 'core.fsmonitor' },
      { key: 'GIT_CONFIG_VALUE_0', value: `test ! -e .git/over || touch ${byVariable}; false` },
    ],
    options: {
      script: [
        `git config core.fsmonitor "touch ${byConfiguration}; false"`,
        'mkdir bin',
        `printf '#!/bin/sh\\ntouch ${byPath}\\nexec /usr/bin/git "$@"\\n' > bin/git`,
        'chmod +x bin/git',
        'echo made > new.txt',
        'touch .git/over',
      ],
      artifacts: { untracked: true },
    },
  })
  assert.equal(status, 'success', trace)
  assert.match(trace, /Found 2 files/)
  const ran = await Promise.all([byConfiguration, byPath, byVariable].map(exists))
  assert.deepEqual(ran, [false, false, false])
})

test('nothing is unpacked through a link that git has had a program of the job make', async () => {
  const run = await place()
  const cache = [{ key: 'kept', paths: ['made/'] }]
  const made = await run({ options: { cache, script: ['mkdir made', 'echo made > made/file'] } })
  assert.match(made.trace, /Created cache of 1 files/)
  const [hooks, elsewhere] = [join(directory, 'hooks'), join(directory, 'elsewhere')]
  await mkdir(hooks)
  await mkdir(elsewhere)
  await writeFile(join(hooks, 'post-checkout'), `#!/bin/sh\nmv "$PWD" "$PWD.old"\nln -s ${elsewhere} "$PWD"\n`, { mode: 0o755 })
  const { status, trace } = await run({
    variables: [
      { key: 'GIT_CONFIG_COUNT', value: '1' },
      { key: 'GIT_CONFIG_KEY_0', value: 'core.hooksPath' },
      { key: 'GIT_CONFIG_VALUE_0', value: hooks },
    ],
    options: { cache, script: ['true'] },
  })
  assert.equal(status, 'failed', trace)
  assert.match(trace, /a script has put a link to another folder in place of/)
  assert.deepEqual(await readdir(elsewhere), [])
})

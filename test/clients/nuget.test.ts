/** The real `nuget` with the sources of a project and a group: packs, publishes, finds, installs and deletes, by each kind of token. */
import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { runningJob } from '../../src/ci/jobs/scene.ts'
import { openScene, type Person, type SceneProject } from '../scene.ts'
import { nuget } from './npm_clients/packed.ts'
import { openWorkbench } from './workbench.ts'

const scene = await openScene()
const workbench = await openWorkbench()
const client = await nuget(workbench)
const { skip } = client

let homes = 0

/** A client that has a source, and a user and password for it. */
async function consumer(source: string, username: string, password: string) {
  homes += 1
  const cwd = join(workbench.directory, `nuget-${homes}`)
  await mkdir(cwd)
  const login = `<ingot><add key="Username" value="${username}" /><add key="ClearTextPassword" value="${password}" /></ingot>`
  const sources = `<packageSources><clear /><add key="ingot" value="${scene.url}/api/v4${source}/index.json" protocolVersion="3" /></packageSources>`
  await writeFile(
    join(cwd, 'NuGet.Config'),
    `<?xml version="1.0"?><configuration>${sources}<packageSourceCredentials>${login}</packageSourceCredentials></configuration>`,
  )
  const env = { HOME: cwd, NUGET_PACKAGES: join(cwd, 'packages'), NUGET_HTTP_CACHE_PATH: join(cwd, 'http') }
  const attempt = (command: string, ...args: string[]) => {
    if (client.skip !== false) throw new Error(client.skip)
    return workbench.attempt(client.program, [...client.before, command, ...args, '-NonInteractive'], { cwd, env })
  }
  const run = async (command: string, ...args: string[]) => {
    const { code, stdout, stderr } = await attempt(command, ...args)
    assert.equal(code, 0, `${command} ${args.join(' ')}\n${stdout}${stderr}`)
    return stdout
  }
  /** @returns the file of the package */
  const pack = async (version: string, text: string) => {
    const metadata = `<id>Team.Thing</id><version>${version}</version><authors>Team</authors><description>${text}</description>`
    await writeFile(join(cwd, 'says.txt'), text)
    await writeFile(
      join(cwd, 'Team.Thing.nuspec'),
      `<?xml version="1.0"?><package><metadata>${metadata}</metadata><files><file src="says.txt" target="content" /></files></package>`,
    )
    await run('pack', 'Team.Thing.nuspec')
    return join(cwd, `Team.Thing.${version}.nupkg`)
  }
  const push = (file: string) => attempt('push', file, '-Source', 'ingot', '-ApiKey', password)
  const install = (version: string) =>
    attempt('install', 'Team.Thing', '-Version', version, '-Source', 'ingot', '-OutputDirectory', 'out', '-DirectDownload')
  const installed = (version: string) => readFile(join(cwd, `out/Team.Thing.${version}/content/says.txt`), 'utf8')
  return { attempt, run, pack, push, install, installed }
}

const sourceOf = ({ url }: SceneProject) => `${url}/packages/nuget`

const succeeded = ({ code, stdout, stderr }: { readonly code: number; readonly stdout: string; readonly stderr: string }) =>
  assert.equal(code, 0, stdout + stderr)

test('a package is packed, published, found, installed from project and group, and deleted', { skip }, async () => {
  const { group, owner } = await scene.group()
  const { project } = await scene.project({ group, owner })
  const own = await consumer(sourceOf(project), owner.username, owner.token)
  succeeded(await own.push(await own.pack('1.0.0', 'one')))
  succeeded(await own.push(await own.pack('1.1.0', 'eleven')))
  assert.match(await own.run('search', 'thing', '-Source', 'ingot'), /Team\.Thing \| 1\.1\.0/)
  succeeded(await own.install('1.0.0'))
  assert.equal(await own.installed('1.0.0'), 'one')

  const ofGroup = await consumer(`${group.url}/-/packages/nuget`, owner.username, owner.token)
  succeeded(await ofGroup.install('1.1.0'))
  assert.equal(await ofGroup.installed('1.1.0'), 'eleven')

  await own.run('delete', 'Team.Thing', '1.1.0', '-Source', 'ingot', '-ApiKey', owner.token)
  assert.notEqual(
    (await ofGroup.attempt('install', 'Team.Thing', '-Version', '1.1.0', '-Source', 'ingot', '-OutputDirectory', 'b', '-NoCache')).code,
    0,
  )
  assert.deepEqual(
    (await owner.get(`${project.url}/packages`)).body.map(({ version }: { version: string }) => version),
    ['1.0.0'],
  )
})

test('a job and a deploy token publish and install what they may, and a stranger sees nothing', { skip }, async () => {
  const { project, owner } = await scene.project()
  const job = await runningJob(scene, project as SceneProject, owner as Person)
  const ofJob = await consumer(sourceOf(project), 'gitlab-ci-token', job.token)
  succeeded(await ofJob.push(await ofJob.pack('2.0.0', 'of a job')))
  const token = (await owner.post(`${project.url}/deploy_tokens`, { name: 'nuget', scopes: ['read_package_registry'] })).body
  const reader = await consumer(sourceOf(project), token.username, token.token)
  succeeded(await reader.install('2.0.0'))
  assert.equal(await reader.installed('2.0.0'), 'of a job')
  assert.notEqual((await reader.push(await reader.pack('3.0.0', 'refused'))).code, 0)
  const outsider = await scene.user()
  const stranger = await consumer(sourceOf(project), outsider.username, outsider.token)
  assert.notEqual((await stranger.install('2.0.0')).code, 0)
  const [listed] = (await owner.get(`${project.url}/packages`)).body
  assert.deepEqual([listed.version, listed.pipeline.id], ['2.0.0', job.pipelineId])
})

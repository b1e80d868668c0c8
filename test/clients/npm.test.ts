/** The real `npm` against the registry of a project and of the instance: publish, view, install, tags, deprecation, unpublication. */
import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { runningJob } from '../../src/ci/jobs/scene.ts'
import { openScene, type SceneProject } from '../scene.ts'
import { openWorkbench } from './workbench.ts'

const scene = await openScene()
const workbench = await openWorkbench()
const skip = (await workbench.has('npm', ['--version'])) ? false : 'npm is not installed on this machine'

const registryOf = (project?: SceneProject) => `${scene.url}/api/v4/${project ? `projects/${project.id}/` : ''}packages/npm/`

let folders = 0

/** A folder whose npm knows the registry, and the token for it. */
async function folder(registry: string, token: string, files: Readonly<Record<string, string>> = {}): Promise<string> {
  const path = join(workbench.directory, `npm-${++folders}`)
  await mkdir(path, { recursive: true })
  const { host } = new URL(scene.url)
  // For the registry itself, and for the tarballs of projects that the registry of the instance names.
  const places = [registry.replace('http:', ''), `//${host}/api/v4/`]
  const lines = [
    `registry=${registry}`,
    ...places.map(place => `${place}:_authToken=${token}`),
    'audit=false',
    'fund=false',
    'update-notifier=false',
    'fetch-retries=0',
  ]
  for (const [name, content] of Object.entries({ '.npmrc': lines.join('\n'), ...files })) await writeFile(join(path, name), content)
  return path
}

const manifest = (name: string, version: string, more: object = {}) => JSON.stringify({ name, version, license: 'MIT', ...more })

test('a scoped package is published, shown, tagged, deprecated and installed', { skip }, async () => {
  const { project, owner, reporter } = await scene.project({ members: ['reporter'] })
  const name = '@team/thing'
  const npm = async (cwd: string, ...args: string[]) => workbench.run('npm', args, { cwd })
  for (const version of ['1.0.0', '1.1.0']) {
    const files = { 'package.json': manifest(name, version, { bin: { thing: 'index.js' } }), 'index.js': `module.exports = '${version}'\n` }
    await npm(await folder(registryOf(project), owner.token, files), 'publish')
  }
  const next = { 'package.json': manifest(name, '2.0.0-rc.1'), 'index.js': "module.exports = '2'\n" }
  const source = await folder(registryOf(project), owner.token, next)
  await npm(source, 'publish', '--tag', 'next')
  const again = await workbench.attempt('npm', ['publish', '--tag', 'next'], { cwd: source })
  assert.notEqual(again.code, 0)

  const reading = await folder(registryOf(project), reporter.token, { 'package.json': manifest('reader', '1.0.0') })
  assert.deepEqual(JSON.parse(await npm(reading, 'view', name, 'dist-tags', '--json')), { latest: '1.1.0', next: '2.0.0-rc.1' })
  assert.deepEqual(JSON.parse(await npm(reading, 'view', name, 'versions', '--json')), ['1.0.0', '1.1.0', '2.0.0-rc.1'])
  await npm(reading, 'install', name)
  const installed = () => readFile(join(reading, 'node_modules/@team/thing/index.js'), 'utf8')
  assert.equal(await installed(), "module.exports = '1.1.0'\n")
  await npm(reading, 'install', `${name}@next`)
  assert.equal(await installed(), "module.exports = '2'\n")

  await npm(source, 'dist-tag', 'add', `${name}@1.0.0`, 'stable')
  assert.match(await npm(reading, 'dist-tag', 'ls', name), /stable: 1\.0\.0/)
  await npm(source, 'dist-tag', 'rm', name, 'stable')
  assert.doesNotMatch(await npm(reading, 'dist-tag', 'ls', name), /stable/)
  assert.notEqual((await workbench.attempt('npm', ['dist-tag', 'add', `${name}@1.0.0`, 'stable'], { cwd: reading })).code, 0)

  await npm(source, 'deprecate', `${name}@1.0.0`, 'use a newer one')
  assert.equal((await npm(reading, 'view', `${name}@1.0.0`, 'deprecated')).trim(), 'use a newer one')
  const packages = (await owner.get(`${project.url}/packages`, { package_type: 'npm', order_by: 'version' })).body
  assert.deepEqual(
    packages.map((row: { version: string; tags: string[] }) => [row.version, row.tags]),
    [
      ['1.0.0', []],
      ['1.1.0', ['latest']],
      ['2.0.0-rc.1', ['next']],
    ],
  )
})

test('a job publishes, and the registry of the instance installs what the caller may read', { skip }, async () => {
  const { group, owner } = await scene.group({ path: 'tools' })
  const { project } = await scene.project({ group, owner })
  const job = await runningJob(scene, project, owner)
  const files = { 'package.json': manifest('@tools/knife', '1.0.0', { dependencies: {} }), 'index.js': 'module.exports = 1\n' }
  await workbench.run('npm', ['publish'], { cwd: await folder(registryOf(project), job.token, files) })
  const [listed] = (await owner.get(`${project.url}/packages`)).body
  assert.equal(listed.pipeline.id, job.pipelineId)

  const consumer = { 'package.json': manifest('consumer', '1.0.0', { dependencies: { '@tools/knife': '^1.0.0' } }) }
  const cwd = await folder(registryOf(), owner.token, consumer)
  await workbench.run('npm', ['install'], { cwd })
  assert.equal(await readFile(join(cwd, 'node_modules/@tools/knife/index.js'), 'utf8'), 'module.exports = 1\n')
  const outsider = await scene.user()
  const refused = await workbench.attempt('npm', ['install'], { cwd: await folder(registryOf(), outsider.token, consumer) })
  assert.match(refused.stderr, /E404/)
})

test('versions and packages are unpublished by those who may delete them', { skip }, async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const name = '@team/thing'
  const folders = new Map<string, string>()
  const publish = async (version: string) => {
    const path = await folder(registryOf(project), owner.token, { 'package.json': manifest(name, version), 'index.js': '' })
    folders.set(version, path)
    await workbench.run('npm', ['publish', '--tag', version === '1.0.0' ? 'old' : 'latest'], { cwd: path })
  }
  for (const version of ['1.0.0', '1.1.0', '2.0.0']) await publish(version)
  const cwd = folders.get('2.0.0') as string
  const view = async (field: string) => JSON.parse(await workbench.run('npm', ['view', name, field, '--json'], { cwd }))
  const versions = async () => (await owner.get(`${project.url}/packages`)).body.map((row: { version: string }) => row.version)

  const refused = await workbench.attempt('npm', ['unpublish', `${name}@1.0.0`], {
    cwd: await folder(registryOf(project), developer.token, {}),
  })
  assert.match(refused.stderr, /E403/)
  assert.deepEqual(await versions(), ['1.0.0', '1.1.0', '2.0.0'])

  assert.match(await workbench.run('npm', ['unpublish', `${name}@2.0.0`], { cwd }), /- @team\/thing@2\.0\.0/)
  assert.deepEqual(await view('versions'), ['1.0.0', '1.1.0'])
  assert.deepEqual(await view('dist-tags'), { latest: '1.1.0', old: '1.0.0' })
  // A version that is deleted may be published again.
  await workbench.run('npm', ['publish'], { cwd })
  assert.deepEqual(await versions(), ['1.0.0', '1.1.0', '2.0.0'])

  // The registry of the instance changes nothing, and says so.
  const { stderr } = await workbench.attempt('npm', ['unpublish', name, '--force'], { cwd: await folder(registryOf(), owner.token) })
  assert.match(stderr, /E403/)

  await workbench.run('npm', ['unpublish', name, '--force'], { cwd })
  assert.deepEqual(await versions(), [])
  assert.match((await workbench.attempt('npm', ['view', name], { cwd })).stderr, /E404/)
  assert.equal((await owner.get(project.url, { statistics: true })).body.statistics.packages_size, 0)

  await publish('3.0.0')
  await workbench.run('npm', ['unpublish', `${name}@3.0.0`, '--force'], { cwd })
  assert.deepEqual(await versions(), [])
})

test('what the registry does not have is said', { skip }, async () => {
  const { project, owner } = await scene.project()
  const files = { 'package.json': manifest('thing', '1.0.0', { dependencies: {} }), 'index.js': '' }
  const cwd = await folder(registryOf(project), owner.token, files)
  await workbench.run('npm', ['publish'], { cwd })
  const said = async (...args: string[]) => {
    const { code, stderr } = await workbench.attempt('npm', args, { cwd })
    assert.notEqual(code, 0, args.join(' '))
    return stderr
  }
  assert.match(await said('owner', 'add', 'someone', 'thing'), /404/)
  assert.match(await said('search', 'thing'), /404/)
  await writeFile(
    join(cwd, 'package-lock.json'),
    JSON.stringify({
      name: 'reader',
      version: '1.0.0',
      lockfileVersion: 3,
      packages: { '': { name: 'reader', dependencies: { thing: '1.0.0' } }, 'node_modules/thing': { version: '1.0.0' } },
    }),
  )
  await writeFile(join(cwd, 'package.json'), manifest('reader', '1.0.0', { dependencies: { thing: '1.0.0' } }))
  assert.match(await said('audit', '--audit=true'), /404/)
})

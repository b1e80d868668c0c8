/** The real `conan`, of either generation, with the registry of a project: create, upload, search, install, remove, what is private. */
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { runningJob } from '../../src/ci/jobs/scene.ts'
import { openScene, type SceneProject } from '../scene.ts'
import { openWorkbench } from './workbench.ts'

const scene = await openScene()
const workbench = await openWorkbench()
const missing = 'conan is not installed on this machine'
const version = (await workbench.has('conan', ['--version'])) ? await workbench.run('conan', ['--version']) : ''
const generation = Number(/version (\d)/.exec(version)?.[1] ?? 0)
const skipFor = (wanted: number) =>
  generation === 0 ? missing : generation === wanted ? false : `conan is of generation ${generation} here`

const recipe = (says: string) => `from conan import ConanFile
from conan.tools.files import save, copy

class Thing(ConanFile):
    name = "thing"
    version = "1.0.0"
    settings = "os", "build_type"
    exports = "note.txt"
    exports_sources = "src/*"

    def build(self):
        save(self, "built.txt", "${says}")

    def package(self):
        copy(self, "built.txt", self.build_folder, self.package_folder)
`

/** What is built for, without asking a compiler. */
const profile = '[settings]\nos=Linux\nbuild_type=Release\n'

let folders = 0

/** A folder with a recipe and a client that knows nothing yet. */
async function client(says: string) {
  const path = join(workbench.directory, `conan-${++folders}`)
  await mkdir(join(path, 'src'), { recursive: true })
  await mkdir(join(path, 'home'))
  for (const [name, content] of Object.entries({ 'conanfile.py': recipe(says), 'note.txt': 'note', 'src/a.c': 'int a;', profile }))
    await writeFile(join(path, name), content)
  const env = { CONAN_HOME: join(path, 'home'), CONAN_USER_HOME: join(path, 'home'), CONAN_NON_INTERACTIVE: '1' }
  const attempt = (...args: string[]) => workbench.attempt('conan', args, { cwd: path, env })
  return {
    attempt,
    async run(...args: string[]) {
      const { code, stdout, stderr } = await attempt(...args)
      assert.equal(code, 0, `conan ${args.join(' ')}\n${stdout}${stderr}`)
      return stdout + stderr
    },
  }
}

const remoteOf = ({ id }: SceneProject) => `${scene.url}/api/v4/projects/${id}/packages/conan`

test('Conan 2 uploads, lists, installs and removes recipes with revisions', { skip: skipFor(2) }, async () => {
  const { project, owner, maintainer } = await scene.project({ members: ['maintainer'] })
  const job = await runningJob(scene, project, owner)
  const author = await client('one')
  await author.run('remote', 'add', 'ingot', remoteOf(project))
  await author.run('remote', 'login', 'ingot', 'gitlab-ci-token', '-p', job.token)
  const build = ['create', '.', '--profile:all', 'profile']
  await author.run(...build)
  assert.match(await author.run('upload', 'thing/1.0.0', '-r', 'ingot', '-c'), /Uploading package/)
  assert.match(await author.run('upload', 'thing/1.0.0', '-r', 'ingot', '-c'), /already in server/)
  const [listed] = (await owner.get(`${project.url}/packages`)).body
  assert.deepEqual([listed.name, listed.package_type, listed.pipeline.id], ['thing/1.0.0', 'conan', job.pipelineId])
  assert.match(await author.run('search', 'th*', '-r', 'ingot'), /thing\/1\.0\.0/)
  assert.match(await author.run('list', 'thing/1.0.0:*#*', '-r', 'ingot'), /build_type: Release/)

  const user = await client('unused')
  await user.run('remote', 'add', 'ingot', remoteOf(project))
  const install = ['install', '--requires', 'thing/1.0.0', '-r', 'ingot', '--profile:all', 'profile']
  assert.notEqual((await user.attempt(...install)).code, 0)
  await user.run('remote', 'login', 'ingot', maintainer.username, '-p', maintainer.token)
  await user.run(...install, '--deployer', 'full_deploy')
  const outsider = await scene.user()
  const stranger = await client('unused')
  await stranger.run('remote', 'add', 'ingot', remoteOf(project))
  assert.notEqual((await stranger.attempt('remote', 'login', 'ingot', outsider.username, '-p', outsider.token)).code, 0)
  assert.notEqual((await stranger.attempt(...install)).code, 0)

  await user.run('remove', 'thing/1.0.0:*', '-r', 'ingot', '-c')
  assert.doesNotMatch(await user.run('list', 'thing/1.0.0:*', '-r', 'ingot'), /build_type/)
  await user.run('remove', 'thing/1.0.0', '-r', 'ingot', '-c')
  assert.deepEqual((await owner.get(`${project.url}/packages`)).body, [])
})

test('Conan 1 uploads, searches, installs and removes recipes, in the project and in the instance', { skip: skipFor(1) }, async () => {
  const { project, owner, maintainer } = await scene.project({ members: ['maintainer'] })
  const reference = `thing/1.0.0@${project.full_path.replaceAll('/', '+')}/stable`
  const build = ['create', '.', reference, '--profile', 'profile']
  const author = await client('one')
  await author.run('remote', 'add', 'ingot', remoteOf(project))
  await author.run('remote', 'add', 'everywhere', `${scene.url}/api/v4/packages/conan`)
  for (const remote of ['ingot', 'everywhere']) await author.run('user', maintainer.username, '-p', maintainer.token, '-r', remote)
  await author.run(...build)
  await author.run('upload', reference, '--all', '-r', 'ingot')
  assert.match(await author.run('search', 'thing*', '-r', 'ingot'), /thing\/1\.0\.0@/)
  assert.match(await author.run('search', reference, '-r', 'everywhere'), /build_type: Release/)
  const install = (remote: string) => ['install', reference, '-r', remote, '--profile', 'profile']
  for (const remote of ['ingot', 'everywhere']) {
    await author.run('remove', '-f', 'thing*')
    assert.match(await author.run(...install(remote)), /Package installed/)
  }
  const [listed] = (await owner.get(`${project.url}/packages`)).body
  assert.equal(listed.name, reference)
  const stranger = await client('two')
  const outsider = await scene.user()
  await stranger.run('remote', 'add', 'everywhere', `${scene.url}/api/v4/packages/conan`)
  await stranger.run('user', outsider.username, '-p', outsider.token, '-r', 'everywhere')
  assert.notEqual((await stranger.attempt(...install('everywhere'))).code, 0)
  await author.run('remove', '-f', reference, '-p', '-r', 'ingot')
  await author.run('remove', '-f', reference, '-r', 'everywhere')
  assert.deepEqual((await owner.get(`${project.url}/packages`)).body, [])
})

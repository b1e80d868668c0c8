/** The real `git-lfs`: push, clone, pull, locks, and a client that is killed in the middle. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline, Transform } from 'node:stream'
import { test } from 'node:test'
import { places } from '../../src/platform/config.ts'
import { openScene, type Person, type SceneProject } from '../scene.ts'
import { openCheckouts } from './checkouts.ts'
import { openWorkbench } from './workbench.ts'

const scene = await openScene()
const workbench = await openWorkbench()
const { address, addressFor, attempt, clone, commit, git, place } = await openCheckouts(scene, workbench)

const installed = await workbench.has('git', ['lfs', 'version'])
const skip = installed ? false : 'git-lfs is not installed on this machine'
if (installed) await workbench.run('git', ['lfs', 'install', '--skip-repo'])

/** A user's repository that keeps `*.bin` in LFS, with this file, not pushed yet. */
async function repositoryWith(project: SceneProject, owner: Person, content: Buffer): Promise<string> {
  const directory = place('lfs')
  await git(workbench.directory, 'init', '--quiet', '--initial-branch', 'main', directory)
  await git(directory, 'lfs', 'install', '--local')
  await git(directory, 'lfs', 'track', '*.bin')
  await git(directory, 'remote', 'add', 'origin', addressFor(project, owner))
  await commit(directory, { 'big.bin': content })
  return directory
}

test('large files are pushed, cloned and pulled, and the repository holds pointers', { skip }, async () => {
  const { project, owner, reporter } = await scene.project({ members: ['reporter'] })
  const content = randomBytes(3_000_000)
  const directory = await repositoryWith(project, owner, content)
  await git(directory, 'push', '--quiet', 'origin', 'main')

  const pointer = await owner.get(`${project.url}/repository/files/big.bin/raw`, { ref: 'main' })
  assert.match(pointer.bytes.toString(), /^version https:\/\/git-lfs\.github\.com\/spec\/v1\noid sha256:[0-9a-f]{64}\nsize 3000000\n$/)
  const copy = await clone(addressFor(project, reporter))
  assert.ok((await readFile(join(copy, 'big.bin'))).equals(content))

  const changed = randomBytes(1_000_000)
  await commit(directory, { 'big.bin': changed })
  await git(directory, 'push', '--quiet', 'origin', 'main')
  await git(copy, 'pull', '--quiet')
  assert.ok((await readFile(join(copy, 'big.bin'))).equals(changed))
})

test('anybody may clone a public project with its large files', { skip }, async () => {
  const { project, owner } = await scene.project({ visibility: 'public' })
  const content = randomBytes(10_000)
  await git(await repositoryWith(project, owner, content), 'push', '--quiet', 'origin', 'main')
  const copy = await clone(address(project))
  assert.ok((await readFile(join(copy, 'big.bin'))).equals(content))
})

test('where LFS is switched off, its objects are refused', { skip }, async () => {
  const { project, owner } = await scene.project({ lfs_enabled: false })
  const directory = await repositoryWith(project, owner, randomBytes(1_000))
  const { code, stderr } = await attempt(directory, 'push', 'origin', 'main')
  assert.notEqual(code, 0)
  assert.match(stderr, /Access forbidden/)
})

test('a locked file is locked for the others until it is unlocked', { skip }, async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const directory = await repositoryWith(project, owner, randomBytes(1_000))
  await git(directory, 'lfs', 'track', '--lockable', '*.psd')
  await commit(directory, { 'logo.psd': 'logo' })
  await git(directory, 'push', '--quiet', 'origin', 'main')
  await git(directory, 'lfs', 'lock', 'logo.psd')
  const copy = await clone(addressFor(project, developer))
  await git(copy, 'lfs', 'install', '--local')
  assert.match(await git(copy, 'lfs', 'locks'), new RegExp(`logo\\.psd\\s+${owner.name}`))
  const refused = await attempt(copy, 'lfs', 'unlock', 'logo.psd')
  assert.notEqual(refused.code, 0)
  assert.notEqual((await attempt(copy, 'lfs', 'lock', 'logo.psd')).code, 0)
  await git(directory, 'lfs', 'unlock', 'logo.psd')
  assert.equal(await git(copy, 'lfs', 'locks'), '')
})

/** Stops the next upload to the store at its first bytes, until it is let go on. */
function haltNextUpload(): { begun: Promise<void>; goOn: () => void; broken: Promise<unknown> } {
  const { objects } = scene.deps
  const { put } = objects
  const begun = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const broken = Promise.withResolvers<unknown>()
  objects.put = (source, expected) => {
    objects.put = put
    const halted = new Transform({
      transform(chunk, _encoding, done) {
        begun.resolve()
        released.promise.then(() => done(null, chunk))
      },
    })
    pipeline(source, halted, () => {})
    const stored = put(halted, expected)
    stored.catch(broken.resolve)
    return stored
  }
  return { begun: begun.promise, goOn: released.resolve, broken: broken.promise }
}

test('a push that is killed in the middle leaves nothing, and succeeds when it is made again', { skip }, async () => {
  const { project, owner } = await scene.project()
  const content = randomBytes(20_000_000)
  const directory = await repositoryWith(project, owner, content)
  const env = { HOME: workbench.directory, PATH: '/usr/local/bin:/usr/bin:/bin', GIT_TERMINAL_PROMPT: '0' }
  const upload = haltNextUpload()
  // A group of its own: git starts git-lfs, and both are killed.
  const push = spawn('git', ['push', '--quiet', 'origin', 'main'], { cwd: directory, env, stdio: 'ignore', detached: true })
  const ended = once(push, 'exit')
  await upload.begun
  process.kill(-(push.pid as number), 'SIGKILL')
  await ended
  upload.goOn()
  await upload.broken
  assert.deepEqual(await readdir(join(places(scene.deps.config).objects, 'tmp')), [])
  const linked = () => scene.deps.database.db.selectFrom('lfs_objects_projects').selectAll().where('project_id', '=', project.id).execute()
  assert.deepEqual(await linked(), [])
  assert.equal((await owner.get(project.url)).body.empty_repo, true)

  await git(directory, 'push', '--quiet', 'origin', 'main')
  assert.equal((await linked()).length, 1)
  const copy = await clone(addressFor(project, owner))
  assert.ok((await readFile(join(copy, 'big.bin'))).equals(content))
})

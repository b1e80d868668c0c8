/** Fetches that are answered from what was answered before, with a real git and over raw requests. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openCheckouts } from '../../../test/clients/checkouts.ts'
import { openWorkbench } from '../../../test/clients/workbench.ts'
import { eventually } from '../../../test/eventually.ts'
import { basic } from '../../../test/raw_push.ts'
import { openScene, type Person, type SceneProject } from '../../../test/scene.ts'
import { mountDisk } from '../../../test/small_disk.ts'
import { places } from '../../platform/config.ts'
import { flushPkt, gitProcesses, pktLine, stateOfRefs } from '../../platform/git/index.ts'

const scene = await openScene()
const { addressFor, clone, git } = await openCheckouts(scene, await openWorkbench())
const packs = places(scene.deps.config).packs

const repositoryOf = ({ id }: SceneProject) => scene.deps.storages.repository({ id, repository_storage: 'default' })

/** Waits until the last change of a reference is old enough to differ from the next one. */
const settled = (project: SceneProject) =>
  eventually(async () => stateOfRefs(repositoryOf(project)) !== undefined, 'the references to rest')

const wanting = (sha: string) => Buffer.concat([pktLine(`want ${sha} side-band-64k ofs-delta\n`), flushPkt, pktLine('done\n')])

async function fetchPack(project: SceneProject, person: Person, body: Buffer): Promise<{ status: number; bytes: Buffer }> {
  const answer = await fetch(`${scene.url}/${project.full_path}.git/git-upload-pack`, {
    method: 'POST',
    headers: { ...basic(person), 'content-type': 'application/x-git-upload-pack-request' },
    body: new Uint8Array(body),
  })
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
}

/** A project with one commit, whose references rest. */
async function settledProject() {
  const { project, owner } = await scene.project()
  const sha = await scene.commit(project, { 'noise.txt': randomBytes(1024 * 1024).toString('base64') })
  await settled(project)
  return { project, owner, sha }
}

/** Fetches a pack so often that it is kept. */
async function keptPack(project: SceneProject, person: Person, sha: string): Promise<Buffer> {
  const { bytes } = await fetchPack(project, person, wanting(sha))
  assert.ok(bytes.includes('PACK'))
  const before = (await readdir(packs).catch(() => [])).length
  assert.deepEqual((await fetchPack(project, person, wanting(sha))).bytes.includes('PACK'), true)
  await eventually(async () => (await readdir(packs)).filter(name => !name.includes('.')).length > before, 'the pack to be kept')
  return bytes
}

test('clones of the same are made by git twice, and whole each time', async () => {
  const { project, owner, sha } = await settledProject()
  const address = addressFor(project, owner)
  for (let n = 0; n < 2; n++) await clone(address)
  await eventually(async () => (await readdir(packs)).some(name => !name.includes('.')), 'the pack to be kept')
  const before = gitProcesses.started

  const copies = await Promise.all([clone(address), clone(address), clone(address)])

  assert.equal(gitProcesses.started, before)
  for (const copy of copies) {
    assert.equal((await git(copy, 'rev-parse', 'HEAD')).trim(), sha)
    await git(copy, 'fsck', '--strict')
  }
})

test('many who ask at the same time are answered by two at most', async () => {
  const { project, owner, sha } = await settledProject()
  const before = gitProcesses.started

  const answers = await Promise.all(Array.from({ length: 6 }, () => fetchPack(project, owner, wanting(sha))))

  assert.ok(gitProcesses.started - before <= 2, `${gitProcesses.started - before} processes`)
  for (const { status, bytes } of answers) assert.deepEqual([status, bytes.includes('PACK')], [200, true])
})

test('what was kept opens nothing to whom the project is closed', async () => {
  const { project, owner, sha } = await settledProject()
  const member = await scene.user()
  await owner.post(`${project.url}/members`, { user_id: member.id, access_level: 20 })
  await keptPack(project, member, sha)

  await owner.delete(`${project.url}/members/${member.id}`)

  assert.equal((await fetchPack(project, member, wanting(sha))).status, 404)
  assert.equal((await fetchPack(project, owner, wanting(sha))).status, 200)
})

test('a branch that is deleted or moved takes what was kept of it with it', async () => {
  const { project, owner, sha } = await settledProject()
  const { body: secret } = await owner.post(`${project.url}/repository/commits`, {
    branch: 'secret',
    start_branch: 'main',
    commit_message: 'secret',
    actions: [{ action: 'create', file_path: 'secret.txt', content: 'secret' }],
  })
  await settled(project)
  await keptPack(project, owner, secret.id)

  assert.equal((await owner.delete(`${project.url}/repository/branches/secret`)).status, 204)

  const { bytes } = await fetchPack(project, owner, wanting(secret.id))
  assert.match(bytes.toString('latin1'), /ERR upload-pack: not our ref/)
  await settled(project)
  for (let n = 0; n < 3; n++) {
    const again = await fetchPack(project, owner, wanting(secret.id))
    assert.match(again.bytes.toString('latin1'), /ERR upload-pack: not our ref/)
  }
  assert.ok((await fetchPack(project, owner, wanting(sha))).bytes.includes('PACK'))
})

test('hidden references are in no list, also when lists are kept', async () => {
  const { project, owner, sha } = await settledProject()
  await git(repositoryOf(project).path, 'update-ref', 'refs/keep-around/hidden', sha)
  await settled(project)
  const address = addressFor(project, owner)

  const lists = []
  for (let n = 0; n < 3; n++) lists.push(await git(packsHome(), 'ls-remote', address))

  assert.equal(new Set(lists).size, 1)
  assert.match(lists[0] as string, /refs\/heads\/main/)
  assert.doesNotMatch(lists[0] as string, /keep-around/)
})

const packsHome = () => places(scene.deps.config).repositories

test('a pack whose file is gone is made again', async () => {
  const { project, owner, sha } = await settledProject()
  await keptPack(project, owner, sha)

  await rm(packs, { recursive: true })

  assert.ok((await fetchPack(project, owner, wanting(sha))).bytes.includes('PACK'))
})

test('a change of a reference shows in the state, whatever the times of its file say', async () => {
  const { project, owner } = await settledProject()
  const repository = repositoryOf(project)
  const before = stateOfRefs(repository)?.version

  await owner.post(`${project.url}/repository/branches`, { branch: 'other', ref: 'main' })
  assert.equal(stateOfRefs(repository), undefined, 'it is too young to be known')
  const heads = join(repository.path, 'refs', 'heads')
  await utimes(heads, new Date(0), new Date(0))
  await settled(project)

  const changed = stateOfRefs(repository)?.version
  assert.notEqual(changed, before)
  assert.equal(stateOfRefs(repository)?.version, changed)
})

for (const [what, options] of [
  ['has no room for a pack', 'size=16k'],
  ['cannot be written', 'ro'],
] as const)
  test(`a fetch is served where the disk ${what}`, async t => {
    const other = await openScene()
    const folder = places(other.deps.config).packs
    await mkdir(folder, { recursive: true })
    if (!(await mountDisk(folder, options))) return t.skip('a file system cannot be mounted here')
    const checkouts = await openCheckouts(other, await openWorkbench())
    const { project, owner } = await other.project()
    const sha = await other.commit(project, { 'noise.txt': randomBytes(256 * 1024).toString('base64') })
    const repository = other.deps.storages.repository({ id: project.id, repository_storage: 'default' })
    await eventually(async () => stateOfRefs(repository) !== undefined, 'the references to rest')

    for (let n = 0; n < 3; n++) {
      const copy = await checkouts.clone(checkouts.addressFor(project, owner))
      assert.equal((await checkouts.git(copy, 'rev-parse', 'HEAD')).trim(), sha)
    }
  })

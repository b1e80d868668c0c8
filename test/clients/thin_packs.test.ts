/** Pushes to projects whose size is limited: packs that lean on what is there already take as much room as that. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { repositorySize } from '../../src/platform/git/index.ts'
import { git } from '../../src/platform/git/scene.ts'
import { basic, rawPush } from '../raw_push.ts'
import type { Person, SceneProject } from '../scene.ts'
import { openSsh } from './ssh_scene.ts'

const { scene, keyOf, addressOf, attempt, place, tipOf } = await openSsh()
const megabyte = 1024 * 1024

const sizeOf = (project: SceneProject) => repositorySize(scene.deps.storages.repository({ id: project.id, repository_storage: 'default' }))

/** A clone of a project whose only file is large and does not compress, and a commit on it that changes one byte. */
async function changedClone(project: SceneProject, person: Person, file: string, bytes = megabyte) {
  const work = place('clone')
  const run = async (...args: string[]) => {
    const { code, stderr } = await attempt(file, work, ...args)
    return { code, stderr }
  }
  git('/', ['init', '--quiet', '--initial-branch=main', work])
  git(work, ['remote', 'add', 'ssh', addressOf(project)])
  git(work, ['remote', 'add', 'http', `${scene.url}/${project.full_path}.git`])
  git(work, ['config', 'http.extraHeader', `Authorization: ${basic(person).authorization}`])
  git(work, ['config', 'protocol.version', '2'])
  const big = randomBytes(bytes)
  const change = async (branch: string) => {
    big[0] = (big[0] as number) + 1
    await writeFile(join(work, 'big'), big)
    git(work, ['add', '-A'])
    git(work, ['commit', '--quiet', '-m', branch])
  }
  await change('base')
  const first = await run('push', '--quiet', 'http', 'HEAD:refs/heads/main')
  assert.equal(first.code, 0, first.stderr)
  await change('change')
  return { work, run, change }
}

/** The pack that a client would send for the last commit where it may leave out what the server has. */
const thinPack = (work: string): Buffer =>
  execFileSync('git', ['pack-objects', '--thin', '--revs', '--stdout', '--quiet'], { cwd: work, input: 'HEAD\n^HEAD~1\n' })

test('a thin pack made by hand takes no room beyond the limit of a project', async () => {
  const { project, owner } = await scene.project()
  const { work } = await changedClone(project, owner, await keyOf(owner))
  const pack = thinPack(work)
  assert.ok(pack.length < 10_000, `${pack.length} bytes`)
  const [tip, old] = [git(work, ['rev-parse', 'HEAD']), git(work, ['rev-parse', 'HEAD~1'])]
  const before = await sizeOf(project)
  await scene.root.put(project.url, { repository_size_limit: 2 })

  const pushes = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      rawPush(scene, project, owner, [{ ref: `refs/heads/thin-${index}`, old: '0'.repeat(40), new: tip }], { pack }),
    ),
  )

  for (const { status, lines, unpack } of pushes) {
    assert.equal(status, 200)
    assert.match(lines.join(), /^ng refs\/heads\/thin-\d The pack is damaged, or leans on objects .* push with --no-thin\.$/)
    assert.match(unpack ?? '', /--no-thin/)
  }
  assert.ok((await sizeOf(project)) - before < 10_000, 'nothing is left')
  await scene.root.put(project.url, { repository_size_limit: 0 })
  const unlimited = await rawPush(scene, project, owner, [{ ref: 'refs/heads/main', old, new: tip }], { pack })
  assert.deepEqual(unlimited.lines, ['ok refs/heads/main'])
})

for (const remote of ['http', 'ssh'])
  test(`a git client pushes a small change of a large file by ${remote}, with a limit and without`, async () => {
    const { project, owner } = await scene.project()
    const { run, change, work } = await changedClone(project, owner, await keyOf(owner))
    await scene.root.put(project.url, { repository_size_limit: 10 })
    const limited = await run('push', remote, 'HEAD:refs/heads/main')
    assert.equal(limited.code, 0, limited.stderr)
    await scene.root.put(project.url, { repository_size_limit: 0 })
    await change('another')
    const before = await sizeOf(project)

    const unlimited = await run('push', remote, 'HEAD:refs/heads/main')

    assert.equal(unlimited.code, 0, unlimited.stderr)
    assert.equal(await tipOf(project), git(work, ['rev-parse', 'HEAD']))
    assert.ok((await sizeOf(project)) > before)
  })

test('a small change of a large file takes the room of the whole file, which the limit must leave', async () => {
  const { project, owner } = await scene.project()
  const { run } = await changedClone(project, owner, await keyOf(owner), 3 * megabyte)
  await scene.root.put(project.url, { repository_size_limit: 4 })
  const full = await run('push', 'ssh', 'HEAD:refs/heads/main')
  assert.equal(full.code, 1)
  assert.match(full.stderr, /The project would exceed its size limit of 4 MB/)
  await scene.root.put(project.url, { repository_size_limit: 7 })
  assert.equal((await run('push', 'ssh', 'HEAD:refs/heads/main')).code, 0)
})

test('pushes at the same time keep to the limit together, whichever way they come', async () => {
  const { project, owner } = await scene.project()
  const file = await keyOf(owner)
  const clones = [await changedClone(project, owner, file, 2 * megabyte)]
  for (const _ of [1, 2, 3]) {
    const { project: other, owner: another } = await scene.project()
    const clone = await changedClone(other, another, file, 2 * megabyte)
    git(clone.work, ['remote', 'set-url', 'ssh', addressOf(project)])
    git(clone.work, ['remote', 'set-url', 'http', `${scene.url}/${project.full_path}.git`])
    git(clone.work, ['config', 'http.extraHeader', `Authorization: ${basic(owner).authorization}`])
    clones.push(clone)
  }
  await scene.root.put(project.url, { repository_size_limit: 7 })

  const pushes = await Promise.all(
    clones.map(({ run }, index) => run('push', index % 2 === 0 ? 'ssh' : 'http', `HEAD:refs/heads/topic-${index}`)),
  )

  assert.ok(pushes.filter(({ code }) => code === 0).length >= 1)
  for (const { code, stderr } of pushes) if (code !== 0) assert.match(stderr, /would exceed its size limit of 7 MB/)
  assert.ok((await sizeOf(project)) <= 7 * megabyte)
})

test('the indexes of many small objects count, as their header announces them', async () => {
  const { project, owner } = await scene.project()
  const { work, run } = await changedClone(project, owner, await keyOf(owner), 10)
  for (let index = 0; index < 300; index++) await writeFile(join(work, `file-${index}`), `${index}`)
  git(work, ['add', '-A'])
  git(work, ['commit', '--quiet', '-m', 'many'])
  await scene.root.put(project.url, { repository_size_limit: 1 })
  const announced = Buffer.concat([Buffer.from('PACK'), Buffer.from([0, 0, 0, 2]), Buffer.from([0, 0, 0xff, 0xff]), randomBytes(100)])

  const lying = await rawPush(
    scene,
    project,
    owner,
    [{ ref: 'refs/heads/x', old: '0'.repeat(40), new: git(work, ['rev-parse', 'HEAD']) }],
    {
      pack: announced,
    },
  )

  assert.match(lying.lines.join(), /would exceed its size limit of 1 MB/)
  assert.equal((await run('push', 'http', 'HEAD:refs/heads/main')).code, 0)
})

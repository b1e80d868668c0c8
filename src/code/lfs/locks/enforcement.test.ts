/** Locks hold against pushes of every client, and against what the API moves. */
import assert from 'node:assert/strict'
import { unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { testFolder } from '../../../../test/folder.ts'
import { openScene, type Person, type SceneProject } from '../../../../test/scene.ts'
import { client } from '../../../platform/git/index.ts'
import { git } from '../../../platform/git/scene.ts'

const scene = await openScene()
const directory = await testFolder()

async function lock(project: SceneProject, person: Person, path: string): Promise<void> {
  const answer = await fetch(`${scene.url}/${project.full_path}.git/info/lfs/locks`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`x:${person.token}`).toString('base64')}`,
      'content-type': 'application/vnd.git-lfs+json',
    },
    body: JSON.stringify({ path }),
  })
  assert.equal(answer.status, 201)
}

/** A project with two files on `main`, one of which its owner has locked, and what the API does for a member. */
async function lockedWorld() {
  const world = await scene.project({ members: ['maintainer'] })
  const { project, owner } = world
  await scene.commit(project, { 'art/ü.psd': 'one\n', 'free.txt': 'one\n' }, { branch: 'main', message: 'Begin' })
  await lock(project, owner, 'art/ü.psd')
  const change = async (person: Person, action: object, more: object = {}) => {
    const { status, body } = await person.post(`${project.url}/repository/commits`, {
      ...{ branch: 'main', commit_message: 'Change', actions: [action] },
      ...more,
    })
    return { status, message: body.message as string }
  }
  return { ...world, change, refused: `The path 'art/ü.psd' is locked in Git LFS by ${owner.name}` }
}

test('a push that changes, deletes or brings back a file that another has locked is refused whole, on every branch', async () => {
  const { project, owner, maintainer, refused } = await lockedWorld()
  const clone = async (person: Person, name: string) => {
    const url = new URL(`${scene.url}/${project.full_path}.git`)
    url.username = 'anybody'
    url.password = person.token
    const work = join(directory, `${project.id}-${name}`)
    const { code, output } = await client(directory, ['clone', '--quiet', url.href, work])
    assert.equal(code, 0, output)
    return work
  }
  const work = await clone(maintainer, 'theirs')
  const push = async (branch: string, folder = work) => client(folder, ['push', 'origin', `HEAD:refs/heads/${branch}`])
  const commit = (folder = work) => {
    git(folder, ['add', '--all'])
    git(folder, ['commit', '--quiet', '-m', 'Change it'])
  }
  await writeFile(join(work, 'free.txt'), 'two\n')
  commit()
  assert.equal((await push('main')).code, 0)

  for (const make of [() => writeFile(join(work, 'art/ü.psd'), 'two\n'), () => unlink(join(work, 'art/ü.psd'))])
    for (const branch of ['main', 'other']) {
      await make()
      commit()
      const { code, output } = await push(branch)
      assert.notEqual(code, 0)
      assert.ok(output.includes(refused), output)
      git(work, ['reset', '--quiet', '--hard', 'origin/main'])
    }
  // A later commit takes it back: the history would have the change all the same.
  await writeFile(join(work, 'art/ü.psd'), 'two\n')
  commit()
  git(work, ['revert', '--no-edit', 'HEAD'])
  assert.notEqual((await push('main')).code, 0)
  assert.equal((await owner.get(`${project.url}/repository/branches/other`)).status, 404)

  const own = await clone(owner, 'own')
  await writeFile(join(own, 'art/ü.psd'), 'three\n')
  commit(own)
  assert.equal((await push('main', own)).code, 0)
})

test('commits, new branches with them and merges by the API are refused in the same words, those of the owner are not', async () => {
  const { project, owner, maintainer, change, refused } = await lockedWorld()
  const update = { action: 'update', file_path: 'art/ü.psd', content: 'two\n' }
  for (const action of [
    update,
    { action: 'delete', file_path: 'art/ü.psd' },
    { action: 'move', previous_path: 'art/ü.psd', file_path: 'b.psd' },
  ])
    assert.deepEqual(await change(maintainer, action), { status: 400, message: refused })
  assert.deepEqual(await change(maintainer, update, { branch: 'mine', start_branch: 'main' }), { status: 400, message: refused })
  assert.equal((await change(maintainer, { action: 'update', file_path: 'free.txt', content: 'two\n' })).status, 201)
  assert.equal((await change(owner, update)).status, 201)

  await maintainer.post(`${project.url}/repository/branches`, { branch: 'topic', ref: 'main' })
  const edited = await owner.put(`${project.url}/repository/files/art%2F%C3%BC.psd`, {
    branch: 'topic',
    content: '3\n',
    commit_message: 'Three',
  })
  assert.equal(edited.status, 200)
  const sha = (await owner.get(`${project.url}/repository/branches/topic`)).body.commit.id
  const picked = await maintainer.post(`${project.url}/repository/commits/${sha}/cherry_pick`, { branch: 'main' })
  assert.deepEqual([picked.status, picked.body.message], [400, refused])
})

test('without LFS, and once the lock is gone, files are free', async () => {
  const { project, owner, maintainer, change, refused } = await lockedWorld()
  const update = { action: 'update', file_path: 'art/ü.psd', content: 'two\n' }
  assert.equal((await change(maintainer, update)).message, refused)
  await owner.put(project.url, { lfs_enabled: false })
  assert.equal((await change(maintainer, update)).status, 201)
})

/** Large files of git over SSH (document 3 `allow_collaboration`). */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { startWorker } from '../../src/platform/events/worker.ts'
import { tasksOf } from '../../src/server/tasks.ts'
import { atEnd } from '../at_end.ts'
import { eventually } from '../eventually.ts'
import type { SceneProject } from '../scene.ts'
import { openSsh } from './ssh_scene.ts'

const {
  options,
  scene,
  server,
  workbench,
  commit,
  git,
  place,
  pushedProject,
  newPair,
  keyOf,
  addressOf,
  attempt,
  gitWith,
  cloneWith,
  tipOf,
} = await openSsh()

const withoutLfs = (await workbench.has('git', ['lfs', 'version'])) ? false : 'git-lfs is not installed on this machine'
const lfsObject = { '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n', 'big.bin': randomBytes(100_000) }

test('LFS objects are pushed and fetched over SSH, by users and deploy keys', {
  skip: withoutLfs,
}, async () => {
  const { project, owner } = await pushedProject()
  const person = await keyOf(owner)
  const directory = await cloneWith(person, project)
  await git(directory, 'lfs', 'install', '--local')
  await commit(directory, lfsObject)
  await gitWith(person, directory, 'push', '--quiet', 'origin', 'main')

  const pointer = await owner.get(`${project.url}/repository/files/big.bin/raw`, { ref: 'main' })
  assert.match(pointer.bytes.toString(), /^version https:\/\/git-lfs/)
  const { file: machine, key } = await newPair()
  const { id } = (await owner.post(`${project.url}/deploy_keys`, { title: 'Machine', key })).body
  for (const file of [person, machine]) {
    const copy = place('clone')
    const config = ['-c', 'filter.lfs.process=git-lfs filter-process', '-c', 'filter.lfs.required=true']
    await gitWith(file, workbench.directory, ...config, 'clone', '--quiet', addressOf(project), copy)
    assert.ok((await readFile(join(copy, 'big.bin'))).equals(lfsObject['big.bin']))
  }

  const ask = (file: string, operation: string) =>
    workbench.attempt('ssh', [
      ...options(file),
      ...['-p', String(server.port), 'git@127.0.0.1', 'git-lfs-authenticate', project.full_path, operation],
    ])
  const refused = await ask(machine, 'upload')
  assert.deepEqual([refused.code, refused.stdout], [1, ''], 'a key that may not push')
  const { href, header, expires_in } = JSON.parse((await ask(machine, 'download')).stdout)
  const batch = async (operation: string, at = href) => {
    const headers = { authorization: header.Authorization, 'content-type': 'application/vnd.git-lfs+json' }
    return (await fetch(`${at}/objects/batch`, { method: 'POST', headers, body: JSON.stringify({ operation, objects: [] }) })).status
  }
  assert.deepEqual([href, expires_in > 0, await batch('download')], [`${scene.url}/${project.full_path}.git/info/lfs`, true, 200])
  await owner.put(`${project.url}/deploy_keys/${id}`, { can_push: true })
  assert.equal(await batch('upload'), 403, 'what was given for downloads stays so')
  const other = await scene.project({ owner })
  await owner.post(`${other.project.url}/deploy_keys/${id}/enable`)
  assert.equal(await batch('download', `${scene.url}/${other.project.full_path}.git/info/lfs`), 404, 'it is for one project')
  await owner.delete(`${other.project.url}/deploy_keys/${id}`)
  await owner.delete(`${project.url}/deploy_keys/${id}`)
  assert.equal(await batch('download'), 401, 'it ends with its key')
})

test('a user who may merge pushes to the source branch of a fork that allows it, LFS objects too, and to nothing else there (document 3 `allow_collaboration`)', {
  skip: withoutLfs,
}, async () => {
  const { project, maintainer, developer } = await pushedProject({ visibility: 'public', members: ['maintainer', 'developer'] })
  const author = await scene.user()
  const worker = await startWorker({ database: scene.deps.database, tasks: tasksOf(scene.deps), log: scene.deps.log, concurrency: 1 })
  atEnd(() => worker.stop())
  const forked = (await author.post(`${project.url}/fork`)).body
  const fork: SceneProject = { ...forked, full_path: forked.path_with_namespace, url: `/projects/${forked.id}` }
  await eventually(async () => (await author.get(fork.url)).body.import_status === 'finished', 'the fork to be filled')
  const actions = [{ action: 'create', file_path: 'new.txt', content: 'New.\n' }]
  await author.post(`${fork.url}/repository/commits`, { branch: 'topic', start_branch: 'main', commit_message: 'Say it', actions })
  const options = { title: 'From a fork', source_branch: 'topic', target_branch: 'main', target_project_id: project.id }
  const { body: proposal } = await author.post(`${fork.url}/merge_requests`, { ...options, allow_collaboration: true })
  const [file, other] = [await keyOf(maintainer), await keyOf(developer)]
  const directory = await cloneWith(file, fork, '--branch', 'topic')
  await git(directory, 'lfs', 'install', '--local')
  const head = await commit(directory, lfsObject, 'Help')

  // Developers may not merge into `main`.
  assert.match((await attempt(other, directory, 'push', 'origin', 'topic')).stderr, /not allowed to push code to this project/)
  const elsewhere = await attempt(file, directory, 'push', 'origin', 'HEAD:refs/heads/other')
  await gitWith(file, directory, 'push', '--quiet', 'origin', 'topic')

  assert.match(elsewhere.stderr, /remote rejected.*source branches of merge requests/)
  assert.equal(await tipOf(fork, 'topic'), head)
  const copy = place('clone')
  const config = ['-c', 'filter.lfs.process=git-lfs filter-process', '-c', 'filter.lfs.required=true', '--branch', 'topic']
  await gitWith(
    await keyOf(author),
    workbench.directory,
    ...config.slice(0, 4),
    'clone',
    '--quiet',
    ...config.slice(4),
    addressOf(fork),
    copy,
  )
  assert.ok((await readFile(join(copy, 'big.bin'))).equals(lfsObject['big.bin']))
  await author.put(`${project.url}/merge_requests/${proposal.iid}`, { allow_collaboration: false })
  await commit(directory, { 'more.bin': randomBytes(1000) })
  assert.match((await attempt(file, directory, 'push', 'origin', 'topic')).stderr, /not allowed to push code to this project/)
})

/** gitbeaker on forks and imports. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Gitlab } from '@gitbeaker/rest'
import { copyFork } from '../../src/code/forks/copy.ts'
import { openScene } from '../scene.ts'

const scene = await openScene()
const clientOf = ({ token }: { token: string }) => new Gitlab({ host: scene.url, token })

test('a project is forked into a group, listed among the forks, and finished once it is copied', async () => {
  const { project } = await scene.project({ visibility: 'public' })
  await scene.commit(project, { 'README.md': '# Hello' })
  const person = await scene.user()
  const client = clientOf(person)
  const { group } = await scene.group({ owner: person, visibility: 'public' })

  const fork = await client.Projects.fork(project.id, { namespaceId: group.id, name: 'Copy', path: 'copy' })
  assert.equal(fork.path_with_namespace, `${group.full_path}/copy`)
  assert.equal((await client.Projects.show(fork.id)).import_status, 'scheduled')
  await copyFork(scene.deps, { project_id: fork.id, source_id: project.id })

  const done = await client.Projects.show(fork.id)
  assert.deepEqual([done.import_status, done.default_branch], ['finished', 'main'])
  assert.deepEqual(
    (await client.Projects.allForks(project.id)).map(({ id }) => id),
    [fork.id],
  )
})

test('the relation between two projects is made and taken away', async () => {
  const { project } = await scene.project({ visibility: 'public' })
  const person = await scene.user()
  const { project: own } = await scene.project({ owner: person, visibility: 'public' })
  const client = clientOf(person)

  await client.Projects.createForkRelationship(own.id, project.id)
  assert.equal((await client.Projects.show(project.id)).forks_count, 1)
  await client.Projects.removeForkRelationship(own.id)
  assert.equal((await client.Projects.show(project.id)).forks_count, 0)
})

test('a project is created from an address, and its import asked for', async () => {
  const client = clientOf(await scene.user())

  const project = await client.Projects.create({ name: 'Imported', importUrl: 'https://git.example.com/tools.git' })
  assert.equal(project.import_status, 'scheduled')
  assert.equal((await client.ProjectImportExports.showImportStatus(project.id)).import_status, 'scheduled')
})

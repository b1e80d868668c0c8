import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { oauthScene } from '../../../identity/oauth/scene.ts'
import { resolveCommit } from '../../../platform/git/index.ts'
import { findRepository } from '../../../spaces/projects/repository/store.ts'
import { shownDirectory } from './directory.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const owner = await surfer()
const by = scene.as({ 'private-token': owner.person.token })

test('a directory that was shown is shown again without work, until its commit, branch or project has another name', async () => {
  const { body: project } = await by.post('/projects', { name: `Kept ${Math.random()}`.replace('.', '') })
  const commit = (file_path: string) =>
    by.post(`/projects/${project.id}/repository/commits`, {
      branch: 'main',
      commit_message: `Add ${file_path}`,
      actions: [{ action: 'create', file_path, content: '1' }],
    })
  await commit('one.txt')
  const repository = await findRepository(scene.deps.storages, { id: project.id, repository_storage: 'default' })
  assert.ok(repository)
  const show = async (ref: string, full_path = 'g/p') => {
    const id = await resolveCommit(repository, 'main')
    assert.ok(id)
    return shownDirectory({ project: { full_path }, server: scene.url }, repository, { ref, commit: id, path: '' })
  }

  const first = await show('main')
  assert.ok(first?.isComplete)
  assert.equal(await show('main'), first)
  assert.match((await show('other'))?.frame.text ?? '', /href="\/g\/p\/-\/blob\/other\/one\.txt"/)
  assert.match((await show('main', 'g/moved'))?.frame.text ?? '', /href="\/g\/moved\/-\/blob\/main\/one\.txt"/)
  await commit('two.txt')
  assert.match((await show('main'))?.frame.text ?? '', /two\.txt/)
  assert.match((await owner.get(`/${project.path_with_namespace}/-/tree/main`)).body, /two\.txt/)
})

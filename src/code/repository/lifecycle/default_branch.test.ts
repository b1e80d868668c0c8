/** HEAD of a repository follows the project's default branch. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { openScene } from '../../../../test/scene.ts'
import { defaultBranchOf, setDefaultBranch } from '../../../platform/git/index.ts'
import { alignHead } from './default_branch.ts'

const run = promisify(execFile)
const scene = await openScene()

async function projectWithTwoBranches() {
  const { project, owner } = await scene.project()
  await scene.commit(project, { 'a.txt': 'a' }, { branch: 'main' })
  await owner.post(`${project.url}/repository/branches`, { branch: 'next', ref: 'main' })
  return { project, owner, repository: scene.deps.storages.repository({ id: project.id, repository_storage: 'default' }) }
}

test('clones after a change of the default branch check out the new one', async () => {
  const { project, owner } = await projectWithTwoBranches()

  const answer = await owner.put(project.url, { default_branch: 'next' })
  const address = `${scene.url.replace('//', `//x:${owner.token}@`)}/${project.full_path}.git`
  const { stdout } = await run('git', ['ls-remote', '--symref', address, 'HEAD'])

  assert.equal(answer.body.default_branch, 'next')
  assert.match(stdout, /^ref: refs\/heads\/next\tHEAD$/m)
})

test('a refused change does not affect HEAD', async () => {
  const { project, owner, repository } = await projectWithTwoBranches()
  const { project: other } = await scene.project({ owner })

  const answer = await owner.put(project.url, { default_branch: 'next', path: other.path })

  assert.equal(answer.status, 409)
  assert.equal(await defaultBranchOf(repository), 'main')
})

test('after a crash between the two steps the listener of the event aligns HEAD', async () => {
  const { project, owner, repository } = await projectWithTwoBranches()
  await owner.put(project.url, { default_branch: 'next' })
  await setDefaultBranch(repository, 'main')

  await alignHead(scene.deps, { project_id: project.id })

  assert.equal(await defaultBranchOf(repository), 'next')
})

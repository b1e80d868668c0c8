/** Members who propose branches of a project to a fork of their own, and leave: neither reading nor pushing goes on by the proposal. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atEnd } from '../../../../test/at_end.ts'
import { eventually } from '../../../../test/eventually.ts'
import { openScene, type Person, type SceneProject } from '../../../../test/scene.ts'
import { startWorker } from '../../../platform/events/worker.ts'
import { tasksOf } from '../../../server/tasks.ts'
import { refreshMergeRequest } from './pushed/refresh.ts'

const scene = await openScene()
const { deps } = scene
const worker = await startWorker({ database: deps.database, tasks: tasksOf(deps), log: deps.log, concurrency: 2 })
atEnd(() => worker.stop())

/** A fork, once it has the branches. */
async function forkOf({ url }: SceneProject, who: Person): Promise<{ readonly id: number }> {
  const { id } = (await who.post(`${url}/fork`)).body
  return eventually(async () => (await who.get(`/projects/${id}`)).body.import_status === 'finished' && { id }, 'a fork')
}

/** A project whose Developer proposes its branch `topic` to `main` of a fork of their own. */
async function proposed(visibility: 'private' | 'public') {
  const { project, owner, developer } = await scene.project({ visibility, members: ['developer'] })
  await scene.commit(project, { 'a.txt': 'a\n' })
  await scene.commit(project, { 'b.txt': 'b\n' }, { branch: 'topic', start_branch: 'main' })
  const fork = await forkOf(project, developer)
  const forkUrl = `/projects/${fork.id}`
  const body = { source_branch: 'topic', target_branch: 'main', target_project_id: fork.id, title: 'Take it', allow_collaboration: true }
  const made = await developer.post(`${project.url}/merge_requests`, body)
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const url = `${forkUrl}/merge_requests/${made.body.iid}`
  const leave = async () => assert.equal((await owner.delete(`${project.url}/members/${developer.id}`)).status, 204)
  const push = (name: string) => scene.commit(project, { [name]: 'c\n' }, { branch: 'topic' })
  const refresh = () => scene.run(owner, ctx => refreshMergeRequest(ctx, made.body.id))
  return { project, owner, developer, url, leave, push, refresh, sha: made.body.sha as string }
}

test('commits of a private project do not go on to the fork of one who has left it', async () => {
  const { developer, url, leave, push, refresh, sha } = await proposed('private')
  const seen = async () => (await developer.get(url)).body.sha
  const second = await push('second.txt')
  await refresh()
  assert.equal(await seen(), second)

  await leave()
  await push('third.txt')
  await refresh()

  assert.equal(await seen(), second)
  assert.notEqual(second, sha)
  const { body: commits } = await developer.get(`${url}/commits`)
  assert.equal(commits.length, 2)
  // Nor by what reads the branch for another reason.
  await developer.put(url, { state_event: 'close' })
  const reopened = await developer.put(url, { state_event: 'reopen' })
  assert.deepEqual([reopened.status, reopened.body], [400, { message: { source_project: ['does not exist'] } }])
  assert.equal(await seen(), second)
})

test('what a member allowed to be pushed ends when they leave', async () => {
  const { project, owner, developer, url, leave } = await proposed('public')
  assert.equal((await owner.get(url)).body.allow_collaboration, true)
  const actions = [{ action: 'create', file_path: 'by_the_one_who_left.txt', content: 'c\n' }]
  const commit = (branch: string) => developer.post(`${project.url}/repository/commits`, { branch, commit_message: 'Add it', actions })
  await leave()

  assert.deepEqual([(await commit('topic')).status, (await commit('main')).status], [403, 403])
})

test('who may not push to a branch cannot allow others to', async () => {
  const { project } = await scene.project({ visibility: 'public' })
  await scene.commit(project, { 'a.txt': 'a\n' })
  await scene.commit(project, { 'b.txt': 'b\n' }, { branch: 'topic', start_branch: 'main' })
  const outsider = await scene.user()
  const fork = await forkOf(project, outsider)
  const body = { source_branch: 'topic', target_branch: 'main', target_project_id: fork.id, title: 'Take it', allow_collaboration: true }

  const { status, body: made } = await outsider.post(`${project.url}/merge_requests`, body)

  if (status === 201) assert.equal(made.allow_collaboration, false)
  else assert.equal(status, 403)
})

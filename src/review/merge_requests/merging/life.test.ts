/** Effects of pushes on merge requests, with a worker that processes them. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { atEnd } from '../../../../test/at_end.ts'
import { eventually } from '../../../../test/eventually.ts'
import { type Client, openScene, type SceneMergeRequest, type SceneProject } from '../../../../test/scene.ts'
import { startWorker } from '../../../platform/events/worker.ts'
import { git } from '../../../platform/git/scene.ts'
import { tasksOf } from '../../../server/tasks.ts'

const scene = await openScene()
const { deps, root } = scene
const worker = await startWorker({ database: deps.database, tasks: tasksOf(deps), log: deps.log, concurrency: 3 })
atEnd(() => worker.stop())

const say = (project: SceneProject, args: readonly string[]) =>
  git(deps.storages.repository({ id: project.id, repository_storage: 'default' }), args)

/** Runs the system's git as a client. */
const run = async (cwd: string, args: readonly string[]) => {
  const identity = {
    GIT_AUTHOR_NAME: 'Ida',
    GIT_AUTHOR_EMAIL: 'ida@example.com',
    GIT_COMMITTER_NAME: 'Ida',
    GIT_COMMITTER_EMAIL: 'ida@example.com',
  }
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    ...identity,
  }
  return promisify(execFile)('git', [...args], { cwd, env })
}

/** Polls until the merge request is as expected. */
// biome-ignore lint/suspicious/noExplicitAny: JSON
function once(at: Pick<SceneMergeRequest, 'url'>, isExpected: (body: any) => boolean, who: Client = root): Promise<any> {
  return eventually(async () => {
    const { body } = await who.get(`${at.url}?include_rebase_in_progress=true`)
    return isExpected(body) && body
  }, 'an answer as expected')
}

test('the worker checks whether it can be merged, and checks again after a push to either branch (document 3 `merge_status`)', async () => {
  const { project } = await scene.project()
  await scene.commit(project, { 'a.txt': 'a\n' })
  const proposal = await scene.mergeRequest(project, { files: { 'b.txt': 'b\n' } })

  assert.equal((await once(proposal, body => body.merge_status === 'can_be_merged')).has_conflicts, false)
  await scene.commit(project, { 'b.txt': 'other\n' })
  assert.notEqual((await root.get(proposal.url)).body.merge_status, 'can_be_merged')
  assert.equal((await once(proposal, body => body.merge_status === 'cannot_be_merged')).has_conflicts, true)
  const actions = [{ action: 'update', file_path: 'b.txt', content: 'other\n' }]
  const branch = proposal.source_branch
  const commit = await root.post(`${project.url}/repository/commits`, { branch, commit_message: 'Yield', actions })
  const body = await once(proposal, seen => seen.merge_status === 'can_be_merged' && seen.sha === commit.body.id)
  assert.equal(body.has_conflicts, false)
})

test('new commits create a version and a note, and reset approvals', async () => {
  const { project, developer } = await scene.project({ members: ['developer'] })
  const proposal = await scene.mergeRequest(project)
  assert.equal((await developer.post(`${proposal.url}/approve`)).status, 201)

  const head = await scene.commit(project, { 'more.txt': 'm\n' }, { branch: proposal.source_branch, message: 'Say more' })

  const body = await once(proposal, seen => seen.sha === head)
  assert.equal(body.diff_refs.head_sha, head)
  assert.equal(body.changes_count, '2')
  assert.deepEqual((await root.get(`${proposal.url}/approvals`)).body.approved_by, [])
  const notes = await deps.database.db.selectFrom('notes').select('body').where('merge_request_id', '=', proposal.id).execute()
  assert.deepEqual(
    notes.map(note => note.body).filter(text => text.startsWith('added')),
    [`added 1 commit\n\n* ${head.slice(0, 8)} - Say more`],
  )
  assert.equal(say(project, ['rev-parse', 'refs/merge-requests/1/head']), head)
})

test('a push of the commits to the target branch marks it as merged; deleting the source branch closes it', async () => {
  const { project, owner } = await scene.project()
  const [first, second, third] = [await scene.mergeRequest(project), await scene.mergeRequest(project), await scene.mergeRequest(project)]
  await root.delete(`${project.url}/protected_branches/main`)
  const clone = `${deps.config.dataDir}/clone-${project.id}`
  await run('/', ['clone', '-q', `${scene.url.replace('//', `//oauth2:${owner.token}@`)}/${project.full_path}.git`, clone])
  await run(clone, ['merge', '-q', '--ff-only', `origin/${first.source_branch}`])
  await run(clone, ['merge', '-q', '-m', 'By hand', `origin/${second.source_branch}`])
  await run(clone, ['push', '-q', 'origin', 'main', `:${third.source_branch}`])

  const [one, two, three] = await Promise.all([first, second, third].map(each => once(each, body => body.state !== 'opened')))
  const tip = say(project, ['rev-parse', 'main'])
  assert.deepEqual([one.state, one.merged_by.id, one.merge_commit_sha], ['merged', owner.id, null])
  assert.deepEqual([two.state, two.merged_by.id, two.merge_commit_sha], ['merged', owner.id, tip])
  assert.deepEqual([three.state, three.closed_by.id], ['closed', owner.id])
})

test('push options create and change a merge request, and the push prints its address (`git push -o merge_request.create`)', async () => {
  const { project, owner } = await scene.project()
  await scene.commit(project, { 'a.txt': 'a\n' })
  const clone = `${deps.config.dataDir}/clone-${project.id}`
  await run('/', ['clone', '-q', `${scene.url.replace('//', `//oauth2:${owner.token}@`)}/${project.full_path}.git`, clone])
  await run(clone, ['switch', '-q', '-c', 'topic'])
  await run(clone, ['commit', '-q', '--allow-empty', '-m', 'Say it'])
  const plain = await run(clone, ['push', 'origin', 'topic'])
  assert.match(
    plain.stderr,
    /To create a merge request for topic, visit:\s+remote: +http\S+\/-\/merge_requests\/new\?merge_request%5Bsource_branch%5D=topic/,
  )

  await run(clone, ['commit', '-q', '--allow-empty', '-m', 'Say it again'])
  const options = ['merge_request.create', 'merge_request.label=loud', 'merge_request.draft', 'merge_request.description=One\\nTwo']
  const made = await run(clone, ['push', ...options.flatMap(option => ['-o', option]), 'origin', 'topic'])
  assert.match(made.stderr, /View merge request for topic:\s+remote: +http\S+\/-\/merge_requests\/1\s/)
  const { title, description, labels, author } = (await owner.get(`${project.url}/merge_requests/1`)).body
  assert.deepEqual([title, description, labels, author.id], ['Draft: Say it again', 'One\nTwo', ['loud'], owner.id])

  await run(clone, ['commit', '-q', '--allow-empty', '-m', 'And again'])
  await run(clone, ['push', '-q', '-o', 'merge_request.title=Louder', '-o', 'merge_request.unlabel=loud', 'origin', 'topic'])
  const changed = (await owner.get(`${project.url}/merge_requests/1`)).body
  assert.deepEqual([changed.title, changed.labels], ['Louder', []])

  await owner.post(`${project.url}/milestones`, { title: 'First one' })
  const more = ['milestone=First one', `assign=${owner.username}`, 'assign=nobody-at-all', 'merge_when_pipeline_succeeds']
  await run(clone, ['commit', '-q', '--allow-empty', '-m', 'Once more, like !1'])
  await run(clone, ['push', '-q', ...more.flatMap(option => ['-o', `merge_request.${option}`]), 'origin', 'topic'])
  const asked = (await owner.get(`${project.url}/merge_requests/1`)).body
  assert.deepEqual([asked.milestone.title, asked.assignee.id, asked.merge_when_pipeline_succeeds], ['First one', owner.id, true])
  await run(clone, ['commit', '-q', '--allow-empty', '-m', 'The end'])
  await run(clone, ['push', '-q', '-o', `merge_request.unassign=${owner.username}`, 'origin', 'topic'])
  assert.deepEqual((await owner.get(`${project.url}/merge_requests/1`)).body.assignees, [])
})

test('a commit that reaches the default branch leaves a note on the merge requests that it mentions', async () => {
  const { project } = await scene.project()
  const proposal = await scene.mergeRequest(project)
  const commit = await scene.commit(project, { 'b.txt': 'b\n' }, { message: `Like !${proposal.iid}` })

  await once({ url: `${proposal.url}/notes` }, notes => notes[0]?.body === `mentioned in commit ${commit}`)
})

test('a rebase puts the commits on top of the target branch, on behalf of the user who requested it (document 3 "Merge request rebase")', async () => {
  const { project, owner, reporter } = await scene.project({ members: ['reporter'] })
  const proposal = await scene.mergeRequest(project)
  const target = await scene.commit(project, { 'd.txt': 'd\n' })

  assert.equal((await reporter.put(`${proposal.url}/rebase`)).status, 403)
  assert.deepEqual(await owner.put(`${proposal.url}/rebase`), { status: 202, body: { rebase_in_progress: true } })
  assert.equal((await owner.put(`${proposal.url}/rebase`)).status, 409)
  const body = await once(proposal, seen => seen.rebase_in_progress === false)
  const tip = say(project, ['rev-parse', proposal.source_branch])
  assert.deepEqual([body.merge_error, body.sha, body.diff_refs.base_sha], [null, tip, target], 'what the rebase made is there when it ends')
  assert.notEqual(tip, proposal.sha)
  const [parent, author, committer] = say(project, ['log', '-1', '--format=%P%n%an%n%cn', proposal.source_branch]).split('\n')
  assert.deepEqual([parent, author, committer], [target, root.name, owner.name])

  const clash = await scene.mergeRequest(project, { files: { 'e.txt': 'mine\n' } })
  await scene.commit(project, { 'e.txt': 'theirs\n' })
  await owner.put(`${clash.url}/rebase`)
  assert.match((await once(clash, seen => seen.merge_error !== null)).merge_error, /^Rebase failed/)
  assert.equal(say(project, ['rev-parse', clash.source_branch]), clash.sha)
})

test('merge requests into the branch of a merged one are retargeted to its target', async () => {
  const { project } = await scene.project()
  const lower = await scene.mergeRequest(project)
  await scene.commit(project, { 'upper.txt': 'u\n' }, { branch: 'upper', start_branch: lower.source_branch })
  const upper = await scene.mergeRequest(project, { source_branch: 'upper', target_branch: lower.source_branch })

  assert.equal((await root.put(`${lower.url}/merge`, { should_remove_source_branch: true })).status, 200)

  assert.equal((await once(upper, body => body.target_branch === 'main')).state, 'opened')
})

test('the merge reference holds the result of a trial merge, and a conflict is refused', async () => {
  const { project } = await scene.project()
  const proposal = await scene.mergeRequest(project, { files: { 'a.txt': 'a\n' } })
  const tip = say(project, ['rev-parse', 'main'])

  const { status, body } = await root.get(`${proposal.url}/merge_ref`)

  assert.equal(status, 200)
  assert.equal(say(project, ['rev-parse', `refs/merge-requests/${proposal.iid}/merge`]), body.commit_id)
  assert.equal(say(project, ['log', '-1', '--format=%P', body.commit_id]), `${tip} ${proposal.sha}`)
  await scene.commit(project, { 'a.txt': 'other\n' })
  assert.equal((await root.get(`${proposal.url}/merge_ref`)).status, 400)
})

test('an automatic merge is cancelled by users who may merge, and cancelling is repeatable (document 3, decision 14)', async () => {
  const { project, developer, reporter } = await scene.project({ members: ['developer', 'reporter'] })
  await scene.commit(project, { 'a.txt': 'a\n' })
  await root.delete(`${project.url}/protected_branches/main`)
  const proposal = await scene.mergeRequest(project)
  const cancel = (who: Client) => who.post(`${proposal.url}/cancel_merge_when_pipeline_succeeds`)
  assert.equal((await cancel(reporter)).status, 401)
  const { status, body } = await cancel(developer)
  assert.deepEqual([status, body.merge_when_pipeline_succeeds], [201, false])
  // Without a pipeline the merge is immediate.
  assert.equal((await developer.put(`${proposal.url}/merge`, { merge_when_pipeline_succeeds: true })).body.state, 'merged')
  assert.equal((await cancel(developer)).status, 405)
})

test('issues that the description closes are closed with the merge into the default branch', async () => {
  const { project } = await scene.project()
  const issue = (await root.post(`${project.url}/issues`, { title: 'Shed is grey' })).body
  const proposal = await scene.mergeRequest(project, { description: `Closes #${issue.iid}` })

  const merged = (await root.put(`${proposal.url}/merge`)).body

  assert.match(say(project, ['log', '-1', '--format=%B', merged.merge_commit_sha]), new RegExp(`\n\nCloses #${issue.iid}\n\nSee merge`))
  const closed = await once({ url: `${project.url}/issues/${issue.iid}` }, body => body.state === 'closed')
  assert.equal(closed.closed_by.id, root.id)
})

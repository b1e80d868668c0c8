/** Merge requests from forks, with the system's git on both sides. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atEnd } from '../../../../test/at_end.ts'
import { openCheckouts } from '../../../../test/clients/checkouts.ts'
import { openWorkbench } from '../../../../test/clients/workbench.ts'
import { eventually } from '../../../../test/eventually.ts'
import { openScene, type Person, type ProjectOptions, type SceneProject } from '../../../../test/scene.ts'
import { startWorker } from '../../../platform/events/worker.ts'
import { git as gitIn } from '../../../platform/git/scene.ts'
import { tasksOf } from '../../../server/tasks.ts'

const scene = await openScene()
const { deps, root } = scene
const worker = await startWorker({ database: deps.database, tasks: tasksOf(deps), log: deps.log, concurrency: 3 })
atEnd(() => worker.stop())
const { addressFor, attempt, clone, commit, git } = await openCheckouts(scene, await openWorkbench())

/** Runs git in a project's repository on the server. */
const say = (project: SceneProject, ...args: string[]) =>
  gitIn(deps.storages.repository({ id: project.id, repository_storage: 'default' }), args)

/** Polls until the response is as expected. */
// biome-ignore lint/suspicious/noExplicitAny: JSON
function once(url: string, isExpected: (body: any) => boolean, who: Person = root): Promise<any> {
  return eventually(async () => {
    const { body } = await who.get(url)
    return isExpected(body) && body
  }, 'an answer as expected')
}

interface Proposal {
  readonly project: SceneProject
  readonly fork: SceneProject
  readonly url: string
  readonly iid: number
  /** The author's clone of the fork, with `topic` checked out. */
  readonly directory: string
}

/** A fork whose owner, not a member of the project, has opened a merge request from `topic` into `main`. */
async function proposeFrom(
  project: SceneProject,
  author: Person,
  more: object = {},
  files: Readonly<Record<string, string>> = { 'new.txt': 'New.\n' },
): Promise<Proposal> {
  const forked = (await author.post(`${project.url}/fork`)).body
  const fork: SceneProject = { ...forked, full_path: forked.path_with_namespace, url: `/projects/${forked.id}` }
  await once(fork.url, body => body.import_status === 'finished')
  const directory = await clone(addressFor(fork, author))
  await git(directory, 'switch', '--quiet', '--create', 'topic')
  await commit(directory, files, 'Say it')
  await git(directory, 'push', '--quiet', 'origin', 'topic')
  const answer = await author.post(`${fork.url}/merge_requests`, {
    title: 'From a fork',
    source_branch: 'topic',
    target_branch: 'main',
    target_project_id: project.id,
    ...more,
  })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return { project, fork, url: `${project.url}/merge_requests/${answer.body.iid}`, iid: answer.body.iid, directory }
}

/** A project with a commit, and another user's merge request for it. */
async function proposed(options: ProjectOptions<'maintainer' | 'developer'> = {}, more: object = {}) {
  const world = await scene.project({ visibility: 'public', ...options, members: ['maintainer', 'developer'] })
  await scene.commit(world.project, { 'a.txt': 'a\n' })
  const author = await scene.user()
  return { ...world, author, ...(await proposeFrom(world.project, author, more)) }
}

test('users who may merge can push to the source branch of a fork that allows it, and to no other branch (document 3 `allow_collaboration`)', async () => {
  const { fork, url, author, maintainer, developer } = await proposed({}, { allow_collaboration: true })
  const theirs = await clone(addressFor(fork, maintainer), '--branch', 'topic')
  const head = await commit(theirs, { 'review.txt': 'Better so.\n' }, 'Help')

  // `main` is protected: developers may not merge into it, so they may not push to source branches of its merge requests.
  const byDeveloper = await attempt(theirs, 'push', addressFor(fork, developer), 'topic')
  await git(theirs, 'push', '--quiet', 'origin', 'topic')

  assert.match(byDeveloper.stderr, /not allowed to push code to this project/)
  assert.equal(say(fork, 'rev-parse', 'topic'), head)
  assert.equal((await once(url, body => body.sha === head)).diff_refs.head_sha, head)
  const elsewhere = await attempt(theirs, 'push', 'origin', 'HEAD:main', 'HEAD:other', 'HEAD:refs/tags/v1', ':topic')
  assert.equal(elsewhere.stderr.match(/remote rejected.*source branches of merge requests/g)?.length, 4, elsewhere.stderr)

  const actions = [{ action: 'create', file_path: 'api.txt', content: 'By the API.\n' }]
  const commitTo = (branch: string, who: Person) =>
    who.post(`${fork.url}/repository/commits`, { branch, commit_message: 'Help more', actions })
  assert.deepEqual(
    [await commitTo('topic', maintainer), await commitTo('main', maintainer), await commitTo('topic', developer)].map(
      answer => answer.status,
    ),
    [201, 403, 403],
  )
  assert.equal((await author.put(url, { allow_collaboration: false })).body.allow_collaboration, false)
  assert.equal((await commitTo('topic', maintainer)).status, 403)
  // A maintainer of the target cannot set what only the author may set.
  assert.equal((await maintainer.put(url, { allow_collaboration: true })).body.allow_collaboration, false)
})

test('a protected source branch, and that of a closed merge request, accept no pushes of other users', async () => {
  const { fork, url, author, maintainer } = await proposed({}, { allow_collaboration: true })
  const actions = [{ action: 'create', file_path: 'api.txt', content: '' }]
  const commitTo = () => maintainer.post(`${fork.url}/repository/commits`, { branch: 'topic', commit_message: 'Help', actions })

  await author.post(`${fork.url}/protected_branches`, { name: 'topic' })
  assert.equal((await commitTo()).status, 403)
  await author.delete(`${fork.url}/protected_branches/topic`)
  await author.put(url, { state_event: 'close' })
  assert.equal((await commitTo()).status, 403)
  await author.put(url, { state_event: 'reopen' })
  assert.equal((await commitTo()).status, 201)
})

test('users who may merge cannot push to a private fork', async () => {
  const { fork, author, maintainer } = await proposed({}, { allow_collaboration: true })
  await author.put(fork.url, { visibility: 'private' })

  const answer = await attempt('/', 'ls-remote', addressFor(fork, maintainer))

  assert.match(answer.stderr, /not found/)
})

test('users who may merge can rebase in a fork that allows it, and in no other (document 3 "Merge request rebase")', async () => {
  const { project, fork, url, author, maintainer } = await proposed()
  const target = await scene.commit(project, { 'b.txt': 'b\n' })

  assert.equal((await maintainer.put(`${url}/rebase`)).status, 403)
  await author.put(url, { allow_collaboration: true })
  assert.equal((await maintainer.put(`${url}/rebase`)).status, 202)

  const body = await once(`${url}?include_diverged_commits_count=true`, seen => seen.diverged_commits_count === 0)
  const [parent, name, committer] = say(fork, 'log', '-1', '--format=%P%n%an%n%cn', 'topic').split('\n')
  assert.deepEqual([parent, name, committer], [target, 'Ida Example', maintainer.name])
  assert.equal(body.sha, say(fork, 'rev-parse', 'topic'))
  assert.equal(say(project, 'rev-parse', `refs/merge-requests/${body.iid}/head`), body.sha)
})

test('a fork is merged by a commit with both parents, and its branch is removed if its owner merges', async () => {
  const { project, fork, url, author } = await proposed()
  const [start, head] = [say(project, 'rev-parse', 'main'), say(fork, 'rev-parse', 'topic')]
  await root.post(`${project.url}/members`, { user_id: author.id, access_level: 40 })

  const { status, body } = await author.put(`${url}/merge`, { should_remove_source_branch: true })

  assert.deepEqual([status, body.state], [200, 'merged'])
  assert.equal(say(project, 'log', '-1', '--format=%P', 'main'), `${start} ${head}`)
  assert.equal(body.merge_commit_sha, say(project, 'rev-parse', 'main'))
  assert.equal(say(fork, 'for-each-ref', 'refs/heads/topic'), '')
})

test('the source branch is kept if the user who merges may not delete it', async () => {
  const { fork, url, maintainer } = await proposed({}, { allow_collaboration: true })

  assert.equal((await maintainer.put(`${url}/merge`, { should_remove_source_branch: true })).body.state, 'merged')

  assert.notEqual(say(fork, 'for-each-ref', 'refs/heads/topic'), '')
})

test('commits of a fork are squashed into one commit by the author', async () => {
  const { project, fork, url, directory, maintainer, author } = await proposed()
  await commit(directory, { 'more.txt': 'More.\n' }, 'Say more')
  await git(directory, 'push', '--quiet', 'origin', 'topic')
  await once(url, body => body.sha === say(fork, 'rev-parse', 'topic'))

  const { body } = await maintainer.put(`${url}/merge`, { squash: true, squash_commit_message: 'All of it' })

  assert.equal(say(project, 'log', '-1', '--format=%s|%an|%cn', body.squash_commit_sha), `All of it|${author.name}|${maintainer.name}`)
  assert.equal(say(project, 'log', '-1', '--format=%P', body.merge_commit_sha).split(' ')[1], body.squash_commit_sha)
  assert.equal(say(project, 'rev-parse', 'main^{tree}'), say(fork, 'rev-parse', 'topic^{tree}'))
})

test('each push to a fork makes a version, whose commits stay in the project when the branch is rewritten', async () => {
  const { project, fork, url, directory } = await proposed()
  const first = say(fork, 'rev-parse', 'topic')
  await git(directory, 'commit', '--quiet', '--amend', '--message', 'Say it otherwise')
  await git(directory, 'push', '--quiet', '--force', 'origin', 'topic')
  const second = say(fork, 'rev-parse', 'topic')
  await once(url, body => body.sha === second)
  say(project, 'reflog', 'expire', '--expire=now', '--all')
  say(project, 'gc', '--quiet', '--prune=now')

  const versions = (await root.get(`${url}/versions`)).body as { id: number; head_commit_sha: string }[]
  const old = (await root.get(`${url}/versions/${versions[1]?.id}`)).body

  assert.deepEqual(
    versions.map(version => version.head_commit_sha),
    [second, first],
  )
  assert.deepEqual([old.commits.length, old.diffs[0].new_path, old.commits[0].title], [1, 'new.txt', 'Say it'])
})

test('a merge request outlives its fork: it can be read, but not reopened', async () => {
  const { project, fork, url, author, maintainer } = await proposed()
  const head = say(fork, 'rev-parse', 'topic')
  await author.delete(fork.url)

  const left = await once(url, body => body.source_project_id === null)
  assert.deepEqual([left.state, left.sha, left.source_branch], ['closed', head, 'topic'])
  assert.equal((await root.get(`${url}/changes`)).body.changes[0].new_path, 'new.txt')
  assert.equal((await root.get(`${url}/commits`)).body[0].id, head)
  assert.equal((await maintainer.put(url, { state_event: 'reopen' })).status, 400)
  assert.equal(say(project, 'rev-parse', `refs/merge-requests/${left.iid}/head`), head)
})

test('merge requests from a project are closed when it leaves the fork network', async () => {
  const { fork, url, author } = await proposed()

  assert.equal((await author.delete(`${fork.url}/fork`)).status, 204)

  const { body } = await root.get(url)
  assert.deepEqual([body.state, body.closed_by.id, body.source_project_id], ['closed', author.id, fork.id])
})

test('a push to a fork opens and changes a merge request in the named target project (push option `merge_request.target_project`)', async () => {
  const { project, fork, author, directory } = await proposed()
  await git(directory, 'switch', '--quiet', '--create', 'more')
  await commit(directory, { 'more.txt': 'More.\n' }, 'Say more')
  const push = async (...options: string[]) =>
    (await attempt(directory, 'push', ...options.flatMap(option => ['-o', `merge_request.${option}`]), 'origin', 'more')).stderr

  const output = await push('create', `target_project=${project.full_path}`, 'title=Say more', 'description=Well\\n/draft')
  const [made] = (await author.get(`${project.url}/merge_requests?source_branch=more`)).body
  await commit(directory, { 'most.txt': 'Most.\n' }, 'Say most')
  await push(`target_project=${project.id}`, 'title=Say most')

  assert.match(output, new RegExp(`View merge request for more:\\s+remote: +http\\S+/${project.full_path}/-/merge_requests/${made.iid}\\s`))
  assert.deepEqual([made.source_project_id, made.author.id, made.description], [fork.id, author.id, 'Well'])
  assert.equal(made.title, 'Draft: Say more')
  const seen = await once(`${project.url}/merge_requests/${made.iid}`, body => body.title === 'Say most')
  assert.equal(seen.source_branch, 'more')
  assert.deepEqual((await author.get(`${fork.url}/merge_requests`)).body, [])

  await root.put(project.url, { merge_requests_access_level: 'disabled' })
  await commit(directory, { 'last.txt': 'Last.\n' }, 'Say last')
  const unread = await push(`target_project=${project.id}`, 'title=Say last')
  await root.put(project.url, { merge_requests_access_level: 'enabled' })
  assert.match(unread, /WARNING: the project that the merge request is to go to was not found/)
  assert.equal((await root.get(`${project.url}/merge_requests/${made.iid}`)).body.title, 'Say most')

  const hidden = await scene.project({ visibility: 'private' })
  await git(directory, 'switch', '--quiet', '--create', 'lost')
  const lost = await attempt(
    directory,
    'push',
    '-o',
    'merge_request.create',
    '-o',
    `merge_request.target_project=${hidden.project.full_path}`,
    'origin',
    'lost',
  )
  assert.match(lost.stderr, /WARNING: the project that the merge request is to go to was not found/)
})

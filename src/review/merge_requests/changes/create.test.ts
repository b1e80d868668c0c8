import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type Person, type SceneProject } from '../../../../test/scene.ts'
import { copyFork } from '../../../code/forks/copy.ts'
import { git } from '../../../platform/git/scene.ts'

const scene = await openScene()

const repositoryOf = (project: { readonly id: number }) => scene.deps.storages.repository({ id: project.id, repository_storage: 'default' })

const propose = (who: Person, project: { readonly url: string }, attributes: object = {}) =>
  who.post(`${project.url}/merge_requests`, { title: 'Paint the shed', source_branch: 'topic', target_branch: 'main', ...attributes })

/** A project with a branch `topic` that is one commit ahead of `main`. */
async function withTopic<const M extends 'guest' | 'reporter' | 'developer' | 'maintainer' = never>(
  options: Parameters<typeof scene.project<M>>[0] = {},
) {
  const made = await scene.project(options)
  await scene.commit(made.project, { 'a.txt': 'a\n' })
  await scene.commit(made.project, { 'b.txt': 'b\n', 'c.txt': 'c\n' }, { branch: 'topic', start_branch: 'main' })
  return made
}

test('a merge request is created with its first version, whose commits are those of git', async () => {
  const { project, owner } = await withTopic()
  await scene.commit(project, { 'd.txt': 'd\n' })
  const { status, body } = await propose(owner, project)

  // Contract: 201 (document 3 "Merge request operations").
  assert.equal(status, 201)
  const repository = repositoryOf(project)
  const [head, start, base] = [
    ['rev-parse', 'topic'],
    ['rev-parse', 'main'],
    ['merge-base', 'topic', 'main'],
  ].map(args => git(repository, args))
  assert.deepEqual(
    {
      iid: body.iid,
      state: body.state,
      status: body.merge_status,
      sha: body.sha,
      refs: body.diff_refs,
      count: body.changes_count,
      at: [body.project_id, body.source_project_id, body.target_project_id],
      closed: [body.closed_by, body.closed_at, body.merged_by, body.merged_at, body.merge_commit_sha, body.squash_commit_sha],
    },
    {
      iid: 1,
      state: 'opened',
      status: 'unchecked',
      sha: head,
      refs: { base_sha: base, head_sha: head, start_sha: start },
      count: '2',
      at: [project.id, project.id, project.id],
      closed: [null, null, null, null, null, null],
    },
  )
  assert.equal(git(repository, ['rev-parse', 'refs/merge-requests/1/head']), head)
  // Only the response for a single merge request has this field.
  assert.deepEqual((await owner.get(`${project.url}/merge_requests/1`)).body, { ...body, first_contribution: false })
})

test('a merge request has the attributes it was created with, and users who may not read it are silently ignored', async () => {
  const { project, owner, developer, reporter } = await withTopic({ members: ['developer', 'reporter'] })
  const outsider = await scene.user()
  const milestone = await owner.post(`${project.url}/milestones`, { title: 'v1' })
  const { body } = await propose(developer, project, {
    title: 'Draft: Paint the shed',
    description: '- [x] sand\n- [ ] paint',
    assignee_ids: [owner.id, outsider.id],
    reviewer_ids: [reporter.id],
    labels: 'wood,colour',
    milestone_id: milestone.body.id,
    remove_source_branch: true,
    squash: true,
    allow_collaboration: true,
  })

  const events = (await owner.get(`${project.url}/merge_requests/${body.iid}/resource_milestone_events`)).body
  assert.deepEqual(
    events.map((event: { action: string; milestone: { title: string }; state: string }) => [
      event.action,
      event.milestone.title,
      event.state,
    ]),
    [['add', 'v1', 'opened']],
  )
  assert.deepEqual(
    {
      author: body.author.id,
      draft: [body.draft, body.work_in_progress],
      assignees: body.assignees.map((user: Person) => user.id),
      assignee: body.assignee.id,
      reviewers: body.reviewers.map((user: Person) => user.id),
      labels: body.labels,
      milestone: body.milestone.title,
      tasks: body.task_completion_status,
      branch: [body.force_remove_source_branch, body.should_remove_source_branch],
      squash: body.squash,
      // Contract: within one project there is no fork to open to maintainers (document 3 `allow_collaboration`).
      collaboration: [body.allow_collaboration, body.allow_maintainer_to_push],
      reference: body.references,
      subscribed: body.subscribed,
    },
    {
      author: developer.id,
      draft: [true, true],
      assignees: [owner.id],
      assignee: owner.id,
      reviewers: [reporter.id],
      labels: ['colour', 'wood'],
      milestone: 'v1',
      tasks: { count: 2, completed_count: 1 },
      branch: [true, null],
      squash: true,
      collaboration: [false, false],
      reference: { short: '!1', relative: '!1', full: `${project.full_path}!1` },
      subscribed: true,
    },
  )
})

test('squash is the author’s choice only where the project allows it (document 3 `squash_option`)', async () => {
  const { project, owner } = await withTopic()
  const cases = [
    ['never', true, false],
    ['always', false, true],
    ['default_on', undefined, true],
    ['default_on', false, false],
    ['default_off', undefined, false],
    ['default_off', true, true],
  ] as const
  for (const [squash_option, squash, expected] of cases) {
    await owner.put(project.url, { squash_option })
    const { body } = await propose(owner, project, { squash })
    assert.equal(body.squash, expected, `${squash_option} ${squash}`)
    await owner.put(`${project.url}/merge_requests/${body.iid}`, { state_event: 'close' })
  }
})

test('the number of approvals is the project’s, unless a higher one is given and the project requires any (document 3, decision 40)', async () => {
  const { project, owner } = await withTopic()
  const cases = [
    [0, 3, 0],
    [2, undefined, 2],
    [2, 3, 3],
    [2, 1, 2],
    [2, 2, 2],
  ] as const
  for (const [ofProject, approvals_before_merge, expected] of cases) {
    await owner.put(project.url, { approvals_before_merge: ofProject })
    const { body } = await propose(owner, project, { approvals_before_merge })
    assert.equal(body.approvals_before_merge, expected, `${ofProject} ${approvals_before_merge}`)
    await owner.put(`${project.url}/merge_requests/${body.iid}`, { state_event: 'close' })
  }
})

test('missing, identical or already used branches are refused', async () => {
  const { project, owner } = await withTopic()
  const taken = 'Another open merge request already exists for this source branch: !1'

  assert.deepEqual(await propose(owner, project, { source_branch: 'nowhere', target_branch: 'neither' }), {
    status: 400,
    body: { message: { source_branch: ['does not exist'], target_branch: ['does not exist'] } },
  })
  assert.deepEqual(await propose(owner, project, { source_branch: 'main' }), {
    status: 422,
    body: { message: ["You can't use same project/branch for source and target"] },
  })
  assert.equal((await propose(owner, project)).status, 201)
  assert.deepEqual(await propose(owner, project), { status: 409, body: { message: [taken] } })
  await owner.put(`${project.url}/merge_requests/1`, { state_event: 'close' })
  assert.equal((await propose(owner, project)).body.iid, 2)
})

test('an empty repository allows no merge request', async () => {
  const { project, owner } = await scene.project()
  assert.equal((await propose(owner, project)).status, 400)
})

test('of many concurrent requests for the same branch one succeeds, and numbers have no gaps', async () => {
  const { project, owner } = await withTopic()
  const branches = Array.from({ length: 4 }, (_, index) => `topic-${index}`)
  for (const branch of branches) await owner.post(`${project.url}/repository/branches`, { branch, ref: 'topic' })
  const answers = await Promise.all([...branches, ...branches].map(source_branch => propose(owner, project, { source_branch })))

  assert.deepEqual(answers.map(answer => answer.status).sort(), [201, 201, 201, 201, 409, 409, 409, 409])
  const made = answers.filter(answer => answer.status === 201)
  assert.deepEqual(made.map(answer => answer.body.iid).sort(), [1, 2, 3, 4])
  for (const { body } of made) assert.equal(git(repositoryOf(project), ['rev-parse', `refs/merge-requests/${body.iid}/head`]), body.sha)
})

/** A user's fork of a project, copied, with a commit on its branch `topic`. */
async function forkOf(project: SceneProject, person: Person) {
  const { body } = await person.post(`${project.url}/fork`)
  await copyFork(scene.deps, { project_id: body.id, source_id: project.id })
  const fork = { id: body.id, url: `/projects/${body.id}`, full_path: body.path_with_namespace } as SceneProject
  const head = await scene.commit(fork, { 'fork.txt': 'x\n' }, { branch: 'topic', start_branch: 'main' })
  return { fork, head }
}

test('a merge request from a fork brings its commits into the repository of the target', async () => {
  const { project, owner } = await scene.project({ visibility: 'public' })
  await scene.commit(project, { 'a.txt': 'a\n' })
  const person = await scene.user()
  const { fork, head } = await forkOf(project, person)
  const { status, body } = await propose(person, fork, {
    target_project_id: project.id,
    allow_maintainer_to_push: true,
    assignee_ids: [owner.id],
    labels: 'wood',
  })

  assert.equal(status, 201)
  assert.deepEqual(
    [body.project_id, body.source_project_id, body.target_project_id, body.iid, body.sha, body.allow_collaboration],
    [project.id, fork.id, project.id, 1, head, true],
  )
  // Contract: attributes that require a role in the target are silently ignored (public behaviour at 14.0).
  assert.deepEqual([body.assignees, body.labels], [[], []])
  await person.delete(fork.url)
  const repository = repositoryOf(project)
  assert.equal(git(repository, ['rev-parse', 'refs/merge-requests/1/head']), head)
  assert.equal(git(repository, ['show', `${head}:fork.txt`]), 'x')
})

test('creating takes the Developer role in the source and reading the code of the target', async () => {
  const { project, developer, reporter, guest } = await withTopic({ members: ['developer', 'reporter', 'guest'] })
  const outsider = await scene.user()
  const { project: unrelated } = await scene.project({ visibility: 'public', owner: developer })
  await scene.commit(unrelated, { 'a.txt': 'a\n' })

  assert.equal((await propose(reporter, project)).status, 403)
  assert.equal((await propose(guest, project)).status, 403)
  assert.equal((await propose(outsider, project)).status, 404)
  assert.deepEqual(await propose(developer, project, { target_project_id: unrelated.id }), {
    status: 422,
    body: { message: ['Source project is not a fork of the target project'] },
  })
  const { project: hidden } = await scene.project()
  assert.equal((await propose(developer, project, { target_project_id: hidden.id })).status, 404)
  assert.equal((await propose(developer, project)).status, 201)
})

test('users who may not see the code see no merge requests', async () => {
  const { project, owner } = await withTopic({ visibility: 'public' })
  const outsider = await scene.user()
  await propose(owner, project)
  const url = `${project.url}/merge_requests`
  const seen = async () => [(await outsider.get(`${url}/1`)).status, (await outsider.get('/merge_requests?scope=all')).body.length > 0]

  assert.deepEqual(await seen(), [200, true])
  await owner.put(project.url, { repository_access_level: 'private' })
  assert.equal((await outsider.get(`${url}/1`)).status, 404)
  assert.equal((await outsider.get(`${url}/1/changes`)).status, 404)
  const listed = (await outsider.get('/merge_requests?scope=all')).body as { project_id: number }[]
  assert.deepEqual(
    listed.filter(row => row.project_id === project.id),
    [],
  )
  assert.equal((await owner.get(`${url}/1`)).status, 200)
})

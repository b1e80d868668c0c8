/** Approvals and their rules (merge request approvals API at 14.0; document 3 `approvals_before_merge`). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene()

const names = (users: { username: string }[]) => users.map(user => user.username)

async function proposed(settings: object = {}) {
  const world = await scene.project({ members: ['developer', 'maintainer', 'reporter', 'guest'] })
  await world.owner.post(`${world.project.url}/approvals`, { reset_approvals_on_push: true, ...settings })
  const mergeRequest = await scene.mergeRequest(world.project, { author: world.developer })
  return { ...world, mergeRequest }
}

test('an eligible user approves once, is listed as approver, and can withdraw the approval', async () => {
  const { mergeRequest, maintainer, developer, reporter } = await proposed()

  const approved = await maintainer.post(`${mergeRequest.url}/approve`)

  assert.equal(approved.status, 201)
  assert.deepEqual(
    [approved.body.user_has_approved, approved.body.user_can_approve, approved.body.approved, approved.body.approvals_left],
    [true, false, true, 0],
  )
  assert.deepEqual(names(approved.body.approved_by.map(({ user }: { user: { username: string } }) => user)), [maintainer.username])
  assert.equal((await maintainer.post(`${mergeRequest.url}/approve`)).status, 401)
  assert.equal((await reporter.post(`${mergeRequest.url}/approve`)).status, 401)
  const seen = await developer.get(`${mergeRequest.url}/approvals`)
  assert.deepEqual([seen.body.user_has_approved, seen.body.iid], [false, mergeRequest.iid])
  const back = await maintainer.post(`${mergeRequest.url}/unapprove`)
  assert.deepEqual([back.status, back.body.approved_by], [201, []])
  assert.equal((await maintainer.post(`${mergeRequest.url}/unapprove`)).status, 404)
  const notes = await scene.deps.database.db
    .selectFrom('notes')
    .select('body')
    .where('merge_request_id', '=', mergeRequest.id)
    .where('action', 'in', ['approved', 'unapproved'])
    .orderBy('id')
    .execute()
  assert.deepEqual(
    notes.map(note => note.body),
    ['approved this merge request', 'unapproved this merge request'],
  )
})

test('a sha that the source branch has left is refused with 409', async () => {
  const { mergeRequest, maintainer } = await proposed()

  const stale = await maintainer.post(`${mergeRequest.url}/approve`, { sha: '0'.repeat(40) })
  const right = await maintainer.post(`${mergeRequest.url}/approve`, { sha: mergeRequest.sha })

  assert.deepEqual([stale.status, stale.body], [409, { message: `SHA does not match HEAD of source branch: ${mergeRequest.sha}` }])
  assert.equal(right.status, 201)
})

test('the number of the project holds, and one of a merge request only above it (document 3 `approvals_before_merge`; decision 40)', async () => {
  const { mergeRequest, project, owner, maintainer } = await proposed({ approvals_before_merge: 2 })
  const required = async () => (await owner.get(`${mergeRequest.url}/approvals`)).body.approvals_required
  const shown = async () => (await owner.get(mergeRequest.url)).body.approvals_before_merge

  assert.deepEqual([await required(), await shown()], [2, 2])
  await maintainer.post(`${mergeRequest.url}/approvals`, { approvals_required: 1 })
  assert.deepEqual([await required(), await shown()], [2, 2])
  const more = await maintainer.post(`${mergeRequest.url}/approvals`, { approvals_required: 3 })
  assert.deepEqual([more.status, more.body.approvals_left, await shown()], [201, 3, 3])
  await maintainer.post(`${mergeRequest.url}/approve`)
  assert.equal((await owner.get(`${mergeRequest.url}/approvals`)).body.approvals_left, 2)
  await owner.post(`${project.url}/approvals`, { approvals_before_merge: 0 })
  assert.deepEqual([await required(), await shown()], [0, 0])
})

test('the author approves only where the project lets them, once a rule requires an approval', async () => {
  const { mergeRequest, project, owner, developer } = await proposed({ approvals_before_merge: 1 })

  assert.equal((await developer.post(`${mergeRequest.url}/approve`)).status, 401)
  await owner.post(`${project.url}/approvals`, { merge_requests_author_approval: true })
  assert.equal((await developer.post(`${mergeRequest.url}/approve`)).status, 201)
})

test('committers may not approve, and approving takes a password, where the project is configured so', async () => {
  const { mergeRequest, project, owner, maintainer } = await proposed({ require_password_to_approve: true })

  assert.equal((await maintainer.post(`${mergeRequest.url}/approve`, { approval_password: 'wrong horse' })).status, 401)
  await owner.post(`${project.url}/approvals`, {
    require_password_to_approve: false,
    merge_requests_disable_committers_approval: true,
  })
  // The administrator made the scene's commits.
  assert.equal((await scene.root.post(`${mergeRequest.url}/approve`)).status, 401)
  assert.equal((await maintainer.post(`${mergeRequest.url}/approve`)).status, 201)
})

test('committers are known by the address that takes no mail, too', async () => {
  await scene.root.put('/user', { commit_email: '_private' })
  const { mergeRequest, project, owner, maintainer } = await proposed()
  await owner.post(`${project.url}/approvals`, { merge_requests_disable_committers_approval: true })

  assert.equal((await scene.root.post(`${mergeRequest.url}/approve`)).status, 401)
  assert.equal((await maintainer.post(`${mergeRequest.url}/approve`)).status, 201)
})

test('rules of a project name people and groups, hold for branches, and are changed and deleted', async () => {
  const { mergeRequest, project, owner, maintainer, reporter, developer } = await proposed()
  const { group } = await scene.group({ members: ['developer'], visibility: 'public' })
  const rules = `${project.url}/approval_rules`
  const create = (rule: object) => owner.post(rules, { approvals_required: 1, ...rule })

  const byPeople = await create({ name: 'Security', user_ids: [reporter.id, developer.id, 999_999] })
  const byGroup = await create({ name: 'Legal', group_ids: [group.id], approvals_required: 0 })
  const anybody = await create({ name: 'All Members', rule_type: 'any_approver', approvals_required: 2 })

  assert.deepEqual([byPeople.status, byPeople.body.rule_type, byPeople.body.contains_hidden_groups], [201, 'regular', false])
  assert.deepEqual(names(byPeople.body.eligible_approvers).sort(), [developer.username, reporter.username].sort())
  assert.deepEqual([byGroup.body.groups.length, byGroup.body.eligible_approvers.length > 0], [1, true])
  assert.deepEqual([anybody.status, anybody.body.eligible_approvers], [201, []])
  assert.deepEqual((await create({ name: 'Security' })).body, { message: { name: ['has already been taken'] } })
  assert.equal((await create({ name: 'Twice', rule_type: 'any_approver' })).status, 400)
  const listed = await developer.get(rules)
  assert.deepEqual(
    listed.body.map((rule: { name: string }) => rule.name),
    ['All Members', 'Security', 'Legal'],
  )
  assert.deepEqual((await developer.get(`${rules}/${byPeople.body.id}`)).body, byPeople.body)

  // A reporter whom a rule names can approve; the author cannot.
  const state = await maintainer.get(`${mergeRequest.url}/approval_state`)
  assert.deepEqual([state.body.approval_rules_overwritten, state.body.rules.length], [false, 3])
  assert.equal((await reporter.post(`${mergeRequest.url}/approve`)).status, 201)
  const approvals = (await maintainer.get(`${mergeRequest.url}/approvals`)).body
  assert.deepEqual([approvals.approvals_required, approvals.approvals_left, approvals.approved], [3, 1, false])
  assert.deepEqual(approvals.approval_rules_left, [{ id: anybody.body.id, name: 'All Members', rule_type: 'any_approver' }])

  const changed = await owner.put(`${rules}/${anybody.body.id}`, { approvals_required: 1, name: 'Anybody' })
  assert.deepEqual([changed.status, changed.body.approvals_required, changed.body.name], [200, 1, 'Anybody'])
  assert.equal((await maintainer.get(`${mergeRequest.url}/approvals`)).body.approved, true)
  assert.equal((await owner.delete(`${rules}/${anybody.body.id}`)).status, 204)
  assert.equal((await owner.get(`${rules}/${anybody.body.id}`)).status, 404)

  const protectedBranch = await owner.post(`${project.url}/protected_branches`, { name: 'release/*' })
  await owner.put(`${rules}/${byPeople.body.id}`, { protected_branch_ids: [protectedBranch.body.id] })
  const elsewhere = await maintainer.get(`${mergeRequest.url}/approval_state`)
  assert.deepEqual(names(elsewhere.body.rules.map((rule: { name: string }) => ({ username: rule.name }))), ['Legal'])
})

test('a merge request has rules of its own in place of the project’s, unless the project forbids it', async () => {
  const { mergeRequest, project, owner, maintainer, reporter } = await proposed()
  const source = await owner.post(`${project.url}/approval_rules`, { name: 'Security', approvals_required: 1, user_ids: [reporter.id] })
  const rules = `${mergeRequest.url}/approval_rules`

  const own = await maintainer.post(rules, { name: 'ignored', approvals_required: 2, approval_project_rule_id: source.body.id })

  assert.deepEqual(
    [own.status, own.body.name, own.body.source_rule, own.body.overridden, names(own.body.users)],
    [201, 'Security', { approvals_required: 1 }, true, [reporter.username]],
  )
  const state = (await maintainer.get(`${mergeRequest.url}/approval_state`)).body
  assert.deepEqual([state.approval_rules_overwritten, state.rules.map((rule: { id: number }) => rule.id)], [true, [own.body.id]])
  assert.deepEqual((await maintainer.get(rules)).body.length, 1)
  const changed = await maintainer.put(`${rules}/${own.body.id}`, { approvals_required: 1 })
  assert.deepEqual([changed.body.approvals_required, changed.body.overridden], [1, false])
  await owner.post(`${project.url}/approvals`, { disable_overriding_approvers_per_merge_request: true })
  assert.equal((await maintainer.put(`${rules}/${own.body.id}`, { approvals_required: 0 })).status, 403)
  assert.equal((await maintainer.get(`${mergeRequest.url}/approval_state`)).body.approval_rules_overwritten, false)
  await owner.post(`${project.url}/approvals`, { disable_overriding_approvers_per_merge_request: false })
  assert.equal((await maintainer.delete(`${rules}/${own.body.id}`)).status, 204)
  assert.equal((await maintainer.get(rules)).body[0].id, source.body.id)
})

test('a maintainer resets all approvals in one request', async () => {
  const { mergeRequest, maintainer, owner } = await proposed()
  await maintainer.post(`${mergeRequest.url}/approve`)

  const reset = await owner.put(`${mergeRequest.url}/reset_approvals`)

  assert.equal(reset.status, 202)
  assert.deepEqual((await owner.get(`${mergeRequest.url}/approvals`)).body.approved_by, [])
})

for (const [how, closes] of [
  ['while it is closed, and it is reopened', true],
  ['just before it gets another target', false],
] as const)
  test(`an approval does not cover commits that come ${how}`, async () => {
    const { mergeRequest, project, developer, maintainer } = await proposed({ approvals_before_merge: 1 })
    await scene.commit(project, { 'other.txt': 'a\n' }, { branch: 'other', start_branch: mergeRequest.target_branch })
    const left = async () => (await developer.get(`${mergeRequest.url}/approvals`)).body.approvals_left
    assert.equal((await maintainer.post(`${mergeRequest.url}/approve`)).status, 201)
    assert.equal(await left(), 0)

    if (closes) assert.equal((await developer.put(mergeRequest.url, { state_event: 'close' })).status, 200)
    // The background work that follows a push has not come yet: the row is as it was.
    await scene.commit(project, { 'unseen.txt': 'a\n' }, { branch: mergeRequest.source_branch })
    const changed = await developer.put(mergeRequest.url, closes ? { state_event: 'reopen' } : { target_branch: 'other' })

    assert.equal(changed.status, 200)
    assert.notEqual(changed.body.sha, mergeRequest.sha)
    assert.equal(await left(), 1)
    const { body: notes } = await developer.get(`${mergeRequest.url}/notes`)
    assert.ok(notes.some(({ body }: { body: string }) => body.startsWith('added 1 commit')))
  })

test('an approval for one target does not cover the commits that another target lacks', async () => {
  const { mergeRequest, project, developer, maintainer } = await proposed({ approvals_before_merge: 1 })
  const { source_branch, target_branch } = mergeRequest
  const left = async () => (await developer.get(`${mergeRequest.url}/approvals`)).body.approvals_left
  await scene.commit(project, { 'dev.txt': 'a\n' }, { branch: 'dev', start_branch: target_branch })
  await scene.commit(project, { 'more.txt': 'a\n' }, { branch: 'topic', start_branch: 'dev' })
  const topic = await scene.mergeRequest(project, { author: developer, source_branch: 'topic', target_branch: 'dev' })
  assert.equal((await maintainer.post(`${topic.url}/approve`)).status, 201)

  await developer.put(topic.url, { target_branch })
  assert.equal((await developer.get(`${topic.url}/approvals`)).body.approvals_left, 1)

  // The other way round nothing is added.
  assert.equal((await maintainer.post(`${topic.url}/approve`)).status, 201)
  await developer.put(topic.url, { target_branch: 'dev' })
  assert.equal((await developer.get(`${topic.url}/approvals`)).body.approvals_left, 0)
  assert.deepEqual([source_branch === 'topic', await left()], [false, 1])
})

test('the approval of one who commits while it is closed is withdrawn, where committers may not approve', async () => {
  const settings = { approvals_before_merge: 1, reset_approvals_on_push: false, merge_requests_disable_committers_approval: true }
  const { mergeRequest, project, developer, maintainer } = await proposed(settings)
  assert.equal((await maintainer.post(`${mergeRequest.url}/approve`)).status, 201)
  await developer.put(mergeRequest.url, { state_event: 'close' })
  const actions = [{ action: 'create', file_path: 'own.txt', content: 'a\n' }]
  const body = { branch: mergeRequest.source_branch, commit_message: 'Change it', actions }
  assert.equal((await maintainer.post(`${project.url}/repository/commits`, body)).status, 201)

  await developer.put(mergeRequest.url, { state_event: 'reopen' })

  const { approvals_left, approved_by } = (await developer.get(`${mergeRequest.url}/approvals`)).body
  assert.deepEqual([approvals_left, approved_by], [1, []])
})

test('a rule does not name a group that its maker may not see, and shows nobody of it', async () => {
  const { project, owner } = await scene.project()
  const { group: hidden } = await scene.group({ visibility: 'private', members: ['developer'] })
  const { group: seen } = await scene.group({ visibility: 'private', owner })
  const body = { name: 'others', approvals_required: 1, group_ids: [hidden.id, seen.id] }

  const made = (await owner.post(`${project.url}/approval_rules`, body)).body
  const kept = (await owner.put(`${project.url}/approval_rules/${made.id}`, body)).body

  for (const { groups, eligible_approvers, contains_hidden_groups } of [made, kept]) {
    assert.deepEqual([groups.map(({ id }: { id: number }) => id), contains_hidden_groups], [[seen.id], false])
    assert.deepEqual(names(eligible_approvers), [owner.username])
  }
})

test('a rule shows the members of its groups to those who may see these groups', async () => {
  const { group: hidden, developer: inside } = await scene.group({ visibility: 'private', members: ['developer'] })
  const { project, owner, developer } = await scene.project({ visibility: 'public', members: ['developer'] })
  await scene.deps.database.db.insertInto('members').values({ namespace_id: hidden.id, user_id: owner.id, access_level: 30 }).execute()
  const mergeRequest = await scene.mergeRequest(project, { author: developer })
  const body = { name: 'Legal', approvals_required: 1, group_ids: [hidden.id], user_ids: [developer.id] }
  const made = (await owner.post(`${project.url}/approval_rules`, body)).body
  const all = [inside, owner, developer].map(({ username }) => username).sort()
  assert.deepEqual(
    names(made.eligible_approvers)
      .filter(name => all.includes(name))
      .sort(),
    all,
  )

  for (const client of [developer, scene.anonymous]) {
    const [rule] = (await client.get(`${mergeRequest.url}/approval_rules`)).body
    assert.deepEqual([rule.contains_hidden_groups, rule.groups, names(rule.eligible_approvers)], [true, [], [developer.username]])
  }
  const [ofProject] = (await developer.get(`${project.url}/approval_rules`)).body
  assert.deepEqual(names(ofProject.eligible_approvers), [developer.username])
})

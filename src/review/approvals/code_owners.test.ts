/** Approvals by code owners: rules from the CODEOWNERS file of the target branch (code owners at 14.0). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type Person, type SceneGroup, type SceneProject } from '../../../test/scene.ts'
import { gitProcesses } from '../../platform/git/index.ts'
import { checkMergeability } from '../merge_requests/merging/mergeability/check.ts'

const scene = await openScene()
const { root } = scene

interface Rule {
  readonly id: number
  readonly name: string
  readonly rule_type: string
  readonly section: string | null
  readonly approvals_required: number
  readonly approved: boolean
  readonly eligible_approvers: readonly { readonly username: string }[]
}

/** A project whose main branch has this file, and takes a merge only with the approval of its owners. */
async function ownedProject(
  text: (people: Record<'developer' | 'maintainer' | 'reporter' | 'owner', Person>) => string,
  place = 'CODEOWNERS',
  group?: SceneGroup,
) {
  const world = await scene.project({ ...(group && { group }), members: ['developer', 'maintainer', 'reporter'] })
  const { project, owner } = world
  await scene.commit(project, { [place]: text(world), 'old.md': 'Long enough to be the same file after it was moved.\n', 'a.go': 'a\n' })
  const changed = await owner.patch(`${project.url}/protected_branches/main`, { code_owner_approval_required: true })
  assert.equal(changed.status, 200)
  return world
}

async function proposalOf(project: SceneProject, author: Person, files: Record<string, string> = { 'new.md': 'New.\n' }) {
  const mergeRequest = await scene.mergeRequest(project, { author, files })
  const rulesOf = async (): Promise<Rule[]> =>
    (await root.get(`${mergeRequest.url}/approval_state`)).body.rules.filter(({ rule_type }: Rule) => rule_type === 'code_owner')
  const shown = async () => (await rulesOf()).map(({ name, section, approvals_required }) => [section, name, approvals_required])
  const left = async () => (await root.get(`${mergeRequest.url}/approvals`)).body.approvals_left
  const mergeAs = async (person: Person) => (await person.put(`${mergeRequest.url}/merge`)).status
  return { mergeRequest, rulesOf, shown, left, mergeAs }
}

/** Replaces files of the main branch. */
async function rewrite(project: SceneProject, files: Record<string, string>): Promise<void> {
  const actions = Object.entries(files).map(([file_path, content]) => ({ action: 'update', file_path, content }))
  const commit = await root.post(`${project.url}/repository/commits`, { branch: 'main', commit_message: 'Change owners', actions })
  assert.equal(commit.status, 201)
}

const names = (rule: Rule | undefined) => rule?.eligible_approvers.map(({ username }) => username)

for (const place of ['CODEOWNERS', 'docs/CODEOWNERS', '.gitlab/CODEOWNERS'])
  test(`a merge waits for an owner by ${place}, whom others cannot stand in for`, async () => {
    const { project, developer, maintainer, owner } = await ownedProject(
      ({ maintainer }) => `*.md @${maintainer.username.toUpperCase()}\n`,
      place,
    )
    const { mergeRequest, rulesOf, left, mergeAs } = await proposalOf(project, developer)

    const [rule] = await rulesOf()
    assert.deepEqual([rule?.name, rule?.section, rule?.approvals_required, rule?.approved], ['*.md', null, 1, false])
    assert.deepEqual(names(rule), [maintainer.username])
    await checkMergeability(scene.deps, { merge_request_id: mergeRequest.id })
    assert.equal((await root.get(mergeRequest.url)).body.detailed_merge_status, 'not_approved')
    assert.deepEqual(
      (await root.get(`${mergeRequest.url}/approval_rules`)).body.map(({ name }: Rule) => name),
      ['*.md'],
    )
    assert.equal((await owner.post(`${mergeRequest.url}/approve`)).status, 201)
    assert.deepEqual([await left(), await mergeAs(owner)], [1, 405])

    assert.equal((await maintainer.post(`${mergeRequest.url}/approve`)).status, 201)

    assert.deepEqual([await left(), (await rulesOf())[0]?.approved, await mergeAs(owner)], [0, true, 200])
  })

test('the file of the root counts before those of docs and .gitlab, and names are case-sensitive', async () => {
  const { project, developer } = await ownedProject(({ maintainer }) => `/root @${maintainer.username}\n* @${maintainer.username}\n`)
  await scene.commit(project, { 'docs/CODEOWNERS': '/docs @x\n', codeowners: '* @x\n' })
  const { shown } = await proposalOf(project, developer)

  assert.deepEqual(await shown(), [[null, '*', 1]])
})

test('without the switch, or into another branch, the rules are shown and do not block', async () => {
  const { project, developer, owner } = await ownedProject(({ maintainer }) => `* @${maintainer.username}\n`)
  await owner.patch(`${project.url}/protected_branches/main`, { code_owner_approval_required: false })
  const { mergeRequest, shown, left, mergeAs } = await proposalOf(project, developer)

  assert.deepEqual([await shown(), await left()], [[[null, '*', 0]], 0])
  const [rule] = (await root.get(`${mergeRequest.url}/approval_rules`)).body
  assert.deepEqual([rule.name, rule.approvals_required], ['*', 0])
  await owner.patch(`${project.url}/protected_branches/main`, { code_owner_approval_required: true })
  assert.deepEqual([await left(), await mergeAs(owner)], [1, 405], 'the switch holds for merge requests that are open')
  await owner.patch(`${project.url}/protected_branches/main`, { code_owner_approval_required: false })
  assert.equal(await mergeAs(owner), 200)
})

test('each section needs an owner of its own, an optional one does not, and the last pattern that fits counts', async () => {
  const { project, developer, maintainer, owner } = await ownedProject(
    ({ maintainer, owner }) =>
      `* @${owner.username}\n*.md @${maintainer.username}\n[Docs]\n*.md @${owner.username}\n^[Words]\n*.md @${owner.username}\n[DOCS]\nx @${owner.username}\n`,
  )
  const { mergeRequest, shown, left, mergeAs } = await proposalOf(project, developer)

  const expected = [
    [null, '*.md', 1],
    ['Docs', '*.md', 1],
    ['Words', '*.md', 0],
  ]
  assert.deepEqual([await shown(), await left()], [expected, 2])
  await maintainer.post(`${mergeRequest.url}/approve`)
  assert.deepEqual([await left(), await mergeAs(owner)], [1, 405])
  await owner.post(`${mergeRequest.url}/approve`)
  assert.deepEqual([await left(), await mergeAs(owner)], [0, 200])
})

test('of a moved file the owners of both places approve', async () => {
  const { project, developer } = await ownedProject(
    ({ maintainer, owner }) => `/old.md @${maintainer.username}\n/to/ @${owner.username}\n/other @${owner.username}\n`,
  )
  const moved = { action: 'move', previous_path: 'old.md', file_path: 'to/new.md' }
  await root.post(`${project.url}/repository/commits`, { branch: 'moving', start_branch: 'main', commit_message: 'Move', actions: [moved] })
  const mergeRequest = await scene.mergeRequest(project, { author: developer, source_branch: 'moving' })

  const { rules } = (await root.get(`${mergeRequest.url}/approval_state`)).body
  assert.deepEqual(
    rules.map(({ name }: Rule) => name),
    ['/old.md', '/to/'],
  )
})

test('new commits and another file on the target branch change the rules, even if nothing has read the merge request since', async () => {
  const { project, developer, maintainer, owner } = await ownedProject(({ maintainer }) => `*.md @${maintainer.username}\n`)
  const { mergeRequest, shown, mergeAs } = await proposalOf(project, developer)
  await owner.post(`${project.url}/approvals`, { reset_approvals_on_push: false })
  await maintainer.post(`${mergeRequest.url}/approve`)
  await rewrite(project, { CODEOWNERS: `*.go @${owner.username}\n*.md @${maintainer.username}\n/new.md @${owner.username}\n` })

  assert.equal(await mergeAs(owner), 405)
  assert.deepEqual(await shown(), [[null, '/new.md', 1]])
  await scene.commit(project, { 'b.go': 'b\n' }, { branch: mergeRequest.source_branch })
  assert.equal(await mergeAs(owner), 405)
  assert.deepEqual(await shown(), [
    [null, '*.go', 1],
    [null, '/new.md', 1],
  ])
  await owner.post(`${mergeRequest.url}/approve`)
  assert.equal(await mergeAs(owner), 200)
})

test('members of a group own where the group is invited or above, and are Developers of the project; others do not', async () => {
  const { group, ...inGroup } = await scene.group({ members: ['developer', 'reporter'] })
  const { group: foreign } = await scene.group({ members: ['developer'] })
  const { project, developer, owner } = await ownedProject(() => `* @${group.full_path.toUpperCase()} @${foreign.full_path}\n`)
  const strangers = await proposalOf(project, developer, { 's.md': 's\n' })
  assert.deepEqual(
    [names((await strangers.rulesOf())[0]), await strangers.left()],
    [[], 0],
    'nobody can approve for it: it counts as approved',
  )

  const invited = await root.post(`${project.url}/share`, { group_id: group.id, group_access: 30 })
  assert.equal(invited.status, 201)
  const { mergeRequest, rulesOf, left, mergeAs } = await proposalOf(project, developer)

  assert.deepEqual((names((await rulesOf())[0]) ?? []).toSorted(), [inGroup.developer.username, inGroup.owner.username].toSorted())
  assert.deepEqual([await left(), await mergeAs(owner)], [1, 405])
  assert.equal((await inGroup.developer.post(`${mergeRequest.url}/approve`)).status, 201)
  assert.deepEqual([await left(), await mergeAs(owner)], [0, 200])
})

test('a group whose invitation has ended, or whose shares are locked, owns nothing', async () => {
  const { group: home } = await scene.group({ owner: root })
  const { group, developer: invited } = await scene.group({ members: ['developer'] })
  const { project, developer } = await ownedProject(() => `* @${group.full_path}\n`, 'CODEOWNERS', home)
  await root.post(`${project.url}/share`, { group_id: group.id, group_access: 30 })
  // By another way in.
  await root.post(`${project.url}/members`, { user_id: invited.id, access_level: 30 })
  const files = ['1.md', '2.md', '3.md', '4.md']
  const owners = async () => names((await (await proposalOf(project, developer, { [files.pop() as string]: 'x\n' })).rulesOf())[0])
  assert.ok((await owners())?.includes(invited.username))

  await root.put(home.url, { share_with_group_lock: true })
  assert.deepEqual(await owners(), [])
  await root.put(home.url, { share_with_group_lock: false })
  assert.ok((await owners())?.includes(invited.username))
  await scene.deps.database.db.updateTable('shares').set({ expires_at: '2000-01-01' }).where('project_id', '=', project.id).execute()
  assert.deepEqual(await owners(), [])
})

test('addresses name members alone; Reporters, authors and people who are not members are no owners that count', async () => {
  const stranger = await scene.user()
  const { project, developer, maintainer, reporter, owner } = await ownedProject(
    ({ maintainer, reporter, developer }) =>
      `* ${maintainer.email.toUpperCase()} ${stranger.email} @${stranger.username} @${reporter.username} @${developer.username}\n`,
  )
  const { rulesOf, mergeRequest } = await proposalOf(project, developer)

  assert.deepEqual(names((await rulesOf())[0]), [maintainer.username])
  const [{ users }] = (await root.get(`${mergeRequest.url}/approval_rules`)).body
  assert.ok(!users.some(({ username }: { username: string }) => username === stranger.username))
  assert.equal((await reporter.post(`${mergeRequest.url}/approve`)).status, 401)
  await owner.post(`${project.url}/approvals`, { merge_requests_author_approval: true })
  assert.deepEqual((names((await rulesOf())[0]) ?? []).toSorted(), [developer.username, maintainer.username].toSorted())
})

test('rules of code owners stand beside those of the project, and are not to be changed by hand', async () => {
  const { project, developer, maintainer, owner } = await ownedProject(({ maintainer }) => `* @${maintainer.username}\n`)
  await owner.post(`${project.url}/approval_rules`, { name: 'Two', rule_type: 'any_approver', approvals_required: 2 })
  const { mergeRequest, rulesOf, left } = await proposalOf(project, developer)

  assert.equal(await left(), 3)
  assert.equal((await root.get(`${mergeRequest.url}/approval_state`)).body.approval_rules_overwritten, false)
  await maintainer.post(`${mergeRequest.url}/approve`)
  assert.equal(await left(), 1, 'one approval counts for every rule')
  const [rule] = await rulesOf()
  const path = `${mergeRequest.url}/approval_rules/${rule?.id}`
  assert.equal((await owner.put(path, { approvals_required: 0 })).status, 403)
  assert.equal((await owner.delete(path)).status, 403)
  const own = await owner.post(`${mergeRequest.url}/approval_rules`, { name: '*', approvals_required: 0 })
  assert.equal(own.status, 201, 'the name is free for a rule that is written')
})

test('those who may push to the branch push without their approval (code owners at 14.0)', async () => {
  const { project, maintainer, developer } = await ownedProject(({ owner }) => `* @${owner.username}\n`)
  const actions = [{ action: 'create', file_path: 'pushed.md', content: 'x' }]
  const push = async (person: Person) =>
    (await person.post(`${project.url}/repository/commits`, { branch: 'main', commit_message: 'Push', actions })).status

  assert.deepEqual([await push(developer), await push(maintainer)], [403, 201])
})

test('the check that follows a push to the target branch makes the rules of its new file', async () => {
  const { project, developer } = await ownedProject(({ maintainer }) => `*.go @${maintainer.username}\n`)
  const { mergeRequest, shown } = await proposalOf(project, developer)
  await scene.deps.database.db.updateTable('merge_requests').set({ merge_status: 'unchecked' }).where('id', '=', mergeRequest.id).execute()
  assert.deepEqual(await shown(), [])
  await rewrite(project, { CODEOWNERS: '*.md @nobody\n' })

  await checkMergeability(scene.deps, { merge_request_id: mergeRequest.id })

  assert.deepEqual(await shown(), [[null, '*.md', 1]])
})

test('a file of hostile patterns, or of more than a megabyte does no harm', async () => {
  for (const text of [`${'**/'.repeat(1000)}*a*a*a @x\n`.repeat(340), `* @x\n${'#'.repeat(1024 * 1024)}`]) {
    const { project, developer, owner } = await ownedProject(() => text)
    const start = performance.now()
    const { shown, mergeAs } = await proposalOf(project, developer, { [`${'a/'.repeat(500)}a`]: 'x' })

    assert.ok(performance.now() - start < 10_000)
    assert.deepEqual([await shown(), await mergeAs(owner)], [[], 200])
  }
})

test('to show the state takes no process of git, however many files have owners', async () => {
  const { project, developer } = await ownedProject(({ maintainer }) =>
    Array.from({ length: 50 }, (_, n) => `/${n} @${maintainer.username}\n`).join(''),
  )
  const { mergeRequest, shown } = await proposalOf(
    project,
    developer,
    Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`${n}`, 'x'])),
  )

  assert.equal((await shown()).length, 50)
  const before = gitProcesses.started
  await root.get(`${mergeRequest.url}/approval_state`)
  assert.equal(gitProcesses.started, before)
})

test('the tier Free has none', async () => {
  const free = await openScene({ settings: { tier: 'free' } })
  const { project, owner, maintainer } = await free.project({ members: ['maintainer'] })
  await free.commit(project, { CODEOWNERS: `* @${maintainer.username}\n` })
  await free.deps.database.db.updateTable('protected_branches').set({ code_owner_approval_required: true }).execute()
  const mergeRequest = await free.mergeRequest(project, { author: owner })

  assert.equal((await owner.get(`${mergeRequest.url}/approvals`)).status, 200)
  assert.equal((await owner.put(`${mergeRequest.url}/merge`)).status, 200)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer, Query } from '../../../../test/client.ts'
import { openScene, type Person, type SceneProject } from '../../../../test/scene.ts'

const scene = await openScene()
const { db } = scene.deps.database

/** The titles of a list, in its order. */
const titles = ({ status, body }: Answer): string[] => {
  assert.equal(status, 200, JSON.stringify(body))
  return body.map((row: { title: string }) => row.title)
}

interface Wanted {
  readonly [column: string]: unknown
  readonly assignees?: readonly number[]
  readonly reviewers?: readonly number[]
  readonly labels?: readonly string[]
}

/** Creates merge requests one after the other; each has its key as title and source branch. Returns their ids. */
async function mergeRequestsIn(author: Person, project: SceneProject, wanted: Record<string, Wanted>): Promise<Record<string, number>> {
  const ids: Record<string, number> = {}
  for (const [title, { assignees = [], reviewers = [], labels = [], ...columns }] of Object.entries(wanted)) {
    const iid = Object.keys(ids).length + 1
    const { id } = await db
      .insertInto('merge_requests')
      .values({
        project_id: project.id,
        source_project_id: project.id,
        iid,
        title,
        source_branch: title,
        target_branch: 'main',
        author_id: author.id,
        ...columns,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    ids[title] = id
    for (const user_id of assignees) await db.insertInto('merge_request_assignees').values({ merge_request_id: id, user_id }).execute()
    for (const user_id of reviewers) await db.insertInto('merge_request_reviewers').values({ merge_request_id: id, user_id }).execute()
    for (const name of labels) {
      const made = await author.post(`${project.url}/labels`, { name, color: '#112233' })
      assert.ok([201, 409].includes(made.status), 'made, or there already')
      const { id: label_id } = await db
        .selectFrom('labels')
        .select('id')
        .where('project_id', '=', project.id)
        .where('name', '=', name)
        .executeTakeFirstOrThrow()
      await db.insertInto('merge_request_labels').values({ merge_request_id: id, label_id }).execute()
    }
  }
  return ids
}

test('people: author, assignees and reviewers by id and name, None, Any and negated (document 3)', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  await mergeRequestsIn(owner, project, {
    both: { assignees: [developer.id], reviewers: [developer.id, owner.id] },
    one: { reviewers: [owner.id] },
  })
  await db
    .insertInto('merge_requests')
    .values({ project_id: project.id, iid: 9, title: 'none', source_branch: 'x', target_branch: 'main', author_id: developer.id })
    .execute()
  const list = async (query: Query) => titles(await owner.get(`${project.url}/merge_requests`, { sort: 'asc', ...query }))

  assert.deepEqual(await list({}), ['both', 'one', 'none'])
  assert.deepEqual(await list({ author_id: developer.id }), ['none'])
  assert.deepEqual(await list({ author_username: owner.username }), ['both', 'one'])
  assert.deepEqual(await list({ not: { author_username: owner.username } }), ['none'])
  assert.deepEqual(await list({ assignee_id: developer.id }), ['both'])
  assert.deepEqual(await list({ assignee_id: 'None' }), ['one', 'none'])
  assert.deepEqual(await list({ not: { assignee_id: developer.id } }), ['one', 'none'], 'rows where nothing is set stay (decision 35)')
  assert.deepEqual(await list({ not: { assignee_username: [developer.username] } }), ['one', 'none'])
  assert.deepEqual(await list({ reviewer_id: developer.id }), ['both'])
  assert.deepEqual(await list({ reviewer_id: 'None' }), ['none'])
  assert.deepEqual(await list({ reviewer_id: 'any' }), ['both', 'one'])
  assert.deepEqual(await list({ reviewer_username: developer.username.toUpperCase() }), ['both'])
  assert.deepEqual(await list({ reviewer_username: 'None' }), ['none'])
  assert.deepEqual(await list({ reviewer_username: 'ANY' }), ['both', 'one'])
  assert.deepEqual(await list({ not: { reviewer_id: developer.id } }), ['one', 'none'])
  assert.deepEqual(await list({ not: { reviewer_username: owner.username } }), ['none'])
  assert.deepEqual(await list({ scope: 'assigned_to_me' }), [])
  assert.deepEqual(await list({ scope: 'created_by_me' }), ['both', 'one'])
})

test('labels, milestones, texts, branches, drafts, states, numbers and dates narrow the list (document 3)', async () => {
  const { project, owner } = await scene.project()
  const milestone = await owner.post(`${project.url}/milestones`, { title: 'v1' })
  await mergeRequestsIn(owner, project, {
    'Mend the bridge': { labels: ['red', 'blue'], milestone_id: milestone.body.id, created_at: '2021-01-01T00:00:00Z' },
    'Draft: paint': { labels: ['red'], draft: true, description: 'the bridge', created_at: '2021-01-02T00:00:00Z', target_branch: 'dev' },
    Done: { state: 'merged', merged_at: '2021-01-05T00:00:00Z', created_at: '2021-01-03T00:00:00Z' },
    Gone: { state: 'closed', closed_at: '2021-01-05T00:00:00Z', created_at: '2021-01-04T00:00:00Z', updated_at: '2021-01-06T00:00:00Z' },
  })
  const list = async (query: Query) =>
    titles(await owner.get(`${project.url}/merge_requests`, { sort: 'asc', ...query })).map(title => title.slice(0, 4).trim())

  assert.deepEqual(await list({ labels: 'red' }), ['Mend', 'Draf'])
  assert.deepEqual(await list({ labels: 'red,blue' }), ['Mend'])
  for (const none of ['None', 'none', 'No+Label']) assert.deepEqual(await list({ labels: none }), ['Done', 'Gone'], none)
  assert.deepEqual(await list({ labels: 'Any' }), ['Mend', 'Draf'])
  assert.deepEqual(await list({ not: { labels: 'blue' } }), ['Draf', 'Done', 'Gone'])
  assert.deepEqual(await list({ milestone: 'v1' }), ['Mend'])
  assert.deepEqual(await list({ milestone: 'None' }), ['Draf', 'Done', 'Gone'])
  assert.deepEqual(await list({ milestone: 'Any' }), ['Mend'])
  assert.deepEqual(await list({ not: { milestone: 'v1' } }), ['Draf', 'Done', 'Gone'])
  assert.deepEqual(await list({ search: 'bridge' }), ['Mend', 'Draf'], 'title and description')
  assert.deepEqual(await list({ search: 'bridge', in: 'title' }), ['Mend', 'Draf'], 'a project’s list has no `in`')
  assert.deepEqual(await list({ source_branch: 'Done' }), ['Done'])
  for (const name of ['source_branch', 'target_branch', 'reviewer_username', 'my_reaction_emoji'])
    assert.deepEqual(await list({ [name]: '' }), await list({}), `an empty ${name} is ignored (public behaviour at 14.0)`)
  assert.deepEqual(await list({ target_branch: 'dev' }), ['Draf'])
  assert.deepEqual(await list({ wip: 'yes' }), ['Draf'])
  assert.deepEqual(await list({ wip: 'no' }), ['Mend', 'Done', 'Gone'])
  assert.deepEqual(await list({ state: 'opened' }), ['Mend', 'Draf'])
  assert.deepEqual(await list({ state: 'merged' }), ['Done'])
  assert.deepEqual(await list({ state: 'closed' }), ['Gone'])
  assert.deepEqual(await list({ state: 'locked' }), [])
  assert.deepEqual(await list({ state: 'all' }), ['Mend', 'Draf', 'Done', 'Gone'])
  assert.deepEqual(await list({ iids: [1, 4] }), ['Mend', 'Gone'])
  assert.deepEqual(
    await list({ created_after: '2021-01-02T00:00:00Z', created_before: '2021-01-03T00:00:00Z' }),
    ['Draf', 'Done'],
    'inclusive (decision 41)',
  )
  assert.deepEqual(await list({ updated_before: '2021-01-06T00:00:00Z' }), ['Gone'])
  assert.deepEqual(await list({ updated_after: '2021-01-07T00:00:00Z' }), ['Mend', 'Draf', 'Done'])
  assert.deepEqual(await list({ order_by: 'created_at', sort: 'desc' }), ['Gone', 'Done', 'Draf', 'Mend'])
  assert.deepEqual(await list({ order_by: 'updated_at' }), ['Gone', 'Mend', 'Draf', 'Done'])
  assert.deepEqual(await list({ order_by: 'title' }), ['Done', 'Draf', 'Gone', 'Mend'])

  const inInstance = async (query: Query) => titles(await owner.get('/merge_requests', { sort: 'asc', ...query }))
  assert.deepEqual(await inInstance({ search: 'bridge', in: 'title' }), ['Mend the bridge'])
  assert.deepEqual(await inInstance({ search: 'bridge', in: 'description' }), ['Draft: paint'])
})

test('reactions, approvals and approvers (document 3, premium)', async () => {
  const { group, owner } = await scene.group()
  const { project, developer, maintainer } = await scene.project({ owner, members: ['developer', 'maintainer'] })
  const made = await mergeRequestsIn(owner, project, { first: {}, second: {}, third: {} })
  await db.insertInto('award_emoji').values({ user_id: owner.id, name: 'star', merge_request_id: made.first! }).execute()
  for (const user of [developer, maintainer])
    await db.insertInto('approvals').values({ merge_request_id: made.first!, user_id: user.id }).execute()
  await db.insertInto('approvals').values({ merge_request_id: made.second!, user_id: developer.id }).execute()
  const rule = async (where: object, users: readonly number[], groups: readonly number[] = []) => {
    const { id } = await db
      .insertInto('approval_rules')
      .values({ name: 'r', approvals_required: 1, ...where })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const user_id of users) await db.insertInto('approval_rule_users').values({ approval_rule_id: id, user_id }).execute()
    for (const group_id of groups) await db.insertInto('approval_rule_groups').values({ approval_rule_id: id, group_id }).execute()
    return id
  }
  const ofProject = await rule({ project_id: project.id }, [developer.id])
  await rule({ merge_request_id: made.second!, source_rule_id: ofProject }, [], [group.id])
  await rule({ merge_request_id: made.third!, source_rule_id: ofProject }, [])
  const list = async (query: Query) => titles(await owner.get(`${project.url}/merge_requests`, { sort: 'asc', ...query }))

  assert.deepEqual(await list({ my_reaction_emoji: 'star' }), ['first'])
  assert.deepEqual(await list({ my_reaction_emoji: 'None' }), ['second', 'third'])
  assert.deepEqual(await list({ my_reaction_emoji: 'Any' }), ['first'])
  assert.deepEqual(await list({ not: { my_reaction_emoji: 'star' } }), ['second', 'third'])
  assert.deepEqual(await list({ approved_by_ids: [developer.id] }), ['first', 'second'])
  assert.deepEqual(await list({ approved_by_ids: [developer.id, maintainer.id] }), ['first'], 'all of them')
  assert.deepEqual(await list({ approved_by_ids: `${developer.id},${maintainer.id}` }), ['first'])
  assert.deepEqual(await list({ approved_by_ids: 'None' }), ['third'])
  assert.deepEqual(await list({ approved_by_ids: 'Any' }), ['first', 'second'])
  assert.deepEqual(await list({ approved_by_usernames: [developer.username, maintainer.username] }), ['first'])
  assert.deepEqual(await list({ approved_by_usernames: developer.username }), ['first', 'second'])
  assert.deepEqual(await list({ approved_by_usernames: 'None' }), ['third'])
  assert.deepEqual(await list({ approver_ids: [developer.id] }), ['first'], 'by the rule of the project')
  assert.deepEqual(await list({ approver_ids: [owner.id] }), ['second'], 'as a member of a group that a rule names')
  assert.deepEqual(await list({ approver_ids: [owner.id, developer.id] }), [])
  const membership = db.updateTable('members').where('user_id', '=', owner.id).where('namespace_id', 'is not', null)
  await membership.set({ expires_at: '2020-01-01' }).execute()
  assert.deepEqual(await list({ approver_ids: [owner.id] }), [], 'a membership that has ended is none')
  await membership.set({ expires_at: null }).execute()
  assert.deepEqual(await list({ approver_ids: 'None' }), ['third'])
  assert.deepEqual(await list({ approver_ids: 'any' }), ['first', 'second'])

  const six = await owner.get(`${project.url}/merge_requests`, { approved_by_ids: '1,2,3,4,5,6' })
  assert.equal(six.status, 400)
  assert.deepEqual(Object.keys(six.body.message), ['approved_by_ids'])
})

test('deployment filters must match a single deployment (document 3)', async () => {
  const { project, owner } = await scene.project()
  const made = await mergeRequestsIn(owner, project, { early: {}, late: {}, waiting: {} })
  const environment = async (name: string) =>
    db
      .insertInto('environments')
      .values({ project_id: project.id, name, slug: name, tier: 'other' })
      .returning('id')
      .executeTakeFirstOrThrow()
  const [stage, live] = [await environment('stage'), await environment('live')]
  let iid = 0
  const deploy = async (environment_id: number, merge_request_id: number, finished_at: string) => {
    const values = {
      project_id: project.id,
      environment_id,
      ref: 'main',
      sha: 'a'.repeat(40),
      status: 'success' as const,
      finished_at,
      iid: ++iid,
    }
    const { id } = await db.insertInto('deployments').values(values).returning('id').executeTakeFirstOrThrow()
    await db.insertInto('deployment_merge_requests').values({ deployment_id: id, merge_request_id, environment_id }).execute()
  }
  await deploy(stage.id, made.early!, '2021-03-01T00:00:00Z')
  await deploy(live.id, made.early!, '2021-03-05T00:00:00Z')
  await deploy(stage.id, made.late!, '2021-03-05T00:00:00Z')
  const list = async (query: Query) => titles(await owner.get('/merge_requests', { sort: 'asc', ...query }))

  assert.deepEqual(await list({ environment: 'stage' }), ['early', 'late'])
  assert.deepEqual(await list({ environment: 'live' }), ['early'])
  assert.deepEqual(await list({ environment: 'elsewhere' }), [])
  assert.deepEqual(await list({ environment: 'stage', deployed_after: '2021-03-02T00:00:00Z' }), ['late'], 'the same deployment')
  assert.deepEqual(await list({ deployed_before: '2021-03-01T00:00:00Z' }), ['early'], 'inclusive (decision 41)')
  assert.deepEqual(await list({ deployed_after: '2021-03-05T00:00:00Z', deployed_before: '2021-03-05T00:00:00Z' }), ['early', 'late'])
  assert.deepEqual(
    titles(await owner.get(`${project.url}/merge_requests`, { environment: 'live', sort: 'asc' })),
    ['early', 'late', 'waiting'],
    'a project’s list does not take it (document 3)',
  )
})

test('parameters that exclude each other are a 400, also when negated, and so are invalid values (document 3)', async () => {
  const { project, owner } = await scene.project()
  const refused = async (query: Query, ...names: string[]) => {
    const { status, body } = await owner.get(`${project.url}/merge_requests`, query)
    assert.equal(status, 400, JSON.stringify(query))
    assert.deepEqual(Object.keys(body.message).sort(), names.sort())
  }

  await refused({ author_id: 1, author_username: 'a' }, 'author_id', 'author_username')
  await refused({ reviewer_id: 1, reviewer_username: 'a' }, 'reviewer_id', 'reviewer_username')
  await refused({ not: { reviewer_id: 1, reviewer_username: 'a' } }, 'not[reviewer_id]', 'not[reviewer_username]')
  await refused({ assignee_id: 1, assignee_username: ['a'] }, 'assignee_id', 'assignee_username')
  await refused({ state: 'open', order_by: 'weight', wip: 'maybe' }, 'state', 'order_by', 'wip')
  await refused({ reviewer_id: 'someone' }, 'reviewer_id')
  await refused({ created_after: 'yesterday' }, 'created_after')
})

test('the list of the instance shows one’s own unless `scope` says otherwise; anonymous callers need `scope=all` (decision 10)', async () => {
  const { project, owner, developer } = await scene.project({ visibility: 'public', members: ['developer'] })
  await mergeRequestsIn(owner, project, { given: { assignees: [developer.id] }, zebra: {} })
  const list = async (query: Query) => titles(await developer.get('/merge_requests', { sort: 'asc', ...query }))

  assert.deepEqual(await list({}), [])
  assert.deepEqual(await list({ scope: 'assigned_to_me' }), ['given'])
  assert.deepEqual(await list({ scope: 'all', search: 'zebra' }), ['zebra'])
  assert.deepEqual(titles(await owner.get('/merge_requests', { sort: 'asc' })), ['given', 'zebra'])
  assert.equal((await scene.anonymous.get('/merge_requests')).status, 401)
  assert.deepEqual(titles(await scene.anonymous.get('/merge_requests', { scope: 'all', search: 'zebra' })), ['zebra'])
})

test('a group’s list holds its subgroups without archived projects, and guests of private projects see nothing (decisions 33, 35)', async () => {
  const { group, owner } = await scene.group()
  const { group: inner } = await scene.group({ parent: group, owner })
  const { project, guest, reporter } = await scene.project({ group: inner, owner, members: ['guest', 'reporter'] })
  const { project: old } = await scene.project({ group, owner })
  await mergeRequestsIn(owner, project, { live: {} })
  await mergeRequestsIn(owner, old, { archived: {} })
  await scene.root.post(`${old.url}/archive`)

  const answer = await owner.get(`${group.url}/merge_requests`)
  assert.deepEqual(titles(answer), ['live'])
  assert.deepEqual(answer.body[0].references, {
    short: '!1',
    relative: `${inner.path}/${project.path}!1`,
    full: `${project.full_path}!1`,
  })
  assert.deepEqual(titles(await owner.get(`${group.url}/merge_requests`, { non_archived: false, sort: 'asc' })), ['live', 'archived'])
  assert.deepEqual(titles(await reporter.get('/merge_requests', { scope: 'all', search: 'live' })), ['live'])
  assert.deepEqual(titles(await guest.get('/merge_requests', { scope: 'all', search: 'live' })), [])
  assert.deepEqual(titles(await guest.get(`${inner.url}/merge_requests`)), [])
  assert.equal((await guest.get(`${project.url}/merge_requests`)).status, 403)
})

test('`view=simple`, label details, and the extra fields of a project’s list (document 3)', async () => {
  const { project, owner } = await scene.project({ only_allow_merge_if_all_discussions_are_resolved: true })
  const made = await mergeRequestsIn(owner, project, {
    clash: { merge_status: 'cannot_be_merged', labels: ['red'] },
    talk: { merge_status: 'cannot_be_merged_recheck' },
  })
  await db
    .insertInto('notes')
    .values({ merge_request_id: made.talk!, author_id: owner.id, body: 'why?', discussion_id: 'a'.repeat(40), resolvable: true })
    .execute()
  const list = async (query: Query = {}) => (await owner.get(`${project.url}/merge_requests`, { sort: 'asc', ...query })).body

  const [clash, talk] = await list()
  assert.deepEqual([clash.has_conflicts, clash.blocking_discussions_resolved, clash.labels], [true, true, ['red']])
  assert.deepEqual([talk.has_conflicts, talk.blocking_discussions_resolved], [false, false])
  const [detailed] = await list({ with_labels_details: true })
  assert.deepEqual([detailed.labels[0].name, detailed.labels[0].color, detailed.labels[0].text_color], ['red', '#112233', '#FFFFFF'])
  assert.equal((await owner.get(`${project.url}/merge_requests`, { view: 'tiny' })).status, 400, 'decision 12')
  const [simple] = await list({ view: 'simple' })
  assert.deepEqual(Object.keys(simple), ['id', 'iid', 'project_id', 'title', 'description', 'state', 'created_at', 'updated_at', 'web_url'])
  const [plain] = (await owner.get('/merge_requests')).body
  assert.ok(!('has_conflicts' in plain), 'the project’s list alone has it')
})

test('`with_merge_status_recheck` schedules a check of the open, unchecked merge requests on the page (document 3)', async () => {
  const { project, owner } = await scene.project({ visibility: 'public' })
  const made = await mergeRequestsIn(owner, project, {
    fresh: {},
    doubtful: { merge_status: 'cannot_be_merged_recheck' },
    known: { merge_status: 'can_be_merged' },
    gone: { state: 'closed', closed_at: '2021-01-01T00:00:00Z' },
  })
  const url = `${project.url}/merge_requests`
  const asked = async () => {
    const { rows } = await scene.deps.database.pool.query<{ ids: number[] }>(
      `select payload->'merge_request_ids' as ids from graphile_worker._private_jobs jobs
         join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id where tasks.identifier = 'check_merge_requests'`,
    )
    return rows.map(row => row.ids)
  }

  assert.equal((await owner.get(url)).status, 200)
  assert.equal((await scene.anonymous.get(url, { with_merge_status_recheck: true })).body.length, 4)
  assert.deepEqual(await asked(), [])
  const { body } = await owner.get(url, { with_merge_status_recheck: true, sort: 'asc' })
  assert.deepEqual(
    body.map((row: { merge_status: string }) => row.merge_status),
    ['unchecked', 'cannot_be_merged_recheck', 'can_be_merged', 'unchecked'],
    'as it was before',
  )
  assert.deepEqual(await asked(), [[made.fresh, made.doubtful]])
})

/** What items have from groups that are not above them any more after a transfer (labels, milestones and iterations; public behaviour at 14.0). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openScene, type Person, type SceneGroup, type SceneProject } from '../../../test/scene.ts'
import { recordStatements } from '../../platform/db/statements/statements.ts'

const scene = await openScene()
// Fixed, so that a slow run does not cross the interval after which a token's last use is recorded again.
scene.setTime(new Date().toISOString())
const { db } = scene.deps.database

type Named = { id: number; name: string; title: string }

/** Creates things by these paths and returns their ids by name or title. */
async function make(owner: Person, url: string, bodies: readonly object[]): Promise<Record<string, number>> {
  const made: Record<string, number> = {}
  for (const body of bodies) {
    const answer = await owner.post(url, body)
    assert.equal(answer.status, 201, `${url}: ${JSON.stringify(answer.body)}`)
    made[answer.body.name ?? answer.body.title] = answer.body.id
  }
  return made
}

const color = '#112233'
const dates = { start_date: '2021-06-01', due_date: '2021-06-30' }

/** Two groups in one, `here` and `there`, that have attributes of equal names and others; a project is to be moved from here. */
async function places() {
  const { group: top, owner } = await scene.group()
  const { group: here } = await scene.group({ parent: top, owner })
  const { group: there } = await scene.group({ parent: top, owner })
  const labels = {
    top: await make(owner, `${top.url}/labels`, [{ name: 'wide', color }]),
    here: await make(owner, `${here.url}/labels`, [
      { name: 'both', color },
      { name: 'alone', color: '#abcdef', description: 'of here' },
    ]),
    there: await make(owner, `${there.url}/labels`, [{ name: 'both', color }]),
  }
  const milestones = {
    top: await make(owner, `${top.url}/milestones`, [{ title: 'Wide' }]),
    here: await make(owner, `${here.url}/milestones`, [{ title: 'Both' }, { title: 'Alone', description: 'of here', ...dates }]),
    there: await make(owner, `${there.url}/milestones`, [{ title: 'Both' }]),
  }
  const iterations = {
    top: await make(owner, `${top.url}/iterations`, [{ title: 'Wide weeks', ...dates }]),
    here: await make(owner, `${here.url}/iterations`, [{ title: 'Weeks', start_date: '2021-07-01', due_date: '2021-07-14' }]),
  }
  await owner.put(`${here.url}/milestones/${milestones.here.Alone}`, { state_event: 'close' })
  return { top, here, there, owner, labels, milestones, iterations }
}

/** Everything that a group has of its own. */
const ownOf = async (owner: Person, group: SceneGroup) => ({
  labels: (await owner.get(`${group.url}/labels`)).body,
  milestones: (await owner.get(`${group.url}/milestones`)).body,
  iterations: (await owner.get(`${group.url}/iterations`)).body,
})

const labelsOf = async (owner: Person, url: string): Promise<Named[]> => (await owner.get(url, { with_labels_details: true })).body

/** The rows of any item, board or release that name something of a group which is not above them, or of another project. */
async function outOfPlace(): Promise<unknown[]> {
  const { rows } = await sql`
    with uses(what, project_id, namespace_id, attribute, id) as (
      select 'issue label', i.project_id, null::bigint, 'label', l.label_id from issue_labels l join issues i on i.id = l.issue_id
      union all select 'mr label', m.project_id, null, 'label', l.label_id
        from merge_request_labels l join merge_requests m on m.id = l.merge_request_id
      union all select 'epic label', null, e.namespace_id, 'label', l.label_id from epic_labels l join epics e on e.id = l.epic_id
      union all select 'board label', b.project_id, b.namespace_id, 'label', l.label_id from board_labels l join boards b on b.id = l.board_id
      union all select 'list', b.project_id, b.namespace_id, 'label', l.label_id from board_lists l join boards b on b.id = l.board_id
      union all select 'list', b.project_id, b.namespace_id, 'milestone', l.milestone_id from board_lists l join boards b on b.id = l.board_id
      union all select 'list', b.project_id, b.namespace_id, 'iteration', l.iteration_id from board_lists l join boards b on b.id = l.board_id
      union all select 'board', project_id, namespace_id, 'milestone', milestone_id from boards
      union all select 'priority', project_id, null, 'label', label_id from label_priorities
      union all select 'issue', project_id, null, 'milestone', milestone_id from issues
      union all select 'issue', project_id, null, 'iteration', iteration_id from issues
      union all select 'mr', project_id, null, 'milestone', milestone_id from merge_requests
      union all select 'release', r.project_id, null, 'milestone', m.milestone_id
        from release_milestones m join releases r on r.id = m.release_id
      union all select 'event', coalesce(i.project_id, m.project_id), e.namespace_id, a.attribute, a.id
        from resource_events v left join issues i on i.id = v.issue_id left join merge_requests m on m.id = v.merge_request_id
        left join epics e on e.id = v.epic_id
        cross join lateral (values ('label', v.label_id), ('milestone', v.milestone_id), ('iteration', v.iteration_id)) as a(attribute, id)),
    attributes(attribute, id, project_id, namespace_id) as (
      select 'label', id, project_id, namespace_id from labels union all select 'milestone', id, project_id, namespace_id from milestones
      union all select 'iteration', id, null, namespace_id from iterations)
    select uses.* from uses join attributes using (attribute, id)
      left join projects on projects.id = uses.project_id
      join namespaces on namespaces.id = coalesce(projects.namespace_id, uses.namespace_id)
     where not coalesce(attributes.project_id = uses.project_id or attributes.namespace_id = any(namespaces.traversal_ids), false)`.execute(
    db,
  )
  return rows
}

/** Three issues: with what is nowhere else, with what is there too, and with what stays above. */
async function issuesWith(owner: Person, project: SceneProject, { milestones, iterations }: Awaited<ReturnType<typeof places>>) {
  await make(owner, `${project.url}/issues`, [
    { title: 'one', labels: 'alone,both', milestone_id: milestones.here.Alone },
    { title: 'two', labels: 'both', milestone_id: milestones.here.Both },
    { title: 'three', labels: 'wide', milestone_id: milestones.top.Wide },
  ])
  for (const [iid, iteration] of [
    [1, iterations.here.Weeks],
    [3, iterations.top['Wide weeks']],
  ] as const) {
    const answer = await owner.post(`${project.url}/issues/${iid}/notes`, { body: `/iteration *iteration:${iteration}` })
    assert.ok([201, 202].includes(answer.status), JSON.stringify(answer.body))
  }
}

test('the items of a moved project get labels and milestones of the new place, or copies of those of the old one', async () => {
  const world = await places()
  const { here, there, owner, labels, milestones } = world
  const { project } = await scene.project({ group: here, owner })
  await issuesWith(owner, project, world)
  await owner.put(`${project.url}/labels/${labels.here.alone}`, { priority: 3 })
  await owner.put(`${project.url}/issues/2`, { remove_labels: 'both', add_labels: 'alone' })
  for (const id of [labels.here.alone, labels.here.both]) await owner.post(`${here.url}/labels/${id}/subscribe`)
  await make(owner, `${project.url}/milestones`, [{ title: 'First of its own' }])
  const before = await ownOf(owner, here)
  const untouched = (await owner.get(`${project.url}/issues/3`)).body

  const moved = await owner.put(`${project.url}/transfer`, { namespace: there.id })

  assert.equal(moved.status, 200)
  assert.deepEqual(await outOfPlace(), [])
  const [three, two, one] = await labelsOf(owner, `${project.url}/issues`)
  const shown = (issue: unknown) => {
    const { labels: held, milestone } = issue as { labels: Named[]; milestone: Named & { iid: number; group_id?: number } }
    return { labels: held.map(label => [label.name, label.id]), milestone: [milestone.title, milestone.id] }
  }
  const own = (await owner.get(`${project.url}/labels`)).body.find((label: Named) => label.name === 'alone')
  assert.deepEqual(
    [own.is_project_label, own.color, own.description, own.priority, own.subscribed],
    [true, '#abcdef', 'of here', 3, true],
    'a copy is like the label of the group',
  )
  assert.equal((await owner.get(`${there.url}/labels/both`)).body.subscribed, false, 'a label that was there before gets no subscribers')
  const copied = (await owner.get(`${project.url}/milestones`)).body.find((milestone: Named) => milestone.title === 'Alone')
  const { iid, description, state, start_date, due_date, project_id } = copied
  assert.deepEqual(
    { iid, description, state, start_date, due_date, project_id },
    { iid: 2, description: 'of here', state: 'closed', ...dates, project_id: project.id },
  )
  assert.deepEqual(shown(one), {
    labels: [
      ['alone', own.id],
      ['both', labels.there.both],
    ],
    milestone: ['Alone', copied.id],
  })
  assert.deepEqual(shown(two), { labels: [['alone', own.id]], milestone: ['Both', milestones.there.Both] })
  assert.equal((three as unknown as { id: number }).id, untouched.id)
  const [stored] = await db
    .selectFrom('issues')
    .select(['iteration_id', 'label_priority'])
    .where('project_id', '=', project.id)
    .where('iid', '=', 1)
    .execute()
  assert.deepEqual(stored, { iteration_id: null, label_priority: 3 })
  const iterationsOf = async (iid: number) =>
    (await owner.get(`${project.url}/issues/${iid}/resource_iteration_events`)).body.map(
      (event: { action: string; iteration: Named | null }) => [event.action, event.iteration?.title],
    )
  assert.deepEqual([await iterationsOf(1), await iterationsOf(3)], [[['add', undefined]], [['add', 'Wide weeks']]])
  const saidOf = async (iid: number) =>
    (await owner.get(`${project.url}/issues/${iid}/notes`)).body.map((note: { body: string }) => note.body).join('\n')
  assert.doesNotMatch(await saidOf(1), /iteration/, 'nor does a note say the title')
  assert.match(await saidOf(3), /changed iteration to \*iteration:"Wide weeks"/)
  const { web_url, references, _links, updated_at, ...still } = (await owner.get(`${project.url}/issues/3`)).body
  const { web_url: oldUrl, references: oldReferences, _links: oldLinks, updated_at: oldTime, ...was } = untouched
  assert.deepEqual([still, updated_at], [was, oldTime], 'an issue with attributes of groups that are still above is as before')
  assert.notEqual(web_url, oldUrl)
  assert.notDeepEqual([references, _links], [oldReferences, oldLinks])

  const events = (await owner.get(`${project.url}/issues/2/resource_label_events`)).body
  assert.deepEqual(
    events.map((event: { action: string; label: Named }) => [event.action, event.label.name, event.label.id]),
    [
      ['add', 'both', labels.there.both],
      ['add', 'alone', own.id],
      ['remove', 'both', labels.there.both],
    ],
  )
  assert.deepEqual(await ownOf(owner, here), before, 'the former group keeps what it has')
  const created = await owner.post(`${project.url}/milestones`, { title: 'Next' })
  assert.equal(created.body.iid, 3)
})

test('a change of the former group does not reach a project that was moved into another group by an administrator', async () => {
  const world = await places()
  const { here, there, owner, labels, milestones } = world
  const { project } = await scene.project({ group: here, owner })
  await issuesWith(owner, project, world)

  const moved = await scene.root.post(`${there.url}/projects/${project.id}`)
  await owner.put(`${here.url}/labels/${labels.here.alone}`, { new_name: 'secret' })
  await owner.put(`${here.url}/milestones/${milestones.here.Alone}`, { title: 'Secret', description: 'secret' })

  assert.equal(moved.status, 201)
  assert.deepEqual(await outOfPlace(), [])
  const issue = (await owner.get(`${project.url}/issues/1`)).body
  assert.doesNotMatch(JSON.stringify(issue), /secret/i)
  assert.match(issue.milestone.web_url, new RegExp(`${project.path}/-/milestones/1$`))
})

test('a project in a personal namespace has copies of all that it uses, merge requests and releases included', async () => {
  const { here, owner, labels, milestones } = await places()
  const { project } = await scene.project({ group: here, owner })
  const request = await scene.mergeRequest(project)
  await owner.put(request.url, { labels: 'alone,wide', milestone_id: milestones.here.Both })
  const release = await owner.post(`${project.url}/releases`, { tag_name: 'v1', ref: 'main', milestones: ['Wide', 'Both'] })
  assert.equal(release.status, 201)

  assert.equal((await owner.put(`${project.url}/transfer`, { namespace: owner.username })).status, 200)

  assert.deepEqual(await outOfPlace(), [])
  const own: Named[] = (await owner.get(`${project.url}/labels`)).body
  assert.deepEqual(
    own.map(label => label.name),
    ['alone', 'wide'],
  )
  assert.ok(own.every(label => label.id !== labels.here.alone && label.id !== labels.top.wide))
  const answer = (await owner.get(request.url)).body
  assert.deepEqual([answer.labels, answer.milestone.title, answer.milestone.project_id], [['alone', 'wide'], 'Both', project.id])
  const released = (await owner.get(`${project.url}/releases/v1`)).body.milestones
  assert.deepEqual(released.map((milestone: Named & { project_id: number }) => [milestone.title, milestone.project_id]).sort(), [
    ['Both', project.id],
    ['Wide', project.id],
  ])
})

/** A board that is narrowed to a milestone and a label, with a list for each of these labels, milestones and iterations. */
async function boardWith(owner: Person, url: string, scope: object, lists: readonly object[]): Promise<string> {
  const board = `${url}/boards/${(await owner.post(`${url}/boards`, { name: 'Work' })).body.id}`
  const narrowed = await owner.put(board, scope)
  assert.equal(narrowed.status, 200, JSON.stringify(narrowed.body))
  for (const list of lists) {
    const answer = await owner.post(`${board}/lists`, list)
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
  }
  return board
}

test('boards are narrowed to attributes of the new place and list these; a board lists none twice, and no iteration of another group', async () => {
  const { here, there, owner, labels, milestones, iterations } = await places()
  const { project } = await scene.project({ group: here, owner })
  const board = await boardWith(owner, project.url, { milestone_id: milestones.here.Alone, labels: 'alone,wide' }, [
    { label_id: labels.here.both },
    { label_id: labels.here.alone },
    { milestone_id: milestones.here.Both },
    { milestone_id: milestones.here.Alone },
    { iteration_id: iterations.here.Weeks },
    { iteration_id: iterations.top['Wide weeks'] },
  ])
  // A project's own label of the name, as it may be older than that of the group: its list stays, and the group's goes.
  const twin = await db
    .insertInto('labels')
    .values({ project_id: project.id, name: 'both', color, created_at: scene.deps.now(), updated_at: scene.deps.now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  await owner.post(`${board}/lists`, { label_id: twin.id })

  await owner.put(`${project.url}/transfer`, { namespace: there.id })

  assert.deepEqual(await outOfPlace(), [])
  const { milestone, labels: narrowed } = (await owner.get(board)).body
  assert.deepEqual([milestone.title, milestone.project_id], ['Alone', project.id])
  assert.deepEqual(narrowed.map((label: Named) => label.name).sort(), ['alone', 'wide'])
  const lists = (await owner.get(`${board}/lists`)).body as { label?: Named; milestone?: Named; iteration?: Named }[]
  assert.deepEqual(
    lists.map(list => list.label?.name ?? list.milestone?.title ?? list.iteration?.title),
    ['alone', 'Both', 'Alone', 'Wide weeks', 'both'],
  )
  assert.equal(lists.at(-1)?.label?.id, twin.id)
})

test('all projects below a moved group leave the groups that are above it no more; epics and boards of groups share their copies', async () => {
  const world = await places()
  const { here, there, owner, labels, milestones } = world
  const { group } = await scene.group({ parent: here, owner })
  const { group: below } = await scene.group({ parent: group, owner })
  const inside = await make(owner, `${group.url}/labels`, [{ name: 'inside', color }])
  const { project: first } = await scene.project({ group, owner })
  const { project: second } = await scene.project({ group: below, owner })
  for (const project of [first, second]) await issuesWith(owner, project, world)
  await owner.put(`${second.url}/issues/3`, { add_labels: 'inside' })
  const epic = await owner.post(`${below.url}/epics`, { title: 'Large', labels: 'alone,both,inside' })
  assert.equal(epic.status, 201)
  const board = await boardWith(owner, group.url, { milestone_id: milestones.here.Alone }, [{ label_id: labels.here.both }])
  const before = await ownOf(owner, here)

  const moved = await owner.post(`${group.url}/transfer`, { group_id: there.id })

  assert.equal(moved.status, 201)
  assert.deepEqual(await outOfPlace(), [])
  const labelNamed = async (url: string, name: string) => (await labelsOf(owner, `${url}/labels`)).find(label => label.name === name)
  const shared = await labelNamed(below.url, 'alone')
  assert.equal((await labelNamed(second.url, 'alone'))?.id, shared?.id, 'a project uses the copy of its group')
  assert.notEqual((await labelNamed(first.url, 'alone'))?.id, shared?.id)
  assert.notEqual(shared?.id, labels.here.alone)
  assert.equal((await labelNamed(second.url, 'inside'))?.id, inside.inside)
  const { milestone } = (await owner.get(board)).body
  assert.deepEqual([milestone.title, milestone.group_id], ['Alone', group.id])
  for (const project of [first, second])
    assert.equal((await owner.get(`${project.url}/issues/1`)).body.milestone.id, milestone.id, 'projects use the copy of the board’s group')
  assert.deepEqual((await owner.get(`${below.url}/epics/1`)).body.labels, ['alone', 'both', 'inside'])
  assert.deepEqual(await ownOf(owner, here), before)

  assert.equal((await owner.post(`${group.url}/transfer`, {})).status, 201)
  assert.deepEqual(await outOfPlace(), [], 'at the top it has nothing of the group above either')
})

test('nothing is out of place after any transfer', async () => {
  const world = await places()
  const { top, here, there, owner } = world
  const { group: inner } = await scene.group({ parent: here, owner })
  await make(owner, `${inner.url}/labels`, [{ name: 'deep', color }])
  const projects: SceneProject[] = []
  for (const group of [here, inner, there, top]) {
    const { project } = await scene.project({ group, owner })
    projects.push(project)
    for (const names of ['alone', 'both,wide', 'deep', 'alone,both,deep,wide'])
      await make(owner, `${project.url}/issues`, [{ title: names, labels: names }])
    const { body } = await owner.get(`${project.url}/milestones`, { include_parent_milestones: true })
    const milestoneIds = (body as Named[]).map(({ id }) => id)
    for (const milestone_id of milestoneIds) await make(owner, `${project.url}/issues`, [{ title: 'x', milestone_id }])
  }
  const targets = [there, here, inner, top]
  for (const [round, project] of [...projects, ...projects].entries()) {
    const { body } = await owner.get(project.url)
    const target = targets[(round * 3 + 1) % targets.length] as SceneGroup
    const namespace = body.namespace.id === target.id ? owner.username : target.id
    assert.equal((await owner.put(`${project.url}/transfer`, { namespace })).status, 200)
    assert.deepEqual(await outOfPlace(), [])
    const { body: issues } = await owner.get(`${project.url}/issues`, { sort: 'asc' })
    assert.deepEqual(
      issues.slice(0, 4).map((issue: { title: string; labels: string[] }) => issue.labels.join(',') === issue.title),
      [true, true, true, true],
      'names stay',
    )
  }
})

test('a transfer takes as many statements for many items of many projects as for one', async () => {
  const transferOf = async (projects: number, issues: number) => {
    const world = await places()
    const { here, there, owner } = world
    const { group } = await scene.group({ parent: here, owner })
    for (let count = 0; count < projects; count++) {
      const { project } = await scene.project({ group, owner })
      for (let more = 0; more < issues; more++) await issuesWith(owner, project, world)
    }
    const { result, statements } = await recordStatements(() =>
      scene.app.inject({
        method: 'POST',
        url: `/api/v4${group.url}/transfer`,
        headers: { 'private-token': owner.token },
        payload: { group_id: there.id },
      }),
    )
    assert.equal(result.statusCode, 201)
    return statements
  }

  const few = await transferOf(1, 1)
  const many = await transferOf(3, 2)

  assert.equal(many.length, few.length, many.join('\n'))
})

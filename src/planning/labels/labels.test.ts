import assert from 'node:assert/strict'
import { test } from 'node:test'
import { overtakenBy } from '../../../test/held_table.ts'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene()

/** A group in a group with a project; labels are named after their places. */
async function nested() {
  const { group: top, owner } = await scene.group()
  const { group } = await scene.group({ parent: top, owner })
  const { project } = await scene.project({ group, owner })
  for (const [name, place] of Object.entries({ top, group, project })) await owner.post(`${place.url}/labels`, { name, color: '#428BCA' })
  return { top, group, project, owner }
}

const names = (answer: { body: { name: string }[] }) => answer.body.map(label => label.name)

test('a label has all documented fields', async () => {
  const { project, owner } = await scene.project()

  const created = await owner.post(`${project.url}/labels`, {
    name: 'bug',
    color: '#d9534f',
    description: '**Broken** <script>',
    priority: 10,
  })

  const { id, ...rest } = created.body
  assert.equal(created.status, 201)
  assert.deepEqual(rest, {
    name: 'bug',
    color: '#d9534f',
    text_color: '#FFFFFF',
    description: '**Broken** <script>',
    description_html: '<strong>Broken</strong> ',
    open_issues_count: 0,
    closed_issues_count: 0,
    open_merge_requests_count: 0,
    subscribed: false,
    priority: 10,
    is_project_label: true,
  })
  assert.deepEqual(await owner.get(`${project.url}/labels/${id}`), { status: 200, body: created.body })
  assert.deepEqual(await owner.get(`${project.url}/labels/bug`), { status: 200, body: created.body })
})

test('a label of a group has no fields about projects and priority', async () => {
  const { group, owner } = await scene.group()
  const { body } = await owner.post(`${group.url}/labels`, { name: 'bug', color: 'red' })
  assert.equal('priority' in body || 'is_project_label' in body, false)
})

test('names hold emoji, slashes, question marks and ampersands, and no commas', async () => {
  const { project, owner } = await scene.project()
  for (const name of ['🦊 fox', 'a/b', 'why?', 'R&D', 'None', '100%', '  trimmed ']) {
    const { status, body } = await owner.post(`${project.url}/labels`, { name, color: '#fff' })
    assert.deepEqual([status, body.name], [201, name.trim()])
    const found = await owner.get(`${project.url}/labels/${encodeURIComponent(name.trim())}`)
    assert.equal(found.body.id, body.id)
  }
  for (const name of ['a,b', ' ', 'x'.repeat(256)])
    assert.equal((await owner.post(`${project.url}/labels`, { name, color: '#fff' })).status, 400, name)
})

test('colours are hexadecimal or CSS names; the text on a light colour is dark', async () => {
  const { project, owner } = await scene.project()
  const colors = [
    ['#FFAABB', '#FFAABB', '#333333'],
    ['#abc', '#abc', '#333333'],
    ['Red', '#FF0000', '#FFFFFF'],
    ['rebeccapurple', '#663399', '#FFFFFF'],
  ]
  for (const [color, kept, text_color] of colors) {
    const { body } = await owner.post(`${project.url}/labels`, { name: `in ${color}`, color })
    assert.deepEqual([body.color, body.text_color], [kept, text_color])
  }
  for (const color of ['#12345', 'reddish', 'constructor', '#GGGGGG'])
    assert.deepEqual(await owner.post(`${project.url}/labels`, { name: 'x', color }), {
      status: 400,
      body: { message: { color: ['must be a valid color code'] } },
    })
})

test('a name that exists in the place already is a 409, also under concurrent creation (decision 13)', async () => {
  const { top, project, owner } = await nested()
  const taken = { status: 409, body: { message: 'Label already exists' } }
  for (const name of ['project', 'group', 'top'])
    assert.deepEqual(await owner.post(`${project.url}/labels`, { name, color: '#fff' }), taken)
  const both = await Promise.all([1, 2].map(() => owner.post(`${top.url}/labels`, { name: 'race', color: '#fff' })))
  assert.deepEqual(both.map(answer => answer.status).sort(), [201, 409])
})

test('a list has the labels of ancestor groups, and on request those of subgroups and projects', async () => {
  const { top, group, project, owner } = await nested()
  assert.deepEqual(names(await owner.get(`${project.url}/labels`)), ['group', 'project', 'top'])
  assert.deepEqual(names(await owner.get(`${project.url}/labels?include_ancestor_groups=false`)), ['project'])
  assert.deepEqual(names(await owner.get(`${group.url}/labels`)), ['group', 'top'])
  assert.deepEqual(names(await owner.get(`${top.url}/labels`)), ['top'])
  assert.deepEqual(names(await owner.get(`${top.url}/labels?include_descendant_groups=true`)), ['group', 'top'])
  const all = await owner.get(`${top.url}/labels?include_descendant_groups=true&only_group_labels=false`)
  assert.deepEqual(names(all), ['group', 'project', 'top'])
  assert.deepEqual(names(await owner.get(`${project.url}/labels?search=RO`)), ['group', 'project'])
  assert.equal((await owner.get(`${project.url}/labels/top?include_ancestor_groups=false`)).status, 404)
})

test('labels of hidden groups and projects below stay hidden', async () => {
  const { group: top, owner } = await scene.group({ visibility: 'public' })
  const { project } = await scene.project({ group: top, owner })
  await owner.post(`${project.url}/labels`, { name: 'secret', color: '#fff' })
  const stranger = await scene.user()
  assert.deepEqual(names(await stranger.get(`${top.url}/labels?include_descendant_groups=true&only_group_labels=false`)), [])
  assert.deepEqual(names(await owner.get(`${top.url}/labels?only_group_labels=false`)), ['secret'])
})

test('labels of projects below whose planning is for members alone are listed to members alone', async () => {
  const { group, owner } = await scene.group({ visibility: 'public' })
  const { project } = await scene.project({ group, owner, visibility: 'public' })
  await owner.post(`${project.url}/labels`, { name: 'planned', color: '#fff' })
  const stranger = await scene.user()
  const below = `${group.url}/labels?only_group_labels=false`
  assert.deepEqual(names(await stranger.get(below)), ['planned'])
  await owner.put(project.url, { issues_access_level: 'private', merge_requests_access_level: 'private' })
  assert.deepEqual(names(await stranger.get(below)), [])
  assert.equal((await stranger.get(`${group.url}/labels/planned?only_group_labels=false`)).status, 404)
  const query = `{ group(fullPath: "${group.full_path}") { labels(onlyGroupLabels: false) { nodes { title } } } }`
  const { body } = await stranger.post(`${scene.url}/api/graphql`, { query })
  assert.deepEqual(body.data.group.labels.nodes, [])
  assert.deepEqual(names(await owner.get(below)), ['planned'])
})

test('a label is changed by id or name, and in the deprecated form', async () => {
  const { project, owner } = await scene.project()
  const { body } = await owner.post(`${project.url}/labels`, { name: 'one', color: '#fff', description: 'a', priority: 1 })

  const renamed = await owner.put(`${project.url}/labels/one`, { new_name: 'two', priority: null })
  assert.deepEqual([renamed.body.id, renamed.body.name, renamed.body.priority, renamed.body.description], [body.id, 'two', null, 'a'])
  const colored = await owner.put(`${project.url}/labels`, { name: 'two', color: 'navy', description: '' })
  assert.deepEqual([colored.status, colored.body.color, colored.body.description], [200, '#000080', ''])
  assert.equal((await owner.put(`${project.url}/labels`, { label_id: body.id, new_name: 'three' })).body.name, 'three')

  assert.equal((await owner.put(`${project.url}/labels/three`, {})).status, 400)
  assert.deepEqual((await owner.put(`${project.url}/labels`, { color: 'red' })).body.message.name, [
    'is missing, at least one of name, label_id must be given',
  ])
  await owner.post(`${project.url}/labels`, { name: 'other', color: '#fff' })
  assert.deepEqual(await owner.put(`${project.url}/labels/three`, { new_name: 'other' }), {
    status: 400,
    body: { message: { name: ['has already been taken'] } },
  })
})

test("a project gives a group's label a priority of its own and changes nothing else of it", async () => {
  const { project, group, owner } = await nested()
  const { project: other } = await scene.project({ group, owner })

  assert.equal((await owner.put(`${project.url}/labels/group`, { priority: 3 })).body.priority, 3)

  assert.equal((await owner.get(`${other.url}/labels/group`)).body.priority, null)
  const missing = { status: 404, body: { message: '404 Label Not Found' } }
  assert.deepEqual(await owner.put(`${project.url}/labels/group`, { color: 'red' }), missing)
  assert.deepEqual(await owner.delete(`${project.url}/labels/group`), missing)
})

test('a label is deleted by id, by name and in the deprecated form', async () => {
  const { project, owner } = await scene.project()
  for (const name of ['a', 'b/c', 'd']) await owner.post(`${project.url}/labels`, { name, color: '#fff' })
  assert.equal((await owner.delete(`${project.url}/labels/a`)).status, 204)
  assert.equal((await owner.delete(`${project.url}/labels/b%2Fc`)).status, 204)
  assert.equal((await owner.delete(`${project.url}/labels?name=d`)).status, 204)
  assert.deepEqual(names(await owner.get(`${project.url}/labels`)), [])
  assert.equal((await owner.delete(`${project.url}/labels/a`)).status, 404)
})

test('users subscribe to labels and unsubscribe; repeating a request is a 304', async () => {
  const { project, owner, guest } = await scene.project({ members: ['guest'] })
  await owner.post(`${project.url}/labels`, { name: 'bug', color: '#fff' })
  const label = `${project.url}/labels/bug`

  assert.equal((await guest.post(`${label}/unsubscribe`)).status, 304)
  const subscribed = await guest.post(`${label}/subscribe`)
  assert.deepEqual([subscribed.status, subscribed.body.subscribed], [201, true])
  assert.equal((await guest.post(`${label}/subscribe`)).status, 304)
  assert.equal((await owner.get(label)).body.subscribed, false)
  assert.equal((await guest.post(`${label}/unsubscribe`)).body.subscribed, false)
})

test('labels of a group are subscribed to in the same way', async () => {
  const { group, owner } = await scene.group()
  await owner.post(`${group.url}/labels`, { name: 'bug', color: '#fff' })
  const label = `${group.url}/labels/bug`
  const statuses: number[] = []

  for (const word of ['unsubscribe', 'subscribe', 'subscribe', 'unsubscribe']) statuses.push((await owner.post(`${label}/${word}`)).status)

  assert.deepEqual(statuses, [304, 201, 304, 201])
})

test('labels are unavailable where both issues and merge requests are disabled', async () => {
  const { project, owner, reporter } = await scene.project({ members: ['reporter'] })
  await owner.put(project.url, { issues_access_level: 'disabled' })
  assert.equal((await reporter.get(`${project.url}/labels`)).status, 200)
  await owner.put(project.url, { merge_requests_access_level: 'disabled' })
  assert.equal((await reporter.get(`${project.url}/labels`)).status, 404)
})

test('counts of issues and open merge requests cover the place, without items that the reader may not see (decision 34)', async () => {
  const { group, owner } = await scene.group({ visibility: 'public' })
  const { project, guest } = await scene.project({ group, owner, visibility: 'public', members: ['guest'] })
  const { project: other } = await scene.project({ group, owner, visibility: 'private' })
  await owner.post(`${group.url}/labels`, { name: 'bug', color: '#fff' })
  const issue = (url: string, attributes: object = {}) => owner.post(`${url}/issues`, { title: 'x', labels: 'bug', ...attributes })
  await issue(project.url)
  await issue(project.url, { confidential: true })
  await issue(other.url)
  const closed = await issue(project.url)
  await owner.put(`${project.url}/issues/${closed.body.iid}`, { state_event: 'close' })

  const counts = async (person: typeof owner, url: string) => {
    const [label] = (await person.get(`${url}/labels?with_counts=true`)).body
    return [label.open_issues_count, label.closed_issues_count, label.open_merge_requests_count]
  }
  await scene.mergeRequest(project, { author: owner, labels: 'bug' })
  await scene.mergeRequest(other, { author: owner, labels: 'bug' })
  const dropped = await scene.mergeRequest(project, { author: owner, labels: 'bug' })
  assert.equal((await owner.put(`${project.url}/merge_requests/${dropped.iid}`, { state_event: 'close' })).status, 200)
  assert.deepEqual(await counts(owner, project.url), [2, 1, 1])
  assert.deepEqual(await counts(guest, project.url), [1, 1, 1])
  assert.deepEqual(await counts(owner, group.url), [3, 1, 2])
  assert.deepEqual(await counts(guest, group.url), [1, 1, 1])
  assert.equal('open_issues_count' in (await owner.get(`${project.url}/labels`)).body[0], false)
})

test('a promoted label keeps its id, and labels of the same name in the projects of the group are merged into it', async () => {
  const { group, owner } = await scene.group()
  const { project } = await scene.project({ group, owner })
  const { project: other } = await scene.project({ group, owner })
  const { group: below } = await scene.group({ parent: group, owner })
  const { project: deep } = await scene.project({ group: below, owner })
  const places = [project, other, deep]
  for (const place of places) {
    const label = await owner.post(`${place.url}/labels`, { name: 'bug', color: '#fff', priority: 2 })
    await owner.post(`${place.url}/issues`, { title: 'x', labels: 'bug' })
    await owner.post(`${place.url}/labels/bug/subscribe`)
    await scene.mergeRequest(place, { author: owner, labels: 'bug' })
    const board = await owner.post(`${place.url}/boards`, { name: 'Work' })
    await owner.post(`${place.url}/boards/${board.body.id}/lists`, { label_id: label.body.id })
  }
  const { id } = (await owner.get(`${project.url}/labels/bug`)).body

  const { status, body } = await owner.put(`${project.url}/labels/bug/promote`)

  assert.deepEqual([status, body.id, body.open_issues_count, body.subscribed, 'priority' in body], [200, id, 3, true, false])
  for (const place of places) {
    const [label, ...more] = (await owner.get(`${place.url}/labels`)).body
    assert.deepEqual([label.id, label.is_project_label, label.priority, more], [id, false, 2, []])
    for (const things of ['issues', 'merge_requests'])
      assert.deepEqual((await owner.get(`${place.url}/${things}`)).body[0].labels, ['bug'], things)
    const [board] = (await owner.get(`${place.url}/boards`)).body
    assert.deepEqual(
      board.lists.map((list: { label: { id: number } }) => list.label.id),
      [id],
    )
  }
})

test('a promoted label is merged into an existing label of the group, also by the deprecated form', async () => {
  const { group, owner } = await scene.group()
  const { project } = await scene.project({ group, owner })
  await owner.post(`${project.url}/labels`, { name: 'bug', color: '#fff' })
  const above = (await owner.post(`${group.url}/labels`, { name: 'bug', color: '#000' })).body
  const { body } = await owner.put(`${project.url}/labels/promote`, { name: 'bug' })
  assert.deepEqual([body.id, body.color], [above.id, '#000'])
  assert.equal((await owner.get(`${project.url}/labels`)).body.length, 1)
})

test('concurrent promotions of a label of one name create one label of the group', async () => {
  const { group, owner } = await scene.group()
  const projects = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const { project } = await scene.project({ group, owner })
      await owner.post(`${project.url}/issues`, { title: 'Shed', labels: 'bug' })
      return project
    }),
  )

  const answers = await Promise.all([...projects, ...projects].map(({ url }) => owner.put(`${url}/labels/bug/promote`)))

  // Requests that come later find no label of the project any more.
  for (const { status, body } of answers) assert.ok(status === 200 || status === 404, `${status} ${JSON.stringify(body)}`)
  assert.equal((await owner.get(`${group.url}/labels`)).body.length, 1)
  for (const { url } of projects) {
    assert.deepEqual((await owner.get(`${url}/issues/1`)).body.labels, ['bug'])
    assert.equal((await owner.get(`${url}/labels`)).body.length, 1)
  }
})

test('deleting a label while it is being added to items fails no request: later ones create it again', async () => {
  const { project, owner } = await scene.project()
  for (const title of ['a', 'b', 'c']) await owner.post(`${project.url}/issues`, { title })

  for (let round = 0; round < 5; round++) {
    await owner.post(`${project.url}/labels`, { name: 'going', color: '#fff' })
    const answers = await Promise.all([
      ...[1, 2, 3].map(iid => owner.put(`${project.url}/issues/${iid}`, { labels: 'going' })),
      owner.delete(`${project.url}/labels/going`),
      ...[1, 2].map(() => owner.post(`${project.url}/issues`, { title: 'new', labels: 'going' })),
    ])

    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 204, 201, 201],
    )
    // Whether it is there again depends on the order of the writes.
    assert.ok([204, 404].includes((await owner.delete(`${project.url}/labels/going`)).status))
  }
})

/** A label of a project in a group, and the answer to a request about it that waits until another transaction has ended. */
async function overtaken() {
  const { group, owner } = await scene.group()
  const { project } = await scene.project({ group, owner })
  const { body } = await owner.post(`${project.url}/labels`, { name: 'bug', color: '#fff' })
  const answerAfter = <Answer>(statement: string, request: () => Promise<Answer>): Promise<Answer> =>
    overtakenBy(scene.deps.database, [statement, []], request)
  return { group, owner, id: body.id as number, url: `${project.url}/labels/${body.id}`, answerAfter }
}

const notFound = { status: 404, body: { message: '404 Label Not Found' } }

test('a label that is promoted while its project deletes or changes it remains as it was', async () => {
  for (const method of ['delete', 'put'] as const) {
    const { group, owner, id, url, answerAfter } = await overtaken()
    const promotion = `update labels set project_id = null, namespace_id = ${group.id} where id = ${id}`

    const answer = await answerAfter(promotion, () => owner[method](url, { description: 'Changed' }))

    assert.deepEqual(answer, notFound, method)
    const { status, body } = await owner.get(`${group.url}/labels/${id}`)
    assert.deepEqual([status, body.description], [200, null], method)
  }
})

test('a label that is deleted while it is promoted is not found, also if the group has one of its name', async () => {
  const { group, owner, id, url, answerAfter } = await overtaken()
  await owner.post(`${group.url}/labels`, { name: 'bug', color: '#fff' })

  const promotion = await answerAfter(`delete from labels where id = ${id}`, () => owner.put(`${url}/promote`))

  assert.deepEqual(promotion, notFound)
})

test('a label that is renamed while it is promoted is promoted with its new name', async () => {
  const { owner, id, url, answerAfter } = await overtaken()

  const renaming = `update labels set name = 'flaw' where id = ${id}`
  const { status, body } = await answerAfter(renaming, () => owner.put(`${url}/promote`))

  assert.deepEqual([status, body.id, body.name], [200, id, 'flaw'])
})

test('a label can be promoted only to a group, and only by users who may administer the group’s labels', async () => {
  const { project: own, owner } = await scene.project()
  await owner.post(`${own.url}/labels`, { name: 'bug', color: '#fff' })
  assert.deepEqual(await owner.put(`${own.url}/labels/bug/promote`), {
    status: 400,
    body: { message: '400 Bad request - Failed to promote project label to group label' },
  })
  const { group } = await scene.group({ owner })
  const { project, maintainer } = await scene.project({ group, owner, members: ['maintainer'] })
  await owner.post(`${project.url}/labels`, { name: 'bug', color: '#fff' })
  assert.equal((await maintainer.put(`${project.url}/labels/bug/promote`)).status, 403)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { statementsWait } from '../../../../test/held_table.ts'
import { openScene } from '../../../../test/scene.ts'
import { formWith, png } from '../../../spaces/uploads/scene.ts'

const scene = await openScene()
const { pool } = scene.deps.database

test('a moved issue keeps author, text and the labels that the other project has; the old one is closed and refers to it (issues API at 14.0)', async () => {
  const { project, guest, owner } = await scene.project({ members: ['guest'] })
  const { project: target } = await scene.project({ owner })
  await guest.post(`${project.url}/issues`, { title: 'Shed', description: 'text' })
  await owner.put(`${project.url}/issues/1`, { labels: 'wood,paint', assignee_ids: [guest.id, owner.id] })
  await owner.post(`${target.url}/labels`, { name: 'wood', color: '#123456' })

  const moved = await owner.post(`${project.url}/issues/1/move`, { to_project_id: target.id })

  assert.equal(moved.status, 201)
  const { project_id, iid, title, description, labels, author, assignees } = moved.body
  assert.deepEqual(
    { project_id, iid, title, description, labels, author: author.id, assignees: assignees.map((user: { id: number }) => user.id) },
    { project_id: target.id, iid: 1, title: 'Shed', description: 'text', labels: ['wood'], author: guest.id, assignees: [owner.id] },
  )
  const old = (await owner.get(`${project.url}/issues/1`)).body
  assert.deepEqual([old.state, old.moved_to_id], ['closed', moved.body.id])
  const again = await owner.post(`${project.url}/issues/1/move`, { to_project_id: target.id })
  assert.deepEqual(again, { status: 400, body: { message: '400 Bad request - Cannot move issue due to insufficient permissions!' } })
  assert.equal((await owner.get(`${target.url}/labels`)).body.length, 1)
  assert.equal((await owner.get(target.url)).body.open_issues_count, 1)
  assert.equal((await owner.get(project.url)).body.open_issues_count, 0)
})

test('what is changed while a move waits for the issue moves with it', async () => {
  const { project, owner } = await scene.project()
  const { project: target } = await scene.project({ owner })
  const { body } = await owner.post(`${project.url}/issues`, { title: 'Shed' })
  const client = await pool.connect()
  await client.query('begin')
  await client.query(`update issues set title = 'Barn' where id = $1`, [body.id])
  const moving = owner.post(`${project.url}/issues/1/move`, { to_project_id: target.id })
  await eventually(() => statementsWait(scene.deps.database), 'the move')

  await client.query('commit')
  client.release()

  assert.equal((await moving).body.title, 'Barn')
})

test('a link that is made while a move waits moves with the issue', async () => {
  const { project, owner } = await scene.project()
  const { project: target } = await scene.project({ owner })
  const ids: number[] = []
  for (const title of ['Shed', 'Fence']) ids.push((await owner.post(`${project.url}/issues`, { title })).body.id)
  const client = await pool.connect()
  await client.query('begin')
  await client.query(`insert into issue_links (source_id, target_id, link_type) values ($1, $2, 'blocks')`, ids)
  const moving = owner.post(`${project.url}/issues/1/move`, { to_project_id: target.id })
  await eventually(() => statementsWait(scene.deps.database), 'the move')

  await client.query('commit')
  client.release()

  const { body: moved } = await moving
  const titles = async (path: string) => (await owner.get(`${path}/links`)).body.map((link: { title: string }) => link.title)
  assert.deepEqual(await titles(`${target.url}/issues/${moved.iid}`), ['Fence'])
  assert.deepEqual(await titles(`${project.url}/issues/1`), [])
})

test('several concurrent requests to move an issue make one copy', async () => {
  const { project, owner } = await scene.project()
  const { project: target } = await scene.project({ owner })
  await owner.post(`${project.url}/issues`, { title: 'Shed' })

  const answers = await Promise.all(
    Array.from({ length: 4 }, () => owner.post(`${project.url}/issues/1/move`, { to_project_id: target.id })),
  )

  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 400, 400, 400])
  assert.equal((await owner.get(`${target.url}/issues`)).body.length, 1)
})

test('an issue cannot be moved to its own project, to one without a role of the caller, or to one that does not exist', async () => {
  const { project, owner } = await scene.project()
  const open = await scene.project({ visibility: 'public' })
  await owner.post(`${project.url}/issues`, { title: 'x' })
  const move = async (to_project_id: number | string) => (await owner.post(`${project.url}/issues/1/move`, { to_project_id })).status

  assert.equal(await move(project.id), 400)
  assert.equal(await move(open.project.id), 400)
  assert.equal(await move(999_999_999), 404)
  assert.equal((await owner.get(`${project.url}/issues/1`)).body.state, 'opened')
})

test('a copy is open and has the caller as author; the original is unchanged', async () => {
  const { project, guest, owner } = await scene.project({ members: ['guest'] })
  await guest.post(`${project.url}/issues`, { title: 'Shed', description: 'text' })

  const copy = await owner.post(`${project.url}/issues/1/clone`, { to_project_id: project.full_path })

  assert.deepEqual([copy.status, copy.body.iid, copy.body.title, copy.body.author.id], [201, 2, 'Shed', owner.id])
  assert.equal((await owner.get(`${project.url}/issues/1`)).body.state, 'opened')
})

test('a moved issue keeps notes, threads and times, and a copy has the notes on request', async () => {
  const { project, guest, owner } = await scene.project({ members: ['guest'] })
  const { project: target } = await scene.project({ owner })
  const path = `${project.url}/issues/1`
  await owner.post(`${project.url}/issues`, { title: 'Shed' })
  await guest.post(`${path}/notes`, { body: 'alone' })
  const thread = await owner.post(`${path}/discussions`, { body: 'first' })
  await guest.post(`${path}/discussions/${thread.body.id}/notes`, { body: 'second' })
  await owner.post(`${path}/time_estimate`, { duration: '2h' })
  await owner.post(`${path}/add_spent_time`, { duration: '1h' })

  const bare = await owner.post(`${path}/clone`, { to_project_id: project.id })
  const copy = await owner.post(`${path}/clone`, { to_project_id: project.id, with_notes: true })
  const moved = await owner.post(`${path}/move`, { to_project_id: target.id })

  assert.deepEqual([bare.body.user_notes_count, copy.body.user_notes_count, moved.body.user_notes_count], [0, 3, 3])
  assert.deepEqual([moved.body.time_stats.time_estimate, moved.body.time_stats.total_time_spent], [7200, 3600])
  assert.equal((await owner.get(path)).body.time_stats.total_time_spent, 0)
  const { body: discussions } = await owner.get(`${target.url}/issues/1/discussions`)
  const said = discussions
    .map((discussion: { notes: { body: string; system: boolean; author: { id: number } }[] }) =>
      discussion.notes.filter(note => !note.system).map(note => [note.body, note.author.id]),
    )
    .filter((notes: unknown[]) => notes.length > 0)
  assert.deepEqual(said, [
    [['alone', guest.id]],
    [
      ['first', owner.id],
      ['second', guest.id],
    ],
  ])
})

test('an issue does not take the titles of milestones and iterations of its place into another project', async () => {
  const { group, owner } = await scene.group()
  const { project } = await scene.project({ group, owner })
  const { project: target } = await scene.project({ owner, visibility: 'public' })
  const dates = { start_date: '2031-01-01', due_date: '2031-01-20' }
  const { id: milestone_id } = (await owner.post(`${group.url}/milestones`, { title: 'Secret milestone' })).body
  const { id: iteration } = (await owner.post(`${group.url}/iterations`, { title: 'Secret iteration', ...dates })).body
  const path = `${project.url}/issues/1`
  await owner.post(`${project.url}/issues`, { title: 'Shed' })
  await owner.put(path, { milestone_id })
  await owner.post(`${path}/notes`, { body: `/iteration *iteration:${iteration}` })
  await owner.put(path, { title: 'House' })

  const here = await owner.post(`${path}/clone`, { to_project_id: project.id, with_notes: true })
  const there = await owner.post(`${path}/clone`, { to_project_id: target.id, with_notes: true })
  const moved = await owner.post(`${path}/move`, { to_project_id: target.id })
  const bodiesOf = async ({ body }: { body: { id: number } }) => {
    const rows = scene.deps.database.db.selectFrom('notes').select('body').where('issue_id', '=', body.id)
    return (await rows.execute()).map(row => row.body).join('\n')
  }
  assert.match(await bodiesOf(here), /Secret milestone[\s\S]*Secret iteration/)
  for (const copy of [there, moved]) {
    assert.doesNotMatch(await bodiesOf(copy), /Secret/)
    assert.match(await bodiesOf(copy), /changed title/)
  }
})

test('a moved issue keeps reactions, links and subscriptions', async () => {
  const { project, guest, owner } = await scene.project({ members: ['guest'] })
  const { project: target } = await scene.project({ owner })
  await scene.root.post(`${target.url}/members`, { user_id: guest.id, access_level: 10 })
  const path = `${project.url}/issues/1`
  for (const title of ['Shed', 'Fence']) await owner.post(`${project.url}/issues`, { title })
  const { body: thread } = await owner.post(`${path}/discussions`, { body: 'first' })
  const { body: answer } = await owner.post(`${path}/discussions/${thread.id}/notes`, { body: 'second' })
  await guest.post(`${path}/notes/${answer.id}/award_emoji`, { name: 'star' })
  for (const who of [owner, guest]) await who.post(`${path}/award_emoji`, { name: 'thumbsup' })
  await guest.post(`${path}/award_emoji`, { name: 'tada' })
  await owner.post(`${path}/links`, { target_project_id: project.id, target_issue_iid: 2, link_type: 'blocks' })
  await guest.post(`${path}/subscribe`)
  await owner.post(`${path}/unsubscribe`)

  const { body: moved } = await owner.post(`${path}/move`, { to_project_id: target.id })

  const at = `${target.url}/issues/${moved.iid}`
  const names = (rows: { name: string }[]) => rows.map(({ name }) => name).sort()
  assert.equal(moved.upvotes, 2)
  assert.deepEqual(names((await owner.get(`${at}/award_emoji`)).body), ['tada', 'thumbsup', 'thumbsup'])
  const [there] = (await owner.get(`${at}/discussions`)).body
  assert.deepEqual(names((await owner.get(`${at}/notes/${there.notes[0].id}/award_emoji`)).body), [])
  assert.deepEqual(names((await owner.get(`${at}/notes/${there.notes[1].id}/award_emoji`)).body), ['star'])
  assert.deepEqual(
    (await owner.get(`${at}/links`)).body.map((link: { title: string; link_type: string }) => [link.title, link.link_type]),
    [['Fence', 'blocks']],
  )
  assert.deepEqual((await owner.get(`${path}/links`)).body, [])
  assert.deepEqual([(await guest.get(at)).body.subscribed, (await owner.get(at)).body.subscribed], [true, false])
})

test('references in the texts of a moved issue keep their targets, and files are copied (public behaviour at 14.0)', async () => {
  const { group, owner } = await scene.group()
  const { project } = await scene.project({ group, owner })
  const { project: neighbour } = await scene.project({ group, owner })
  const { project: target } = await scene.project({ owner })
  for (const { url } of [neighbour, target]) await owner.post(`${url}/issues`, { title: 'Other' })
  const { body: image } = await owner.post(`${project.url}/uploads`, formWith('file', 'shed.png', png(8)))
  const near = `${neighbour.path}#1`
  await owner.post(`${project.url}/issues`, { title: 'Fence' })
  const { body: issue } = await owner.post(`${project.url}/issues`, {
    title: 'Shed',
    description: `See #1, \`#1\`, #99, ${near} and ${target.full_path}#1\n\n${image.markdown}`,
  })
  const path = `${project.url}/issues/${issue.iid}`
  await owner.post(`${path}/notes`, { body: 'after #1, @all' })
  await owner.post(`${path}/links`, { target_project_id: project.id, target_issue_iid: 1 })

  const { body: moved } = await owner.post(`${path}/move`, { to_project_id: target.id })
  const { body: copy } = await owner.post(`${target.url}/issues/${moved.iid}/clone`, { to_project_id: project.id, with_notes: true })

  const there = `${project.full_path}#1`
  assert.equal(moved.description, `See ${there}, \`#1\`, #99, ${neighbour.full_path}#1 and ${target.full_path}#1\n\n${image.markdown}`)
  const said = async (url: string, iid: number) =>
    (await owner.get(`${url}/issues/${iid}/notes`, { sort: 'asc' })).body.map((note: { body: string }) => note.body)
  assert.deepEqual(await said(target.url, moved.iid), [
    `after ${there}, @all`,
    `marked this issue as related to ${there}`,
    `moved from ${project.full_path}#${issue.iid}`,
  ])
  const shown = await owner.get(`${scene.url}/${target.full_path}${image.url}`)
  assert.deepEqual([shown.status, shown.bytes.equals(png(8))], [200, true])
  assert.equal(copy.description, moved.description)
  await owner.delete(project.url)
  assert.equal((await owner.get(`${scene.url}/${target.full_path}${image.url}`)).status, 200)
})

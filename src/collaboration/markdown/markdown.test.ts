/** Rendering by the API: which references become links, and for which readers (markdown API; decision 34). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene()

test('without gfm a text is rendered without references, also for anonymous callers', async () => {
  const answer = await scene.anonymous.post('/markdown', { text: 'Hello **world** #1 :tada:' })
  assert.equal(answer.status, 201)
  assert.deepEqual(answer.body, {
    html: '<p dir="auto">Hello <strong>world</strong> #1 <gl-emoji title="party popper" data-name="tada">🎉</gl-emoji></p>\n',
  })
})

test('references become links if the reader may see their target', async () => {
  const { group } = await scene.group()
  const { project, guest, maintainer } = await scene.project({ group, members: ['guest', 'maintainer'] })
  await scene.commit(project, { 'README.md': 'Hello' })
  const commit = (await maintainer.get(`${project.url}/repository/commits`)).body[0]
  const open = (await maintainer.post(`${project.url}/issues`, { title: 'Open "one"' })).body
  const secret = (await maintainer.post(`${project.url}/issues`, { title: 'Secret', confidential: true })).body
  await maintainer.post(`${project.url}/labels`, { name: 'in review', color: '#ff0000', description: 'Being read' })
  const milestone = (await maintainer.post(`${project.url}/milestones`, { title: 'Release 1' })).body
  const text = `#${open.iid} ${project.full_path}#${open.iid} #${secret.iid} #999 @${guest.username} @nobody-at-all ~"in review" ~none %"Release 1" ${commit.short_id} deadbeef`
  const web = `${scene.url}/${project.full_path}`

  const links = async (client: typeof guest) => {
    const { body } = await client.post('/markdown', { text, gfm: true, project: project.full_path })
    return [...body.html.matchAll(/<a href="([^"]*)" title="([^"]*)"[^>]*>([^<]*)<\/a>/g)].map(([, href, title, shown]) => [
      shown,
      href,
      title,
    ])
  }

  const ofGuest = [
    [`#${open.iid}`, `${web}/-/issues/${open.iid}`, 'Open &quot;one&quot;'],
    [`${project.full_path}#${open.iid}`, `${web}/-/issues/${open.iid}`, 'Open &quot;one&quot;'],
    [`@${guest.username}`, `${scene.url}/${guest.username}`, guest.name],
    ['in review', `${web}/-/issues?label_name=in%20review`, 'Being read'],
    ['%Release 1', `${web}/-/milestones/${milestone.iid}`, 'Release 1'],
  ]
  assert.deepEqual(await links(guest), ofGuest)
  assert.deepEqual(await links(maintainer), [
    ...ofGuest.slice(0, 2),
    [`#${secret.iid}`, `${web}/-/issues/${secret.iid}`, 'Secret'],
    ...ofGuest.slice(2),
    [commit.short_id, `${web}/-/commit/${commit.id}`, `Commit ${commit.short_id}`],
  ])
})

test('labels, milestones and iterations become links for those who may read them in the place of the text', async () => {
  const { group, owner } = await scene.group({ visibility: 'public' })
  const { project } = await scene.project({ group, owner, visibility: 'public' })
  const label = (await owner.post(`${project.url}/labels`, { name: 'planned', color: '#fff' })).body
  await owner.post(`${project.url}/milestones`, { title: 'Autumn' })
  await owner.post(`${group.url}/milestones`, { title: 'Year' })
  const iteration = (await owner.post(`${group.url}/iterations`, { title: 'Sprint', start_date: '2021-07-01', due_date: '2021-07-31' }))
    .body
  const text = `%1 %Year ~${label.id} *iteration:${iteration.id}`
  const stranger = await scene.user()
  const shown = async (client: typeof owner | typeof scene.anonymous) => {
    const { body } = await client.post('/markdown', { text, gfm: true, project: project.full_path })
    return [...body.html.matchAll(/<a [^>]*>([^<]*)<\/a>/g)].map(([, words]) => words)
  }
  const all = ['%Autumn', '%Year', 'planned', 'Sprint']
  assert.deepEqual(await shown(stranger), all)
  assert.deepEqual(await shown(scene.anonymous), all.slice(0, 3), 'iterations are for callers with an account')
  await owner.put(project.url, { issues_access_level: 'private' })
  assert.deepEqual(await shown(stranger), all.slice(0, 3), 'labels and milestones are those of merge requests too')
  await owner.put(project.url, { merge_requests_access_level: 'private' })
  for (const client of [stranger, scene.anonymous]) assert.deepEqual(await shown(client), [])
  assert.deepEqual(await shown(owner), all)
})

test('a whole commit id is shown by its beginning', async () => {
  const { project, maintainer } = await scene.project({ members: ['maintainer'] })
  const id = await scene.commit(project, { 'README.md': 'Hello' })
  const { body } = await maintainer.post('/markdown', { text: `mentioned in commit ${id}`, gfm: true, project: project.full_path })
  assert.match(body.html, new RegExp(`/-/commit/${id}"[^>]*>${id.slice(0, 8)}</a>`))
})

test('a text without a project has only references by full path', async () => {
  const { project, owner } = await scene.project({ visibility: 'public' })
  await owner.post(`${project.url}/issues`, { title: 'The one' })
  const { body } = await scene.anonymous.post('/markdown', { text: `#1 ${project.full_path}#1`, gfm: true })
  assert.match(body.html, new RegExp(`^<p dir="auto">#1 <a href="${scene.url}/${project.full_path}/-/issues/1" title="The one"`))
})

test('a project that the caller may not see is a 404', async () => {
  const { project } = await scene.project()
  const answer = await scene.anonymous.post('/markdown', { text: 'x', gfm: true, project: String(project.id) })
  assert.deepEqual(answer, { status: 404, body: { message: '404 Project Not Found' } })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'
import { calendarView, dayBeforeCalendar } from './calendar_view.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)

test('a profile shows what was done where the reader may see it, and nothing of a private one', async () => {
  const owner = await surfer()
  const by = scene.as({ 'private-token': owner.person.token })
  const { body: open } = await by.post('/projects', { name: `Open ${owner.person.id}`, visibility: 'public' })
  const { body: closed } = await by.post('/projects', { name: `Closed ${owner.person.id}` })
  await by.post(`/projects/${open.id}/star`)
  const { username } = owner.person
  const page = `/${username}`

  const own = await owner.get(page)
  assert.match(own.body, /2 contributions in the last year/)
  assert.match(own.body, new RegExp(`<title>2 on ${new Date().toISOString().slice(0, 10)}</title>`))
  const stranger = await surfer()
  const seen = await stranger.get(page)
  assert.match(seen.body, /1 contribution in the last year/)
  assert.ok(!seen.body.includes(closed.path))
  const activity = await stranger.get(`/users/${username}/activity`)
  assert.ok(activity.body.includes(open.path) && !activity.body.includes(closed.path))
  assert.ok((await stranger.get(`/users/${username}/starred`)).body.includes(open.path))

  await scene.root.put(`/users/${owner.person.id}`, { private_profile: true })
  assert.ok(!(await stranger.get(page)).body.includes('in the last year'))
  assert.match((await stranger.get(`/users/${username}/activity`)).body, /No activity to show/)
  assert.match((await stranger.get(`/users/${username}/starred`)).body, /No projects to show/)
  assert.match((await owner.get(page)).body, /2 contributions in the last year/)
})

test('activity of projects is there for those who may see them', async () => {
  const owner = await surfer()
  const by = scene.as({ 'private-token': owner.person.token })
  const { body: project } = await by.post('/projects', { name: `Lamp ${owner.person.id}`, initialize_with_readme: true })
  const page = `/${project.path_with_namespace}/-/activity`

  await by.post(`/projects/${project.id}/wikis`, { title: 'guides/First steps', content: 'Begin' })
  await by.post(`/projects/${project.id}/snippets`, { title: 'Notes', visibility: 'private', file_name: 'a.txt', content: 'a' })

  const shown = (await owner.get(page)).body
  assert.match(shown, /pushed new branch|created/)
  const at = `/${project.path_with_namespace}/-`
  assert.match(shown, new RegExp(`created wiki page <a href="${at}/wikis/guides/First-steps"`))
  assert.doesNotMatch(shown, /opened \$/)
  assert.ok((await owner.get('/dashboard/activity')).body.includes(project.path_with_namespace))
  assert.equal((await (await surfer()).get(page)).status, 404)
})

test('the calendar has a column for each week, and a day for each until today', () => {
  const now = new Date('2026-03-04T12:00:00Z')
  const shown = calendarView(
    new Map([
      ['2026-03-04', 3],
      ['2025-03-02', 1],
    ]),
    now,
    'sunday',
  ).text

  assert.equal(dayBeforeCalendar(now, 'sunday'), '2025-03-01')
  assert.equal(dayBeforeCalendar(now, 'monday'), '2025-03-02')
  assert.equal(dayBeforeCalendar(now, 'saturday'), '2025-02-28')
  assert.equal(shown.match(/<rect /g)?.length, 52 * 7 + 4)
  assert.match(shown, /4 contributions in the last year/)
  assert.match(shown, /<th scope="row">2025-03<\/th><td>1<\/td>/)
  assert.match(shown, /class="level-1" x="0" y="16"/)
})

test('a status is set, shown on the profile and on cards until its time is over, and cleared', async () => {
  const owner = await surfer()
  const { username } = owner.person
  const form = (await owner.get('/-/profile/status')).body
  assert.match(form, /<option value="palm_tree">🌴 palm tree<\/option>/)
  const fields = { emoji: 'palm_tree', message: '<i>at the sea', availability: 'busy', clear_status_after: '1_day' }

  assert.equal((await owner.submit('/-/profile/status', fields)).status, 303)

  for (const body of [(await owner.get(`/${username}`)).body, (await owner.get('/-/card', { address: `/${username}` })).body])
    assert.match(body, /🌴.*&lt;i&gt;at the sea.*Busy/s)
  assert.match((await owner.get('/-/profile/status')).body, /Your status is cleared/)
  assert.equal((await owner.submit('/-/profile/status/clear', {})).status, 303)
  assert.ok(!(await owner.get(`/${username}`)).body.includes('at the sea'))
  assert.equal((await owner.submit('/-/profile/status', { ...fields, message: 'x'.repeat(101) })).status, 422)
})

test('the addresses that a profile shows, and that commits carry, are confirmed ones of its owner', async () => {
  const owner = await surfer()
  const other = await surfer()
  const by = scene.as({ 'private-token': owner.person.token })
  const { body: me } = await by.get('/user')
  const { body: them } = await scene.as({ 'private-token': other.person.token }).get('/user')
  const fields = { name: me.name, twitter: '@lamps', skype: '<b>lamps', linkedin: 'https://linkedin.example.com/lamps' }

  const refused = await owner.submit('/-/profile', { ...fields, public_email: them.email, commit_email: 'root@example.com' })
  assert.equal(refused.status, 422)
  assert.match(refused.body, /Public email address is not an address of yours/)
  assert.match(refused.body, /Email address of commits is not an address of yours/)
  assert.equal((await by.put('/user', { commit_email: them.email })).status, 400)

  assert.equal((await owner.submit('/-/profile', { ...fields, public_email: me.email, commit_email: '' })).status, 303)
  const profile = (await other.get(`/${me.username}`)).body
  for (const shown of [
    `href="mailto:${me.email}"`,
    'href="https://twitter.com/lamps"',
    '&lt;b&gt;lamps',
    'href="https://linkedin.example.com/lamps"',
  ])
    assert.ok(profile.includes(shown), shown)

  await scene.root.post(`/users/${me.id}/emails`, { email: `commits-${me.id}@example.com`, skip_confirmation: true })
  assert.equal((await by.put('/user', { commit_email: `commits-${me.id}@example.com` })).status, 200)
  const { body: project } = await by.post('/projects', { name: `Signed ${me.id}` })
  const file = { branch: 'main', content: 'a', commit_message: 'Add' }
  await by.post(`/projects/${project.id}/repository/files/a.txt`, file)
  const { body: commit } = await by.get(`/projects/${project.id}/repository/commits/main`)
  assert.equal(commit.author_email, `commits-${me.id}@example.com`)
})

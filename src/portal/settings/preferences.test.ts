import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene, password } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)

const PREFERENCES = '/-/profile/preferences'

/** A person, and a client of the API with their token. */
async function someone() {
  const person = await surfer()
  const api = scene.as({ 'private-token': person.person.token })
  const prefer = async (wanted: object) => {
    const answer = await api.put('/user/preferences', wanted)
    assert.equal(answer.status, 200)
    return answer.body
  }
  return { ...person, api, prefer }
}

/** A project of a person with a commit that changes files; the path of its page and of the commit's. */
async function changes({ api }: Awaited<ReturnType<typeof someone>>, count: number) {
  const { body: project } = await api.post('/projects', { name: `Lamps ${Math.random()}`.replace('.', ''), visibility: 'public' })
  const commit = async (action: string, content: (number: number) => string) => {
    const actions = Array.from({ length: count }, (_, at) => ({ action, file_path: `lamp-${10 + at}.txt`, content: content(at) }))
    const sent = { branch: 'main', commit_message: 'Change', actions }
    return (await api.post(`/projects/${project.id}/repository/commits`, sent)).body.id as string
  }
  await commit('create', at => `lamp ${at}\nlight\n`)
  const id = await commit('update', at => `lamp ${at}\n${at === 0 ? ' light' : 'bright'}\n`)
  const page = `/${project.path_with_namespace}`
  return { project, page, commit: `${page}/-/commit/${id}` }
}

const files = (body: string) => [...body.matchAll(/<h2 id="diff-[^"]*-name" class="mono">([^<]*)<\/h2>/g)].map(([, path]) => path)

test('what is not set is as for visitors, what is set stays, and what the schema refuses is refused', async () => {
  const { api, person } = await someone()
  const usual = {
    id: person.id,
    user_id: person.id,
    view_diffs_file_by_file: false,
    show_whitespace_in_diffs: true,
    diff_view: 'inline',
    tab_width: 4,
    home_page: 'home',
    project_page: 'files',
    time_display_relative: true,
    first_day_of_week: 'monday',
    layout: 'fixed',
    mail_digest: 'off',
    notified_of_own_activity: false,
    preferred_language: null,
    timezone: 'UTC',
  }
  assert.deepEqual((await api.get('/user/preferences')).body, usual)
  assert.deepEqual((await api.put('/user/preferences', { view_diffs_file_by_file: true, tab_width: 8 })).body, {
    ...usual,
    view_diffs_file_by_file: true,
    tab_width: 8,
  })
  await api.put('/user/preferences', { tab_width: 4 })
  assert.deepEqual((await api.get('/user/preferences')).body, { ...usual, view_diffs_file_by_file: true })
  for (const wrong of [{ tab_width: 0 }, { tab_width: 13 }, { home_page: '/admin' }, { first_day_of_week: 'friday' }])
    assert.equal((await api.put('/user/preferences', wrong)).status, 400)
  assert.equal((await scene.anonymous.get('/user/preferences')).status, 401)
})

test('preferences are set by their forms, each of which leaves the others as they are', async () => {
  const { api, submit, get } = await someone()
  const sent = [
    ['beginning', { home_page: 'todos', project_page: 'readme' }],
    ['changes', { diff_view: 'parallel', show_whitespace_in_diffs: 'false', view_diffs_file_by_file: 'true', tab_width: '2' }],
    ['display', { time_display_relative: 'false', first_day_of_week: 'sunday', layout: 'fluid' }],
    ['mails', { preferred_language: 'de', timezone: 'Europe/Berlin' }],
  ] as const
  for (const [section, fields] of sent) {
    const answer = await submit(`${PREFERENCES}/${section}`, fields)
    assert.deepEqual([answer.status, answer.headers.location], [303, `${PREFERENCES}#${section}`])
  }
  const { id: _, user_id: __, ...set } = (await api.get('/user/preferences')).body
  assert.deepEqual(set, {
    view_diffs_file_by_file: true,
    show_whitespace_in_diffs: false,
    diff_view: 'parallel',
    tab_width: 2,
    home_page: 'todos',
    project_page: 'readme',
    time_display_relative: false,
    first_day_of_week: 'sunday',
    layout: 'fluid',
    mail_digest: 'off',
    notified_of_own_activity: false,
    preferred_language: 'de',
    timezone: 'Europe/Berlin',
  })
  await submit(`${PREFERENCES}/mails`, { preferred_language: '', timezone: 'UTC' })
  assert.equal((await api.get('/user/preferences')).body.preferred_language, null)
  const { body } = await get(PREFERENCES)
  assert.match(body, /<body data-prefers-absolute-time="true" data-tab-width="2" data-layout="fluid">/)
  assert.match(body, /<option value="todos" selected>/)
})

test('the first page is the one that was chosen, and what waits is still there', async () => {
  const { get, prefer } = await someone()
  assert.equal((await get('/')).status, 200)
  for (const [home_page, location] of [
    ['todos', '/dashboard/todos'],
    ['starred', '/dashboard/projects?filter=starred'],
    ['merge_requests', '/dashboard/merge_requests'],
  ] as const) {
    await prefer({ home_page })
    const answer = await get('/')
    assert.deepEqual([answer.status, answer.headers.location], [303, location])
    assert.equal((await get(location)).status, 200)
  }
  assert.match((await get('/dashboard')).body, /<h1 class="sr-only">Home<\/h1>/)
})

test('the page of a project has what was chosen, for that person alone', async () => {
  const one = await someone()
  const { project, page } = await changes(one, 1)
  const shown = async (client = one) => {
    const { body } = await client.get(page)
    return {
      files: body.includes('<table class="tree'),
      readme: body.includes('aria-label="README"'),
      activity: />Activity<\/h2>/.test(body),
    }
  }
  await one.prefer({ project_page: 'readme' })
  assert.deepEqual(await shown(), { files: true, readme: false, activity: false }, 'without a README the files are shown')
  await one.api.post(`/projects/${project.id}/repository/files/README.md`, { branch: 'main', content: '# Lamps', commit_message: 'Say' })
  assert.deepEqual(await shown(), { files: false, readme: true, activity: false })
  await one.prefer({ project_page: 'activity' })
  assert.deepEqual(await shown(), { files: false, readme: false, activity: true })
  assert.deepEqual(await shown(await someone()), { files: true, readme: true, activity: false })
})

test('changes are side by side and without white space where that is preferred; an address says otherwise', async () => {
  const one = await someone()
  const { get, prefer } = one
  const { commit } = await changes(one, 2)
  await prefer({ diff_view: 'parallel', show_whitespace_in_diffs: false })
  const { body } = await get(commit)
  assert.match(body, /<table class="code diff parallel"/)
  assert.match(body, /Only white space differs/)
  assert.match(body, /href="[^"]*w=0[^"]*">Show white space/)
  const otherwise = await get(commit, { w: '0', view: 'inline' })
  assert.match(otherwise.body, /<table class="code diff inline parts"/)
  assert.doesNotMatch(otherwise.body, /Only white space differs/)
})

test('a choice in the browser holds until the preference changes', async () => {
  const one = await someone()
  const { commit } = await changes(one, 1)
  const signedIn = await scene.anonymous.post(`${scene.url}/users/sign_in`, new URLSearchParams({ login: one.person.username, password }))
  const cookieOf = (answer: { readonly headers: Readonly<Record<string, unknown>> }) => String(answer.headers['set-cookie']).split(';')[0]
  const look = (chosen: string | undefined, query = {}) =>
    scene.as({ cookie: [cookieOf(signedIn), chosen].join('; ') }).get(scene.url + commit, query)
  const parallel = /<table class="code diff parallel"/

  const beside = cookieOf(await look(undefined, { view: 'parallel' }))
  assert.match((await look(beside)).body, parallel)
  const below = cookieOf(await look(beside, { view: 'inline' }))
  assert.doesNotMatch((await look(below)).body, parallel)
  await one.prefer({ diff_view: 'parallel' })
  assert.match((await look(below)).body, parallel)
  const again = cookieOf(await look(below, { view: 'inline' }))
  assert.doesNotMatch((await look(again)).body, parallel)
})

test('file by file, a page has one file and leads to the next; addresses of others lead to the file', async () => {
  const one = await someone()
  const { commit } = await changes(one, 20)
  assert.equal(files((await one.get(commit)).body).length, 5)
  await one.prefer({ view_diffs_file_by_file: true })
  const first = await one.get(commit)
  assert.deepEqual(files(first.body), ['lamp-10.txt'])
  assert.match(first.body, /File 1 of 20/)
  assert.match(first.body, /rel="next" href="[^"]*\?file=2"/)
  assert.doesNotMatch(first.body, /rel="prev"/)
  assert.match(first.body, /href="[^"]*\?file=20#diff-/, 'the tree leads to each file')
  assert.deepEqual(files((await one.get(commit, { file: '20' })).body), ['lamp-29.txt'])
  assert.deepEqual(files((await one.get(commit, { page: '2' })).body), ['lamp-15.txt'])
  const other = await someone()
  const { body } = await other.get(commit, { file: '17' })
  assert.deepEqual([files(body).length, files(body)[0]], [5, 'lamp-25.txt'])
})

test('weeks begin on the day that is preferred', async () => {
  const one = await someone()
  const { page, project } = await changes(one, 1)
  await one.api.post(`/projects/${project.id}/issues`, { title: 'Dark', created_at: '2020-01-05T12:00:00Z' })
  const weeks = async () => {
    const { body } = await one.get(`${page}/-/value_stream_analytics`, { from: '2020-01-05', to: '2020-01-12', by: 'week' })
    return [...body.matchAll(/<tr><th scope="row">([^<]*)<\/th><td>(\d+)<\/td><td>0<\/td>/g)].map(
      ([, week, opened]) => `${week}: ${opened}`,
    )
  }
  assert.deepEqual(await weeks(), ['30 Dec 19: 1', '6 Jan 20: 0'])
  await one.prefer({ first_day_of_week: 'sunday' })
  assert.deepEqual(await weeks(), ['5 Jan 20: 1', '12 Jan 20: 0'])
  await one.prefer({ first_day_of_week: 'saturday' })
  assert.deepEqual(await weeks(), ['4 Jan 20: 1', '11 Jan 20: 0'])
})

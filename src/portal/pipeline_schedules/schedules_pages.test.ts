import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { runSchedule } from '../../ci/schedules/run.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const ci = { '.gitlab-ci.yml': 'nightly: { script: [make nightly] }\n' }

/** A project with a CI file and its members in browsers, by their roles. */
async function projectWith(...roles: readonly number[]) {
  const { project } = await scene.project({})
  await scene.commit(project, ci)
  await scene.root.post(`${project.url}/repository/branches`, { branch: 'nightly', ref: 'main' })
  const members = await Promise.all(
    roles.map(async access_level => {
      const member = await surfer()
      await scene.root.post(`${project.url}/members`, { user_id: member.person.id, access_level })
      return member
    }),
  )
  const schedules = async () => (await scene.root.get(`${project.url}/pipeline_schedules`)).body
  return { project, members, address: `/${project.full_path}/-/pipeline_schedules`, schedules }
}

const typed = {
  description: 'Nightly <b>build</b>',
  ref: 'nightly',
  interval: '0 4 * * *',
  cron: '',
  cron_timezone: 'Asia/Tokyo',
  active: 'true',
}

test('a schedule is made with its variables, listed with its next run, changed, and deleted', async () => {
  const { members, address, schedules, project } = await projectWith(30)
  const [developer] = members as [(typeof members)[number]]
  assert.match(String((await developer.get(address)).body), /No schedules yet/)

  const made = await developer.submit(`${address}/new`, { ...typed, 'variables[][key]': 'LEVEL', 'variables[][value]': 'a&b' })

  const [schedule] = await schedules()
  const one = `${address}/${schedule.id}`
  assert.equal(made.headers.location, one)
  assert.deepEqual([schedule.cron, schedule.cron_timezone, schedule.owner.id], ['0 4 * * *', 'Asia/Tokyo', developer.person.id])
  const { variables } = (
    await scene.as({ 'private-token': developer.person.token }).get(`${project.url}/pipeline_schedules/${schedule.id}`)
  ).body
  assert.deepEqual(variables, [{ variable_type: 'env_var', key: 'LEVEL', value: 'a&b' }])
  const list = String((await developer.get(address)).body)
  assert.match(list, /Nightly &lt;b&gt;build&lt;\/b&gt;[\s\S]*At 04:00[\s\S]*Asia\/Tokyo[\s\S]*04:00<\/time>[\s\S]*has not run yet/)
  const page = String((await developer.get(one)).body)
  assert.equal(page.match(/04:00<\/time>/g)?.length, 5)
  assert.ok(!page.includes('a&amp;b'), 'the value is not on the page')
  assert.match(String((await developer.get(`${one}/variables/LEVEL/value`)).body), /a&amp;b/)

  await developer.submit(`${one}/edit`, { ...typed, interval: 'custom', cron: '30 6 * * 1', active: 'false' })
  assert.match(String((await developer.get(`${address}?scope=inactive`)).body), /At 06:30, only on Monday/)
  assert.match(String((await developer.get(`${address}?scope=active`)).body), /No active schedules/)
  await developer.submit(`${one}/activate`, {})
  assert.equal((await schedules())[0].active, true)
  assert.equal((await developer.submit(`${one}/delete`, {})).headers.location, address)
  assert.deepEqual(await schedules(), [])
})

test('what is wrong is said at its field and what was typed is kept; the next runs are shown before anything is saved', async () => {
  const { members, address, schedules } = await projectWith(30)
  const [developer] = members as [(typeof members)[number]]
  const preview = await developer.submit(`${address}/new`, { ...typed, interval: 'custom', cron: '0 12 * * 5', preview: 'true' })
  const refused = await developer.submit(`${address}/new`, { ...typed, interval: 'custom', cron: 'at <noon>' })
  const empty = await developer.submit(`${address}/new`, { ...typed, interval: 'custom', cron: ' ' })
  const twice = await developer.submit(`${address}/new`, [
    ...Object.entries(typed),
    ...['1', '2'].flatMap(value => [['variables[][key]', 'A'] as const, ['variables[][value]', value] as const]),
  ])

  assert.equal(preview.status, 422)
  assert.equal(String(preview.body).match(/Fri, [^<]+ 12:00<\/time>/g)?.length, 5)
  assert.match(String(preview.body), /value="Nightly &lt;b&gt;build/)
  assert.doesNotMatch(String(preview.body), /class="wrong"/)
  assert.match(String(refused.body), /value="at &lt;noon&gt;"[\s\S]*Cron line is invalid syntax/)
  assert.match(String(empty.body), /Cron line must be given/)
  assert.match(String(twice.body), /has A twice/)
  assert.deepEqual(await schedules(), [])
  const next = await developer.get(`${address}/next_runs`, { cron: '*/5 * * * *', cron_timezone: 'UTC' })
  const [first, second] = [...String(next.body).matchAll(/<time datetime="([^"]+)"/g)].map(([, at]) => Date.parse(at as string))
  assert.equal((second as number) - (first as number), 10 * 60_000, 'no more often than schedules are run')
  assert.match(String((await developer.get(`${address}/next_runs`, { cron: '0 0 31 2 *' })).body), /never due/)
})

test('a Maintainer takes over the schedule of another user by changing it; a Developer may run it, and no more', async () => {
  const { project, members, address, schedules } = await projectWith(30, 30, 40, 20)
  const [owner, developer, maintainer, reporter] = members as [
    (typeof members)[number],
    (typeof members)[number],
    (typeof members)[number],
    (typeof members)[number],
  ]
  await owner.submit(`${address}/new`, { ...typed, 'variables[][key]': 'LEVEL', 'variables[][value]': 'secret-level' })
  const [{ id }] = await schedules()
  const one = `${address}/${id}`

  await scene.root.post(`${project.url}/pipeline_schedules`, { description: 'Of main', ref: 'main', cron: '0 1 * * *' })
  const list = String((await developer.get(address)).body)
  assert.deepEqual([list.match(/Run Nightly/g)?.length, list.match(/Run Of main/g)?.length], [2, undefined], 'main is protected')
  const seen = String((await developer.get(one)).body)
  assert.ok(!seen.includes('LEVEL') && !seen.includes('/edit"'))
  for (const path of ['edit', 'delete', 'activate', 'take_ownership', 'variables/new', 'variables/LEVEL/delete'])
    assert.equal((await developer.submit(`${one}/${path}`, typed)).status, 403, path)
  assert.equal((await developer.get(`${one}/variables/LEVEL/value`)).status, 403)
  assert.equal((await reporter.get(address)).status, 403)
  assert.equal((await developer.submit(`${one}/play`, {})).status, 303)
  await runSchedule(scene.deps, { schedule_id: id, for: { user_id: developer.person.id } })
  const { body: ran } = await scene.root.get(`${project.url}/pipeline_schedules/${id}/pipelines`)
  assert.match(String((await developer.get(one)).body), new RegExp(`/-/pipelines/${ran[0].id}"`))

  assert.match(
    String((await maintainer.get(one)).body),
    /data-turbo-confirm="Take over this schedule\? It runs with the rights of [^"]+ now\. You become its owner/,
  )
  await maintainer.submit(`${one}/variables/LEVEL/edit`, { value: '', variable_type: 'file' })
  const { body } = await scene.root.get(`${project.url}/pipeline_schedules/${id}`)
  assert.deepEqual(
    [body.owner.id, body.variables],
    [maintainer.person.id, [{ variable_type: 'file', key: 'LEVEL', value: 'secret-level' }]],
  )
  assert.equal((await owner.submit(`${one}/take_ownership`, {})).status, 403)
  assert.equal(
    (await schedules()).find((each: { id: number }) => each.id === id).owner.id,
    maintainer.person.id,
    'a Developer gets nothing back',
  )
})

test('the pages say why the last run made no pipeline, until one does', async () => {
  const { project } = await scene.project({})
  const maintainer = await surfer()
  await scene.root.post(`${project.url}/members`, { user_id: maintainer.person.id, access_level: 40 })
  const address = `/${project.full_path}/-/pipeline_schedules`
  await maintainer.submit(`${address}/new`, { ...typed, ref: 'main' })
  const [{ id }] = (await scene.root.get(`${project.url}/pipeline_schedules`)).body
  const rules = (when: string) => `nightly: { script: [make], rules: [{ if: '$CI_PIPELINE_SOURCE == "schedule"', when: ${when} }] }\n`
  const pagesAfter = async (when: string) => {
    const write = when === 'never' ? scene.root.post : scene.root.put
    await write(`${project.url}/repository/files/.gitlab-ci.yml`, { branch: 'main', content: rules(when), commit_message: when })
    await runSchedule(scene.deps, { schedule_id: id, for: { due_at: '2021-06-01T01:00:00Z' } })
    return Promise.all([address, `${address}/${id}`].map(async path => String((await maintainer.get(path)).body)))
  }

  const [list = '', one = ''] = await pagesAfter('never')
  assert.match(list, /the last run made no pipeline: No stages \/ jobs for this pipeline</)
  assert.match(one, /The last run \(<relative-time [^>]*>[^<]*<\/relative-time>\) made no pipeline: No stages \/ jobs for this pipeline\./)
  const [, to = ''] = /href="([^"]+)">See which jobs it would have, and why</.exec(one) ?? []
  const simulated = String((await maintainer.get(to.replaceAll('&amp;', '&'))).body)
  assert.match(simulated, /There would be no pipeline[\s\S]*nightly[\s\S]*rule 1<?[^<]* keeps it out/)
  for (const page of await pagesAfter('always')) assert.doesNotMatch(page, /made no pipeline/)
})

/** What runs by the clock and who may deploy, in a real browser: with a mouse, by keyboard alone, and without scripts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSchedule } from '../../src/ci/schedules/run.ts'
import { oauthScene, password } from '../../src/identity/oauth/scene.ts'
import { atEnd } from '../at_end.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { waysIn } from './hands.ts'
import { signIn, visitor } from './visitor.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const browser = await startChromium()
atEnd(() => browser.close())
const { url } = scene

/** A maintainer of a project with a CI file, in a window of theirs. */
async function maintainer(options: { javaScriptEnabled?: boolean }) {
  const { person } = await surfer()
  const { project } = await scene.project({ visibility: 'private' })
  await scene.root.post(`${project.url}/members`, { user_id: person.id, access_level: 40 })
  await scene.commit(project, { '.gitlab-ci.yml': 'nightly: { script: [make nightly] }\n' })
  const window = await visitor(browser, url, options)
  await signIn(window, url, { username: person.username, password })
  return { person, project, window, page: window.page, base: `/${project.full_path}/-` }
}

for (const [way, options, hands] of waysIn(import.meta.url))
  test(`a maintainer, ${way}, has a pipeline run by the clock, sees when, and starts it before that`, async () => {
    const { person, project, window, page, base } = await maintainer(options)
    const by = hands(page)
    const hasScripts = options.javaScriptEnabled !== false
    await window.visit(`${base}/pipelines`)
    await by.press(page.getByRole('link', { name: 'Schedules' }))
    await page.waitForURL(/\/pipeline_schedules$/)
    await window.check()
    await by.press(page.getByRole('link', { name: 'New schedule' }).first())
    await page.waitForURL(/\/pipeline_schedules\/new$/)
    await window.check()
    await by.write(page.getByLabel('What it is for'), 'Nightly build')
    await by.pick(page.getByLabel('Custom: a cron line'))
    await by.write(page.getByRole('textbox', { name: 'Cron line' }), '30 6 * * 5')
    if (!hasScripts) await by.press(page.getByRole('button', { name: 'Preview the next runs' }))
    await page.waitForSelector('text=At 06:30, only on Friday')
    assert.equal(await page.locator('#next-runs li').count(), 5)
    await window.check()
    if (hasScripts) await by.press(page.getByRole('button', { name: 'Add a variable' }))
    await by.write(page.getByLabel('Name 1'), 'LEVEL')
    await by.write(page.getByLabel('Value 1'), 'debug')
    await by.press(page.getByRole('button', { name: 'Create schedule' }))
    await page.waitForSelector('text=The schedule was made.')
    await window.check()
    await by.press(page.getByRole('link', { name: 'Show the value of LEVEL' }))
    await page.waitForSelector('code:text("debug")')
    const id = Number(/pipeline_schedules\/(\d+)/.exec(page.url())?.[1])

    await page.goto(`${url}${base}/pipeline_schedules/${id}`)
    await by.press(page.getByRole('button', { name: 'Run now' }))
    await page.waitForSelector('text=A pipeline was asked for.')
    await runSchedule(scene.deps, { schedule_id: id, for: { user_id: person.id } })
    if (!hasScripts) await page.reload()
    await page.waitForSelector('text=made by a schedule')
    await window.check()
    await window.visit(`${base}/pipeline_schedules`)
    await page.waitForSelector('.list >> text=At 06:30, only on Friday')
    assert.equal((await scene.root.get(`${project.url}/pipeline_schedules/${id}`)).body.variables[0].key, 'LEVEL')
    await window.close()
  })

for (const [way, options, hands] of waysIn(import.meta.url))
  test(`a maintainer, ${way}, lets one developer alone deploy to production, and holds deployments back on weekends`, async () => {
    const { project, window, page, base } = await maintainer(options)
    const by = hands(page)
    const developer = await scene.user()
    await scene.root.post(`${project.url}/members`, { user_id: developer.id, access_level: 30 })
    const { id } = (await scene.root.post(`${project.url}/environments`, { name: 'production' })).body
    await window.visit(`${base}/environments/${id}`)
    await by.press(page.getByRole('link', { name: 'Protect' }))
    await page.waitForURL(/protected_environments\/new/)
    await window.check()
    await by.choose(page.getByLabel('Who may deploy', { exact: true }), 'No role: only those named below')
    await by.tick(page.getByLabel(developer.name))
    await by.press(page.getByRole('button', { name: 'Protect an environment' }))
    await page.waitForSelector('text=It is protected.')
    await window.check()
    const { deploy_access_levels } = (await scene.root.get(`${project.url}/protected_environments/production`)).body
    assert.deepEqual(
      deploy_access_levels.map(({ user_id }: { user_id: number }) => user_id),
      [developer.id],
    )

    await by.press(page.getByRole('link', { name: 'Deploy freezes' }))
    await page.waitForURL(/freeze_periods$/)
    await window.check()
    await by.press(page.getByRole('link', { name: 'Add a freeze' }))
    await page.waitForURL(/freeze_periods\/new$/)
    await window.check()
    await by.press(page.getByRole('button', { name: 'Add a freeze' }))
    await page.waitForSelector('text=At 23:00, only on Friday')
    await window.check()
    await window.visit(`${base}/settings/resource_groups`)
    await window.visit(`${base}/settings/protected_branches`)
    await window.close()
  })

/** Pages on paper: a sheet cannot be scrolled sideways, so all columns stand on it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oauthScene, password } from '../../src/identity/oauth/scene.ts'
import { atEnd } from '../at_end.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { signIn, visitor } from './visitor.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const browser = await startChromium()
atEnd(() => browser.close())
const { url } = scene

/** As many px as a sheet with wide margins has. */
const SHEET = 680

test('tables with many columns fit on a sheet', async () => {
  const { person } = await surfer()
  await scene.root.put(`/users/${person.id}`, { name: 'Marguerite van der Lantern' })
  const by = scene.as({ 'private-token': person.token })
  const { group } = await scene.group()
  await scene.root.post(`${group.url}/members`, { user_id: person.id, access_level: 40 })
  const { project } = await scene.project({ group })
  await by.post(`${project.url}/issues`, { title: 'A lamp flickers' })
  const days = { start_date_is_fixed: true, start_date_fixed: '2026-01-01', due_date_is_fixed: true, due_date_fixed: '2026-12-31' }
  await by.post(`${group.url}/epics`, { title: 'Light the harbour', ...days })
  const window = await visitor(browser, url, { viewport: { width: SHEET, height: 800 } })
  await signIn(window, url, { username: person.username, password })
  await window.page.emulateMedia({ media: 'print' })
  for (const path of [
    `/groups/${group.full_path}/-/contribution_analytics`,
    `/${project.full_path}/-/issues`,
    `/${project.full_path}/-/project_members`,
    `/${project.full_path}/-/issues/1`,
    `/groups/${group.full_path}/-/roadmap`,
    '/help/getting-started',
  ]) {
    await window.page.goto(url + path)
    await window.page.locator('main').waitFor()
    const beyond = (await window.page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')) as number
    assert.ok(beyond <= 0, `${path} is ${beyond} px wider than the sheet`)
  }
  // What an attribute is called stands in the button that changes it.
  await window.page.goto(`${url}/${project.full_path}/-/issues/1`)
  await window.page.locator('.side-part h2', { hasText: 'Milestone' }).waitFor()
  await window.close()
})

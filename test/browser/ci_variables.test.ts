/** Variables and triggers of a project in a real browser: with a mouse, by keyboard alone, and without scripts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
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

for (const [way, options, hands] of waysIn(import.meta.url))
  test(`a maintainer, ${way}, gives jobs a password, looks at it again, and lets another program start pipelines`, async () => {
    const { person } = await surfer()
    const { project } = await scene.project({ visibility: 'private' })
    await scene.root.post(`${project.url}/members`, { user_id: person.id, access_level: 40 })
    const window = await visitor(browser, url, options)
    const { page } = window
    const by = hands(page)
    await signIn(window, url, { username: person.username, password })
    const base = `/${project.full_path}/-`

    await window.visit(`${base}/variables`)
    await by.press(page.getByRole('link', { name: 'Add a variable' }))
    await page.waitForURL(/\/variables\/new$/)
    await window.check()
    await by.write(page.getByRole('textbox', { name: 'Name' }), 'DEPLOY_PASSWORD')
    await by.write(page.getByLabel('Value', { exact: true }), 'correct-horse-battery')
    await by.tick(page.getByLabel('Masked', { exact: true }))
    await by.press(page.getByRole('button', { name: 'Add variable' }))
    await page.waitForSelector('text=The variable was added.')
    await window.check()
    assert.ok(!(await page.content()).includes('correct-horse'), 'the value is not in the page')
    await by.press(page.getByRole('link', { name: 'Show the value of DEPLOY_PASSWORD' }))
    await page.waitForSelector('text=correct-horse-battery')
    await window.check()

    await window.visit(`${base}/triggers`)
    await by.press(page.getByRole('link', { name: 'Add a trigger' }))
    await page.waitForURL(/\/triggers\/new$/)
    await by.write(page.getByLabel('What it is for'), 'Builds of the handbook')
    await by.press(page.getByRole('button', { name: 'Add trigger' }))
    await page.waitForSelector('text=Only you can see its token.')
    await window.check()
    await by.press(page.getByRole('link', { name: 'Show the token of Builds of the handbook' }))
    await page.waitForSelector('turbo-frame code')
    await window.check()
    await window.close()
  })

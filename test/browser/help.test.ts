/** What people do with the pages about the API and the handbook, in a real browser. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oauthScene, password } from '../../src/identity/oauth/scene.ts'
import { atEnd } from '../at_end.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { keyboard } from './hands.ts'
import { signIn, visitor } from './visitor.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const browser = await startChromium()
atEnd(() => browser.close())
const { url } = scene

test('an endpoint is found, tried with the own session by keyboard alone, and changes what it says', async () => {
  const { person } = await surfer()
  const window = await visitor(browser, url, { colorScheme: 'dark' })
  const { page } = window
  const by = keyboard(page)
  await signIn(window, url, { username: person.username, password })
  await window.visit('/-/docs')
  await by.write(page.locator('#api-search'), 'own status')
  await page.waitForSelector('#api-results .api-results li')
  await window.check()
  await page.goto(`${url}/-/docs/user_status`)

  await by.press(page.getByRole('button', { name: /^Try it: Set/ }))
  const form = page.getByRole('form', { name: /^Try it: Set/ })
  await by.press(form.locator('summary'))
  await by.write(form.getByLabel('message'), 'On the roof')
  await window.check()
  await by.press(form.getByRole('button', { name: 'Send PUT' }))

  await form.locator('[data-status]', { hasText: '200' }).waitFor()
  assert.match(await form.locator('[data-answer] pre').innerText(), /"message": "On the roof"/)
  await window.close()
})

test('the pages of help are read in a narrow window, and searched without scripts', async () => {
  const narrow = await visitor(browser, url, { viewport: { width: 360, height: 800 } })
  for (const path of ['/help', '/help/ci', '/help/permissions', '/-/docs', '/-/docs/labels']) await narrow.visit(path)
  await narrow.close()

  const plain = await visitor(browser, url, { javaScriptEnabled: false })
  await plain.visit('/help')
  await plain.page.fill('#handbook-search', 'pending job')
  await plain.page.getByRole('button', { name: 'Search', exact: true }).click()
  await plain.page.getByRole('link', { name: 'A job stays pending' }).click()
  assert.equal(new URL(plain.page.url()).hash, '#a-job-stays-pending')
  await plain.visit('/-/docs')
  await plain.page.fill('#api-search', 'create label project')
  await plain.page.getByRole('button', { name: 'Search', exact: true }).click()
  await plain.page.getByRole('link', { name: 'Create a label of a project' }).click()
  assert.equal(new URL(plain.page.url()).hash, '#post-projects-id-labels')
  await plain.close()
})

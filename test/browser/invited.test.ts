/** How people who are invited by mail get an account and work together, in a real browser: with a mouse, by keyboard alone, without scripts. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { password } from '../../src/identity/oauth/scene.ts'
import { startMailServer } from '../../src/platform/mail/scene.ts'
import { startTaskWorker } from '../../src/server/tasks.ts'
import { atEnd } from '../at_end.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { type Hands, keyboard, mouse } from './hands.ts'
import { signIn, visitor } from './visitor.ts'

const server = await startMailServer()
const scene = await openScene({ settings: { smtpUrl: `smtp://127.0.0.1:${server.port}` } })
const worker = await startTaskWorker(scene.deps, { concurrency: 1 })
atEnd(() => worker.stop())
await scene.root.put('/application/settings', { require_admin_approval_after_user_signup: false })
const browser = await startChromium()
atEnd(() => browser.close())
const { url } = scene

const ways: readonly [name: string, options: { javaScriptEnabled?: boolean }, hands: (page: Page) => Hands][] = [
  ['with a mouse', {}, mouse],
  ['by keyboard alone', {}, keyboard],
  ['without scripts', { javaScriptEnabled: false }, mouse],
]

describe('a person who is invited by mail makes an account and becomes a member', () => {
  for (const [index, [way, options, hands]] of ways.entries())
    test(way, async () => {
      const { project, owner } = await scene.project({ name: `Lanterns ${index}` })
      const [email, username] = [`nia${index}@elsewhere.example.com`, `nia-new-${index}`]
      await owner.post(`${project.url}/invitations`, { email, access_level: 30 })
      const { html } = await server.mailTo(email)
      const [, address = ''] = /<a href="([^"]+\/-\/invites\/[^"]+)">/.exec(html) ?? []
      assert.ok(address.startsWith(url), address)

      const window = await visitor(browser, url, options)
      const { page } = window
      const by = hands(page)
      await page.goto(address)
      await page.waitForSelector(`text=${project.full_path}`)
      await window.check()
      await by.press(page.getByRole('link', { name: 'Create an account' }))
      await page.waitForURL('**/users/sign_up?*')
      assert.equal(await page.getByLabel('Email').inputValue(), email)
      await by.write(page.getByLabel('Full name'), 'Nia New')
      await by.write(page.getByLabel('Username'), username)
      await by.write(page.getByLabel('Password'), password)
      await by.press(page.getByRole('button', { name: 'Create account' }))
      await page.waitForSelector('text=Your account is there')
      await signIn(window, url, { username, password })
      await page.goto(`${url}/${project.full_path}`)
      await page.waitForSelector(`h1:has-text("Lanterns ${index}")`)
      await window.close()

      const { body: members } = await owner.get(`${project.url}/members`)
      assert.ok(
        members.some((member: { username: string; access_level: number }) => member.username === username && member.access_level === 30),
      )
    })
})

describe('a person with an account accepts', () => {
  for (const [index, [way, options, hands]] of ways.entries())
    test(way, async () => {
      const { project, owner } = await scene.project({ name: `Lamps ${index}` })
      const [person, email] = [await scene.user({ password }), `old.address${index}@elsewhere.example.com`]
      await owner.post(`${project.url}/invitations`, { email, access_level: 30 })
      const { html } = await server.mailTo(email)
      const [, address = ''] = /<a href="([^"]+\/-\/invites\/[^"]+)">/.exec(html) ?? []

      const window = await visitor(browser, url, options)
      const { page } = window
      const by = hands(page)
      await page.goto(address)
      await by.press(page.getByRole('main').getByRole('link', { name: 'Sign in' }))
      await page.waitForURL('**/users/sign_in?*')
      await by.write(page.getByLabel('Username or email'), person.username)
      await by.write(page.getByLabel('Password'), password)
      await by.press(page.getByRole('button', { name: 'Sign in' }))
      await page.getByRole('main').getByText(`@${person.username}`).waitFor()
      await window.check()
      await by.press(page.getByRole('button', { name: 'Accept' }))
      await page.waitForSelector('text=You are a member now.')
      await window.close()
      assert.equal((await person.get(project.url)).status, 200)
    })
})

/** How people come back who forgot their password, in a real browser: with a mouse, by keyboard alone, without scripts. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { password } from '../../src/identity/oauth/scene.ts'
import { startMailServer } from '../../src/platform/mail/scene.ts'
import { startTaskWorker } from '../../src/server/tasks.ts'
import { atEnd } from '../at_end.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { waysIn } from './hands.ts'
import { signIn, visitor } from './visitor.ts'

const server = await startMailServer()
const scene = await openScene({ settings: { smtpUrl: `smtp://127.0.0.1:${server.port}` } })
const silent = await openScene()
for (const { deps } of [scene, silent]) {
  const worker = await startTaskWorker(deps, { concurrency: 1 })
  atEnd(() => worker.stop())
}
const browser = await startChromium()
atEnd(() => browser.close())

const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name }).first()
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

describe('a person who forgot their password comes back by mail', () => {
  for (const [way, options, hands] of waysIn(import.meta.url))
    test(way, async () => {
      const { url } = scene
      const person = await scene.user({ password })
      const window = await visitor(browser, url, options)
      const { page } = window
      const by = hands(page)

      await window.visit('/users/sign_in')
      await by.press(link(page, 'Forgot your password?'))
      await page.waitForURL('**/users/password/new')
      await window.check()
      await by.write(page.getByLabel('Email'), person.email)
      await by.press(button(page, 'Send me the link'))
      await page.waitForSelector('text=the mail with the link is on its way')
      await window.check()

      const { html } = await server.mailTo(person.email)
      const [, address = ''] = /<a href="([^"]+reset_password_token[^"]+)">/.exec(html) ?? []
      assert.ok(address.startsWith(`${url}/users/password/edit?`), address)
      await page.goto(address)
      await window.check()
      await by.write(page.getByLabel('New password'), 'password1')
      await by.press(button(page, 'Set the password'))
      await page.waitForSelector('text=commonly used combinations')
      await window.check()
      await by.write(page.getByLabel('New password'), 'seven violet lanterns')
      await by.press(button(page, 'Set the password'))
      await page.waitForSelector('text=Your password is changed')
      await signIn(window, url, { username: person.username, password: 'seven violet lanterns' })

      await page.goto(address)
      await page.waitForSelector('text=This link was used before')
      await window.check()
      await window.close()
    })
})

describe('without a mail server an administrator hands the link on', () => {
  for (const [way, options, hands] of waysIn(import.meta.url))
    test(way, async () => {
      const { url } = silent
      const [admin, person] = [await silent.user({ admin: true, password }), await silent.user({ password })]
      const asked = await visitor(browser, url, options)
      await asked.visit('/users/password/new')
      await asked.page.waitForSelector('text=This server sends no mail')
      await hands(asked.page).write(asked.page.getByLabel('Email'), person.email)
      await hands(asked.page).press(button(asked.page, 'Send me the link'))
      await asked.page.waitForSelector('text=ask one of them for the link')

      const window = await visitor(browser, url, options)
      const { page } = window
      const by = hands(page)
      await signIn(window, url, { username: admin.username, password })
      // The worker writes the mail after the answer.
      const mine = page.locator('main li', { hasText: person.email })
      while ((await mine.count()) === 0) await page.goto(`${url}/-/mails`)
      await window.check()
      await by.press(mine.getByRole('link'))
      await page.waitForSelector('h1:has-text("Set a new password")')
      await window.check()
      await by.press(link(page, 'As mail programs show it'))
      await page.waitForSelector('text=The link works once')
      await page.goBack()
      await by.press(page.locator('pre').getByRole('link', { name: /reset_password_token/ }))
      await page.waitForSelector('text=You are signed out everywhere')
      await window.check()
      await asked.close()
      await window.close()
    })
})

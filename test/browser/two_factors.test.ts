/** Two factors in a real browser: an app, a recovery code, a passkey of a virtual authenticator, and a group that requires them. */
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { password } from '../../src/identity/oauth/scene.ts'
import { appWith, requireOf } from '../../src/identity/two_factor/scene.ts'
import { atEnd } from '../at_end.ts'
import { openScene } from '../scene.ts'
import { addAuthenticator, keyFormReady } from './authenticator.ts'
import { startChromium } from './chromium.ts'
import { waysIn } from './hands.ts'
import { visitor } from './visitor.ts'

const scene = await openScene()
// No code ends while it is typed.
scene.setTime(new Date().toISOString())
const browser = await startChromium()
atEnd(() => browser.close())

// Authenticators bind their keys to a name: an address is none.
const url = scene.url.replace('127.0.0.1', 'localhost')

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

describe('required two factors arrive in my group: an app, a sign-in with a code, one with a recovery code, a confirmation by a code', () => {
  for (const [way, options, hands] of waysIn(import.meta.url))
    test(way, async () => {
      const { group } = await scene.group()
      const person = await scene.user({ password })
      await scene.root.post(`${group.url}/members`, { user_id: person.id, access_level: 30 })
      const window = await visitor(browser, url, options)
      const { page } = window
      const by = hands(page)
      const firstStep = async () => {
        await page.goto(`${url}/users/sign_in`)
        await by.write(page.getByLabel('Username or email'), person.username)
        await by.write(page.getByLabel('Password'), password)
        await by.press(button(page, 'Sign in'))
      }
      await firstStep()
      await page.waitForURL(`${url}/`)
      await requireOf(scene, group, 0)

      await page.goto(`${url}/explore`)
      await page.waitForURL(`${url}/-/profile/two_factor`)
      await page.waitForSelector('text=Your account must have two-factor authentication')
      await by.press(page.getByRole('link', { name: 'Add an app' }))
      await page.waitForURL('**/two_factor/app')
      const app = appWith((await page.locator('[aria-labelledby=typed-secret]').textContent()) ?? '', scene.deps.now)
      await by.write(page.getByLabel('Code'), app.code(-1))
      await by.press(button(page, 'Turn on'))
      await page.waitForSelector('.recovery-codes')
      await window.check()
      const code = (await page.locator('.recovery-codes li').first().textContent()) ?? ''
      await by.press(page.getByRole('link', { name: 'I have kept them' }))
      await page.waitForSelector('text=10 of 10 left')
      await window.check()

      for (const given of [() => app.code(), () => code]) {
        await page.context().clearCookies()
        await firstStep()
        await page.waitForURL('**/users/two_factor*')
        await window.check()
        await by.write(page.getByLabel('Code'), given())
        await by.press(button(page, 'Verify'))
        await page.waitForURL(`${url}/`)
      }
      await page.goto(`${url}/-/profile/two_factor`)
      await page.waitForSelector('text=9 of 10 left')

      // What is dangerous is confirmed by a code, too.
      await scene.deps.database.db
        .updateTable('sessions')
        .set({ confirmed_at: new Date(0) })
        .where('user_id', '=', person.id)
        .execute()
      await page.goto(`${url}/-/profile/personal_access_tokens`)
      await by.write(page.getByRole('textbox', { name: 'Name' }), 'laptop')
      await by.tick(page.locator('input[value=read_api]'))
      await by.press(button(page, 'Create token'))
      await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor()
      await window.check()
      await by.write(page.getByLabel('Or a code of your app'), code)
      await by.press(button(page, 'Confirm by the code'))
      await page.getByText('The code is wrong').waitFor()
      await by.write(page.getByLabel('Or a code of your app'), app.code(1))
      await by.press(button(page, 'Confirm by the code'))
      await page.locator('[role=status] code').first().waitFor()
      await window.check()
      await window.close()
    })
})

test('a passkey is made, and signs in without a password', async () => {
  const person = await scene.user({ password })
  const window = await visitor(browser, url)
  const { page } = window
  await addAuthenticator(page)
  await page.goto(`${url}/users/sign_in`)
  await page.getByLabel('Username or email').fill(person.username)
  await page.getByLabel('Password').fill(password)
  await button(page, 'Sign in').click()
  await page.waitForURL(`${url}/`)
  await window.visit('/-/profile/two_factor/passkeys/new')
  await page.getByRole('textbox', { name: 'Name' }).fill('Laptop')
  await keyFormReady(page)
  await button(page, 'Add the passkey').click()
  await page.waitForSelector('text=The passkey was added')
  await window.check()

  await page.context().clearCookies()
  await window.visit('/users/sign_in')
  await page.getByRole('link', { name: 'Sign in with a passkey' }).click()
  await page.waitForURL('**/users/passkeys*')
  await keyFormReady(page)
  await window.check()
  await button(page, 'Use a passkey').click()
  await page.waitForURL(`${url}/`)
  await window.close()
})

/** A person lets an application act for them from an older session: consent, confirmation, back at the consent by Cancel, and the code. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { oauthScene, password } from '../../src/identity/oauth/scene.ts'
import { atEnd } from '../at_end.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { waysIn } from './hands.ts'
import { visitor } from './visitor.ts'

const scene = await openScene()
const { app } = oauthScene(scene)
const browser = await startChromium()
atEnd(() => browser.close())

/** The site of the application: another origin, where the browser has to arrive from the form. */
const site = createServer((_request, response) => response.end('Welcome back'))
await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve))
atEnd(() => new Promise<void>(resolve => void site.close(() => resolve())))
const callback = `http://127.0.0.1:${(site.address() as AddressInfo).port}/callback`

describe('consent from an older session is confirmed', () => {
  for (const [way, options, hands] of waysIn(import.meta.url))
    test(way, async () => {
      const { client_id } = await app({ redirect_uri: callback, scopes: 'api' })
      const person = await scene.user({ password })
      const window = await visitor(browser, scene.url, options)
      const { page } = window
      const by = hands(page)
      const button = (name: string) => page.getByRole('button', { name, exact: true })
      await page.goto(`${scene.url}/users/sign_in`)
      await by.write(page.getByLabel('Username or email'), person.username)
      await by.write(page.getByLabel('Password'), password)
      await by.press(button('Sign in'))
      await page.waitForURL(`${scene.url}/`)
      await scene.deps.database.db
        .updateTable('sessions')
        .set({ confirmed_at: new Date(0) })
        .where('user_id', '=', person.id)
        .execute()

      const query = new URLSearchParams({ client_id, redirect_uri: callback, response_type: 'code', scope: 'api', state: 'a b&c' })
      await page.goto(`${scene.url}/oauth/authorize?${query}`)
      const confirmation = page.getByRole('heading', { name: 'Confirm that it is you' })
      await by.press(button('Authorize'))
      await confirmation.waitFor()
      await window.check()
      await by.write(page.getByLabel('Your password'), 'not this one')
      await by.press(button('Confirm'))
      await page.getByText('The password is wrong').waitFor()
      await by.press(page.getByRole('link', { name: 'Cancel' }))
      await page.getByRole('heading', { name: 'Authorize Time sheet?' }).waitFor()
      assert.deepEqual(Object.fromEntries(new URL(page.url()).searchParams), Object.fromEntries(query))
      await by.press(button('Authorize'))
      await confirmation.waitFor()
      await by.write(page.getByLabel('Your password'), password)
      await by.press(button('Confirm'))
      await page.getByText('Welcome back').waitFor()
      const { searchParams } = new URL(page.url())
      assert.equal(searchParams.get('state'), 'a b&c')
      assert.match(String(searchParams.get('code')), /^[0-9a-f]{64}$/)
      await window.close()
    })
})

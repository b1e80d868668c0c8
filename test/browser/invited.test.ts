/** How people who are invited by mail get an account and work together, in a real browser: with a mouse, by keyboard alone, without scripts. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { password } from '../../src/identity/oauth/scene.ts'
import { startMailServer } from '../../src/platform/mail/scene.ts'
import { startTaskWorker } from '../../src/server/tasks.ts'
import { atEnd } from '../at_end.ts'
import { openCheckouts } from '../clients/checkouts.ts'
import { openWorkbench } from '../clients/workbench.ts'
import { openScene } from '../scene.ts'
import { addAuthenticator, keyFormReady } from './authenticator.ts'
import { startChromium } from './chromium.ts'
import { waysIn } from './hands.ts'
import { signIn, visitor } from './visitor.ts'

const server = await startMailServer()
const scene = await openScene({ settings: { smtpUrl: `smtp://127.0.0.1:${server.port}` } })
const worker = await startTaskWorker(scene.deps, { concurrency: 1 })
atEnd(() => worker.stop())
await scene.root.put('/application/settings', { require_admin_approval_after_user_signup: false })
const browser = await startChromium()
atEnd(() => browser.close())
const checkouts = await openCheckouts(scene, await openWorkbench())

// Authenticators bind their keys to a name: an address is none.
const url = scene.url.replace('127.0.0.1', 'localhost')

describe('a person who is invited by mail makes an account, adds a passkey, signs in with it, and pushes with a token', () => {
  for (const [index, [way, options, hands]] of waysIn(import.meta.url).entries())
    test(way, async () => {
      const { project, owner } = await scene.project({ name: `Lanterns ${index}` })
      // The first branch is protected: members push to others.
      await owner.post(`${project.url}/repository/files/README.md`, { branch: 'main', content: '# Lanterns\n', commit_message: 'Begin' })
      const [email, username] = [`nia${index}@elsewhere.example.com`, `nia-new-${index}`]
      await owner.post(`${project.url}/invitations`, { email, access_level: 30 })
      const { html } = await server.mailTo(email)
      const [, address = ''] = /<a href="([^"]+\/-\/invites\/[^"]+)">/.exec(html) ?? []
      assert.ok(address.startsWith(scene.url), address)

      const window = await visitor(browser, url, options)
      const { page } = window
      const by = hands(page)
      const button = (name: string) => page.getByRole('button', { name, exact: true })
      const link = (name: string) => page.getByRole('link', { name, exact: true })
      await page.goto(address.replace(scene.url, url))
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

      // A key talks to the browser by a script alone.
      if (options.javaScriptEnabled !== false) {
        await addAuthenticator(page)
        await page.goto(`${url}/-/profile/two_factor`)
        await by.press(link('Add a passkey'))
        await page.waitForURL('**/passkeys/new')
        await by.write(page.getByRole('textbox', { name: 'Name' }), 'Laptop')
        await keyFormReady(page)
        await by.press(button('Add the passkey'))
        await page.waitForSelector('text=The passkey was added')
        await window.check()
        await page.context().clearCookies()
        await page.goto(`${url}/users/sign_in?redirect=${encodeURIComponent(`/${project.full_path}`)}`)
        await by.press(link('Sign in with a passkey'))
        await page.waitForURL('**/users/passkeys*')
        await keyFormReady(page)
        await by.press(button('Use a passkey'))
        await page.waitForURL(`${url}/${project.full_path}`)

        // The passkey confirms what is dangerous, too.
        await scene.deps.database.db
          .updateTable('sessions')
          .set({ confirmed_at: new Date(0) })
          .execute()
      }
      await page.goto(`${url}/${project.full_path}`)
      await page.waitForSelector(`h1:has-text("Lanterns ${index}")`)
      const { body: members } = await owner.get(`${project.url}/members`)
      assert.ok(
        members.some((member: { username: string; access_level: number }) => member.username === username && member.access_level === 30),
      )

      await page.goto(`${url}/-/profile/personal_access_tokens`)
      await by.write(page.getByRole('textbox', { name: 'Name' }), 'laptop')
      await by.tick(page.locator('input[value=write_repository]'))
      await by.press(button('Create token'))
      if (options.javaScriptEnabled !== false) {
        await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor()
        await keyFormReady(page)
        await window.check()
        await by.press(button('Use a passkey'))
      }
      const token = (await page.locator('[role=status] code').first().textContent()) ?? ''
      await window.check()
      await window.close()

      const folder = await checkouts.clone(checkouts.address(project, { user: username, password: token }))
      await checkouts.git(folder, 'switch', '--quiet', '--create', 'first-lamp')
      const id = await checkouts.commit(folder, { 'lamp.txt': 'A lamp\n' })
      await checkouts.git(folder, 'push', '--quiet', 'origin', 'first-lamp')
      assert.equal((await owner.get(`${project.url}/repository/branches/first-lamp`)).body.commit.id, id)
    })
})

describe('a person with an account accepts', () => {
  for (const [index, [way, options, hands]] of waysIn(import.meta.url).entries())
    test(way, async () => {
      const { project, owner } = await scene.project({ name: `Lamps ${index}` })
      const [person, email] = [await scene.user({ password }), `old.address${index}@elsewhere.example.com`]
      await owner.post(`${project.url}/invitations`, { email, access_level: 30 })
      const { html } = await server.mailTo(email)
      const [, address = ''] = /<a href="([^"]+\/-\/invites\/[^"]+)">/.exec(html) ?? []

      const window = await visitor(browser, url, options)
      const { page } = window
      const by = hands(page)
      await page.goto(address.replace(scene.url, url))
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

/** Static sites in a real browser: a private one is read after a sign-in at the instance, which gives no cookie of its own away. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { siteIn, sitesOf } from '../../src/delivery/sites/scene.ts'
import { oauthScene, password } from '../../src/identity/oauth/scene.ts'
import { atEnd } from '../at_end.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { mouse, waysIn } from './hands.ts'
import { signIn, visitor } from './visitor.ts'

/** A port that is free; the address of sites must have it before they are served. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const port = await freePort()
const scene = await openScene({ settings: { pagesUrl: `http://pages.localhost:${port}` } })
await sitesOf(scene)
const { surfer } = oauthScene(scene)
const browser = await startChromium()
atEnd(() => browser.close())
const { url } = scene

/** A project with a private site, and a person with a role in it. */
async function privateSite(access_level: number) {
  const { person } = await surfer()
  const { project, owner } = await scene.project({ visibility: 'private' })
  await scene.root.post(`${project.url}/members`, { user_id: person.id, access_level })
  const index = '<!doctype html><title>Handbook</title><h1>The handbook</h1><p id="cookies"></p><script src="app.js"></script>'
  await siteIn(scene, project, owner, {
    'public/index.html': index,
    'public/app.js': 'document.querySelector("#cookies").textContent = `cookies: ${document.cookie}.`',
  })
  const [top, ...rest] = project.full_path.split('/')
  return { person, project, address: `http://${top?.toLowerCase()}.pages.localhost:${port}/${rest.join('/')}/` }
}

test('a member follows a link to a private site, signs in and reads it, until the account is blocked', async () => {
  const { person, address } = await privateSite(10)
  const window = await visitor(browser, url)
  const { page } = window
  const by = mouse()

  await page.goto(address)
  await page.getByLabel('Username or email').waitFor()
  assert.equal(new URL(page.url()).origin, url, 'the password is typed at the instance')
  await by.write(page.getByLabel('Username or email'), person.username)
  await by.write(page.getByLabel('Password', { exact: true }), password)
  await by.press(page.getByRole('button', { name: 'Sign in', exact: true }))
  await page.waitForURL(address)
  await page.getByRole('heading', { name: 'The handbook' }).waitFor()
  await page.getByText('cookies: .').waitFor()
  const cookies = await page.context().cookies(address)
  assert.deepEqual(
    cookies.map(({ name, httpOnly }) => [name, httpOnly]),
    [['ingot_site', true]],
  )

  await page.context().clearCookies({ name: 'ingot_site' })
  await page.goto(address)
  await page.getByRole('heading', { name: 'The handbook' }).waitFor()
  await scene.root.post(`/users/${person.id}/block`)
  await page.goto(address)
  await page.getByLabel('Username or email').waitFor()
  await window.close()
})

for (const [way, options, hands] of waysIn(import.meta.url))
  test(`a maintainer, ${way}, adds a domain to the site, and sees what to set for it`, async () => {
    const { person, project, address } = await privateSite(40)
    const window = await visitor(browser, url, options)
    const { page } = window
    const by = hands(page)
    await signIn(window, url, { username: person.username, password })

    await window.visit(`/${project.full_path}/-/pages`)
    await page.getByRole('link', { name: address }).waitFor()
    await by.press(page.getByRole('link', { name: 'Add domain' }))
    await page.waitForURL(/\/pages\/new$/)
    await window.check()
    await by.write(page.getByLabel('Domain', { exact: true }), `www.${project.id}.example.org`)
    await by.press(page.getByRole('button', { name: 'Add domain' }))
    await page.waitForSelector('text=The domain was added.')
    await window.check()
    assert.equal(
      await page.getByLabel('name of the record', { exact: true }).inputValue(),
      `_gitlab-pages-verification-code.www.${project.id}.example.org`,
    )
    assert.match(await page.getByLabel('text of the record', { exact: true }).inputValue(), /^gitlab-pages-verification-code=[0-9a-f]{32}$/)
    await window.close()
  })

/** A webhook that fails, and an access token, in a real browser: with a mouse, by keyboard alone, and without scripts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oauthScene, password } from '../../src/identity/oauth/scene.ts'
import { openReceiver, workOf } from '../../src/integrations/hooks/scene.ts'
import { atEnd } from '../at_end.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { waysIn } from './hands.ts'
import { shows, signIn, visitor } from './visitor.ts'

const scene = await openScene({ settings: { outboundAllow: '127.0.0.1' } })
const { surfer } = oauthScene(scene)
const { deliver } = workOf(scene)
const browser = await startChromium()
atEnd(() => browser.close())
const { url } = scene

for (const [way, options, hands] of waysIn(import.meta.url))
  test(`a maintainer, ${way}, sets up a hook, sees it fail, mends it and sends again; and gives a program a token for a while`, async () => {
    const hasScripts = options.javaScriptEnabled !== false
    let status = 503
    const receiver = await openReceiver((_request, response) => void response.writeHead(status).end('<b>no wick</b>'))
    const { person } = await surfer()
    const { project } = await scene.project({ visibility: 'private' })
    await scene.root.post(`${project.url}/members`, { user_id: person.id, access_level: 40 })
    await scene.commit(project, { 'lamp.txt': 'lit' })
    // What has happened so far is not for the hook.
    await deliver()
    const window = await visitor(browser, url, options)
    const { page } = window
    page.on('dialog', dialog => void dialog.accept())
    const by = hands(page)
    const main = page.getByRole('main')
    const link = (name: string) => main.getByRole('link', { name, exact: true }).first()
    const button = (name: string) => main.getByRole('button', { name, exact: true }).first()
    await signIn(window, url, { username: person.username, password })
    await window.visit(`/${project.full_path}`)
    await by.press(page.getByRole('navigation', { name: /^Tabs/ }).getByRole('link', { name: 'Settings' }))
    await by.press(link('Webhooks'))
    await by.press(link('Add webhook'))
    await page.waitForURL(/\/hooks\/new$/)
    await window.check()
    await by.write(main.getByLabel('Address'), receiver.url)
    await by.write(main.getByLabel(/^Secret token/), 'hush')
    await by.press(button('Add webhook'))
    await page.waitForSelector('text=The webhook was added.')
    await window.check()

    await by.press(link(receiver.url))
    await page.waitForURL(/\/hooks\/\d+$/)
    await by.press(button('Try with: Pushes to branches'))
    await page.waitForSelector('text=A trial is on its way.')
    await deliver()
    await shows(page, { hasScripts }, '.list >> text=Is tried again')
    await window.check()
    await by.press(main.locator('.list').getByRole('link', { name: 'Pushes to branches' }).first())
    await page.waitForSelector('text=<b>no wick</b>')
    await window.check()
    assert.ok(!(await page.content()).includes('hush'), 'the secret token is on no page')

    status = 200
    await by.press(button('Send again'))
    await page.waitForSelector('text=Delivered 200')
    await window.check()
    assert.deepEqual(receiver.received.at(-1)?.body, receiver.received[0]?.body)

    await by.press(link('Access tokens'))
    await by.press(link('Add token'))
    await page.waitForURL(/\/access_tokens\/new$/)
    await window.check()
    await by.write(main.getByLabel('Name', { exact: true }), 'robot')
    await by.tick(main.getByRole('checkbox', { name: /^read_api/ }))
    await by.press(button('Add token'))
    const secret = String(await main.locator('[role=status] code').textContent())
    assert.equal((await scene.as({ 'private-token': secret }).get(project.url)).status, 200)
    await window.check()
    await by.press(link('Back to: Access tokens'))
    await by.press(button('Revoke: robot'))
    await main.getByText('robot').waitFor({ state: 'detached' })
    assert.equal((await scene.as({ 'private-token': secret }).get('/user')).status, 401)
    await window.close()
  })

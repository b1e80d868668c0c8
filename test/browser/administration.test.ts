/**
 * What administrators do with projects, groups, flags and applications, and people with what they let act for them, in a real browser: with a mouse, by
 * keyboard alone and without scripts.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { callback, oauthScene, password } from '../../src/identity/oauth/scene.ts'
import { startTaskWorker } from '../../src/server/tasks.ts'
import { atEnd } from '../at_end.ts'
import { eventually } from '../eventually.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { type Way, waysIn } from './hands.ts'
import { signedIn } from './visitor.ts'

const scene = await openScene()
const worker = await startTaskWorker(scene.deps, { concurrency: 2 })
atEnd(() => worker.stop())
const { app, authorize, surfer, token } = oauthScene(scene)
const browser = await startChromium()
atEnd(() => browser.close())
const { url } = scene

/** A person at work in a window; what asks whether one is sure is answered yes. */
async function at([, options, hands]: Way, { username }: { readonly username: string }) {
  const window = await signedIn(browser, url, options, { username, password })
  const { page } = window
  const main = page.getByRole('main')
  return {
    window,
    page,
    by: hands(page),
    main,
    button: (name: string | RegExp) => main.getByRole('button', { name, exact: typeof name === 'string' }).first(),
    link: (name: string | RegExp) => main.getByRole('link', { name, exact: typeof name === 'string' }).first(),
    field: (label: string) => main.getByLabel(new RegExp(`^${label}`)).first(),
    said: (what: string) => notice(page, what),
  }
}

/** Waits for what the page says after something was done. */
const notice = (page: Page, what: string) => page.waitForSelector(`.notice:has-text("${what}")`)

for (const way of waysIn(import.meta.url))
  test(`an administrator, ${way[0]}, finds a project, renames, archives and moves it, and deletes it by its path`, async () => {
    const admin = await surfer({ admin: true })
    const { project } = await scene.project()
    const { group } = await scene.group()
    const { window, page, by, button, link, field, said } = await at(way, admin.person)
    const read = async () => (await scene.root.get(`/projects/${project.id}`)).body
    const find = async () => {
      await window.visit('/admin/projects')
      await by.write(field('Name'), project.path)
      await by.press(button('Filter'))
      await page.waitForURL(/search=/)
    }

    await find()
    await by.press(link(`Settings of ${project.full_path}`))
    await page.waitForURL(/\/-\/(settings|edit)$/)
    await page.goto(`${url}/${project.full_path}/-/edit`)
    await by.write(page.locator('#naming input[name=name]'), `Lighthouse ${project.id}`)
    await by.press(page.locator('#naming').getByRole('button', { name: 'Save changes' }))
    await said('Saved')
    assert.equal((await read()).name, `Lighthouse ${project.id}`)

    await find()
    await by.press(button(`Archive ${project.full_path}`))
    await said('The project is archived.')
    assert.equal((await read()).archived, true)
    await find()
    await by.press(button(`Unarchive ${project.full_path}`))
    await said('The project can be changed again.')

    await find()
    await by.press(link(`Transfer ${project.full_path}`))
    await page.getByRole('heading', { level: 1, name: `Transfer ${project.full_path}` }).waitFor()
    await window.check()
    await by.write(field('To'), 'no/such/group')
    await by.press(button('Transfer project'))
    await page.waitForSelector('.wrong:has-text("is no group and no account")')
    await by.write(field('To'), group.full_path)
    await by.press(button('Transfer project'))
    await said('The project was moved.')
    const moved = `${group.full_path}/${project.path}`
    assert.equal((await read()).path_with_namespace, moved)

    await find()
    await by.press(link(`Delete ${moved}`))
    await page.getByRole('heading', { level: 1, name: `Delete ${moved}` }).waitFor()
    await window.check()
    await by.write(field('Full path'), project.full_path)
    await by.press(button('Delete the project'))
    await page.waitForSelector('.wrong:has-text("is not the path of this place")')
    await window.check()
    await by.write(field('Full path'), moved)
    await by.press(button('Delete the project'))
    await said('The project is being deleted.')
    await eventually(async () => (await scene.root.get(`/projects/${project.id}`)).status === 404, 'the project to be gone')
    await window.check()
    await window.close()
  })

for (const way of waysIn(import.meta.url))
  test(`an administrator, ${way[0]}, finds a group, renames it, moves it into another, and deletes it by its path`, async () => {
    const admin = await surfer({ admin: true })
    const [{ group }, { group: above }] = [await scene.group(), await scene.group()]
    const { window, page, by, button, link, field, said } = await at(way, admin.person)
    const read = async () => (await scene.root.get(`/groups/${group.id}`)).body
    const find = async () => {
      await window.visit('/admin/groups')
      await by.write(field('Name'), group.path)
      await by.press(button('Filter'))
      await page.waitForURL(/search=/)
    }

    await find()
    await by.press(link(`Settings of ${group.full_path}`))
    await page.waitForURL(/\/-\/(settings|edit)$/)
    await page.goto(`${url}/groups/${group.full_path}/-/edit`)
    await window.check()
    await by.write(page.locator('#naming input[name=name]'), `Harbour ${group.id}`)
    await by.press(page.locator('#naming').getByRole('button', { name: 'Save changes' }))
    await said('Saved')
    assert.equal((await read()).name, `Harbour ${group.id}`)
    await by.choose(page.getByLabel('Where to'), above.full_path)
    await by.press(button('Move the group'))
    await page.waitForURL(new RegExp(above.path))
    const moved = `${above.full_path}/${group.path}`
    assert.equal((await read()).full_path, moved)

    await find()
    await by.press(link(`Delete ${moved}`))
    await page.getByRole('heading', { level: 1, name: `Delete ${moved}` }).waitFor()
    await by.write(field('Full path'), group.path)
    await by.press(button('Delete the group'))
    await page.waitForSelector('.wrong:has-text("is not the path of this place")')
    await window.check()
    await by.write(field('Full path'), moved)
    await by.press(button('Delete the group'))
    await said('The group is being deleted.')
    await eventually(async () => (await scene.root.get(`/groups/${group.id}`)).status === 404, 'the group to be gone')
    await window.close()
  })

for (const way of waysIn(import.meta.url))
  test(`an administrator, ${way[0]}, switches a flag of the instance on for some, off and back, and gives an application another secret`, async () => {
    const admin = await surfer({ admin: true })
    const { window, page, by, main, button, link, field, said } = await at(way, admin.person)
    await window.visit('/admin/features')
    const name = (await main.locator('.list li code').first().textContent()) as string
    await by.press(link(new RegExp(`^For some ?: ${name}$`)))
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    await window.check()
    await by.choose(field('Value'), '25 %')
    await by.press(button('Set flag'))
    await said('The flag was set.')
    const state = async () => (await scene.root.get('/features')).body.find((flag: { name: string }) => flag.name === name)?.state
    assert.equal(await state(), 'conditional')
    await by.press(button(`Switch off: ${name}`))
    await button(`Switch off: ${name}`).waitFor({ state: 'detached' })
    assert.equal(await state(), 'off')
    await by.press(button(`Forget ${name}`))
    await said('The flag is as this version has it.')
    assert.equal(await state(), undefined)

    const { id, secret } = await app({ name: `Pilot ${way[0]}` })
    await window.visit(`/admin/applications/${id}`)
    await by.press(button('Renew secret'))
    const fresh = (await main.locator('[role=status] code').textContent()) as string
    assert.notEqual(fresh, secret)
    await window.check()
    await window.visit(`/admin/applications/${id}`)
    assert.ok(!(await page.content()).includes(fresh), 'a secret is shown once')
    await window.close()
  })

for (const way of waysIn(import.meta.url))
  test(`a person, ${way[0]}, sees which application acts for them, and takes that back`, async () => {
    const person = await surfer()
    const name = `Time sheet ${way[0]}`
    const application = await app({ name })
    const code = (await authorize(person, application, { scope: 'read_user' })).get('code')
    const { client_id, secret } = application
    const exchange = { grant_type: 'authorization_code', client_id, client_secret: secret, redirect_uri: callback, code: String(code) }
    assert.equal((await token(exchange)).status, 200)
    const { window, page, by, button, said } = await at(way, person.person)
    await page.goto(`${url}/-/profile/applications`)
    await page.getByRole('heading', { name: 'Authorised applications' }).waitFor()
    await page.waitForSelector(`.list:has-text("${name}"):has-text("read_user")`)
    await window.check()
    await by.press(button(`Revoke: ${name}`))
    await said('The application has no access any more.')
    await page.waitForSelector('text=Nothing here yet')
    await window.check()
    await window.close()
  })

/** What people do with settings, in a real browser: find one and change it, meet what is the owner's, and delete a project. */
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

/** A private project in a group. */
async function place() {
  const { group } = await scene.group()
  const { project } = await scene.project({ group, visibility: 'private' })
  return { group, project }
}

/** A member of a project, in a window. */
async function member(access_level: number, options: { javaScriptEnabled?: boolean } = {}) {
  const { person } = await surfer()
  const { group, project } = await place()
  await scene.root.post(`${access_level === 50 ? group.url : project.url}/members`, { user_id: person.id, access_level })
  const window = await visitor(browser, url, options)
  await signIn(window, url, { username: person.username, password })
  return { project, window, page: window.page, base: `/${project.full_path}`, read: async () => (await scene.root.get(project.url)).body }
}

/** The palette takes a script. */
const scripted = waysIn(import.meta.url).filter(([, { javaScriptEnabled }]) => javaScriptEnabled !== false)

for (const [way, , hands] of scripted)
  test(`a maintainer, ${way}, finds a setting by the palette and changes it`, async () => {
    const { window, page, base, read } = await member(40)
    const by = hands(page)
    await window.visit(base)
    await page.keyboard.press('Control+k')
    await page.waitForSelector('command-palette dialog[open]')
    await page.keyboard.type('squash')
    await page.waitForSelector('command-palette [role=option]:has-text("Squash the commits into one")')
    await page.keyboard.press('Enter')
    await page.waitForURL(/settings\/merge_requests#field-squash_option$/)
    await page.waitForSelector('#field-squash_option:focus')
    await window.check()
    await by.pick(page.locator('input[name=squash_option][value=always]'))
    await by.press(page.locator('#merging').getByRole('button', { name: 'Save changes' }))
    await page.waitForSelector('#merging .notice:has-text("Saved: How they are merged."):focus')
    assert.equal((await read()).squash_option, 'always')
    assert.equal(await page.getByText('Saved: How they are merged.').count(), 1)
    await window.check()
    await window.close()
  })

test('a maintainer sees who may change what is the owner’s', async () => {
  const { window, page, base } = await member(40)
  await window.visit(`${base}/-/edit`)
  assert.ok(await page.locator('input[name=visibility][value=public]').isDisabled())
  await page.waitForSelector('#visibility >> text=Only owners can change this.')
  await page.waitForSelector('#delete >> text=Only owners can do this.')
  await page.setViewportSize({ width: 360, height: 800 })
  await window.check()
  await window.visit(`${base}/-/settings/ci_cd`)
  await window.visit(`${base}/-/settings/repository`)
  await page.locator('#field-autoclose_referenced_issues').waitFor({ state: 'detached' })
  await window.close()
})

test('who writes into a field of a page that has just come stays there, though the page leads to what is wrong', async () => {
  const { window, page, base } = await member(50)
  // The first frames of the page with the refusal come when the test says so.
  await page.addInitScript(`{
    const draw = window.requestAnimationFrame.bind(window)
    window.held = []
    let holds = false
    window.requestAnimationFrame = run => holds ? held.push(run) : draw(run)
    document.addEventListener('turbo:render', () => { holds = true })
    window.drawHeld = () => { holds = false; for (const run of held.splice(0)) run(0) }
  }`)
  await window.visit(`${base}/-/edit`)
  await page.locator('#delete input[name=full_path]').fill('elsewhere')
  await page.locator('#delete').getByRole('button').click()
  await page.waitForSelector('#delete[data-arrive] .wrong')
  const name = page.locator('main input[name=name]')
  await name.fill('Lamps')

  await page.evaluate('drawHeld()')

  await page.waitForSelector('#delete:not([data-arrive])')
  assert.ok(
    await name.evaluate(field => field === (field as unknown as { ownerDocument: { activeElement: unknown } }).ownerDocument.activeElement),
  )
  await window.close()
})

test('an owner, without scripts, sees what is wrong, and deletes a project by typing its path', async () => {
  const { window, page, base, project } = await member(50, { javaScriptEnabled: false })
  await window.visit(`${base}/edit`)
  await page.waitForURL(/\/-\/edit$/)
  const form = page.locator('#delete form')
  await form.locator('input[name=full_path]').fill(base.slice(2))
  await form.getByRole('button').click()
  await page.waitForSelector('#delete .wrong:has-text("is not the path of this place")')
  await page.locator('#delete input[name=full_path]').fill(base.slice(1))
  await page.locator('#delete').getByRole('button').click()
  await page.waitForSelector('text=The project was deleted.')
  assert.equal((await scene.root.get(project.url)).status, 404)
  await window.close()
})

test('groups and the instance have their settings too', async () => {
  const { person } = await surfer({ admin: true })
  const { group, project } = await place()
  const window = await visitor(browser, url)
  await signIn(window, url, { username: person.username, password })
  const at = `/groups/${group.full_path}`
  await scene.root.post(`${group.url}/members`, { user_id: person.id, access_level: 50 })
  for (const address of [
    `${at}/-/edit`,
    `${at}/-/settings/ci_cd`,
    `${at}/-/settings/repository`,
    `${at}/-/settings/search?search=subgroup`,
    `/${project.full_path}/-/settings/merge_requests/approval_rules/new`,
    ...['general', 'accounts', 'credentials', 'repository', 'ci_cd', 'search?search=scim'].map(
      rest => `/admin/application_settings/${rest}`,
    ),
  ])
    await window.visit(address)
  await window.close()
})

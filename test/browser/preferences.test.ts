/** What a person prefers, in a real browser: it is chosen, and seen wherever it concerns; and tables on narrow windows. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oauthScene, password } from '../../src/identity/oauth/scene.ts'
import { atEnd } from '../at_end.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { waysIn } from './hands.ts'
import { signedIn, signIn, visitor } from './visitor.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const browser = await startChromium()
atEnd(() => browser.close())
const { url } = scene

/** A person with a project whose last commit changes three files. */
async function place() {
  const { person } = await surfer()
  const { project } = await scene.project({ owner: person })
  const files = (content: string) => Object.fromEntries(['a.txt', 'b.txt', 'c.txt'].map(name => [name, content]))
  await scene.commit(project, files('\tlamp\n'), { branch: 'main' })
  const actions = Object.entries(files('\tbright lamp\n')).map(([file_path, content]) => ({ action: 'update', file_path, content }))
  await scene.root.post(`${project.url}/repository/commits`, { branch: 'main', commit_message: 'Brighten', actions })
  return { person, path: `/${project.full_path}`, api: project.url }
}

for (const [way, options, hands] of waysIn(import.meta.url))
  test(`a person chooses how pages are, and sees it: ${way}`, async () => {
    const { person, path } = await place()
    const window = await visitor(browser, url, options)
    const { page } = window
    const by = hands(page)
    const hasScripts = options.javaScriptEnabled !== false
    const main = page.getByRole('main')
    await signIn(window, url, { username: person.username, password })
    await window.visit('/-/profile/preferences')
    const section = (id: string) => page.locator(`section#${id}`)
    const save = async (id: string, title: string) => {
      await by.press(section(id).getByRole('button', { name: 'Save changes' }))
      await section(id).getByText(`Saved: ${title}.`).waitFor()
    }
    await by.choose(section('beginning').getByLabel('First page'), 'To-dos')
    await save('beginning', 'Where you begin')
    await by.pick(section('changes').locator('input[value=parallel]'))
    await by.tick(section('changes').getByRole('checkbox', { name: 'One file at a time' }))
    await by.choose(section('changes').getByLabel('Width of a tab'), '8')
    await save('changes', 'Code and changes')
    const relative = section('display').getByRole('checkbox', { name: 'Relative times' })
    if (way === 'by keyboard alone') {
      await by.reach(relative)
      await page.keyboard.press('Space')
    } else await relative.uncheck()
    assert.equal(await relative.isChecked(), false)
    await by.pick(section('display').locator('input[value=fluid]'))
    await save('display', 'Times and widths')
    await window.check()

    await window.visit('/')
    await page.waitForURL(`${url}/dashboard/todos`)
    await window.visit(`${path}/-/commit/main`)
    await main.locator('table.code.diff.parallel').waitFor()
    assert.equal(await main.locator('[data-file]').count(), 1)
    await main.getByText('File 1 of 3').waitFor()
    // The first press goes to the file itself.
    if (hasScripts) for (const _ of [1, 2]) await page.keyboard.press(']')
    else await by.press(main.getByRole('link', { name: /^Next file/ }))
    await main.getByText('File 2 of 3').waitFor()
    await by.press(main.getByRole('link', { name: /^Next file/ }))
    await main.getByText('File 3 of 3').waitFor()
    assert.equal(await main.getByRole('link', { name: /^Next file/ }).count(), 0)
    await window.check()

    // Exact: no words such as "ago", and the hour.
    await window.visit(`${path}/-/commits/main`)
    const shown = hasScripts
      ? ((await page.evaluate("document.querySelector('main relative-time').shadowRoot.textContent")) as string)
      : String(await page.evaluate("getComputedStyle(document.querySelector('main relative-time'), '::after').content"))
    assert.match(shown, /\d{1,2}:\d{2}/)
    assert.doesNotMatch(shown, /ago|now/)
    if (hasScripts) {
      await page.setViewportSize({ width: 1800, height: 800 })
      const [left, tab] = (await page.evaluate(
        "[document.querySelector('main').getBoundingClientRect().width, getComputedStyle(document.body).getPropertyValue('--tab-width')]",
      )) as [number, string]
      assert.deepEqual([left > 1700, tab.trim()], [true, '8'])
    }
    await window.close()
  })

for (const [way, options, hands] of waysIn(import.meta.url))
  test(`a person has mails gathered and keeps their address out of commits: ${way}`, async () => {
    const { person } = await surfer()
    const window = await signedIn(browser, url, options, { username: person.username, password })
    const { page } = window
    const by = hands(page)
    await window.visit('/-/profile/notifications')
    const digest = page.locator('section#digest')
    await by.pick(digest.locator('input[value=daily]'))
    await by.press(digest.getByRole('button', { name: 'Save changes' }))
    await digest.getByText('Saved: When mails are sent.').waitFor()
    await window.check()
    assert.equal((await scene.person(person).get('/user/preferences')).body.mail_digest, 'daily')

    await window.visit('/-/profile/emails')
    await page.getByText(`Commits that you make here have the address ${person.email}`).waitFor()
    await by.press(page.getByRole('link', { name: 'Change the address of commits' }))
    const address = page.getByLabel('Email address of commits')
    await by.choose(address, (await address.locator('option[value=_private]').textContent()) ?? '')
    await by.press(page.getByRole('button', { name: 'Save profile' }))
    await page.getByText('Your profile was saved.').waitFor()
    await window.check()
    const { body } = await scene.person(person).get('/user')
    assert.match(body.commit_email, new RegExp(`^${person.id}-${person.username}@users\\.noreply\\.`))
    await window.visit('/-/profile/emails')
    await page.getByText(`Commits that you make here have the address ${body.commit_email}`).waitFor()
    await window.close()
  })

test('a table has its rows below each other on a narrow window, with each value beside the name of its column', async () => {
  const { person, path, api } = await place()
  for (const key of ['LAMP', 'A_VARIABLE_WITH_A_NAME_THAT_IS_LONGER_THAN_THE_WINDOW_IS_WIDE'])
    assert.equal((await scene.root.post(`${api}/variables`, { key, value: 'bright', protected: key === 'LAMP' })).status, 201)
  const window = await visitor(browser, url, { viewport: { width: 360, height: 740 } })
  const { page } = window
  await signIn(window, url, { username: person.username, password })
  await window.visit(`${path}/-/variables`)
  const row = page.getByRole('row', { name: /^LAMP/ })
  const value = row.getByRole('cell').filter({ has: page.getByRole('link', { name: /^Show the value of LAMP$/ }) })
  const [name, cell] = [await row.getByRole('rowheader').boundingBox(), await value.boundingBox()]
  assert.ok(name && cell && cell.y >= name.y + name.height - 1, 'the value is below the name')
  assert.match(String(await page.evaluate("getComputedStyle(document.querySelector('.data-table td'), '::before').content")), /Value/)
  assert.equal(
    await page.evaluate("document.querySelector('.data-table').scrollWidth <= document.querySelector('.data-table').clientWidth"),
    true,
  )
  await page.setViewportSize({ width: 1280, height: 800 })
  const [wideName, wideCell] = [await row.getByRole('rowheader').boundingBox(), await value.boundingBox()]
  assert.ok(wideName && wideCell && wideCell.x > wideName.x, 'the value is beside the name')
  await window.check()
  await window.close()
})

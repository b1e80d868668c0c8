/** What people do with issues, in a real browser: with a mouse, by keyboard alone, without scripts; and two of them together. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { oauthScene, password } from '../../src/identity/oauth/scene.ts'
import { atEnd } from '../at_end.ts'
import { eventually } from '../eventually.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { keyboard, waysIn } from './hands.ts'
import { signedIn, signIn, visitor } from './visitor.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const browser = await startChromium()
atEnd(() => browser.close())
const { url } = scene

const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name }).first()
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' }).first()
const field = (page: Page, label: string) => page.getByLabel(new RegExp(`^${label}`)).first()

/** A developer of a project with labels and a milestone, in a window of theirs. */
async function developer(options: { javaScriptEnabled?: boolean } = {}) {
  const { person } = await surfer()
  const { project } = await scene.project({ visibility: 'private' })
  await scene.root.post(`${project.url}/members`, { user_id: person.id, access_level: 30 })
  for (const name of ['bug', 'docs']) await scene.root.post(`${project.url}/labels`, { name, color: '#d73a4a' })
  await scene.root.post(`${project.url}/milestones`, { title: 'Harbour' })
  const window = await signedIn(browser, url, options, { username: person.username, password })
  return { person, project, window, page: window.page, issues: `/${project.full_path}/-/issues` }
}

for (const [way, options, hands] of waysIn(import.meta.url))
  describe(`a developer, ${way}`, () => {
    test('opens an issue, discusses it, plans it and closes it', async () => {
      const { project, window, page, issues, person } = await developer(options)
      const by = hands(page)
      await window.visit(issues)
      await by.press(link(page, 'New issue'))
      await page.waitForURL(/\/issues\/new$/)
      await window.check()
      await by.write(field(page, 'Title'), 'The lamp flickers')
      await by.write(page.locator('textarea[name=description]'), 'When the door opens.\n\n- [ ] look at the wick')
      await by.tick(page.getByLabel('docs'))
      await by.press(button(page, 'Open issue'))
      await page.waitForURL(/\/issues\/1$/)
      await page.waitForSelector('h1:has-text("The lamp flickers")')
      await window.check()

      await by.write(page.locator('textarea[name=body]'), `I see it too, @${person.username}`)
      await by.press(button(page, 'Comment'))
      await page.waitForSelector('.note-card:has-text("I see it too")')
      await page.waitForSelector('text=The comment was added.')

      // Each attribute has a page; with a script it stands in the side column.
      const change = async (name: string, address: string) => {
        if (options.javaScriptEnabled === false) await page.goto(`${url}${issues}/1/${address}`)
        else await by.press(page.locator(`summary[aria-label="Change: ${name}"]`))
      }
      await change('Labels', 'edit/labels')
      await by.tick(page.getByLabel('bug'))
      await by.press(button(page, 'Save'))
      await page.waitForSelector('#issue-side .chip.label:has-text("bug")')
      await change('Milestone', 'edit/milestone')
      await page.locator('select[name=milestone_id]').selectOption('Harbour')
      await by.press(button(page, 'Save'))
      await page.waitForSelector('#issue-side >> text=Harbour')
      await window.check()

      await by.press(link(page, 'Edit'))
      await page.waitForURL(/\/edit$/)
      await by.write(field(page, 'Title'), 'The lamp in the cellar flickers')
      await by.press(button(page, 'Save'))
      await page.waitForSelector('h1:has-text("in the cellar")')
      await by.write(page.locator('textarea[name=body]'), 'Done')
      await by.press(button(page, 'Comment and close'))
      await page.waitForSelector('#issue-head >> text=Closed')
      const { body: issue } = await scene.root.get(`${project.url}/issues/1`)
      assert.deepEqual(
        [issue.title, issue.state, issue.labels, issue.milestone.title, issue.description],
        ['The lamp in the cellar flickers', 'closed', ['bug', 'docs'], 'Harbour', 'When the door opens.\n\n- [ ] look at the wick'],
      )
      await window.close()
    })
  })

for (const [way, options, hands] of waysIn(import.meta.url))
  describe(`a developer, ${way}`, () => {
    test('answers a thread, reacts, corrects a comment, links another issue, and changes two together', async () => {
      const { project, window, page, issues } = await developer(options)
      const by = hands(page)
      const isPlain = options.javaScriptEnabled === false
      for (const title of ['Paint the shed', 'Mend the door']) await scene.root.post(`${project.url}/issues`, { title })
      await window.visit(`${issues}/1`)
      await by.press(link(page, 'Start a thread'))
      await page.waitForURL(/\/discussions\/new$/)
      await by.write(page.locator('textarea[name=body]'), 'Which colour?')
      await by.press(button(page, 'Start the thread'))
      await page.waitForSelector('text=The thread was started.')

      await by.press(link(page, 'Reply'))
      const answer = isPlain ? page.locator('textarea[name=body]') : page.locator('[id^=reply-] textarea')
      await by.write(answer, 'Red')
      await by.press(button(page, 'Reply'))
      await page.waitForSelector('.thread .note-card:has-text("Red")')
      await page.waitForSelector('text=The comment was added.')
      await window.check()

      await by.press(page.locator('.note-card:has-text("Red") a[aria-label="Edit the comment"]'))
      const corrected = isPlain ? page.locator('textarea[name=body]') : page.locator('.note-card textarea')
      await by.write(corrected, 'Dark red')
      await by.press(button(page, 'Save'))
      await page.waitForSelector('.note-card:has-text("Dark red")')
      await page.waitForSelector('text=The comment was changed.')

      await by.press(page.locator('#issue-description summary[aria-label=React]'))
      await by.press(page.locator('#issue-description button[aria-label="React with heart"]'))
      await by.press(page.locator('#issue-description button[aria-label="Take back heart: 1"]'))
      await page.waitForSelector('text=Your reaction was taken back.')
      assert.deepEqual((await scene.root.get(`${project.url}/issues/1/award_emoji`)).body, [])

      await by.press(page.locator('summary:has-text("Link an issue")'))
      if (isPlain) await by.press(link(page, 'Link an issue'))
      await by.write(page.locator('input[name=target]'), '#2')
      await by.press(button(page, 'Link'))
      await page.waitForSelector('.related >> text=Mend the door')
      await window.check()

      await page.goto(url + issues)
      for (const iid of [1, 2]) await by.tick(page.getByLabel(`Choose #${iid}`))
      const bar = page.locator('.bulk-bar')
      if ((await bar.getAttribute('open')) === null) await by.press(bar.locator('summary'))
      await by.write(page.getByLabel('Add labels'), 'bug')
      await by.press(button(page, 'Change'))
      await page.waitForSelector('text=2 issues were changed.')
      assert.equal((await scene.root.get(`${project.url}/issues`, { labels: 'bug' })).body.length, 2)
      await window.close()
    })
  })

test('two people who look at an issue see what the other does, and what one types stays', async () => {
  const one = await developer()
  const { body: other } = await scene.root.post('/users', {
    name: 'Other',
    username: `other-${one.person.id}`,
    email: `other-${one.person.id}@example.com`,
    password,
    skip_confirmation: true,
  })
  await scene.root.post(`${one.project.url}/members`, { user_id: other.id, access_level: 30 })
  await scene.root.post(`${one.project.url}/issues`, { title: 'Paint the shed', description: 'Grey' })
  const two = await visitor(browser, url)
  await signIn(two, url, { username: other.username, password })
  await one.window.visit(`${one.issues}/1`)
  await two.visit(`${one.issues}/1`)

  await two.page.fill('#field-body', 'half a sen')
  await one.page.fill('#field-body', 'Which colour?')
  await one.page.keyboard.press('Control+Enter')
  await two.page.waitForSelector('#timeline .note-card:has-text("Which colour?")')
  assert.equal(await two.page.inputValue('#field-body'), 'half a sen')

  // The answer to what was sent is there too: what is opened before would be closed by it.
  await one.page.waitForSelector('html:not([aria-busy]) .note-card:has-text("Which colour?")')
  await one.page.click('summary[aria-label="Change: Labels"]')
  await one.page.getByLabel('bug').check()
  await one.page.click('#edit-labels button:has-text("Save")')
  await two.page.waitForSelector('#issue-side .chip.label:has-text("bug")')
  await two.page.waitForSelector('#timeline .event:has-text("added bug label")')
  assert.equal(await two.page.inputValue('#field-body'), 'half a sen')

  // A draft is there again after a reload, until it is sent.
  await two.page.reload()
  await two.page.waitForFunction(`document.querySelector('#field-body').value === 'half a sen'`)
  await two.page.fill('#field-body', 'Red')
  await two.page.click('button:text-is("Comment")')
  await one.page.waitForSelector('#timeline .note-card:has-text("Red")')
  await two.page.waitForSelector('#timeline .note-card:has-text("Red")')
  await two.page.reload()
  assert.equal(await two.page.inputValue('#field-body'), '')

  // A comment is changed in its place.
  await two.page.click('.note-card:has-text("Red") a[aria-label="Edit the comment"]')
  await two.page.fill('.note-card textarea', 'Dark red')
  await two.page.click('.note-card button:has-text("Save")')
  await one.page.waitForSelector('#timeline .note-card:has-text("Dark red")')
  await one.window.check()
  await two.close()
  await one.window.close()
})

test('a comment that is sent after the session has ended is there again after signing in', async () => {
  const { project, window, page, issues, person } = await developer()
  await scene.root.post(`${project.url}/issues`, { title: 'Paint the shed' })
  await window.visit(`${issues}/1`)
  await page.fill('#field-body', 'Long thoughts')
  await scene.deps.database.db.deleteFrom('sessions').where('user_id', '=', person.id).execute()
  await page.click('button:text-is("Comment")')
  await page.waitForSelector('[name=login]')
  await page.fill('[name=login]', person.username)
  await page.fill('[name=password]', password)
  await page.click('main button')
  await page.waitForURL(/\/issues\/1$/)
  await page.waitForFunction(`document.querySelector('#field-body').value === 'Long thoughts'`)
  await page.click('button:text-is("Comment")')
  await page.waitForSelector('.note-card:has-text("Long thoughts")')
  await window.close()
})

test('a description that another person has changed meanwhile is not overwritten unseen', async () => {
  const { project, window, page, issues } = await developer()
  await scene.root.post(`${project.url}/issues`, { title: 'Paint the shed', description: 'One\n\nTwo' })
  await window.visit(`${issues}/1/edit`)
  await page.fill('textarea[name=description]', 'One\n\nTwo\n\nThree')
  await scene.root.put(`${project.url}/issues/1`, { description: 'Zero\n\nOne\n\nTwo' })
  await page.click('button:has-text("Save")')
  await page.waitForSelector('.text-changes ins:has-text("Zero")')
  assert.equal(await page.inputValue('textarea[name=description]'), 'One\n\nTwo\n\nThree')
  await window.check()
  await page.fill('textarea[name=description]', 'Zero\n\nOne\n\nTwo\n\nThree')
  await page.click('button:has-text("Save")')
  await page.waitForURL(/\/issues\/1$/)
  assert.equal((await scene.root.get(`${project.url}/issues/1`)).body.description, 'Zero\n\nOne\n\nTwo\n\nThree')
  await window.close()
})

for (const [way, , hands] of waysIn(import.meta.url).filter(([, { javaScriptEnabled = true }]) => javaScriptEnabled))
  test(`fifty issues are worked through: filtered with completion, chosen, changed together, and another window follows: ${way}`, async () => {
    const { person, project, window, page, issues } = await developer()
    const by = hands(page)
    const isMouse = hands !== keyboard
    const enter = () => (isMouse ? by.press(button(page, 'Filter')) : page.keyboard.press('Enter'))
    const toFilter = () => (isMouse ? page.locator('#filter').click() : page.keyboard.press('f'))
    for (let number = 1; number <= 50; number++)
      await scene.root.post(`${project.url}/issues`, { title: `Lamp ${number}`, labels: number % 2 ? 'docs' : '' })
    const other = await visitor(browser, url)
    await signIn(other, url, { username: person.username, password })
    await other.visit(`${issues}?labels=bug`)
    await other.page.waitForSelector('text=No issues')
    await window.visit(issues)
    await toFilter()
    await page.keyboard.type('weight:heavy')
    await enter()
    await page.waitForSelector('#filter-wrong')
    assert.match(page.url(), /[?&]weight=heavy/, 'what is refused has its address')
    await page.goBack()
    await page.waitForSelector('#filter:not([aria-invalid])')
    const completion = (text: string) => page.locator(`#filter-completions [role=option]:has-text("${text}")`)
    await toFilter()
    await page.keyboard.type('lab')
    await completion('label').first().waitFor()
    if (isMouse) await completion('label').first().click()
    else await page.keyboard.press('Tab')
    await page.keyboard.type('do')
    await completion('docs').waitFor()
    if (isMouse) await completion('docs').click()
    else {
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
    }
    assert.equal(await page.inputValue('#filter'), 'label:docs ')
    await enter()
    await page.waitForURL(/[?&]labels=docs/)
    await window.check()

    for (let at = 0; at < 5; at++)
      if (isMouse) await by.tick(page.locator('[data-list] > li input[type=checkbox]').nth(at))
      else {
        await page.keyboard.press('j')
        await page.keyboard.press('x')
      }
    await page.waitForSelector('text=Change 5 chosen')
    await by.write(page.getByLabel('Add labels'), 'bug, new')
    await by.press(button(page, 'Change'))
    await page.waitForSelector('text=5 issues were changed.')
    const { body } = await scene.root.get(`${project.url}/issues`, { labels: 'bug,new,docs', per_page: 100 })
    assert.equal(body.length, 5)
    await other.page.waitForSelector('[data-list] > li:nth-child(5) >> text=new')
    for (const { check, close } of [window, other]) {
      await check()
      await close()
    }
  })

test('tasks are ticked by mouse and by keyboard, any emoji is found, and the other window follows', async () => {
  const { project, window, page, issues, person } = await developer()
  await scene.root.post(`${project.url}/issues`, {
    title: 'Paint the shed',
    description: 'First:\n\n- [ ] buy paint\n- [ ] find the brush',
  })
  await scene.root.post(`${project.url}/issues`, { title: 'Closed one' })
  await scene.root.put(`${project.url}/issues/2`, { state_event: 'close' })
  await scene.root.post(`${project.url}/issues/1/notes`, { body: 'As in #2' })
  const two = await visitor(browser, url)
  await signIn(two, url, { username: person.username, password })
  await window.visit(`${issues}/1`)
  await two.visit(`${issues}/1`)

  await page.getByLabel('buy paint').click()
  await two.page.waitForSelector('#issue-head >> text=1 of 2 tasks')
  await keyboard(two.page).tick(two.page.getByLabel('find the brush'))
  await page.waitForSelector('#issue-head >> text=2 of 2 tasks')
  assert.equal((await scene.root.get(`${project.url}/issues/1`)).body.description, 'First:\n\n- [x] buy paint\n- [x] find the brush')

  // A box whose line another person has changed meanwhile, which this window does not know yet.
  await page.route('**/-/live*', route => route.abort())
  await page.reload()
  await scene.root.put(`${project.url}/issues/1`, { description: 'First:\n\n- [x] sell paint' })
  await page.getByLabel('buy paint').click()
  await page.waitForSelector('task-list .notice.danger:has-text("changed meanwhile")')
  assert.equal(await page.getByLabel('buy paint').isChecked(), true)
  assert.equal((await scene.root.get(`${project.url}/issues/1`)).body.description, 'First:\n\n- [x] sell paint')
  await window.check()
  await page.unroute('**/-/live*')
  await page.reload()

  const reference = page.locator('#timeline a.gfm-issue')
  await reference.hover()
  await page.waitForSelector('.hover-card:has-text("Closed one")')
  await window.check()
  await page.keyboard.press('Escape')
  assert.equal(await page.locator('.hover-card').count(), 0)

  await page.locator('#issue-description summary[aria-label=React]').press('Enter')
  await page.fill('#issue-description .reaction-menu input[type=search]', 'racing')
  await page.waitForSelector('#issue-description turbo-frame button[value=racing_car]')
  await window.check()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await two.page.waitForSelector('#issue-description button[aria-label="Take back racing_car: 1"]')
  await two.close()
  await window.close()
})

test('the order by hand is changed by dragging, by keyboard, and by buttons without scripts', async () => {
  const { project, window, page, issues, person } = await developer()
  for (const title of ['One', 'Two', 'Three']) await scene.root.post(`${project.url}/issues`, { title })
  const address = `${issues}?order_by=relative_position&sort=asc`
  const plain = await visitor(browser, url, { javaScriptEnabled: false })
  await signIn(plain, url, { username: person.username, password })
  await window.visit(address)
  const order = async () =>
    (await scene.root.get(`${project.url}/issues`, { order_by: 'relative_position', sort: 'asc' })).body.map(
      ({ title }: { title: string }) => title,
    )
  const [first, second, third] = await order()

  const from = await page.locator('[data-sort-item]').nth(0).boundingBox()
  const to = await page.locator('[data-sort-item]').nth(2).boundingBox()
  assert.ok(from && to)
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(to.x + to.width / 2, to.y + to.height - 4, { steps: 8 })
  await page.mouse.up()
  await eventually(async () => String(await order()) === String([second, third, first]), 'the order after dragging')

  await page.locator('[data-sort-item] .title a').first().focus()
  for (const key of ['Space', 'ArrowDown', 'Space']) await page.keyboard.press(key)
  await eventually(async () => String(await order()) === String([third, second, first]), 'the order after the keys')
  await window.check()

  await plain.visit(address)
  await plain.page.locator('[data-sort-item]').nth(2).locator('summary').click()
  await plain.page.locator('[data-sort-item]').nth(2).getByRole('button', { name: 'Up' }).click()
  await plain.page.waitForSelector('text=The issue was moved.')
  assert.deepEqual(await order(), [third, first, second])
  await plain.close()
  await window.close()
})

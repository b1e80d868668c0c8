/** What people do with accounts and administrators with the instance, in a real browser: with a mouse, by keyboard alone, without scripts. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { oauthScene, password } from '../../src/identity/oauth/scene.ts'
import { exportAccount } from '../../src/integrations/account_exports/task.ts'
import { atEnd } from '../at_end.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { type Hands, waysIn } from './hands.ts'
import { downloaded, signIn, type Visitor, visitor } from './visitor.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const browser = await startChromium()
atEnd(() => browser.close())
const { url } = scene

/** A window, and the hands that work it. What asks whether one is sure is answered yes. */
async function open(options: { javaScriptEnabled?: boolean }, hands: (page: Page) => Hands) {
  const window = await visitor(browser, url, options)
  window.page.on('dialog', dialog => void dialog.accept())
  return { window, page: window.page, by: hands(window.page) }
}

const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name }).first()
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first()
const field = (page: Page, label: string) => page.getByLabel(new RegExp(`^${label}`)).first()

/** Opens the menu of the person, which is a summary that the browser folds. */
const openMenu = (page: Page, by: Hands) => by.press(page.locator('details.menu summary[aria-label^="Menu of"]'))

/** A job that was given up with this error, and another one that nobody takes. */
async function stuckJob(error: string): Promise<number> {
  const { db } = scene.deps.database
  const { rows } = await sql<{ id: number }>`
    select (graphile_worker.add_job('task_of_nobody', '{}'::json, run_at := now() - interval '1 hour')).id::int as id
      from generate_series(1, 2)`.execute(db)
  const id = rows[0]?.id as number
  await sql`update graphile_worker._private_jobs set attempts = 25, max_attempts = 25, last_error = ${error} where id = ${id}`.execute(db)
  return id
}

/** The attempts of a job; undefined where it is gone. */
async function attemptsOf(id: number): Promise<number | undefined> {
  const { rows } = await sql<{ attempts: number }>`
    select attempts::int as attempts from graphile_worker._private_jobs where id = ${id}`.execute(scene.deps.database.db)
  return rows[0]?.attempts
}

/** The public half of a new key. */
function publicKey(): string {
  const { publicKey: made } = generateKeyPairSync('ed25519')
  const bytes = Buffer.from(made.export({ format: 'jwk' }).x as string, 'base64url')
  const part = (value: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, value.length]), value])
  return `ssh-ed25519 ${Buffer.concat([part(Buffer.from('ssh-ed25519')), part(bytes)]).toString('base64')}`
}

async function leave({ window }: { readonly window: Visitor }): Promise<void> {
  await window.check()
  await window.close()
}

describe('an administrator finds a stuck queue', () => {
  for (const [way, options, hands] of waysIn(import.meta.url))
    test(way, async () => {
      const admin = await surfer({ admin: true })
      const [retried, deleted] = [await stuckJob(`the disk is full, ${way}`), await stuckJob(`no such project, ${way}`)]
      const open_ = await open(options, hands)
      const { window, page, by } = open_
      await signIn(window, url, { username: admin.person.username, password })

      await openMenu(page, by)
      await by.press(link(page, 'Administration'))
      await page.waitForSelector('text=The queue is stuck')
      await window.check()
      await by.press(page.getByRole('main').getByRole('status').getByRole('link', { name: 'Background jobs' }))
      await page.waitForSelector(`text=the disk is full, ${way}`)
      await page.waitForSelector(`text=no such project, ${way}`)
      await window.check()

      await by.press(button(page, `Retry job ${retried}`))
      await page.waitForSelector('text=The job runs again.')
      assert.equal(await attemptsOf(retried), 0)
      await by.press(button(page, `Delete job ${deleted}`))
      await page.waitForSelector('text=The job was deleted.')
      assert.equal(await attemptsOf(deleted), undefined)
      assert.equal(await page.locator(`text=the disk is full, ${way}`).count(), 0)
      await leave(open_)
    })
})

describe('an administrator finds who changed a setting', () => {
  for (const [way, options, hands] of waysIn(import.meta.url))
    test(way, async () => {
      const [admin, other] = [await surfer({ admin: true }), await surfer({ admin: true })]
      await other.submit('/admin/application_settings/ci_cd/plan_limits', { plan_name: 'default', ci_instance_level_variables: '41' })
      await other.submit('/admin/application_settings/ci_cd/plan_limits', { plan_name: 'default', ci_instance_level_variables: '42' })
      const open_ = await open(options, hands)
      const { window, page, by } = open_
      await signIn(window, url, { username: admin.person.username, password })

      await openMenu(page, by)
      await by.press(link(page, 'Administration'))
      await by.press(link(page, 'Audit log'))
      await by.write(field(page, 'Who'), other.person.username)
      await by.press(button(page, 'Filter'))
      await page.waitForSelector('html:not([aria-busy]) li:has-text("from 41 to 42")')
      await page.locator('main').getByRole('link', { name: other.person.name }).first().waitFor()
      await leave(open_)
    })
})

describe('a person signs up, is approved and signs in', () => {
  for (const [index, [way, options, hands]] of waysIn(import.meta.url).entries())
    test(way, async () => {
      const admin = await surfer({ admin: true })
      const username = `newcomer-${index}`
      const theirs = await open(options, hands)
      const { page, by } = theirs
      const enter = async () => {
        await by.write(field(page, 'Username or email'), username)
        await by.write(field(page, 'Password'), password)
        await by.press(page.getByRole('main').getByRole('button', { name: 'Sign in' }))
      }

      await page.goto(`${url}/users/sign_in`)
      await by.press(link(page, 'Create one'))
      await by.write(field(page, 'Full name'), `Newcomer ${index}`)
      await by.write(field(page, 'Username'), username)
      await by.write(field(page, 'Email'), `${username}@example.com`)
      await by.write(field(page, 'Password'), password)
      await theirs.window.check()
      await by.press(button(page, 'Create account'))
      await page.waitForSelector('text=Your account waits for the approval of an administrator.')
      await enter()
      await page.waitForSelector('text=Your account is waiting for the approval of an administrator.')

      const office = await open(options, hands)
      await signIn(office.window, url, { username: admin.person.username, password })
      await openMenu(office.page, office.by)
      await office.by.press(link(office.page, 'Administration'))
      await office.by.press(link(office.page, 'People'))
      await office.by.press(link(office.page, 'Waiting for approval'))
      await office.by.press(button(office.page, `Approve: Newcomer ${index}`))
      await office.page.waitForSelector('text=The account was approved.')
      await leave(office)

      await enter()
      await page.waitForSelector(`summary[aria-label="Menu of Newcomer ${index}"]`)
      await leave(theirs)
    })
})

describe('an owner adds a person, gives another role and takes it away', () => {
  for (const [way, options, hands] of waysIn(import.meta.url))
    test(way, async () => {
      const [owner, other] = [await surfer(), await surfer()]
      const api = scene.as({ 'private-token': owner.person.token })
      const { body: project } = await api.post('/projects', { name: `Crew ${owner.person.id}` })
      const roleOf = async () => (await api.get(`/projects/${project.id}/members/${other.person.id}`)).body.access_level
      const opened = await open(options, hands)
      const { window, page, by } = opened
      await signIn(window, url, { username: owner.person.username, password })
      await page.goto(`${url}/${project.path_with_namespace}`)
      await by.press(link(page, 'Members'))
      await by.press(page.getByRole('main').getByRole('link', { name: 'Add a member' }))
      await page.getByRole('heading', { name: 'Add a member' }).waitFor()
      await window.check()
      const { name, username } = other.person
      if (options.javaScriptEnabled === false) {
        await by.write(field(page, 'Name or username'), name)
        await by.press(button(page, 'Find people'))
        await by.press(link(page, `Choose ${name}`))
        await page.waitForURL(/username=/)
        assert.equal(await field(page, 'Username').inputValue(), username)
      } else {
        // What is suggested is the browser's own list, which has no elements that a test could press.
        await by.write(field(page, 'Username'), name)
        await page.waitForSelector(`datalist option[value="${username}"]`, { state: 'attached' })
        await by.write(field(page, 'Username'), username)
      }
      await by.press(page.getByRole('main').getByRole('button', { name: 'Add member' }))
      await page.waitForSelector('text=The member was added.')
      await window.check()

      const row = page.getByRole('listitem').filter({ hasText: `@${other.person.username}` })
      await by.choose(row.getByRole('combobox'), 'Maintainer')
      await by.press(row.getByRole('button', { name: 'Save' }))
      await page.waitForSelector('text=The role was changed.')
      assert.equal(await roleOf(), 40)
      await by.press(row.getByRole('button', { name: 'Remove' }))
      await page.waitForSelector('text=The membership has ended.')
      assert.equal(await roleOf(), undefined)
      await leave(opened)
    })
})

describe('a person rotates their token and their key', () => {
  for (const [way, options, hands] of waysIn(import.meta.url))
    test(way, async () => {
      const { person } = await surfer()
      const opened = await open(options, hands)
      const { window, page, by } = opened
      const statusWith = async (token: string) => (await scene.as({ 'private-token': token }).get('/user')).status
      /** The token that the page shows, once it is another one. */
      const shownToken = async (before = 'none'): Promise<string> =>
        (await page.locator('[role=status] code').filter({ hasNotText: before }).textContent()) ?? ''
      await signIn(window, url, { username: person.username, password })

      await openMenu(page, by)
      await by.press(link(page, 'Settings'))
      await by.press(link(page, /tokens/i))
      // The page before has a field of the same name.
      await page.getByRole('heading', { name: 'Personal access tokens' }).waitFor()
      await by.write(field(page, 'Name'), 'backup')
      await by.tick(page.locator('input[value=read_api]'))
      // The last password is older than what counts: it is asked for, and what was filled in is carried out afterwards.
      await scene.deps.database.db
        .updateTable('sessions')
        .set({ confirmed_at: new Date(0) })
        .where('user_id', '=', person.id)
        .execute()
      await by.press(button(page, 'Create token'))
      await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor()
      await window.check()
      await by.write(field(page, 'Your password'), password)
      await by.press(page.getByRole('main').getByRole('button', { name: 'Confirm' }))
      const first = await shownToken()
      assert.equal(await statusWith(first), 200)
      await window.check()
      await by.press(button(page, 'Rotate backup'))
      const second = await shownToken(first)
      assert.deepEqual([await statusWith(first), await statusWith(second)], [401, 200])
      await window.check()

      await by.press(link(page, 'SSH keys'))
      const keys = [publicKey(), publicKey()]
      for (const [index, key] of keys.entries()) {
        await by.press(link(page, 'Add key'))
        await by.write(field(page, 'Title'), `Machine ${index}`)
        await by.write(field(page, 'Public key'), key)
        await by.press(page.getByRole('main').getByRole('button', { name: 'Add key' }))
        await page.waitForSelector('text=The key was added.')
        if (index > 0) continue
        await by.press(button(page, 'Remove: Machine 0'))
        await page.waitForSelector('text=The key opens nothing any more.')
      }
      const { body } = await scene.as({ 'private-token': person.token }).get('/user/keys')
      assert.deepEqual(
        body.map(({ title }: { title: string }) => title),
        ['Machine 1'],
      )
      await leave(opened)
    })
})

describe('a person takes what the server knows of them along', () => {
  for (const [way, options, hands] of waysIn(import.meta.url))
    test(way, async () => {
      const { person } = await surfer()
      const opened = await open(options, hands)
      const { window, page, by } = opened
      const { db } = scene.deps.database
      const confirmedLongAgo = () =>
        db
          .updateTable('sessions')
          .set({ confirmed_at: new Date(0) })
          .where('user_id', '=', person.id)
          .execute()
      const confirm = async () => {
        await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor()
        await by.write(field(page, 'Your password'), password)
        await by.press(page.getByRole('main').getByRole('button', { name: 'Confirm' }))
      }
      await signIn(window, url, { username: person.username, password })
      await window.visit('/-/profile')
      await by.press(page.locator('.more-tabs summary'))
      await by.press(link(page, 'Your data'))
      await page.getByRole('heading', { name: 'Your data' }).waitFor()
      await window.check()
      await confirmedLongAgo()
      await by.press(button(page, 'Export your data'))
      await confirm()
      await page.getByText('Your data is being exported, since').waitFor()
      await window.check()
      const { request_key } = await db
        .selectFrom('account_exports')
        .select('request_key')
        .where('user_id', '=', person.id)
        .executeTakeFirstOrThrow()
      await exportAccount(scene.deps, { user_id: person.id, request_key })

      await confirmedLongAgo()
      await page.reload()
      await by.press(button(page, 'Open the download'))
      await confirm()
      await page.getByText('The download is open.').waitFor()
      const archive = await downloaded(page, () => by.press(link(page, 'Download')))
      assert.deepEqual([...archive.subarray(0, 2)], [0x1f, 0x8b])
      await leave(opened)
    })
})

/**
 * What is managed in settings and in the administration, one after the other in a real browser, by keyboard alone and without scripts: each thing is
 * added, seen, changed and removed. And a badge, whose preview follows what is typed.
 */
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { oauthScene, password } from '../../src/identity/oauth/scene.ts'
import { atEnd } from '../at_end.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { type Hands, keyboard, mouse } from './hands.ts'
import { signIn, visitor } from './visitor.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const browser = await startChromium()
atEnd(() => browser.close())
const { url } = scene

/** A thing with how a person meets it. Fields are found by their labels, buttons and links by their names. */
interface Managed {
  readonly page: (place: { readonly project: string; readonly group: string }) => string
  readonly add: readonly [link: string, button: string]
  readonly typed: Readonly<Record<string, string>>
  readonly ticked?: readonly string[]
  /** What its entry says. */
  readonly seen: string
  /** Adding shows a secret. */
  readonly secret?: true
  readonly edit?: {
    readonly link: RegExp
    readonly typed?: Readonly<Record<string, string>>
    readonly ticked?: readonly string[]
    readonly seen: string
    readonly button: string
  }
  readonly remove: RegExp
}

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f machine'
const badge = { Link: 'https://ci.example.com/%{project_path}', Image: `${url}/%{project_path}/badges/main/pipeline.svg` }

const things: Readonly<Record<string, Managed>> = {
  'a badge': {
    page: ({ project }) => `/${project}/-/settings/badges`,
    add: ['Add badge', 'Add badge'],
    typed: { Name: 'Lamps', ...badge },
    seen: 'Lamps',
    edit: { link: /^Edit: Lamps/, typed: { Name: 'Lanterns' }, seen: 'Lanterns', button: 'Save' },
    remove: /^Remove: Lanterns/,
  },
  'a deploy key': {
    page: ({ project }) => `/${project}/-/settings/deploy_keys`,
    add: ['Add deploy key', 'Add deploy key'],
    typed: { Title: 'Machine', 'Public key': key },
    seen: 'Machine',
    edit: { link: /^Edit: Machine/, typed: { Title: 'Builder' }, seen: 'Builder', button: 'Save' },
    remove: /^Remove: Builder/,
  },
  'a deploy token': {
    page: ({ group }) => `/groups/${group}/-/settings/deploy_tokens`,
    add: ['Add deploy token', 'Add deploy token'],
    typed: { Name: 'fetching' },
    ticked: ['read_repository'],
    seen: 'fetching',
    secret: true,
    remove: /^Revoke: fetching/,
  },
  'a protected branch': {
    page: ({ project }) => `/${project}/-/settings/protected_branches`,
    add: ['Protect a branch', 'Protect a branch'],
    typed: { 'Branch or pattern': 'release/*' },
    seen: 'release/*',
    edit: { link: /^Edit: release/, ticked: ['Those who may push may rewrite it'], seen: 'May be rewritten', button: 'Save' },
    remove: /^Unprotect: release/,
  },
  'a topic': {
    page: () => '/admin/topics',
    add: ['Add topic', 'Add topic'],
    typed: { Name: 'lighthouses' },
    seen: 'lighthouses',
    edit: { link: /^Edit: lighthouses/, typed: { Title: 'Lighthouses of all seas' }, seen: 'Lighthouses of all seas', button: 'Save' },
    remove: /^Delete: lighthouses/,
  },
  'an application': {
    page: () => '/admin/applications',
    add: ['New application', 'Register application'],
    typed: { Name: 'Harbour', 'Redirect URIs': 'https://harbour.example.com/callback' },
    ticked: ['read_user'],
    seen: 'Harbour',
    secret: true,
    remove: /^Delete Harbour/,
  },
}

const ways: readonly [name: string, options: { javaScriptEnabled?: boolean }, hands: (page: Page) => Hands][] = [
  ['by keyboard alone', {}, keyboard],
  ['without scripts', { javaScriptEnabled: false }, mouse],
]

for (const [way, options, hands] of ways)
  test(`an administrator, ${way}, adds, sees, changes and removes ${Object.keys(things).join(', ')}`, async () => {
    const { person } = await surfer({ admin: true })
    const { group } = await scene.group({ owner: person })
    const { project } = await scene.project({ group, owner: person })
    const window = await visitor(browser, url, options)
    const { page } = window
    page.on('dialog', dialog => void dialog.accept())
    const by = hands(page)
    const main = page.getByRole('main')
    const entries = main.locator('.list')
    await signIn(window, url, { username: person.username, password })

    async function fill(typed: Readonly<Record<string, string>>): Promise<void> {
      for (const [label, text] of Object.entries(typed)) await by.write(main.getByLabel(new RegExp(`^${label}`)).first(), text)
    }
    async function tick(boxes: readonly string[]): Promise<void> {
      for (const box of boxes) await by.tick(main.getByRole('checkbox', { name: new RegExp(`^${box}`) }))
    }
    for (const { page: address, add, typed, ticked = [], seen, secret, edit, remove } of Object.values(things)) {
      const list = address({ project: project.full_path, group: group.full_path })
      await window.visit(list)
      await by.press(main.getByRole('link', { name: add[0], exact: true }).first())
      await page.waitForURL(`${url}${list}/new`)
      await window.check()
      await fill(typed)
      await tick(ticked)
      await by.press(main.getByRole('button', { name: add[1], exact: true }))
      if (secret) await main.locator('[role=status] code').waitFor()
      else await page.waitForURL(at => !at.pathname.endsWith('/new'))
      await window.visit(list)
      await entries.getByText(seen).first().waitFor()

      if (edit) {
        await by.press(main.getByRole('link', { name: edit.link }))
        await page.waitForURL(/\/edit$/)
        await window.check()
        await fill(edit.typed ?? {})
        await tick(edit.ticked ?? [])
        await by.press(main.getByRole('button', { name: edit.button, exact: true }))
        await entries.getByText(edit.seen).first().waitFor()
      }
      await by.press(main.getByRole('button', { name: remove }))
      await main.getByRole('button', { name: remove }).waitFor({ state: 'detached' })
    }
    await window.close()
  })

test('a badge is previewed while its addresses are typed, and stands at the top of the project; a status beside the name', async () => {
  const { person } = await surfer()
  const { project } = await scene.project({ owner: person })
  await scene.commit(project, { 'a.txt': 'a' })
  const window = await visitor(browser, url)
  const { page } = window
  await signIn(window, url, { username: person.username, password })
  await window.visit(`/${project.full_path}/-/settings/badges/new`)
  const main = page.getByRole('main')
  for (const [label, text] of Object.entries({ Name: 'Build', ...badge }))
    await main.getByRole('textbox', { name: new RegExp(`^${label}`) }).fill(text)
  await page.locator(`badge-preview img[src="${url}/${project.full_path}/badges/main/pipeline.svg"]`).waitFor()
  await window.check()
  await main.getByRole('button', { name: 'Add badge' }).click()
  await page.waitForSelector('text=The badge was added.')
  await window.visit(`/${project.full_path}`)
  await page.waitForFunction("document.querySelector('.badges img').naturalWidth > 0")

  await page.getByLabel(/^Menu of/).click()
  await page.getByRole('link', { name: 'Set status' }).click()
  await main.getByLabel('What you are at').fill('Lighting lamps')
  await main.getByRole('button', { name: 'Set status' }).click()
  await page.waitForSelector('.user-status >> text=Lighting lamps')
  await window.check()
  for (const path of [
    '/settings/ci_cd',
    '/settings/ci_cd/job_tokens/projects/new',
    '/settings/ci_cd/job_tokens/groups/new',
    '/project_members',
    '/project_members/groups/new',
  ])
    await window.visit(`/${project.full_path}/-${path}`)
  await window.visit('/-/profile/status')
  await window.visit('/explore/projects/topics')
  await window.close()
})

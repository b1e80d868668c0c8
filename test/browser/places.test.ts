/**
 * What is managed in settings and in the administration, one after the other in a real browser, with a mouse, by keyboard alone and without scripts:
 * each thing is added, seen, changed and removed. And a badge, whose preview follows what is typed.
 */
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

/** A thing with how a person meets it. Fields are found by their labels, buttons and links by their names. */
interface Managed {
  readonly page: (place: { readonly project: string; readonly group: string }) => string
  readonly add: readonly [link: string, button: string]
  readonly typed: Readonly<Record<string, string>>
  readonly ticked?: readonly string[]
  readonly chosen?: Readonly<Record<string, string>>
  /** What its entry says. */
  readonly seen: string
  /** Adding shows a secret. */
  readonly secret?: true
  readonly edit?: {
    readonly link: RegExp
    /** The heading of the form names the thing. */
    readonly heading: string
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
    edit: { link: /^Edit: Lamps/, heading: 'Edit: Lamps', typed: { Name: 'Lanterns' }, seen: 'Lanterns', button: 'Save' },
    remove: /^Remove: Lanterns/,
  },
  'a deploy key': {
    page: ({ project }) => `/${project}/-/settings/deploy_keys`,
    add: ['Add deploy key', 'Add deploy key'],
    typed: { Title: 'Machine', 'Public key': key },
    seen: 'Machine',
    edit: { link: /^Edit: Machine/, heading: 'Edit: Machine', typed: { Title: 'Builder' }, seen: 'Builder', button: 'Save' },
    remove: /^Remove: Builder/,
  },
  'a deploy token of a project': {
    page: ({ project }) => `/${project}/-/settings/deploy_tokens`,
    add: ['Add deploy token', 'Add deploy token'],
    typed: { Name: 'mirroring' },
    ticked: ['read_repository'],
    seen: 'mirroring',
    secret: true,
    remove: /^Revoke: mirroring/,
  },
  'a deploy token of a group': {
    page: ({ group }) => `/groups/${group}/-/settings/deploy_tokens`,
    add: ['Add deploy token', 'Add deploy token'],
    typed: { Name: 'fetching' },
    ticked: ['read_repository'],
    seen: 'fetching',
    secret: true,
    remove: /^Revoke: fetching/,
  },
  'a push mirror': {
    page: ({ project }) => `/${project}/-/settings/mirrors`,
    add: ['Add push mirror', 'Add push mirror'],
    typed: { 'Address of the repository': 'https://me:hush-hush@git.example.com/copy.git' },
    seen: 'https://*****:*****@git.example.com/copy.git',
    edit: {
      link: /^Edit: https:/,
      heading: 'Edit: https://*****:*****@git.example.com/copy.git',
      ticked: ['Only protected branches'],
      seen: 'only protected branches',
      button: 'Save',
    },
    remove: /^Remove: https:/,
  },
  'a protected branch': {
    page: ({ project }) => `/${project}/-/settings/protected_branches`,
    add: ['Protect a branch', 'Protect a branch'],
    typed: { 'Branch or pattern': 'release/*' },
    seen: 'release/*',
    edit: {
      link: /^Edit: release/,
      heading: 'Edit: release/*',
      ticked: ['Those who may push may rewrite it'],
      seen: 'May be rewritten',
      button: 'Save',
    },
    remove: /^Unprotect: release/,
  },
  'a protected tag': {
    page: ({ project }) => `/${project}/-/settings/protected_tags`,
    add: ['Protect a tag', 'Protect a tag'],
    typed: { 'Tag or pattern': 'v*' },
    chosen: { 'Who may create it': 'Developers and maintainers' },
    seen: 'v*',
    remove: /^Unprotect: v/,
  },
  'a topic': {
    page: () => '/admin/topics',
    add: ['Add topic', 'Add topic'],
    typed: { Name: 'lighthouses' },
    seen: 'lighthouses',
    edit: {
      link: /^Edit: lighthouses/,
      heading: 'Edit: lighthouses',
      typed: { Title: 'Lighthouses of all seas' },
      seen: 'Lighthouses of all seas',
      button: 'Save',
    },
    remove: /^Delete: lighthouses/,
  },
  'an application': {
    page: () => '/admin/applications',
    add: ['New application', 'Register application'],
    typed: { Name: 'Harbour', 'Redirect URIs': 'https://harbour.example.com/callback' },
    ticked: ['read_user'],
    seen: 'Harbour',
    secret: true,
    edit: { link: /^Edit Harbour/, heading: 'Edit Harbour', typed: { Name: 'Pier' }, seen: 'Pier', button: 'Save' },
    remove: /^Delete Pier/,
  },
}

for (const [way, options, hands] of waysIn(import.meta.url))
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
    for (const { page: address, add, typed, ticked = [], chosen = {}, seen, secret, edit, remove } of Object.values(things)) {
      const list = address({ project: project.full_path, group: group.full_path })
      await window.visit(list)
      await by.press(main.getByRole('link', { name: add[0], exact: true }).first())
      await page.waitForURL(`${url}${list}/new`)
      await window.check()
      await fill(typed)
      await tick(ticked)
      for (const [label, choice] of Object.entries(chosen)) await by.choose(main.getByLabel(label), choice)
      await by.press(main.getByRole('button', { name: add[1], exact: true }))
      if (secret) {
        const shown = await main.locator('[role=status] code').textContent()
        await window.check()
        await window.visit(list)
        assert.ok(!(await page.content()).includes(String(shown)), `${seen}: its secret is shown once`)
      } else {
        await page.waitForURL(at => !at.pathname.endsWith('/new'))
        await window.visit(list)
      }
      await entries.getByText(seen).first().waitFor()

      if (edit) {
        await by.press(main.getByRole('link', { name: edit.link }))
        await page.waitForURL(/\/edit$/)
        await page.getByRole('heading', { level: 1, name: edit.heading, exact: true }).waitFor()
        await window.check()
        await fill(edit.typed ?? {})
        await tick(edit.ticked ?? [])
        await by.press(main.getByRole('button', { name: edit.button, exact: true }))
        await page.waitForURL(at => !at.pathname.endsWith('/edit'))
        if (page.url() !== url + list) await window.visit(list)
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

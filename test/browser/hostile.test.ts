/**
 * What hostile people and repositories bring, in a real browser on a narrow window: names, files and branches. Each page is there, runs nothing
 * of it, loads nothing from elsewhere and keeps to the window.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { oauthScene, password } from '../../src/identity/oauth/scene.ts'
import { ensureRepository } from '../../src/spaces/projects/repository/store.ts'
import { atEnd } from '../at_end.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { signIn, visitor } from './visitor.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const browser = await startChromium()
atEnd(() => browser.close())
const { url } = scene

const script = '<img src=x onerror=pwned()><script>pwned()</script>'

/** A narrow window that counts what runs and what is loaded from elsewhere; `visits` checks each page. */
async function watched(person: { readonly username: string }) {
  const window = await visitor(browser, url, { viewport: { width: 360, height: 740 }, rules: ['target-size', 'aria-valid-attr-value'] })
  const { page } = window
  let ran = 0
  await page.exposeFunction('pwned', () => ran++)
  page.on('dialog', dialog => {
    ran++
    void dialog.dismiss()
  })
  const elsewhere: string[] = []
  page.on('request', request => request.url().startsWith(url) || request.url().startsWith('data:') || elsewhere.push(request.url()))
  await signIn(window, url, { username: person.username, password })
  const calm = async (where: string) => {
    await window.check()
    assert.deepEqual([ran, elsewhere], [0, []], where)
  }
  const visits = async (...addresses: readonly string[]) => {
    for (const address of addresses) {
      const answer = await page.goto(url + address)
      assert.equal(answer?.status(), 200, address)
      await calm(address)
    }
  }
  return { window, page, visits, calm }
}

/** Bytes of a path as `git fast-import` takes it. */
const quoted = (path: Buffer | string) => `"${[...Buffer.from(path)].map(byte => `\\${byte.toString(8).padStart(3, '0')}`).join('')}"`

/** Writes a commit with these files, and references to it, into the repository of a project. Names may have any bytes. */
async function write(
  project: Parameters<typeof ensureRepository>[2] & { readonly url: string },
  files: readonly (readonly [path: Buffer | string, content: string])[],
  references: readonly string[] = [],
) {
  await scene.commit(project as never, { 'BEGIN.md': '# Begin\n' }, { branch: 'main' })
  const repository = await ensureRepository(scene.deps.database.db, scene.deps.storages, project)
  const bodies = files.map(([path, content]) => {
    const bytes = Buffer.from(content)
    return Buffer.concat([Buffer.from(`M 100644 inline ${quoted(path)}\ndata ${bytes.length}\n`), bytes, Buffer.from('\n')])
  })
  const head = 'commit refs/heads/main\ncommitter A <a@example.com> 1600000000 +0000\ndata 6\nNames\n\nfrom refs/heads/main^0\n'
  const resets = references.map(name => `reset ${name}\nfrom refs/heads/main\n\n`).join('')
  const git = spawn('git', ['-C', repository.path, 'fast-import', '--quiet', '--force'], { stdio: ['pipe', 'inherit', 'inherit'] })
  git.stdin.end(Buffer.concat([Buffer.from(head), ...bodies, Buffer.from(`\n${resets}`)]))
  const [code] = await once(git, 'exit')
  assert.equal(code, 0)
}

async function ownProject() {
  const { person } = await surfer()
  const { project } = await scene.project({ owner: person, visibility: 'private' })
  const row = await scene.deps.database.db
    .selectFrom('projects')
    .select(['id', 'repository_storage', 'default_branch'])
    .where('id', '=', project.id)
    .executeTakeFirstOrThrow()
  return { person, project: { ...project, ...row }, path: `/${project.full_path}` }
}

test('a hostile profile is a text wherever a person is named', async () => {
  const { person: viewer } = await surfer({ admin: true })
  const { project, path } = await ownProject()
  const names = [`\u202Egnp.txt\u200B${script}`.slice(0, 255), 'W'.repeat(255), `${'\u0301'.repeat(100)}${'\u200B'.repeat(20)}\u{1F3F3}`]
  const bomb = `${'['.repeat(60)}${'*_'.repeat(40)}${script}`.slice(0, 255)
  for (const [at, name] of names.entries()) {
    const { person } = await surfer()
    const by = scene.as({ 'private-token': person.token })
    const profile = {
      name,
      bio: bomb,
      location: 'L'.repeat(255),
      organization: script,
      job_title: script,
      pronouns: '\u202Ehe',
      skype: script,
    }
    assert.equal((await by.put('/user', profile)).status, 200)
    for (const wrong of [
      { website_url: 'javascript:pwned()' },
      { website_url: ' java\tscript:pwned()' },
      { website_url: 'data:text/html,<script>pwned()</script>' },
      { twitter: 'javascript:pwned()//' },
    ])
      assert.equal((await by.put('/user', wrong)).status, 400, JSON.stringify(wrong))
    assert.equal((await by.put('/user', { website_url: `https://example.com/${'a'.repeat(470)}` })).status, 200)
    assert.ok((await by.put('/user/status', { message: `\u202E${script}`.slice(0, 100) })).status < 300)
    await scene.root.post(`${project.url}/members`, { user_id: person.id, access_level: 40 })
    const issue = await by.post(`${project.url}/issues`, {
      title: `Lamp ${at}`,
      description: `@${person.username} ${name}`,
      assignee_ids: [person.id],
    })
    assert.equal(issue.status, 201)
    await by.post(`${project.url}/issues/${issue.body.iid}/notes`, { body: bomb })
    const { window, page, visits } = await watched(viewer)
    await visits(`/users/${person.username}/activity`, `/admin/users/${person.username}`, `${path}/-/issues/${issue.body.iid}`)
    const ofName = (of: Element) => [getComputedStyle(of).unicodeBidi, getComputedStyle(of).overflowY]
    assert.equal((await page.locator(`main a[href="/${person.username}"]`).first().evaluate(ofName))[0], 'isolate', 'it turns itself alone')
    await visits(`/${person.username}`)
    assert.equal((await page.locator('.about h1').evaluate(ofName))[1], 'clip', 'marks on marks end with it')
    await window.close()
  }
  const { window, page, visits } = await watched(viewer)
  await visits(`${path}/-/project_members`, `${path}/-/issues`, `${path}/-/activity`, '/admin/users', '/search?search=WWW&scope=users')
  await page.keyboard.press('Control+k')
  await page.waitForSelector('command-palette dialog[open]')
  await page.keyboard.type('WWW')
  await page.waitForSelector('[role=option]:has-text("WWWW")')
  await window.check()
  await window.close()
})

test('files whose names have any bytes are listed, opened, blamed and shown in changes', async () => {
  const { person, project, path } = await ownProject()
  const names: (Buffer | string)[] = [
    Buffer.from('caf\xe9 \xff.txt', 'latin1'),
    '\u202Egpj.exe',
    'two\nlines.txt',
    'tab\tand "quotes\'.txt',
    `${script.replaceAll('/', '\\')}.txt`,
    '-rf',
    '--output=x',
    '%2e%2e%2f%00',
    'a?b=c#d&e;f',
    ':(top)x',
    ' begins and ends with spaces ',
    '\\..\\windows',
    `${'long'.repeat(60)}.txt`,
    'raw/tree/main/-/settings',
    '\u0000'.slice(1) || 'e\u0301.txt',
  ]
  await write(
    project,
    names.map(name => [name, 'lamp\n'] as const),
  )
  const { window, page, visits, calm } = await watched(person)
  await visits(path, `${path}/-/tree/main`, `${path}/-/commit/main`, `${path}/-/commits/main`, `${path}/-/find_file/main`)
  await visits(`${path}/-/tree/main`)
  const links = await page
    .locator('table.tree tbody a[href*="/-/blob/"]')
    .evaluateAll(all => all.map(link => link.getAttribute('href') as string))
  const own = [...new Set(links)].filter(link => !link.endsWith('BEGIN.md'))
  // One lies in a folder, and one has bytes that no address can name: it is fetched by its id.
  assert.equal(own.length, names.length - 2, `each file has an address of its own: ${own.join(' ')}`)
  const unnamed = await page.locator('table.tree tbody tr', { hasText: '\ufffd' }).getByRole('link').first().getAttribute('href')
  assert.equal(await (await page.request.get(new URL(String(unnamed), url).href)).text(), 'lamp\n')
  for (const link of own) {
    await visits(link)
    await page.locator('#L1').waitFor()
    const [raw, blame] = [link.replace('/-/blob/', '/-/raw/'), link.replace('/-/blob/', '/-/blame/')]
    assert.equal(await (await page.request.get(url + raw)).text(), 'lamp\n', raw)
    await visits(blame)
    await page.locator('#L1').waitFor()
    await page.goto(url + link)
    await page.locator('main').getByRole('link', { name: 'History' }).click()
    await page.waitForURL(/\/-\/commits\//)
    await page.locator('main >> text=Names').first().waitFor()
    await calm(link)
  }
  await window.close()
})

test('branches that are called like a path of ours, and ten thousand of them, are found and opened', async () => {
  const { person, project, path } = await ownProject()
  const called = [
    'tree/main',
    'main-/settings',
    'a/-/settings',
    'HEAD',
    '#1',
    'x%2fy',
    `é${'b'.repeat(200)}`,
    '@',
    '<b>',
    '\'"',
    '-/settings',
  ]
  const many = Array.from({ length: 10_000 }, (_, at) => `refs/heads/many/branch-${at}`)
  await write(project, [['a/-/settings/x.txt', 'x\n']], [...called.map(name => `refs/heads/${name}`), ...many])
  const { window, page, visits } = await watched(person)
  await visits(
    `${path}/-/branches`,
    `${path}/-/branches?search=branch-99`,
    path,
    `${path}/-/commit/main`,
    `${path}/-/compare`,
    `${path}/-/network/main`,
  )
  await visits(`${path}/-/tree/a/-/settings/a/-/settings`)
  await page.locator('table.tree >> text=x.txt').waitFor()
  await window.close()
})

/** Bringing projects and groups from one place to another, in a real browser: archives, and migrations from a running server. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oauthScene, password } from '../../src/identity/oauth/scene.ts'
import { listening } from '../../src/identity/providers/kinds/scene.ts'
import { exportAsked, turn } from '../../src/integrations/bulk_imports/scene.ts'
import { github } from '../../src/integrations/github_imports/scene.ts'
import { importGroupArchive } from '../../src/integrations/group_archives/importing/task.ts'
import { groupArchive, runGroupExport } from '../../src/integrations/group_archives/scene.ts'
import { importArchive } from '../../src/integrations/project_archives/importing/task.ts'
import { archiveWith, runExport } from '../../src/integrations/project_archives/scene.ts'
import { atEnd } from '../at_end.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { waysIn } from './hands.ts'
import { downloaded, shows, signedIn } from './visitor.ts'

const scene = await openScene({ settings: { outboundAllow: '127.0.0.1' } })
const source = await openScene()
const { surfer } = oauthScene(scene)
const browser = await startChromium()
atEnd(() => browser.close())
const { url } = scene

/** An archive as a person chooses it from a folder. */
const chosen = (buffer: Buffer, name = 'export.tar.gz') => ({ name, mimeType: 'application/gzip', buffer })

let count = 0

for (const [way, options, hands] of waysIn(import.meta.url)) {
  const live = { hasScripts: options.javaScriptEnabled !== false }
  const atWork = async (admin = false) => {
    const { person } = await surfer({ admin })
    const window = await signedIn(browser, url, options, { username: person.username, password })
    return { person, window, page: window.page, by: hands(window.page) }
  }
  const idAt = async (path: string): Promise<number> => (await scene.root.get(`/projects/${encodeURIComponent(path)}`)).body.id

  test(`a project is exported and imported, ${way}`, async () => {
    const { person, window, page, by } = await atWork()
    const { project } = await scene.project({ owner: person, description: 'Keeps lamps' })
    await scene.commit(project, { 'README.md': '# Lamps\n' })
    await window.visit(`/${project.full_path}/-/edit`)
    await by.press(page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Export' }))
    await page.getByText('There is no archive.').waitFor()
    await window.check()
    await by.write(page.getByLabel('Send it to'), 'http://10.0.0.1/lamp.tar.gz')
    await by.press(page.getByRole('button', { name: 'Export project' }))
    await page.locator('[aria-invalid=true]').waitFor()
    await window.check()
    await by.write(page.getByLabel('Send it to'), '')
    await by.write(page.getByLabel('Description'), 'As it was')
    await by.press(page.getByRole('button', { name: 'Export project' }))
    await page.getByText('Waits for its turn').waitFor()
    await runExport(scene, project.id)
    await shows(page, live, 'text=Finished')
    await window.check()
    const archive = await downloaded(page, () => by.press(page.getByRole('link', { name: 'Download' })))

    const path = `brought-${++count}`
    await window.visit('/projects/new')
    await by.press(page.getByRole('link', { name: 'Import it' }))
    await by.press(page.getByRole('navigation', { name: 'Import from' }).getByRole('link', { name: 'Archive', exact: true }))
    await window.check()
    await page.getByLabel('Archive', { exact: true }).setInputFiles(chosen(archive))
    await by.write(page.getByRole('textbox', { name: 'Path' }), path)
    await by.press(page.getByRole('button', { name: 'Import project' }))
    await page.waitForURL(`${url}/${person.username}/${path}/-/import`)
    await page.getByText('Waits for its turn').waitFor()
    await window.check()
    await importArchive(scene.deps, { project_id: await idAt(`${person.username}/${path}`) })
    await shows(page, live, 'text=Finished')
    await window.check()
    await by.press(page.getByRole('link', { name: 'Open the project' }))
    await page.getByRole('heading', { name: 'Lamps' }).waitFor()
    await page.getByText('As it was').waitFor()
    await window.close()
  })

  test(`what an archive lacks is reported, ${way}`, async () => {
    const { person, window, page, by } = await atWork()
    const path = `lacking-${++count}`
    await window.visit('/import/gitlab_project/new')
    await page.getByLabel('Archive', { exact: true }).setInputFiles(chosen(Buffer.from('no archive'), 'export.zip'))
    await by.write(page.getByRole('textbox', { name: 'Path' }), path)
    await by.press(page.getByRole('button', { name: 'Import project' }))
    await page.getByRole('alert').or(page.locator('[aria-invalid=true]')).first().waitFor()
    await window.check()
    const labels = [
      { title: 'bright', color: '#ffcc00' },
      { title: 'x'.repeat(300), color: 'no colour' },
    ]
    await page.getByLabel('Archive', { exact: true }).setInputFiles(chosen(await archiveWith({ 'tree/project/labels.ndjson': labels })))
    await by.press(page.getByRole('button', { name: 'Import project' }))
    await page.waitForURL(`${url}/${person.username}/${path}/-/import`)
    await importArchive(scene.deps, { project_id: await idAt(`${person.username}/${path}`) })
    await shows(page, live, 'text=What could not be imported')
    await page
      .getByRole('cell', { name: 'labels' })
      .or(page.getByRole('rowheader', { name: 'labels' }))
      .first()
      .waitFor()
    await window.check()
    await window.close()
  })

  test(`a project comes from an archive at an address, and a repository from GitHub, ${way}`, async () => {
    const { person, window, page, by } = await atWork()
    const archive = await archiveWith({})
    const files = await listening((_request, response) => void response.end(archive))
    const ways = page.getByRole('navigation', { name: 'Import from' })
    const fetchedPath = `fetched-${++count}`
    await window.visit('/projects/import')
    await by.press(ways.getByRole('link', { name: 'Archive at an address' }))
    await by.write(page.getByLabel('Address of the archive'), 'http://10.0.0.1/lamp.tar.gz')
    await by.write(page.getByRole('textbox', { name: 'Path' }), fetchedPath)
    await by.press(page.getByRole('button', { name: 'Import project' }))
    await page.locator('[name=url][aria-invalid=true]').waitFor()
    await window.check()
    await by.write(page.getByLabel('Address of the archive'), `${files}/lamp.tar.gz`)
    await by.press(page.getByRole('button', { name: 'Import project' }))
    await page.waitForURL(`${url}/${person.username}/${fetchedPath}/-/import`)
    await importArchive(scene.deps, { project_id: await idAt(`${person.username}/${fetchedPath}`) })
    await shows(page, live, 'text=Finished')

    const server = await github('token-of-github', { name: 'lamp', full_name: 'octo/lamp' }, () => ({}))
    const name = `octo-lamp-${++count}`
    await window.visit('/projects/import')
    await by.press(ways.getByRole('link', { name: 'GitHub' }))
    await by.write(page.getByLabel('Repository', { exact: true }), 'octo/lamp')
    await by.write(page.getByLabel('Token of GitHub'), 'wrong')
    await by.write(page.getByRole('textbox', { name: 'Name' }), name)
    await by.write(page.getByLabel('Address of a GitHub Enterprise server'), server.url)
    await by.press(page.getByRole('button', { name: 'Import project' }))
    await page.locator('[name=personal_access_token][aria-invalid=true]').waitFor()
    await window.check()
    await by.write(page.getByLabel('Token of GitHub'), 'token-of-github')
    await by.press(page.getByRole('button', { name: 'Import project' }))
    await page.waitForURL(`${url}/${person.username}/${name}/-/import`)
    await page.getByText('from GitHub').waitFor()
    await window.check()
    await window.close()
  })

  test(`a group is exported and imported, ${way}`, async () => {
    const { person, window, page, by } = await atWork()
    const { group } = await scene.group({ owner: person })
    await window.visit(`/groups/${group.full_path}/-/settings/export`)
    await by.press(page.getByRole('button', { name: 'Export group' }))
    await page.getByText('Waits for its turn').waitFor()
    await runGroupExport(scene, group.id)
    await shows(page, live, 'text=Finished')
    await window.check()
    const archive = await downloaded(page, () => by.press(page.getByRole('link', { name: 'Download' })))
    assert.ok(archive.length > 100)

    const path = `brought-group-${++count}`
    await window.visit('/groups/new')
    await by.press(page.getByRole('link', { name: 'Import an archive' }))
    await page.getByLabel('Archive', { exact: true }).setInputFiles(chosen(await groupArchive()))
    await by.write(page.getByRole('textbox', { name: 'Name' }), group.name)
    await by.write(page.getByRole('textbox', { name: 'Path' }), path)
    await by.press(page.getByRole('button', { name: 'Import group' }))
    await page.locator('[name=name][aria-invalid=true]').waitFor()
    await window.check()
    await page.getByLabel('Archive', { exact: true }).setInputFiles(chosen(await groupArchive()))
    await by.write(page.getByRole('textbox', { name: 'Name' }), `Brought ${count}`)
    await by.press(page.getByRole('button', { name: 'Import group' }))
    await page.waitForURL(`${url}/groups/${path}/-/import`)
    await window.check()
    await importGroupArchive(scene.deps, { group_id: (await scene.root.get(`/groups/${path}`)).body.id })
    await shows(page, live, 'text=Finished')
    await window.check()
    await by.press(page.getByRole('link', { name: 'Open the group' }))
    await page.getByRole('heading', { name: 'From elsewhere' }).or(page.getByText('From elsewhere')).first().waitFor()
    await window.close()
  })

  test(`a group is migrated from a running server, ${way}`, async () => {
    const author = await source.user()
    const { group } = await source.group({ owner: author })
    const { project } = await source.project({ group, owner: author })
    await source.commit(project, { 'README.md': '# Lamps\n' })
    await author.post(`${project.url}/hooks`, { url: 'https://example.com/hook' })
    const slug = `migrated-${++count}`
    const { window, page, by } = await atWork()
    await window.visit('/groups/new')
    await by.press(page.getByRole('link', { name: 'migrate it' }))
    await by.write(page.getByLabel('Address of the other server'), source.url)
    await by.write(page.getByLabel('Token for it'), author.token)
    await by.press(page.getByRole('button', { name: 'Migrate' }))
    await page.getByText('Name at least one group or project').waitFor()
    await window.check()
    await by.write(page.getByLabel('Token for it'), author.token)
    await by.write(page.getByLabel('Path there 1'), group.full_path)
    await by.write(page.getByLabel('New path 1'), slug)
    await by.press(page.getByRole('button', { name: 'Migrate' }))
    await page.waitForURL(/\/import\/bulk_imports\/\d+$/)
    await page.getByText('0 of 1 groups and projects have ended').waitFor()
    await window.check()
    const id = Number(page.url().split('/').at(-1))
    while (await turn(scene, id)) await exportAsked(source)
    await shows(page, live, 'text=2 of 2 groups and projects have ended.')
    await window.check()
    await by.press(page.getByRole('link', { name: /missing$/ }).last())
    await page.getByText('hooks').first().waitFor()
    await window.check()
    await by.press(page.getByRole('link', { name: 'The whole migration' }))
    await by.press(page.getByRole('link', { name: `${slug}/${project.path}` }))
    await page.getByRole('heading', { name: 'Lamps' }).waitFor()
    await window.visit('/import/bulk_imports')
    await window.close()
  })
}

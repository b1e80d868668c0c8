/** What owners set up for a group in a real browser, with a real directory at the other end: links to its groups, sign-in by SAML, and the dependency proxy. */
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { keepBlob, keepManifest } from '../../src/delivery/container_registry/proxy/cache.ts'
import { directorySkip, openDirectory } from '../../src/identity/ldap/scene.ts'
import { oauthScene, password } from '../../src/identity/oauth/scene.ts'
import { providersFile } from '../../src/identity/providers/kinds/scene.ts'
import { makePair } from '../../src/identity/saml/scene_pair.ts'
import { atEnd } from '../at_end.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { waysIn } from './hands.ts'
import { signedIn } from './visitor.ts'

const skip = await directorySkip()
const directory = skip ? undefined : await openDirectory()
const provider = { name: 'ldapmain', label: 'Example Directory', kind: 'ldap', settings: directory?.settings }
const scene = await openScene({ settings: { providersFile: await providersFile(directory ? [provider] : []) } })
const { surfer } = oauthScene(scene)
const browser = await startChromium()
atEnd(() => browser.close())
const { url } = scene

for (const [way, options, hands] of waysIn(import.meta.url)) {
  /** A window of the owner of a new group; what asks whether one is sure is answered yes. */
  const ownerAtWork = async () => {
    const { person } = await surfer()
    const { group } = await scene.group({ owner: person })
    const window = await signedIn(browser, url, options, { username: person.username, password })
    return { group, window, page: window.page, by: hands(window.page) }
  }

  test(`an owner, ${way}, links a group to a group of the directory, mends a wrong filter, and ends the links`, { skip }, async () => {
    const { group, window, page, by } = await ownerAtWork()
    await window.visit(`/groups/${group.full_path}/-/settings/ldap`)
    await by.press(page.getByRole('link', { name: 'Add link' }))
    await page.waitForURL(/\/ldap\/new$/)
    await window.check()
    await by.write(page.getByLabel(/^Group/).and(page.locator('input')), 'Writers')
    await by.choose(page.getByLabel('Role'), 'Reporter')
    await by.press(page.getByRole('button', { name: 'Add link' }))
    await page.waitForSelector('text=The link was added.')
    await window.check()
    const { body } = await scene.root.get(`${group.url}/ldap_group_links`)
    assert.deepEqual(body, [{ cn: 'Writers', group_access: 20, provider: 'ldapmain', filter: null }])

    await by.press(page.getByRole('link', { name: 'Add link' }))
    await page.waitForURL(/\/ldap\/new$/)
    await by.write(page.getByLabel(/^Filter/), '(department=Research')
    await by.press(page.getByRole('button', { name: 'Add link' }))
    await page.locator('[aria-invalid=true]').waitFor()
    await window.check()
    assert.equal(await page.locator(':focus').getAttribute('name'), 'filter', 'the focus is at what is wrong')
    assert.equal(await page.getByLabel(/^Filter/).inputValue(), '(department=Research', 'what was typed is kept')
    await by.write(page.getByLabel(/^Filter/), '(department=Research)')
    await by.press(page.getByRole('button', { name: 'Add link' }))
    await page.waitForSelector('text=The link was added.')

    for (const called of ['Writers', '(department=Research)']) {
      await by.press(page.getByRole('button', { name: `Remove: ${called}` }))
      await page.getByRole('button', { name: `Remove: ${called}` }).waitFor({ state: 'detached' })
    }
    await page.getByText('No links').waitFor()
    await window.check()
    await window.close()
  })

  test(`an owner, ${way}, sets up sign-in by SAML with single logout, mends a wrong certificate, and removes it`, async () => {
    const { group, window, page, by } = await ownerAtWork()
    await window.visit(`/groups/${group.full_path}/-/saml`)
    await by.press(page.getByRole('link', { name: 'Set up' }))
    await page.waitForURL(/\/saml\/edit$/)
    await window.check()
    await by.write(page.getByLabel('Entity ID of the provider'), 'https://id.example.com/metadata')
    await by.write(page.getByLabel('Address at which people sign in'), 'https://id.example.com/sso')
    await by.write(page.getByLabel('Address at which people sign out'), 'https://id.example.com/slo')
    await by.write(page.locator('textarea[name=certificate]'), 'no certificate')
    await by.tick(page.getByLabel('For git they need such a session too'))
    await by.press(page.getByRole('button', { name: 'Save' }))
    await page.locator('[name=certificate][aria-invalid=true]').waitFor()
    await window.check()
    await by.write(page.locator('textarea[name=certificate]'), makePair().certificate)
    await by.press(page.getByRole('button', { name: 'Save' }))
    await page.getByText('The SAML provider is saved.').waitFor()
    await page.getByText('Address for requests to sign out (SLO)').waitFor()
    await window.check()
    const { body } = await scene.root.get(`${group.url}/saml_provider`)
    assert.deepEqual([body.slo_url, body.git_check_enforced, body.enforced], ['https://id.example.com/slo', true, false])

    await by.press(page.getByRole('link', { name: 'Edit' }))
    await by.write(page.getByLabel('Address at which people sign out'), '')
    await by.press(page.getByRole('button', { name: 'Save' }))
    await page.getByText('The SAML provider is saved.').waitFor()
    assert.equal((await scene.root.get(`${group.url}/saml_provider`)).body.slo_url, null)
    await by.press(page.getByRole('button', { name: 'Remove' }))
    await page.getByText('No SAML provider').waitFor()
    await window.check()
    await window.close()
  })

  test(`an owner, ${way}, sees what the group keeps of another registry, and removes it`, async () => {
    const { group, window, page, by } = await ownerAtWork()
    const { deps } = scene
    const manifest = { digest: 'sha256:1', media_type: 'application/vnd.oci.image.manifest.v1+json', payload: Buffer.from('{}') }
    await keepManifest(deps, group.id, { image: 'library/alpine', reference: 'latest' }, manifest)
    await keepBlob(deps, group.id, 'sha256:2', await deps.objects.put(Readable.from([Buffer.alloc(4_000)])))
    await window.visit(`/groups/${group.full_path}/-/settings/dependency_proxy`)
    await page.getByText('3.9 KB').waitFor()
    await by.press(page.getByRole('button', { name: 'Remove all kept images' }))
    await page.waitForSelector('text=The kept images are removed.')
    await page.getByText('0 bytes').waitFor()
    await window.check()
    assert.equal(await page.getByRole('button', { name: 'Remove all kept images' }).count(), 0)
    await window.close()
  })
}

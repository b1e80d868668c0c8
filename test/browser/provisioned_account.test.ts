/**
 * How people come to a company's group and leave it, in a real browser with a real SAML provider, SCIM requests as providers send them and a real mail
 * server: made by SCIM, signed in with the account of the company, at work with a token, taken out by SCIM, and back again.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openSamlProvider, type SamlProvider } from '../../src/identity/saml/scene.ts'
import { scimUser } from '../../src/integrations/scim/scene.ts'
import { startMailServer } from '../../src/platform/mail/scene.ts'
import { startTaskWorker } from '../../src/server/tasks.ts'
import { atEnd } from '../at_end.ts'
import { openCheckouts } from '../clients/checkouts.ts'
import { openWorkbench } from '../clients/workbench.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { waysIn } from './hands.ts'
import { visitor } from './visitor.ts'

const people: SamlProvider['people'] = {}
const company = await openSamlProvider(people)
const server = await startMailServer()
const scene = await openScene({ settings: { smtpUrl: `smtp://127.0.0.1:${server.port}` } })
const worker = await startTaskWorker(scene.deps, { concurrency: 1 })
atEnd(() => worker.stop())
const { address, attempt, clone, commit, git } = await openCheckouts(scene, await openWorkbench())

const { group, owner } = await scene.group({ path: 'works', name: 'Works', visibility: 'private' })
const { project } = await scene.project({ group, name: 'Lanterns', visibility: 'private' })
// The first branch is protected: members push to others.
await scene.root.post(`${project.url}/repository/files/README.md`, { branch: 'main', content: '# Lanterns\n', commit_message: 'Begin' })
const { body: samlProvider } = await owner.put(`${group.url}/saml_provider`, {
  issuer: company.issuer,
  sso_url: company.ssoUrl,
  certificate: company.pair.certificate,
  enforced: true,
})
company.meet((await scene.anonymous.get(samlProvider.metadata_url)).body)
const { body: scim } = await scene.root.post(`${group.url}/scim_token`, { default_membership_role: 30 })
const machine = scene.as({ authorization: `Bearer ${scim.token}` })
const asScim = { 'content-type': 'application/scim+json' }
const browser = await startChromium()
atEnd(() => browser.close())

/** A change of a user as a provider sends it. */
const activeIs = (login: string, value: boolean) =>
  machine.patch(
    `${scim.scim_url}/Users/${login}`,
    { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: [{ op: 'Replace', path: 'active', value }] },
    asScim,
  )

describe('a person is made by SCIM, signs in with the company account, works with a token, is taken out by SCIM, and comes back', () => {
  for (const [index, [way, options, hands]] of waysIn(import.meta.url).entries())
    test(way, async () => {
      const login = `bea${index}`
      const email = `${login}@company.example`
      people[login] = {}
      const provisioned = scimUser({ externalId: login, userName: login, emails: [{ type: 'work', value: email, primary: true }] })
      const provision = async () => assert.equal((await machine.post(`${scim.scim_url}/Users`, provisioned, asScim)).status, 201)
      await provision()

      const window = await visitor(browser, scene.url, options)
      const { page } = window
      const by = hands(page)
      const button = (name: string) => page.getByRole('button', { name, exact: true })
      /** From the address that the company gives its people to the one that the provider leads to. */
      const signInByCompany = async () => {
        await window.visit(`/groups/works/-/saml/sso?token=${new URL(samlProvider.metadata_url).pathname.split('/')[3]}`)
        await by.press(button('Sign in with the company account'))
        await page.waitForURL(`${company.ssoUrl}**`)
        await by.write(page.getByLabel('Name'), login)
        await by.press(button('Sign in to the company'))
        await by.press(button('Go on'))
      }
      const showsGroup = async () => {
        await page.waitForURL('**/works')
        await page.waitForSelector('h1:has-text("Works")')
      }

      await signInByCompany()
      await page.waitForSelector('text=confirm your email address')
      await window.check()
      await page.goto(`${scene.url}/users/confirmation/new`)
      await by.write(page.getByLabel('Email'), email)
      await by.press(button('Send me the link'))
      const { html } = await server.mailTo(email)
      await page.goto(/<a href="([^"]+\/users\/confirmation[^"]+)">/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '')
      await by.press(button('Confirm the address'))
      await page.waitForSelector('text=The address is confirmed')
      await signInByCompany()
      await showsGroup()
      await window.check()

      await page.goto(`${scene.url}/-/profile/personal_access_tokens`)
      await by.write(page.getByRole('textbox', { name: 'Name' }), 'laptop')
      for (const scope of ['api', 'write_repository']) await by.tick(page.locator(`input[value=${scope}]`))
      await by.press(button('Create token'))
      const token = (await page.locator('[role=status] code').first().textContent()) ?? ''
      const program = scene.as({ 'private-token': token })
      const remote = address(project, { user: login, password: token })
      const folder = await clone(remote)
      const branch = `lamp-${index}`
      await git(folder, 'switch', '--quiet', '--create', branch)
      await commit(folder, { 'lamp.txt': `${way}\n` })
      await git(folder, 'push', '--quiet', 'origin', branch)
      assert.equal((await program.get(project.url)).status, 200)

      // Switched off: the session that the provider began has ended, also for the page that is open, and no other begins.
      await page.goto(`${scene.url}/${project.full_path}`)
      await page.waitForSelector('h1:has-text("Lanterns")')
      assert.equal((await activeIs(login, false)).status, 204)
      await page.reload()
      await page.waitForSelector('text=The page does not exist, or you may not see it')
      await window.visit('/-/profile')
      await page.waitForURL('**/users/sign_in*')
      await signInByCompany()
      await page.waitForSelector('text=Sign in to your account first')
      await window.check()

      // Switched on again, and taken out for good: the session, the token and git have no more of the group.
      assert.equal((await activeIs(login, true)).status, 204)
      await signInByCompany()
      await showsGroup()
      assert.equal((await machine.delete(`${scim.scim_url}/Users/${login}`)).status, 204)
      await page.reload()
      await page.waitForSelector('text=The page does not exist, or you may not see it')
      assert.equal((await program.get(project.url)).status, 404)
      assert.notEqual((await attempt(folder, 'fetch', '--quiet')).code, 0)
      assert.notEqual((await attempt(folder, 'push', '--quiet', 'origin', `${branch}:another`)).code, 0)

      // The same person again: the account that was made for them, and what their token did before.
      await provision()
      await signInByCompany()
      await showsGroup()
      await window.check()
      await git(folder, 'fetch', '--quiet')
      await git(folder, 'push', '--quiet', 'origin', `${branch}:${branch}-again`)
      await window.close()
    })
})

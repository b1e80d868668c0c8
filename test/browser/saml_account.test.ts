/** How people sign in by SAML and out again, in a real browser, whose cookies do not go with the form in which the provider sends its answer. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { providersFile } from '../../src/identity/providers/kinds/scene.ts'
import { openSamlProvider, type SamlProvider } from '../../src/identity/saml/scene.ts'
import { logoutLink, sentLogout } from '../../src/identity/saml/scene_logout.ts'
import { atEnd } from '../at_end.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { type Hands, waysIn } from './hands.ts'
import { visitor } from './visitor.ts'

const people: SamlProvider['people'] = {}
const company = await openSamlProvider(people)
/** Where the provider takes requests to sign out; it shows the form of its sign-in there. */
const sloUrl = new URL('/out', company.issuer).href
const scene = await openScene({
  settings: {
    providersFile: await providersFile([
      {
        name: 'company',
        label: 'the company account',
        kind: 'saml',
        private_address: true,
        settings: { entity_id: company.issuer, sso_url: company.ssoUrl, slo_url: sloUrl, certificate: company.pair.certificate },
        allow_single_sign_on: true,
        block_auto_created_users: false,
        roles: [{ group: 'builders', path: 'works', access_level: 'developer' }],
      },
    ]),
  },
})
company.meet((await scene.anonymous.get(`${scene.url}/users/auth/company/metadata`)).body)
const { group } = await scene.group({ path: 'works', name: 'Works', visibility: 'private' })
const browser = await startChromium()
atEnd(() => browser.close())

/** From the page for signing in to the one that the provider leads to. */
async function signInByCompany(page: Page, by: Hands, login: string): Promise<void> {
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await page.waitForURL('**/users/sign_in?*')
  await by.press(button('Sign in with the company account'))
  await page.waitForURL(`${company.ssoUrl}**`)
  await by.write(page.getByLabel('Name'), login)
  await by.press(button('Sign in to the company'))
  await by.press(button('Go on'))
}

describe('a person signs in by SAML, has the roles of their groups, and loses them with the groups', () => {
  for (const [index, [way, options, hands]] of waysIn(import.meta.url).entries())
    test(way, async () => {
      const login = `ada${index}`
      for (const isBuilder of [true, false]) {
        people[login] = { username: login, email: `${login}@company.example`, name: 'Ada', groups: isBuilder ? ['builders'] : [] }
        const window = await visitor(browser, scene.url, options)
        const { page } = window

        await window.visit('/groups/works')
        await page.getByRole('link', { name: 'Sign in', exact: true }).last().click()
        await signInByCompany(page, hands(page), login)

        await page.waitForURL('**/groups/works')
        await page.waitForSelector(isBuilder ? 'h1:has-text("Works")' : 'text=The page does not exist, or you may not see it')
        await window.check()
        const [user] = (await scene.root.get('/users', { username: login })).body
        assert.equal((await scene.root.get(`${group.url}/members/${user.id}`)).status, isBuilder ? 200 : 404)
        await window.close()
      }
    })
})

describe('a person signs out here and is signed out at the provider, and the other way around', () => {
  for (const [index, [way, options, hands]] of waysIn(import.meta.url).entries())
    test(way, async () => {
      const login = `cyd${index}`
      people[login] = { username: login, email: `${login}@company.example`, name: 'Cyd' }
      const window = await visitor(browser, scene.url, options)
      const { page } = window
      const by = hands(page)
      const signIn = async () => {
        await page.goto(`${scene.url}/-/profile`)
        await signInByCompany(page, by, login)
        await page.waitForURL('**/-/profile')
        await window.check()
      }

      await signIn()
      await by.press(page.locator('details.menu summary[aria-label^="Menu of"]'))
      await by.press(page.getByRole('button', { name: 'Sign out' }))
      await page.waitForURL(`${sloUrl}?**`)
      const { xml } = sentLogout(page.url())
      assert.match(xml, /LogoutRequest/)
      assert.ok(xml.includes(`>${login}<`))
      await window.visit('/-/profile')
      await page.waitForURL('**/users/sign_in*')

      await signIn()
      await page.goto(scene.url + logoutLink(company, `${scene.url}/users/auth/company/logout`, login))
      await page.waitForURL(`${sloUrl}?**`)
      assert.match(sentLogout(page.url()).xml, /LogoutResponse/)
      await window.visit('/-/profile')
      await page.waitForURL('**/users/sign_in*')
      await window.close()
    })
})

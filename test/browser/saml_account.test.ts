/** How people sign in by SAML, in a real browser, whose cookies do not go with the form in which the provider sends its answer. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { providersFile } from '../../src/identity/providers/kinds/scene.ts'
import { openSamlProvider, type SamlProvider } from '../../src/identity/saml/scene.ts'
import { atEnd } from '../at_end.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { ways } from './hands.ts'
import { visitor } from './visitor.ts'

const people: SamlProvider['people'] = {}
const company = await openSamlProvider(people)
const scene = await openScene({
  settings: {
    providersFile: await providersFile([
      {
        name: 'company',
        label: 'the company account',
        kind: 'saml',
        private_address: true,
        settings: { entity_id: company.issuer, sso_url: company.ssoUrl, certificate: company.pair.certificate },
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

describe('a person signs in by SAML, has the roles of their groups, and loses them with the groups', () => {
  for (const [index, [way, options, hands]] of ways.entries())
    test(way, async () => {
      const login = `ada${index}`
      for (const isBuilder of [true, false]) {
        people[login] = { username: login, email: `${login}@company.example`, name: 'Ada', groups: isBuilder ? ['builders'] : [] }
        const window = await visitor(browser, scene.url, options)
        const { page } = window
        const by = hands(page)
        const button = (name: string) => page.getByRole('button', { name, exact: true })

        await window.visit('/groups/works')
        await page.getByRole('link', { name: 'Sign in', exact: true }).last().click()
        await page.waitForURL('**/users/sign_in?*')
        await by.press(button('Sign in with the company account'))
        await page.waitForURL(`${company.ssoUrl}**`)
        await by.write(page.getByLabel('Name'), login)
        await by.press(button('Sign in to the company'))
        await by.press(button('Go on'))

        await page.waitForURL('**/groups/works')
        await page.waitForSelector(isBuilder ? 'h1:has-text("Works")' : 'text=The page does not exist, or you may not see it')
        await window.check()
        const [user] = (await scene.root.get('/users', { username: login })).body
        assert.equal((await scene.root.get(`${group.url}/members/${user.id}`)).status, isBuilder ? 200 : 404)
        await window.close()
      }
    })
})

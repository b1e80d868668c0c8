/** How people sign in by the account of their company, in a real browser with a real OpenID Connect provider at the other end. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CLIENT, openOpenidProvider, type People, providersFile } from '../../src/identity/providers/kinds/scene.ts'
import { atEnd } from '../at_end.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { waysIn } from './hands.ts'
import { visitor } from './visitor.ts'

const people: People = {}
const company = await openOpenidProvider(people)
const scene = await openScene({
  settings: {
    providersFile: await providersFile([
      {
        name: 'company',
        label: 'the company account',
        kind: 'openid_connect',
        private_address: true,
        settings: { issuer: company.issuer, ...CLIENT },
        allow_single_sign_on: true,
        block_auto_created_users: false,
        roles: [{ group: 'builders', path: 'works', access_level: 'developer' }],
      },
    ]),
  },
})
company.redirectTo(scene.url, 'company')
const { group } = await scene.group({ path: 'works', name: 'Works', visibility: 'private' })
const browser = await startChromium()
atEnd(() => browser.close())

describe('a person signs in by the account of their company, has the roles of their groups, and loses them with the groups', () => {
  for (const [index, [way, options, hands]] of waysIn(import.meta.url).entries())
    test(way, async () => {
      const { url } = scene
      const login = `ada${index}`
      people[login] = {
        email: `${login}@company.example`,
        email_verified: true,
        preferred_username: login,
        name: 'Ada',
        groups: ['builders'],
      }

      for (const isBuilder of [true, false]) {
        people[login] = { ...people[login], groups: isBuilder ? ['builders'] : [] }
        const window = await visitor(browser, url, options)
        const { page } = window
        const by = hands(page)
        const button = (name: string) => page.getByRole('button', { name, exact: true })

        await window.visit('/groups/works')
        await page.getByRole('link', { name: 'Sign in', exact: true }).last().click()
        await page.waitForURL('**/users/sign_in?*')
        await window.check()
        await by.press(button('Sign in with the company account'))
        await page.waitForURL(`${company.issuer}/**`)
        await by.write(page.getByLabel('Name'), login)
        await by.press(button('Sign in to the company'))

        await page.waitForURL('**/groups/works')
        await page.waitForSelector(isBuilder ? 'h1:has-text("Works")' : 'text=The page does not exist, or you may not see it')
        await window.check()
        const [user] = (await scene.root.get('/users', { username: login })).body
        assert.equal((await scene.root.get(`${group.url}/members/${user.id}`)).status, isBuilder ? 200 : 404)
        await window.visit('/-/profile/identities')
        await page.waitForSelector('text=your last way to sign in')
        await window.close()
      }
    })
})

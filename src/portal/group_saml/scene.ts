/** For tests: groups with a SAML provider of their own, and browsers that sign in with it. */
import assert from 'node:assert/strict'
import type { Person, Scene, SceneGroup } from '../../../test/scene.ts'
import { password } from '../../identity/oauth/scene.ts'
import { Browser } from '../../identity/providers/kinds/scene.ts'
import { type Answering, openSamlProvider } from '../../identity/saml/scene.ts'

export function groupSamlScene(scene: Scene) {
  /** A group with a provider of its own. */
  async function company(options: Record<string, unknown> = {}) {
    const owner = await scene.user({ password })
    const { group } = await scene.group({ owner, visibility: 'private' })
    return providerOf(owner, group, options)
  }

  /** A group with the provider that its owner sets up. */
  async function providerOf(owner: Person, group: SceneGroup, options: Record<string, unknown> = {}) {
    const idp = await openSamlProvider({ ada: {}, ben: {} })
    const set = { issuer: idp.issuer, sso_url: idp.ssoUrl, certificate: idp.pair.certificate, ...options }
    const { status, body: provider } = await owner.put(`${group.url}/saml_provider`, set)
    assert.equal(status, 200)
    idp.meet((await scene.anonymous.get(provider.metadata_url)).body)
    return { idp, owner, group, provider, name: new URL(provider.metadata_url).pathname.split('/')[3] as string }
  }

  /** A browser, signed in with a password. */
  async function signedIn(person: { readonly username: string }): Promise<Browser> {
    const browser = new Browser(scene)
    await browser.send('/users/sign_in', '/users/sign_in', { login: person.username, password })
    return browser
  }

  /** Signs in with the provider of the group, from the page for it. */
  async function signOn(browser: Browser, { idp, group, name }: Awaited<ReturnType<typeof company>>, login: string, other: Answering = {}) {
    const page = `/groups/${group.full_path}/-/saml/sso?token=${name}`
    // Another form of the frame signs out.
    const [, action] = /<form method="post" action="(?!\/users\/sign_out)([^"]+)" data-turbo/.exec((await browser.get(page)).body) ?? []
    assert.ok(action, 'the page has a button')
    const left = await browser.send(page, action.replaceAll('&amp;', '&'), { redirect: `/${group.full_path}` })
    const [, address] = /^0; url=(.+)$/.exec(left.headers.refresh ?? '') ?? []
    const answer = await browser.post(`/users/auth/${name}/callback`, { ...(await idp.answer(new URL(address ?? ''), login, other)) })
    return answer.status === 303 ? browser.get(answer.headers.location as string) : answer
  }
  return { company, providerOf, signedIn, signOn }
}

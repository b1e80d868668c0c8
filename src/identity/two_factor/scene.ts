/** Test scenes for two factors: an app that makes codes, and people who have one. */
import assert from 'node:assert/strict'
import { Secret, TOTP } from 'otpauth'
import type { Answer } from '../../../test/client.ts'
import type { Scene } from '../../../test/scene.ts'
import { type OAuthScene, oauthScene, password, type Surfer } from '../oauth/scene.ts'

/** The app of a person: the code that it shows, so many steps from now. */
export interface App {
  code(steps?: number): string
}

/** An app with this secret, as the page shows it. */
export function appWith(secret: string, now: () => Date = () => new Date()): App {
  const totp = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) })
  return { code: (steps = 0) => totp.generate({ timestamp: now().getTime() + steps * 30_000 }) }
}

/** The secret that a page of the set-up shows, and its hidden field. */
export function setupOn({ body }: Pick<Answer, 'body'>): { readonly secret: string; readonly setup: string } {
  const secret = /aria-labelledby="typed-secret">([^<]+)</.exec(body)?.[1]
  const setup = /name="setup" value="([^"]+)"/.exec(body)?.[1]
  assert.ok(secret && setup, 'the page shows a set-up')
  return { secret, setup }
}

/** The recovery codes that a page shows. */
export const codesOn = ({ body }: Pick<Answer, 'body'>): readonly string[] => body.match(/[a-z2-7]{4}(?:-[a-z2-7]{4}){3}(?=<\/li>)/g) ?? []

/** A person with two factors. */
export interface Guarded extends Surfer {
  readonly app: App
  readonly codes: readonly string[]
}

export const APP_PAGE = '/-/profile/two_factor/app'

/** Two factors in a scene. */
export function twoFactorScene(scene: Scene) {
  const oauth: OAuthScene = oauthScene(scene)
  const address = (path: string) => `${scene.url}${path}`

  /** Turns two factors on with the code of the step before, so that the one of now is fresh. */
  async function turnOn(surfer: Surfer): Promise<Guarded> {
    const { secret, setup } = setupOn(await surfer.get(APP_PAGE))
    const app = appWith(secret, scene.deps.now)
    const submitted = () => surfer.submit(APP_PAGE, { setup, code: app.code(-1) })
    const current = app.code()
    let answer = await submitted()
    // A step ended meanwhile: the code was one of two steps before.
    if (answer.status === 422 && app.code() !== current) answer = await submitted()
    assert.equal(answer.status, 200, answer.body)
    return { ...surfer, app, codes: codesOn(answer) }
  }

  return {
    ...oauth,
    turnOn,
    /** A new person with two factors and a signed-in browser. */
    guarded: async (options: { admin?: boolean } = {}): Promise<Guarded> => turnOn(await oauth.surfer(options)),
    /** The first step; the cookie of the second. */
    async firstStep(username: string, given = password, headers: Record<string, string> = {}) {
      const answer = await scene.anonymous.post(
        address('/users/sign_in'),
        new URLSearchParams({ login: username, password: given }),
        headers,
      )
      return { answer, cookie: String(answer.headers['set-cookie'] ?? '').split(';')[0] as string }
    },
    /** The second step. */
    secondStep: (cookie: string, code: string, headers: Record<string, string> = {}) =>
      scene.anonymous.post(address('/users/two_factor'), new URLSearchParams({ code }), { cookie, ...headers }),
  }
}

/** Requires two factors of the members of a group. */
export const requireOf = (scene: Scene, group: { readonly url: string }, hours: number) =>
  scene.root.put(group.url, { require_two_factor_authentication: true, two_factor_grace_period: hours })

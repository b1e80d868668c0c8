/** An authenticator of the computer that a window is on, as a real browser has it: it keeps passkeys and verifies its user. */
import type { Page } from 'playwright-core'

export async function addAuthenticator(page: Page): Promise<void> {
  const protocol = await page.context().newCDPSession(page)
  await protocol.send('WebAuthn.enable')
  await protocol.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

/** Waits until the page's form for a key talks to the browser. */
export const keyFormReady = async (page: Page): Promise<void> =>
  void (await page.evaluate('customElements.whenDefined("security-key").then(() => undefined)'))

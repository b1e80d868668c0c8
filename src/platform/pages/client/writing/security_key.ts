/** Has an authenticator answer before a form is sent: a key is made, or signs what the page asks. */
import { startAuthentication, startRegistration } from '@simplewebauthn/browser'

class SecurityKey extends HTMLElement {
  connectedCallback(): void {
    const form = this.closest('form')
    form?.addEventListener('submit', event => {
      const field = this.querySelector<HTMLInputElement>('input[type=hidden]')
      if (field?.value !== '') return
      event.preventDefault()
      void this.#answer().then(answer => {
        field.value = answer ?? ''
        if (answer !== undefined) form.requestSubmit()
      })
    })
  }

  async #answer(): Promise<string | undefined> {
    const optionsJSON = JSON.parse(this.dataset.options ?? '{}')
    const says = this.querySelector('[role=alert]')
    if (says) says.textContent = ''
    try {
      const answer = this.dataset.way === 'make' ? await startRegistration({ optionsJSON }) : await startAuthentication({ optionsJSON })
      return JSON.stringify(answer)
    } catch (error) {
      const isKnown = error instanceof Error && error.name === 'InvalidStateError'
      if (says) says.textContent = isKnown ? 'This key was added before.' : 'Your key gave no answer. Try again, or use another way.'
      return undefined
    }
  }
}

customElements.define('security-key', SecurityKey)

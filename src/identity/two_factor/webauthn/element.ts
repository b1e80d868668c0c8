/** The part of a form that an authenticator answers, for the script `security_key.js`. */
import { type Html, html } from '../../../platform/pages/html.ts'

/** The script that pages with it name. */
export const KEY_SCRIPT = 'security_key.js'

/** `way`: whether a key is made, or one answers. `options`: what is asked of it. `name`: that of the field with the answer. */
export const keyAnswer = (way: 'make' | 'answer', options: object, name = 'response'): Html =>
  html`<security-key data-way="${way}" data-options="${JSON.stringify(options)}"><input type="hidden" name="${name}"><p role="alert" class="error"></p><noscript><p>This needs a script, since the browser has to talk to your key.</p></noscript></security-key>`

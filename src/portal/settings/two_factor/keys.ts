/** The pages on which people add and remove security keys and passkeys. The API at 14.0 has none. */
import type { TurnedOn } from '../../../identity/two_factor/commands.ts'
import { registrationOptions } from '../../../identity/two_factor/webauthn/ceremonies.ts'
import { addKey, removeKey } from '../../../identity/two_factor/webauthn/commands.ts'
import { KEY_SCRIPT, keyAnswer } from '../../../identity/two_factor/webauthn/element.ts'
import { inSelf } from '../../../identity/users/scope.ts'
import { endpoint, nothing, one } from '../../../platform/kernel/declaration/endpoint.ts'
import { integer, text } from '../../../platform/kernel/declaration/types.ts'
import { action } from '../../../platform/pages/forms/action.ts'
import { form } from '../../../platform/pages/forms/form.ts'
import { done } from '../../../platform/pages/frame/document.ts'
import { html } from '../../../platform/pages/html.ts'
import { settingsPlace } from '../place.ts'
import { Made, own } from './endpoints.ts'
import { codesPage, KEYS, TWO_FACTOR } from './view.ts'

/** The form that adds a key of one of the two kinds. */
function adding(isPasskey: boolean) {
  const noun = isPasskey ? 'passkey' : 'security key'
  const name = isPasskey ? ('passkeys' as const) : ('security_keys' as const)
  const of = endpoint({
    ...own,
    route: `POST /user/two_factor/${name}`,
    summary: `Add a ${noun} of one’s own`,
    params: {
      name: text('What it is called', { minLength: 1, maxLength: 255, examples: ['Blue key'] }),
      response: text('What the authenticator answered, as JSON', { maxLength: 65_536, examples: ['{}'] }),
    },
    answers: one(Made),
    run: ctx => addKey(ctx, ctx.user, { ...ctx.params, isPasskey }),
  })
  const notice = `The ${noun} was added.`
  return form({
    path: `${TWO_FACTOR}/${name}/new`,
    summary: `Add a ${noun} of one’s own`,
    scope: inSelf,
    of,
    confirms: true,
    fields: async ctx => {
      const options = await registrationOptions(ctx, ctx.user, isPasskey)
      return [
        { name: 'name', label: 'Name', hint: 'So that you know which one it is.', required: true, autofocus: true },
        {
          name: 'response',
          own: ({ wrong }) =>
            html`${keyAnswer('make', options)}${wrong.length > 0 && html`<p class="error" role="alert">The ${noun} ${wrong.join(', ')}.</p>`}`,
        },
      ]
    },
    next: () => TWO_FACTOR,
    notice,
    answered: (ctx, { codes }: TurnedOn) => (codes.length > 0 ? codesPage(ctx, codes) : done(ctx, TWO_FACTOR, notice)),
    button: `Add the ${noun}`,
    cancel: () => TWO_FACTOR,
    frame: () => ({ title: `Add a ${noun}`, place: settingsPlace('two_factor'), width: 'medium', scripts: [KEY_SCRIPT] }),
  })
}

const securityKey = adding(false)
export const showSecurityKeyForm = securityKey.show
export const submitSecurityKey = securityKey.submit

const passkey = adding(true)
export const showPasskeyForm = passkey.show
export const submitPasskey = passkey.submit

const remove = endpoint({
  ...own,
  route: 'DELETE /user/two_factor/keys',
  summary: 'Remove a security key or passkey of one’s own',
  params: { key_id: integer('ID of the key', { examples: [1] }) },
  answers: nothing,
  run: ctx => removeKey(ctx, ctx.user, ctx.params.key_id),
})

export const submitKeyRemoval = action({
  route: `POST ${KEYS}/remove`,
  of: remove,
  scope: inSelf,
  confirms: true,
  next: () => TWO_FACTOR,
  notice: 'The key was removed.',
})

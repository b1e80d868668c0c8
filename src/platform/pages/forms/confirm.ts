/**
 * What is dangerous asks for the password where it was not given lately: for those who sit at an unlocked computer, and for sessions that are kept for
 * months. The page that asks has what was sent in a form of its own and sends it to the same address again, so that nothing typed is lost and nothing
 * of it is stored.
 */
import type { Context } from '../../kernel/context.ts'
import { csrfToken } from '../../kernel/csrf.ts'
import type { ByteAnswer, Endpoint } from '../../kernel/declaration/endpoint.ts'
import { Port } from '../../kernel/declaration/port.ts'
import { Upload } from '../../kernel/declaration/types.ts'
import { badRequest, Refusal, Unconfirmed } from '../../kernel/errors.ts'
import { Repeated, type Wire, type WireValue } from '../../kernel/request/wire.ts'
import { icon } from '../components/icon.ts'
import { page } from '../frame/document.ts'
import { referringPath } from '../frame/local_path.ts'
import { type Html, html } from '../html.ts'

/** Minutes for which a password counts. */
const MINUTES = 60

/** The parameter with the password; no form has one of this name. */
const PASSWORD = 'confirmation_password'

/** How the user of a session proves again who they are. */
export interface PasswordConfirmation {
  /**
   * Checks the password of the user whose session it is, and keeps that it was right; false where it is wrong.
   * @throws Refusal 429 after too many attempts
   */
  confirm(ctx: Context, password: string): Promise<boolean>
  /** Has that user a password? */
  hasPassword(ctx: Context): Promise<boolean>
}

export const passwordConfirmation = new Port<PasswordConfirmation>('passwordConfirmation')

/** @throws Unconfirmed where the session's user has not given their password lately */
export function assertConfirmed({ actor: { credential }, now }: Pick<Context, 'actor' | 'now'>): void {
  if (credential?.kind === 'session' && now.getTime() - credential.confirmedAt > MINUTES * 60_000) throw new Unconfirmed()
}

/** What `refused` of an endpoint that confirms does: asks for the password; all other refusals go on as they would. */
export const confirming =
  ({ summary, refused }: Pick<Endpoint, 'summary' | 'refused'>): NonNullable<Endpoint['refused']> =>
  async (ctx: Context, refusal, sent) => {
    if (refusal instanceof Unconfirmed) return confirmation(ctx, summary, sent)
    if (refused) return refused(ctx, refusal, sent)
    throw refusal
  }

/** The page that asks; with the right password, the way back to the form's address, with the same form. */
async function confirmation(ctx: Context, summary: string, sent: Wire): Promise<ByteAnswer> {
  const { [PASSWORD]: password, authenticity_token: _, ...form } = sent
  if (typeof password !== 'string' || password === '') return confirmationPage(ctx, summary, form)
  try {
    // 307: the browser sends the same form again, now with a session that is confirmed.
    if (await passwordConfirmation.value.confirm(ctx, password))
      return { body: '', status: 307, headers: { location: ctx.request.address } }
    return confirmationPage(ctx, summary, form, { status: 403, says: 'The password is wrong.' })
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'too_many_requests') throw error
    const says = 'Too many attempts. Nothing was done yet; please try again in some minutes.'
    return confirmationPage(ctx, summary, form, { status: 429, says })
  }
}

async function confirmationPage(
  ctx: Context,
  summary: string,
  form: Wire,
  { status, says }: { readonly status: number; readonly says?: string } = { status: 403 },
): Promise<ByteAnswer> {
  const address = ctx.request.address.split('?', 1)[0] as string
  const back = referringPath(ctx.request.headers, ctx.deps.config) ?? '/'
  const fields = pairsOf(form).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
  // What an application asks for ends there.
  const formLeadsAway = address.startsWith('/oauth/')
  return page(ctx, { title: 'Confirm your password', width: 'narrow', status, formLeadsAway, body: await bodyOf() })

  async function bodyOf(): Promise<Html> {
    const cancel = html`<a class="btn" href="${back === address ? '/' : back}">Cancel</a>`
    if (!(await passwordConfirmation.value.hasPassword(ctx)))
      return html`<div class="notice attention" role="alert">${icon('alert')}<span>This needs a password, and your account has none. Nothing was done. Sign out and in again, and it can be done within ${MINUTES} minutes; or ask an administrator.</span></div><p>${cancel}</p>`
    return html`${says !== undefined && html`<div class="notice danger" role="alert">${icon('alert')}<span>${says}</span></div>`}
<p>To go on: <strong>${summary}</strong>. What you sent is kept, and done once you have confirmed.</p>
<form method="post" action="${address}" data-turbo="false">
<input type="hidden" name="authenticity_token" value="${csrfToken(ctx.actor, ctx.deps.secrets)}">
${fields}
<div class="field"><label for="confirmation-password">Your password</label>
<input class="form-control" id="confirmation-password" name="${PASSWORD}" type="password" autocomplete="current-password" aria-describedby="confirmation-hint" required autofocus>
<p class="muted small" id="confirmation-hint">It is not asked for again for ${MINUTES} minutes.</p></div>
<div class="row"><button class="btn btn-primary">Confirm</button>${cancel}</div>
</form>`
  }
}

/** What was sent, as the names and values of a form. */
export function pairsOf(sent: Wire): (readonly [name: string, value: string])[] {
  const walk = (name: string, value: WireValue): (readonly [string, string])[] => {
    if (value instanceof Repeated) return value.values.flatMap(each => walk(name, each))
    if (value instanceof Upload) throw badRequest(`${name} cannot be sent again with a password`)
    if (Array.isArray(value)) return value.flatMap(each => walk(`${name}[]`, each))
    if (typeof value === 'object' && value !== null) return Object.entries(value).flatMap(([key, each]) => walk(`${name}[${key}]`, each))
    return [[name, value === null || value === undefined ? '' : String(value)]]
  }
  return Object.entries(sent).flatMap(([name, value]) => walk(name, value))
}

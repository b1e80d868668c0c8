/**
 * What is dangerous asks its user to confirm that it is them where they did not lately: for those who sit at an unlocked computer, and for sessions that
 * are kept for months. The page that asks has what was sent in a form of its own and sends it to the same address again, so that nothing typed is lost and
 * nothing of it is stored.
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

/** Minutes for which a confirmation counts. */
const MINUTES = 60

/** The ways to confirm, by the parameter that has what proves it; no form has one of these names. */
const PARAMETERS = { confirmation_password: 'password', confirmation_code: 'code', confirmation_key: 'passkey' } as const
type Parameter = keyof typeof PARAMETERS
export type ConfirmedBy = (typeof PARAMETERS)[Parameter]

/** What a user gave. */
export interface ConfirmationProof {
  readonly by: ConfirmedBy
  readonly given: string
}

/** How a user can confirm. */
export interface ConfirmationWays {
  readonly password: boolean
  /** By a code of their app. */
  readonly code: boolean
  /** The part of a form that a passkey of theirs answers, for an input of this name; undefined where they have none. */
  readonly passkey: ((name: string) => Html) | undefined
  /** The script of that part. */
  readonly script: string
}

/** How the user of a session proves again who they are. */
export interface SessionConfirmation {
  /**
   * Checks what the user gave whose session it is, and keeps that it was right; false where it is wrong.
   * @throws Refusal 429 after too many attempts
   */
  confirm(ctx: Context, proof: ConfirmationProof): Promise<boolean>
  /** What that user has to confirm with. */
  waysOf(ctx: Context): Promise<ConfirmationWays>
}

export const sessionConfirmation = new Port<SessionConfirmation>('sessionConfirmation')

/** Has the session's user confirmed lately? */
export const isConfirmed = ({ actor: { credential }, now }: Pick<Context, 'actor' | 'now'>, minutes = MINUTES): boolean =>
  credential?.kind !== 'session' || now.getTime() - credential.confirmedAt <= minutes * 60_000

/**
 * @param minutes for which a confirmation, or the sign-in, counts
 * @throws Unconfirmed where the session's user has not confirmed lately
 */
export function assertConfirmed(ctx: Pick<Context, 'actor' | 'now'>, minutes = MINUTES): void {
  if (!isConfirmed(ctx, minutes)) throw new Unconfirmed(minutes)
}

/** What `refused` of an endpoint that confirms does: asks for a confirmation; all other refusals go on as they would. */
export const confirming =
  ({ summary, refused, confirms }: Pick<Endpoint, 'summary' | 'refused' | 'confirms'>): NonNullable<Endpoint['refused']> =>
  async (ctx: Context, refusal, sent) => {
    if (refusal instanceof Unconfirmed) {
      const formAt = typeof confirms === 'object' ? confirms.formAt(sent) : undefined
      return confirmation(ctx, { summary, formAt, minutes: refusal.minutes ?? MINUTES }, sent)
    }
    if (refused) return refused(ctx, refusal, sent)
    throw refusal
  }

const WRONG: Readonly<Record<ConfirmedBy, string>> = {
  password: 'The password is wrong.',
  code: 'The code is wrong, was used before, or has ended.',
  passkey: 'This is no passkey of your account, or it was answered before. Please try again.',
}

/** What is to be confirmed. */
interface Asked {
  readonly summary: string
  /** The address of the page that the form is on; undefined: where the request comes from. */
  readonly formAt: string | undefined
  /** For which it counts. */
  readonly minutes: number
}

/** The page that asks; with the right proof, the way back to the form's address, with the same form. */
async function confirmation(ctx: Context, asked: Asked, sent: Wire): Promise<ByteAnswer> {
  const { authenticity_token: _, ...rest } = sent
  const form = Object.fromEntries(Object.entries(rest).filter(([name]) => !(name in PARAMETERS)))
  const proof = proofIn(sent)
  if (!proof) return confirmationPage(ctx, asked, form)
  try {
    // 307: the browser sends the same form again, now with a session that is confirmed.
    if (await sessionConfirmation.value.confirm(ctx, proof)) return { body: '', status: 307, headers: { location: ctx.request.address } }
    return confirmationPage(ctx, asked, form, { status: 403, says: WRONG[proof.by] })
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'too_many_requests') throw error
    const says = 'Too many attempts. Nothing was done yet; please try again in some minutes.'
    return confirmationPage(ctx, asked, form, { status: 429, says })
  }
}

/** The first proof that is given. */
function proofIn(sent: Wire): ConfirmationProof | undefined {
  for (const [name, by] of Object.entries(PARAMETERS)) {
    const given = sent[name]
    if (typeof given === 'string' && given !== '') return { by, given }
  }
  return undefined
}

async function confirmationPage(
  ctx: Context,
  asked: Asked,
  form: Wire,
  { status, says }: { readonly status: number; readonly says?: string } = { status: 403 },
): Promise<ByteAnswer> {
  const address = ctx.request.address.split('?', 1)[0] as string
  const back = asked.formAt ?? referringPath(ctx.request.headers, ctx.deps.config) ?? '/'
  const ways = await sessionConfirmation.value.waysOf(ctx)
  // What an application asks for ends there.
  const formLeadsAway = address === '/oauth/authorize'
  const scripts = ways.passkey ? [ways.script] : []
  const cancel = html`<p class="section"><a class="btn" href="${back === address ? '/' : back}">Cancel</a></p>`
  const body = html`${says !== undefined && html`<div class="notice danger" role="alert">${icon('alert')}<span>${says}</span></div>`}
${waysView(ctx, { address, form, ways, ...asked })}${cancel}`
  return page(ctx, { title: 'Confirm that it is you', width: 'narrow', status, formLeadsAway, scripts, body })
}

/** A form for each way, with what was sent; the first one that there is has the focus. */
function waysView(
  ctx: Context,
  { address, form, ways, summary, minutes }: Asked & { address: string; form: Wire; ways: ConfirmationWays },
): Html {
  const { password, code, passkey } = ways
  if (!password && !code && !passkey)
    return html`<div class="notice attention" role="alert">${icon('alert')}<span>This needs a password, a passkey or a code of an app, and your account has none. Nothing was done. Sign out and in again, and it can be done within ${minutes} minutes; or ask an administrator.</span></div>`
  const kept = html`<input type="hidden" name="authenticity_token" value="${csrfToken(ctx.actor, ctx.deps.secrets)}">
${pairsOf(form).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`
  const formOf = (fields: Html, button: string, isFirst: boolean) =>
    html`<form method="post" action="${address}"${!isFirst && html` class="section"`} data-turbo="false">${kept}${fields}<button class="${isFirst ? 'btn btn-primary' : 'btn'}">${button}</button></form>`
  const withPassword = html`<div class="field"><label for="confirmation-password">Your password</label>
<input class="form-control" id="confirmation-password" name="confirmation_password" type="password" autocomplete="current-password" required autofocus></div>`
  const withCode = html`<div class="field"><label for="confirmation-code">${password ? 'Or a code of your app' : 'A code of your app'}</label>
<input class="form-control mono" id="confirmation-code" name="confirmation_code" inputmode="numeric" autocomplete="one-time-code" spellcheck="false" required${!password && html` autofocus`}></div>`
  return html`<p>To go on: <strong>${summary}</strong>. What you sent is kept, and done once you have confirmed. You are not asked again for ${minutes} minutes.</p>
${password && formOf(withPassword, 'Confirm', true)}
${code && formOf(withCode, 'Confirm by the code', !password)}
${passkey && formOf(passkey('confirmation_key'), 'Use a passkey', !password && !code)}`
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

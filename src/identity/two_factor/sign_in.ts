/** The second step of signing in: a code of the app, or a recovery code. */
import type { Context } from '../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { flag, optional, text } from '../../platform/kernel/declaration/types.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { page, redirect } from '../../platform/pages/frame/document.ts'
import { localPath } from '../../platform/pages/frame/local_path.ts'
import { html } from '../../platform/pages/html.ts'
import { answerSignIn } from '../sessions/answer.ts'
import { enterSecondFactor, type SignIn } from '../sessions/entry.ts'
import { secondFactorAttempt } from '../sessions/passwords.ts'
import { useCode } from './commands.ts'
import { type PendingSignIn, pendingCookie, pendingOf, SECOND_FACTOR } from './pending.ts'
import { assertionOptions } from './webauthn/ceremonies.ts'
import { KEY_SCRIPT, keyAnswer } from './webauthn/element.ts'
import { credentialsOf } from './webauthn/queries.ts'

const way = {
  redirect: optional(text('Path of this server to go to afterwards', { maxLength: 65_536 })),
  remember_me: flag('Whether the browser keeps the session when it is closed', { default: false }),
}

interface Way {
  readonly redirect?: string | undefined
  readonly remember_me: boolean
}

/** Where a key answers in place of a code, and what its answer is for. */
export const KEY = `${SECOND_FACTOR}/key` as const
export const KEY_SUBJECT = ({ id }: PendingSignIn): string => `second step ${id}`

const WRONG = 'This code is wrong, was used before, or has ended.'

export const showSecondFactor = pageEndpoint({
  route: `GET ${SECOND_FACTOR}`,
  summary: 'Ask for the second factor of a sign-in',
  scope: inInstance,
  can: 'read_instance',
  params: way,
  async run(ctx) {
    if (ctx.actor.user) return redirect(localPath(ctx.params.redirect))
    const pending = await pendingOf(ctx)
    return pending ? codePage(ctx, pending, ctx.params) : startAgain(ctx, ctx.params)
  },
})

// Not a `formEndpoint`: there is no session yet whose token the form could carry. The cookie is sent by our own pages alone.
export const submitSecondFactor = pageEndpoint({
  route: `POST ${SECOND_FACTOR}`,
  summary: 'Sign in with a second factor',
  scope: inInstance,
  can: 'read_instance',
  anonymous: true,
  writes: 'own',
  params: { code: text('A code of the app, or a recovery code', { maxLength: 255, examples: ['123456'] }), ...way },
  async run(ctx) {
    const pending = await pendingOf(ctx)
    if (!pending) return startAgain(ctx, ctx.params)
    return answerSecondStep(ctx, pending, ctx.params, within => useCode(within, pending.user, ctx.params.code))
  },
})

/** Checks the second factor, begins the session, and answers the browser. */
export const answerSecondStep = async (
  ctx: Context,
  pending: PendingSignIn,
  way: Way,
  prove: (within: Context) => Promise<boolean>,
): Promise<ByteAnswer> =>
  answerSignIn(ctx, await proven(ctx, pending, prove), {
    back: localPath(way.redirect),
    isRemembered: way.remember_me,
    refuse: refused => codePage(ctx, pending, way, refused),
  })

/** Failures count for the account. */
async function proven(ctx: Context, pending: PendingSignIn, prove: (within: Context) => Promise<boolean>): Promise<SignIn> {
  let refused: SignIn | undefined
  const entered = await secondFactorAttempt(ctx, pending.user, 'second_factor', async () => {
    const result = await enterSecondFactor(ctx, pending, prove)
    if (!result || !('refused' in result)) return result
    refused = result
    return undefined
  })
  return entered ?? refused ?? { refused: WRONG }
}

/** There is nothing that waits here: back to the first step. */
export const startAgain = (ctx: Context, { redirect: back }: Way): ByteAnswer =>
  redirect(`/users/sign_in?${new URLSearchParams({ redirect: localPath(back) })}`, { 'set-cookie': pendingCookie(ctx) })

async function codePage(ctx: Context, pending: PendingSignIn, { redirect: back, remember_me }: Way, refused?: string): Promise<ByteAnswer> {
  const keys = await credentialsOf(ctx.db, pending.user.id)
  const kept = html`<input type="hidden" name="redirect" value="${localPath(back)}">
${remember_me && html`<input type="hidden" name="remember_me" value="1">`}`
  return page(ctx, {
    title: 'Second factor',
    ...(refused === undefined ? {} : { status: 401 }),
    formLeadsAway: localPath(back).startsWith('/oauth/'),
    width: 'narrow',
    ...(keys.length > 0 ? { scripts: [KEY_SCRIPT] } : {}),
    body: html`${refused !== undefined && html`<div class="notice danger" role="alert">${icon('alert')}<span>${refused}</span></div>`}
<form method="post" action="${SECOND_FACTOR}" data-turbo="false">
${kept}
<div class="field"><label for="code">Code</label>
<input class="form-control mono" id="code" name="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" aria-describedby="code-hint" required autofocus>
<p class="muted small" id="code-hint">The six digits that your app shows now, or one of your recovery codes.</p></div>
<button class="btn btn-primary btn-block">Verify</button>
</form>
${keys.length > 0 && html`<form method="post" action="${KEY}" class="section" data-turbo="false">${kept}${keyAnswer('answer', await assertionOptions(ctx, KEY_SUBJECT(pending), keys))}<button class="btn btn-block">Use a security key or passkey</button></form>`}
<p class="section"><a href="/users/sign_in?${new URLSearchParams({ redirect: localPath(back) }).toString()}">Sign in as another user</a></p>
<p class="muted small">No phone and no recovery code? An administrator can turn the second factor off for you.</p>`,
  })
}

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

const way = {
  redirect: optional(text('Path of this server to go to afterwards', { maxLength: 65_536 })),
  remember_me: flag('Whether the browser keeps the session when it is closed', { default: false }),
}

interface Way {
  readonly redirect?: string | undefined
  readonly remember_me: boolean
}

const WRONG = 'This code is wrong, was used before, or has ended.'

export const showSecondFactor = pageEndpoint({
  route: `GET ${SECOND_FACTOR}`,
  summary: 'Ask for the second factor of a sign-in',
  scope: inInstance,
  can: 'read_instance',
  params: way,
  async run(ctx) {
    if (ctx.actor.user) return redirect(localPath(ctx.params.redirect))
    return (await pendingOf(ctx)) ? codePage(ctx, ctx.params) : startAgain(ctx, ctx.params)
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
    const result = await proveByCode(ctx, pending, ctx.params.code)
    const answer = await answerSignIn(ctx, result, {
      back: localPath(ctx.params.redirect),
      isRemembered: ctx.params.remember_me,
      refuse: refused => codePage(ctx, ctx.params, refused),
    })
    return answer
  },
})

/** Checks the code and begins the session. Its failures count for the account. */
async function proveByCode(ctx: Context, pending: PendingSignIn, code: string): Promise<SignIn> {
  let refused: SignIn | undefined
  const entered = await secondFactorAttempt(ctx, pending.user, 'second_factor', async () => {
    const result = await enterSecondFactor(ctx, pending, within => useCode(within, pending.user, code))
    if (!result || !('refused' in result)) return result
    refused = result
    return undefined
  })
  return entered ?? refused ?? { refused: WRONG }
}

/** There is nothing that waits here: back to the first step. */
const startAgain = (ctx: Context, { redirect: back }: Way): ByteAnswer =>
  redirect(`/users/sign_in?${new URLSearchParams({ redirect: localPath(back) })}`, { 'set-cookie': pendingCookie(ctx) })

const codePage = (ctx: Context, { redirect: back, remember_me }: Way, refused?: string): Promise<ByteAnswer> =>
  page(ctx, {
    title: 'Second factor',
    ...(refused === undefined ? {} : { status: 401 }),
    formLeadsAway: localPath(back).startsWith('/oauth/'),
    width: 'narrow',
    body: html`${refused !== undefined && html`<div class="notice danger" role="alert">${icon('alert')}<span>${refused}</span></div>`}
<form method="post" action="${SECOND_FACTOR}" data-turbo="false">
<input type="hidden" name="redirect" value="${localPath(back)}">
${remember_me && html`<input type="hidden" name="remember_me" value="1">`}
<div class="field"><label for="code">Code</label>
<input class="form-control mono" id="code" name="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" aria-describedby="code-hint" required autofocus>
<p class="muted small" id="code-hint">The six digits that your app shows now, or one of your recovery codes.</p></div>
<button class="btn btn-primary btn-block">Verify</button>
</form>
<p class="section"><a href="/users/sign_in?${new URLSearchParams({ redirect: localPath(back) }).toString()}">Sign in as another user</a></p>
<p class="muted small">No phone and no recovery code? An administrator can turn the second factor off for you.</p>`,
  })

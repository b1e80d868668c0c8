/** Signing in with a passkey alone, and the second step with a key. */
import type { Context } from '../../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../../platform/kernel/declaration/scope.ts'
import { flag, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { page, redirect } from '../../../platform/pages/frame/document.ts'
import { localPath } from '../../../platform/pages/frame/local_path.ts'
import { html } from '../../../platform/pages/html.ts'
import { answerSignIn } from '../../sessions/answer.ts'
import { enter, type SignIn } from '../../sessions/entry.ts'
import { userById } from '../../users/queries.ts'
import { pendingOf } from '../pending.ts'
import { answerSecondStep, KEY, KEY_SUBJECT, startAgain } from '../sign_in.ts'
import { asserted, assertionOptions, useAssertion } from './ceremonies.ts'
import { KEY_SCRIPT, keyAnswer } from './element.ts'

const PASSKEYS = '/users/passkeys'

const SUBJECT = 'sign-in by passkey'

const WRONG = 'This passkey does not open an account here. Try again, or sign in with your password.'

const shared = { scope: inInstance, can: 'read_instance' } as const

const params = {
  redirect: optional(text('Path of this server to go to afterwards', { maxLength: 65_536 })),
}

const response = text('What the authenticator answered, as JSON', { maxLength: 65_536, examples: ['{}'] })

export const showPasskeySignIn = pageEndpoint({
  ...shared,
  route: `GET ${PASSKEYS}`,
  summary: 'Show the page to sign in with a passkey',
  params,
  run: ctx => (ctx.actor.user ? redirect(localPath(ctx.params.redirect)) : passkeyPage(ctx, localPath(ctx.params.redirect))),
})

// Not `formEndpoint`s: there is no session yet whose token a form could carry. The dialect refuses forms of other sites.
export const submitPasskey = pageEndpoint({
  ...shared,
  route: `POST ${PASSKEYS}`,
  summary: 'Sign in with a passkey',
  anonymous: true,
  writes: 'own',
  params: { ...params, response },
  async run(ctx) {
    const back = localPath(ctx.params.redirect)
    const refuse = (reason: string) => passkeyPage(ctx, back, reason)
    return answerSignIn(ctx, await byPasskey(ctx, ctx.params.response), { back, isRemembered: false, refuse })
  },
})

async function byPasskey(ctx: Context, given: string): Promise<SignIn> {
  await ctx.deps.limiter.signIn(ctx.request.ip)
  const assertion = await asserted(ctx, given, { subject: SUBJECT, isPasskey: true })
  const user = assertion && (await userById(ctx.db, assertion.userId))
  if (!assertion || user?.kind !== 'human') return { refused: WRONG }
  // It is used up with the locked row of the account: of an answer that is sent twice one wins.
  const holds = (db: Context['db']) => useAssertion({ db, now: ctx.now }, assertion)
  return enter(ctx, user, { method: 'passkey', isTwoFactor: true, holds }, WRONG)
}

async function passkeyPage(ctx: Context, back: string, refused?: string): Promise<ByteAnswer> {
  return page(ctx, {
    title: 'Sign in with a passkey',
    ...(refused === undefined ? {} : { status: 401 }),
    formLeadsAway: back.startsWith('/oauth/'),
    width: 'narrow',
    scripts: [KEY_SCRIPT],
    body: html`${refused !== undefined && html`<div class="notice danger" role="alert">${icon('alert')}<span>${refused}</span></div>`}
<p>Your phone, computer or security key checks that it is you; no password is needed.</p>
<form method="post" action="${PASSKEYS}" data-turbo="false"><input type="hidden" name="redirect" value="${back}">${keyAnswer('answer', await assertionOptions(ctx, SUBJECT))}<button class="btn btn-primary btn-block">Use a passkey</button></form>
<p class="section"><a href="/users/sign_in?${new URLSearchParams({ redirect: back }).toString()}">Sign in with your password</a></p>`,
  })
}

export const submitKey = pageEndpoint({
  ...shared,
  route: `POST ${KEY}`,
  summary: 'Sign in with a security key as the second factor',
  anonymous: true,
  writes: 'own',
  params: { ...params, remember_me: flag('Whether the browser keeps the session when it is closed', { default: false }), response },
  async run(ctx) {
    const pending = await pendingOf(ctx)
    if (!pending) return startAgain(ctx, ctx.params)
    const assertion = await asserted(ctx, ctx.params.response, { subject: KEY_SUBJECT(pending), isPasskey: false })
    const isOwn = assertion?.userId === pending.user.id
    return answerSecondStep(ctx, pending, ctx.params, async within => isOwn && useAssertion(within, assertion))
  },
})

/** Sign-in by a provider: going there, and coming back. */
import { isImpersonated } from '../../platform/access/actor.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { type ByteAnswer, bytes, endpoint, nothing } from '../../platform/kernel/declaration/endpoint.ts'
import { optional, text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { pages } from '../../platform/pages/dialect.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { done, redirect } from '../../platform/pages/frame/document.ts'
import { localPath } from '../../platform/pages/frame/local_path.ts'
import { unlinkOwn } from '../identities/removal.ts'
import { LONGEST_ANSWER } from '../saml/assertion.ts'
import { answersOfProviders } from '../saml/dialect.ts'
import { endNamed, keepSignOn } from '../saml/sign_ons.ts'
import { answerSignIn } from '../sessions/answer.ts'
import { signInPage } from '../sessions/pages.ts'
import { linkBy, signInBy } from './arrival.ts'
import { beginAttempt, endAttempt, type Purpose, type Returned } from './attempts.ts'
import { leavingPage } from './pages.ts'
import { type BroughtLogout, type ByForm, type Claims, type Provider, ProviderFailed } from './provider.ts'
import { inOwnIdentity, inProvider } from './scope.ts'

const back = optional(text('Path of this server to go to afterwards', { maxLength: 65_536 }))

/** Sends the browser to a provider; where that fails, `refused` says it. */
export async function goTo(
  ctx: Context,
  provider: Provider,
  purpose: Purpose,
  refused: (message: string) => Promise<ByteAnswer>,
): Promise<ByteAnswer> {
  try {
    const { location, cookie } = await beginAttempt(ctx, provider, purpose)
    return await leavingPage(ctx, { to: location, site: provider.label, headers: { 'set-cookie': cookie } })
  } catch (error) {
    return refused(messageOf(ctx, provider, error))
  }
}

/** The message of a failure of the provider, whose cause the log has. */
function messageOf({ log }: Context, provider: Provider, error: unknown): string {
  if (!(error instanceof ProviderFailed)) throw error
  log.warn({ err: error, provider: provider.name }, 'sign-in at a provider failed')
  return error.message
}

// Not a `formEndpoint`: there is no session yet whose token the form could carry. The dialect refuses forms of other sites.
export const beginSignIn = pageEndpoint({
  route: 'POST /users/auth/:provider',
  summary: 'Go to a provider to sign in',
  scope: inProvider,
  can: 'read_instance',
  anonymous: true,
  writes: 'own',
  params: { redirect: back },
  async run(ctx) {
    const to = localPath(ctx.params.redirect)
    if (ctx.actor.user) return redirect(to)
    await ctx.deps.limiter.signIn(ctx.request.ip)
    return goTo(ctx, ctx.provider, { returnTo: to }, refused => signInPage(ctx, { back: to, refused }))
  },
})

// A provider sends the browser here by a link. What it changes is bound to the browser that began it, and happens once.
export const finishSignIn = pageEndpoint({
  route: 'GET /users/auth/:provider/callback',
  summary: 'Come back from a provider',
  scope: inProvider,
  can: 'read_instance',
  params: {
    state: optional(text('What the attempt is found by', { maxLength: 1024 })),
    answer: optional(text('What an answer is found by that the provider has sent in a form', { maxLength: 1024 })),
    redirect: back,
  },
  async run(ctx) {
    await ctx.deps.limiter.signIn(ctx.request.ip)
    const { provider } = ctx
    const { state, answer, redirect: to } = ctx.params
    const { byForm } = provider.kind
    if (state === undefined && answer !== undefined && byForm) return unasked(ctx, provider, { byForm, answer, returnTo: localPath(to) })
    const returned = await endAttempt(ctx, provider, state ?? '')
    if (!returned)
      return failedPage(
        ctx,
        undefined,
        'This sign-in was not begun in this browser, was used before, or has taken too long. Please begin again.',
      )
    const claims = await claimsFrom(ctx, provider, returned)
    if ('failed' in claims) return failedPage(ctx, returned, claims.failed)
    return returned.userId === undefined ? signedIn(ctx, provider, returned, claims) : linked(ctx, provider, returned, claims)
  },
})

/** A person whom the provider has sent by itself (`byForm`): nothing was begun in this browser. */
async function unasked(
  ctx: Context,
  provider: Provider,
  { byForm, answer, returnTo }: { readonly byForm: ByForm; readonly answer: string; readonly returnTo: string },
): Promise<ByteAnswer> {
  const claims = await given(ctx, provider, () => byForm.unasked(ctx, provider, answer))
  return 'failed' in claims ? failedPage(ctx, undefined, claims.failed) : signedIn(ctx, provider, { returnTo }, claims)
}

// Other sites send this form, and it takes no credentials (answersOfProviders). The signature of the provider proves it, once.
export const receiveAnswer = pageEndpoint({
  route: 'POST /users/auth/:provider/callback',
  summary: 'Take the answer that a provider has the browser send',
  dialect: answersOfProviders,
  scope: inProvider,
  can: 'read_instance',
  anonymous: true,
  writes: 'own',
  params: {
    SAMLResponse: text('The answer, in base64', { maxLength: LONGEST_ANSWER, examples: ['PHNhbWxwOlJlc3BvbnNlLz4='] }),
    RelayState: optional(text('What the answer belongs to', { maxLength: 1024 })),
  },
  async run(ctx) {
    await ctx.deps.limiter.signIn(ctx.request.ip)
    const { provider, params } = ctx
    const { byForm } = provider.kind
    if (!byForm) throw notFound('Provider')
    try {
      return redirect(await byForm.receive(ctx, provider, { answer: params.SAMLResponse, relayState: params.RelayState ?? '' }))
    } catch (error) {
      return failedPage(ctx, undefined, messageOf(ctx, provider, error))
    }
  },
})

const encoded = (about: string) => optional(text(about, { maxLength: LONGEST_ANSWER }))

const logout = {
  // What other sites send takes no credentials. The signature of the provider proves it, and names the sessions that end.
  dialect: answersOfProviders,
  scope: inProvider,
  can: 'read_instance',
} as const

const logoutParams = {
  SAMLRequest: encoded('A request to end sessions, in base64'),
  SAMLResponse: encoded('The answer to a request of this server, in base64'),
  RelayState: optional(text('What the provider gets back', { maxLength: 1024 })),
}

export const logoutByLink = pageEndpoint({
  ...logout,
  route: 'GET /users/auth/:provider/logout',
  summary: 'Sign out because the person has signed out at a provider, or come back from signing out there',
  params: {
    ...logoutParams,
    SigAlg: optional(text('How the query is signed', { maxLength: 255 })),
    Signature: optional(text('The signature of the query, in base64', { maxLength: 4096 })),
  },
  run: ctx => singleLogout(ctx, ctx.provider, ctx.params.SAMLRequest && { query: ctx.request.address.split('?', 2)[1] ?? '' }),
})

export const logoutByForm = pageEndpoint({
  ...logout,
  route: 'POST /users/auth/:provider/logout',
  summary: 'Sign out because the person has signed out at a provider',
  anonymous: true,
  writes: 'own',
  params: logoutParams,
  run: ctx =>
    singleLogout(
      ctx,
      ctx.provider,
      ctx.params.SAMLRequest && { SAMLRequest: ctx.params.SAMLRequest, relayState: ctx.params.RelayState ?? '' },
    ),
})

/** Ends the sessions that a request names, and tells the provider. Without one the browser comes back from signing out there. */
async function singleLogout(ctx: Context, provider: Provider, brought: BroughtLogout | '' | undefined): Promise<ByteAnswer> {
  await ctx.deps.limiter.signIn(ctx.request.ip)
  if (!provider.kind.byForm) throw notFound('Provider')
  if (!brought) return redirect('/users/sign_in')
  try {
    const taken = await provider.kind.byForm.takeLogout(ctx, provider, brought)
    if (!taken) throw notFound('Provider')
    await endNamed(ctx, provider, taken.ended)
    return redirect(taken.answer)
  } catch (error) {
    return failedPage(ctx, undefined, messageOf(ctx, provider, error))
  }
}

export const showMetadata = endpoint({
  route: 'GET /users/auth/:provider/metadata',
  summary: 'How this server describes itself to a provider',
  dialect: pages,
  scope: inProvider,
  can: 'read_instance',
  answers: bytes('application/samlmetadata+xml'),
  run(ctx) {
    const { byForm } = ctx.provider.kind
    if (!byForm) throw notFound('Provider')
    return { body: byForm.metadata(ctx, ctx.provider) }
  },
})

async function claimsFrom(ctx: Context, provider: Provider, { attempt }: Returned): Promise<Claims | { readonly failed: string }> {
  if (!provider.kind.byVisit) throw notFound('Provider')
  const answer = new URLSearchParams(ctx.request.address.split('?', 2)[1] ?? '')
  const { byVisit } = provider.kind
  return given(ctx, provider, () => byVisit.finish(ctx, provider, attempt, answer))
}

async function given(ctx: Context, provider: Provider, claims: () => Promise<Claims>): Promise<Claims | { readonly failed: string }> {
  try {
    return await claims()
  } catch (error) {
    return { failed: messageOf(ctx, provider, error) }
  }
}

async function signedIn(ctx: Context, provider: Provider, { returnTo }: Pick<Returned, 'returnTo'>, claims: Claims): Promise<ByteAnswer> {
  return answerSignIn(ctx, await signInBy(ctx, provider, claims), {
    back: returnTo,
    isRemembered: false,
    refuse: refused => signInPage(ctx, { back: returnTo, refused }),
  })
}

async function linked(ctx: Context, provider: Provider, { userId, returnTo }: Returned, claims: Claims): Promise<ByteAnswer> {
  const { actor } = ctx
  if (userId === undefined || actor.user?.id !== userId || isImpersonated(actor))
    return failedPage(ctx, undefined, 'You are no longer signed in to the account that you wanted to link. Nothing was changed.')
  const { refused } = await linkBy(ctx, provider, userId, claims)
  if (provider.ofGroup && refused === undefined) {
    await keepSignOn(ctx, provider.ofGroup.samlProviderId, claims.session)
    return done(ctx, returnTo, `You are signed in with ${provider.label}.`)
  }
  return done(ctx, returnTo, refused ?? `Your account at ${provider.label} is linked: you can sign in with it from now on.`)
}

/** Says why an attempt failed: on the page that it was begun on. */
function failedPage(ctx: Context, returned: Returned | undefined, message: string): Promise<ByteAnswer> | ByteAnswer {
  if (!ctx.actor.user) return signInPage(ctx, { back: returned?.returnTo ?? '/', refused: message })
  return done(ctx, returned?.returnTo ?? '/', message)
}

// The API at 14.0 has no address for this; the pages and other clients need one.
export const unlinkIdentity = endpoint({
  route: 'DELETE /user/identities/:provider',
  summary: 'Unlink one’s own account at a provider',
  scope: inOwnIdentity,
  can: 'add_own_credential',
  errors: ['conflict'],
  answers: nothing,
  run: ctx => unlinkOwn(ctx, ctx.user, ctx.identity),
})

/** The pages for signing in and out (document 1, Authentication: signing in to the main application sets the session cookie). */

import { anonymous } from '../../platform/access/actor.ts'
import { applicationSettings } from '../../platform/application_settings/queries.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { type ByteAnswer, endpoint, nothing } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { flag, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { formEndpoint, pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { redirect } from '../../platform/pages/frame/document.ts'
import { localPath } from '../../platform/pages/frame/local_path.ts'
import { leavingPage } from '../providers/pages.ts'
import { wayOut } from '../providers/way_out.ts'
import { inSelf } from '../users/scope.ts'
import { answerSignIn } from './answer.ts'
import { signIn } from './commands.ts'
import { endedCookie } from './cookie.ts'
import { endSession } from './entry.ts'
import { changeOwnPassword } from './own_password.ts'
import { signInPage, signOutPage } from './pages.ts'

const back = optional(text('Path of this server to go to afterwards', { maxLength: 65_536 }))

export const showSignIn = pageEndpoint({
  route: 'GET /users/sign_in',
  summary: 'Show the sign-in page',
  scope: inInstance,
  can: 'read_instance',
  params: {
    redirect: back,
    by: optional(OneOf(['password'], { description: 'The form for a password, where the page shows providers alone' })),
  },
  async run(ctx) {
    const to = localPath(ctx.params.redirect)
    return ctx.actor.user ? redirect(to) : signInPage(ctx, { back: to, forAdministrators: ctx.params.by === 'password' })
  },
})

// Not a `formEndpoint`: there is no session yet whose token the form could carry. The dialect refuses forms of other sites.
export const submitSignIn = pageEndpoint({
  route: 'POST /users/sign_in',
  summary: 'Sign in with username or email and password',
  scope: inInstance,
  can: 'read_instance',
  anonymous: true,
  writes: 'own',
  params: {
    login: text('Username or email', { maxLength: 255, examples: ['root'] }),
    password: text('The password', { maxLength: 1024, examples: ['correct horse battery staple'] }),
    remember_me: flag('Whether the browser keeps the session when it is closed', { default: false }),
    redirect: back,
  },
  async run(ctx) {
    const { login, password, remember_me } = ctx.params
    const to = localPath(ctx.params.redirect)
    const answer = await signIn(ctx, login, password)
    return answerSignIn(ctx, answer, {
      back: to,
      isRemembered: remember_me,
      refuse: async refused => signInPage(ctx, { back: to, login, isRemembered: remember_me, refused }),
    })
  },
})

// Contract: signing out works with GET too. A browser sends the cookie with links and pictures of other sites, and with those that users put into
// texts here, so that a GET that comes from a page only asks; typed addresses and plain clients are executed.
export const signOutByLink = pageEndpoint({
  route: 'GET /users/sign_out',
  summary: 'Sign out',
  scope: inInstance,
  can: 'read_instance',
  withoutSecondFactor: true,
  run: ctx => (ctx.actor.user && isFromPage(ctx.request.headers) ? signOutPage(ctx) : leave(ctx)),
})

/** Was the address in a page, of whatever site? */
const isFromPage = ({ referer, ...headers }: Context['request']['headers']): boolean =>
  (headers['sec-fetch-site'] ?? 'none') !== 'none' || referer !== undefined || headers.origin !== undefined

const signingOut = {
  summary: 'Sign out',
  scope: inInstance,
  can: 'read_instance',
  anonymous: true,
  withoutSecondFactor: true,
  writes: 'own',
  run: (ctx: Context) => leave(ctx),
} as const

export const signOutByForm = formEndpoint({ route: 'POST /users/sign_out', ...signingOut })

export const signOut = formEndpoint({ route: 'DELETE /users/sign_out', ...signingOut })

/** Ends the session here, and the one at the provider that it was begun by, where that has an address for it. */
async function leave(ctx: Context): Promise<ByteAnswer> {
  // The provider is asked outside of the transaction: it may take its time, and the session has ended whatever it says.
  const ended = await transact(ctx.db, db => endSession({ ...ctx, db }))
  const headers = { 'set-cookie': endedCookie(ctx) }
  const way = ended?.provider ? await wayOut(ctx, ended.provider, ended.session) : undefined
  if (way) return leavingPage({ ...ctx, actor: anonymous }, { ...way, headers })
  const { after_sign_out_path: path } = await applicationSettings(ctx.db)
  return redirect(path || '/users/sign_in', headers)
}

// The API at 14.0 has no address for this; the pages and other clients need one.
export const changePassword = endpoint({
  route: 'PUT /user/password',
  summary: 'Change one’s own password; all sessions end',
  scope: inSelf,
  can: 'add_own_credential',
  writes: 'own',
  params: {
    current_password: text('The password as it is', { maxLength: 1024, examples: ['correct horse battery staple'] }),
    password: text('The new password, at least 8 characters', { maxLength: 128, examples: ['another long pass phrase'] }),
  },
  answers: nothing,
  run: ctx => changeOwnPassword(ctx, ctx.user, { current: ctx.params.current_password, wanted: ctx.params.password }),
})

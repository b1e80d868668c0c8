/** What the browser gets for an attempt to sign in, by whatever method: the session, or the way to the second step. */
import { applicationSettings } from '../../platform/application_settings/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../platform/kernel/declaration/endpoint.ts'
import { redirect } from '../../platform/pages/frame/document.ts'
import { pendingCookie, SECOND_FACTOR } from '../two_factor/pending.ts'
import { sessionCookie } from './cookie.ts'
import type { SignIn } from './entry.ts'
import { welcomeBackPage } from './pages.ts'

/** How a sign-in goes on. */
export interface SignInWay {
  /** Local path to go to afterwards. */
  readonly back: string
  /** Does the browser keep the session when it is closed? */
  readonly isRemembered: boolean
  /** The page that says why there is no session. */
  refuse(reason: string): ByteAnswer | Promise<ByteAnswer>
}

/** Answers the browser. */
export async function answerSignIn(ctx: Context, result: SignIn, { back, isRemembered, refuse }: SignInWay): Promise<ByteAnswer> {
  if ('refused' in result) return refuse(result.refused)
  if ('secondFactor' in result) {
    const query = new URLSearchParams({ redirect: back, ...(isRemembered ? { remember_me: '1' } : {}) })
    return redirect(`${SECOND_FACTOR}?${query}`, { 'set-cookie': pendingCookie(ctx, result.secondFactor) })
  }
  const days = isRemembered ? (await applicationSettings(ctx.db)).max_session_lifetime : undefined
  const headers = { 'set-cookie': sessionCookie(ctx, result.session, days) }
  return result.reactivated ? { ...(await welcomeBackPage(ctx, back)), headers } : redirect(back, headers)
}

/** The parts of pages for sign-in by a provider. */
import type { Context } from '../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../platform/kernel/declaration/endpoint.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import type { Provider } from './provider.ts'

/** The address that a sign-in at a provider begins at, by POST. */
export const startOf = ({ name }: Pick<Provider, 'name'>): string => `/users/auth/${encodeURIComponent(name)}`

/**
 * A button for each provider. A form and no link: what begins a sign-in is refused to other sites.
 * @param back local path to go to afterwards
 */
export const providerButtons = (providers: readonly Provider[], back: string): Html | undefined => {
  const visited = providers.filter(({ kind }) => kind.byVisit)
  if (visited.length === 0) return undefined
  return html`<div class="sign-in-providers">${visited.map(
    provider =>
      html`<form method="post" action="${startOf(provider)}" data-turbo="false"><input type="hidden" name="redirect" value="${back}"><button class="btn btn-block">${icon('sign-in')} Sign in with ${provider.label}</button></form>`,
  )}</div>`
}

/**
 * Sends the browser to another site. A page and no redirect: browsers hold the redirects of a form to the policy of its page, which lets forms be sent
 * here alone.
 */
export async function leavingPage(
  ctx: Context,
  { to, site, headers = {} }: { readonly to: string; readonly site: string; readonly headers?: Readonly<Record<string, string>> },
): Promise<ByteAnswer> {
  const answer = await page(ctx, {
    title: `On to ${site}`,
    width: 'narrow',
    body: html`<p>If nothing happens: <a href="${to}" rel="noreferrer">Continue to ${site}</a></p>`,
  })
  return { ...answer, headers: { ...answer.headers, refresh: `0; url=${to}`, ...headers } }
}

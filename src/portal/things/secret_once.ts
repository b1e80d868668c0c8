/** The page that shows a new secret, once. */
import type { Context } from '../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../platform/kernel/declaration/endpoint.ts'
import { copyButton } from '../../platform/pages/components/copy.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { type Page, page } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import type { Secret } from '../../platform/secret.ts'

/** What was made, with its secret. */
export interface FreshSecret {
  readonly name: string
  readonly token: Secret
  /** What it is called. Default: a token. */
  readonly noun?: 'token' | 'secret'
}

/** The notice with the secret. */
export function secretNotice({ name, token, noun = 'token' }: FreshSecret): Html {
  const secret = token.reveal()
  return html`<div class="notice success" role="status">${icon('key')}<div>${noun === 'token' ? html`Your new token “${name}”` : html`The secret of “${name}”`} is <code>${secret}</code>. Copy it now: it is not shown again.</div>${copyButton(`Copy the ${noun}`, secret)}</div>`
}

/** A page with the secret, what else belongs to it, and the way back. */
export const secretPage = (
  ctx: Context,
  fresh: FreshSecret,
  {
    back,
    besides,
    ...shown
  }: Pick<Page, 'title' | 'place'> & { readonly back: readonly [href: string, label: string]; readonly besides?: Html | undefined },
): Promise<ByteAnswer> =>
  page(ctx, {
    ...shown,
    width: 'medium',
    body: html`${secretNotice(fresh)}${besides}<p><a class="btn" href="${back[0]}">${back[1]}</a></p>`,
  })

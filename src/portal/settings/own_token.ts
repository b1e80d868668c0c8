/** Pages of a token of one's own that stands in addresses: it is shown, and replaced. */
import { inSelf } from '../../identity/users/scope.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Secrets } from '../../platform/kernel/secrets.ts'
import { copyButton } from '../../platform/pages/components/copy.ts'
import { csrfField, formEndpoint, pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { done, page } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { SETTINGS, settingsPlace } from './place.ts'

interface OwnToken<Name extends string> {
  /** Of its page, below the settings. */
  readonly name: Name
  /** What people call it. */
  readonly called: string
  readonly says: Html
  readonly tokenOf: (db: Db, secrets: Secrets, userId: number) => Promise<string>
  readonly reset: (ctx: Context, userId: number) => Promise<void>
}

const own = { scope: inSelf, can: 'update_own' } as const

export function ownTokenPage<Name extends string>({ name, called, says, tokenOf, reset }: OwnToken<Name>) {
  const path = `${SETTINGS}/${name}` as const
  const show = pageEndpoint({
    ...own,
    route: `GET ${path}`,
    summary: `Show one’s ${called}`,
    async run(ctx) {
      const token = await tokenOf(ctx.db, ctx.deps.secrets, ctx.user.id)
      return page(ctx, {
        title: called.replace(/^./, first => first.toUpperCase()),
        place: settingsPlace('tokens'),
        width: 'medium',
        body: html`<p>${says}</p>
<p class="row"><code class="break">${token}</code>${copyButton(`Copy the ${called}`, token)}</p>
<form method="post" action="${path}/reset" data-turbo-confirm="Replace the ${called}? Addresses that have it stop working.">${csrfField(ctx)}<button class="btn btn-danger">Replace the token</button></form>`,
      })
    },
  })
  const replace = formEndpoint({
    ...own,
    route: `POST ${path}/reset`,
    summary: `Replace one’s ${called}`,
    async run(ctx) {
      await reset(ctx, ctx.user.id)
      return done(ctx, path, `The ${called} was replaced.`)
    },
  })
  return { show, replace }
}

/** The page of one's accounts elsewhere: those that are linked, and those that may be. */
import { isDirectory, isLastWayIn } from '../../identity/identities/removal.ts'
import { goTo, unlinkIdentity } from '../../identity/providers/endpoints.ts'
import { providersOf } from '../../identity/providers/file.ts'
import type { Provider } from '../../identity/providers/provider.ts'
import { inOwnIdentity, inSelfAtProvider } from '../../identity/providers/scope.ts'
import { type IdentityRow, identitiesOf } from '../../identity/users/queries.ts'
import { inSelf } from '../../identity/users/scope.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { action, actionButton } from '../../platform/pages/forms/action.ts'
import { formEndpoint, pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { done, page } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { SETTINGS, settingsPlace } from '../settings/place.ts'

const IDENTITIES = `${SETTINGS}/identities` as const

/** The account at a provider as the page shows it. */
interface Shown {
  readonly name: string
  /** Undefined: it is no longer among the providers, or its people sign in without going there. */
  readonly provider: Provider | undefined
  readonly identity: IdentityRow | undefined
  readonly isLastWay: boolean
}

async function shownOf(ctx: Context, userId: number, user: Parameters<typeof isLastWayIn>[1]): Promise<Shown[]> {
  const identities = (await identitiesOf(ctx.db, [userId])).get(userId) ?? []
  const providers = providersOf(ctx.deps.config)
  const names = new Set([...providers.map(({ name }) => name), ...identities.map(({ provider }) => provider)])
  const shown: Shown[] = []
  for (const name of names) {
    const identity = identities.find(({ provider }) => provider === name)
    const provider = providers.find(one => one.name === name)
    shown.push({ name, provider, identity, isLastWay: identity !== undefined && (await isLastWayIn(ctx, user, name)) })
  }
  return shown
}

export const showIdentities = pageEndpoint({
  route: `GET ${IDENTITIES}`,
  summary: 'Show one’s own accounts at sign-in providers',
  scope: inSelf,
  can: 'update_own',
  async run(ctx) {
    const shown = await shownOf(ctx, ctx.user.id, ctx.user)
    return page(ctx, {
      title: 'Linked accounts',
      place: settingsPlace('identities'),
      width: 'medium',
      body:
        shown.length === 0
          ? empty({
              icon: 'link',
              title: 'No other accounts sign in here',
              says: 'An administrator can let people sign in by accounts that they have elsewhere. They are then linked here.',
            })
          : html`<p class="muted">With a linked account you sign in here without a password. Roles that it gives follow your groups there.</p>
<ul class="list">${shown.map(one => item(ctx, one))}</ul>`,
    })
  },
})

function item(ctx: Context, { name, provider, identity, isLastWay }: Shown): Html {
  const label = provider?.label ?? (identity?.saml_provider_id ? 'Company account of a group' : name)
  const to = `${IDENTITIES}/${encodeURIComponent(name)}`
  const isKept = isLastWay || isDirectory(ctx, name)
  const facts = identity
    ? html`<div class="facts"><span>${identity.extern_uid}</span>${isLastWay && html`<span>your last way to sign in: set a password before you unlink it</span>`}</div>`
    : undefined
  const button = identity
    ? !isKept && actionButton(ctx, { to: `${to}/unlink`, face: 'Unlink', look: 'danger', label: `Unlink ${label}` })
    : provider?.kind.byVisit && actionButton(ctx, { to: `${to}/link`, face: 'Link', label: `Link ${label}`, whole: true })
  return html`<li>${icon('link')}<div class="main"><div>${label} ${identity && chip('Linked', 'success')}${identity && !provider && chip('No longer a way to sign in')}</div>${facts}</div>${button}</li>`
}

export const linkIdentity = formEndpoint({
  route: `POST ${IDENTITIES}/:provider/link`,
  summary: 'Link an account at a sign-in provider to one’s own',
  scope: inSelfAtProvider,
  can: 'add_own_credential',
  writes: 'own',
  confirms: true,
  run: ctx => goTo(ctx, ctx.provider, { userId: ctx.user.id, returnTo: IDENTITIES }, async refused => done(ctx, IDENTITIES, refused)),
})

export const unlinkOwnIdentity = action({
  route: `POST ${IDENTITIES}/:provider/unlink`,
  of: unlinkIdentity,
  scope: inOwnIdentity,
  next: () => IDENTITIES,
  notice: 'The account is no longer linked.',
  confirms: true,
})

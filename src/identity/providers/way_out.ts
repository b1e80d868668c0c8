/** Signing out at the provider that a session was begun by. */
import type { Context } from '../../platform/kernel/context.ts'
import { groupProviderNamed } from '../saml/group_providers.ts'
import { providerNamed } from './file.ts'
import { ProviderFailed } from './provider.ts'
import type { ProviderSession } from './provider_sessions.ts'

/** Where a browser goes to end its session at the provider; undefined where there is no such address, or the provider cannot be asked for it. */
export async function wayOut(
  ctx: Context,
  name: string,
  session: ProviderSession | undefined,
): Promise<{ readonly to: string; readonly site: string } | undefined> {
  const provider = providerNamed(ctx.deps.config, name) ?? (await groupProviderNamed(ctx.db, name))
  if (!provider?.kind.byVisit?.signOut) return undefined
  try {
    const to = await provider.kind.byVisit.signOut(ctx, provider, { back: `${ctx.url}/users/sign_in`, session })
    return to === undefined ? undefined : { to, site: provider.label }
  } catch (error) {
    if (!(error instanceof ProviderFailed)) throw error
    ctx.log.warn({ err: error, provider: name }, 'a session at a sign-in provider was not ended')
    return undefined
  }
}

/** Scopes of sign-in providers. */
import type { Context } from '../../platform/kernel/context.ts'
import { inInstance, within } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { groupProviderNamed } from '../saml/group_providers.ts'
import { identityAt, inSelf } from '../users/scope.ts'
import { providerNamed } from './file.ts'

const path = { provider: text('Name of a sign-in provider', { maxLength: 255 }) }

async function visitedProvider({ db, deps }: Context, { provider: name }: { readonly provider: string }) {
  const provider = providerNamed(deps.config, name) ?? (await groupProviderNamed(db, name))
  if (!provider?.kind.byVisit) throw notFound('Provider')
  return { provider }
}

/** `:provider` becomes a provider that one goes to, of the file or of a group, or 404. */
export const inProvider = within(inInstance, { name: 'inProvider', path, load: visitedProvider })

/** The same below the caller's own account. */
export const inSelfAtProvider = within(inSelf, { name: 'inSelfAtProvider', path, load: visitedProvider })

/** `:provider` becomes an identity of the caller there, or 404. */
export const inOwnIdentity = within(inSelf, {
  name: 'inOwnIdentity',
  path,
  load: ({ db, user }, { provider }) => identityAt(db, user.id, provider),
})

/** Sets up, changes and removes the SAML provider of a group. */
import { randomBytes } from 'node:crypto'
import { removeIdentity } from '../../identity/identities/removal.ts'
import { GROUP_SAML } from '../../identity/saml/group_providers.ts'
import { assertCertificates } from '../../identity/saml/kind.ts'
import { type Role, roles } from '../../platform/access/abilities.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { badRequest, forbidden, invalid } from '../../platform/kernel/errors.ts'
import type { GroupRow } from '../groups/queries.ts'
import { type SamlProviderRow, samlProviderOf } from './queries.ts'

/** What owners say of their provider. */
export interface SamlProviderInput {
  readonly issuer: string
  readonly sso_url: string
  readonly slo_url?: string | null | undefined
  readonly certificate: string
  readonly default_membership_role?: Role | undefined
  readonly enabled?: boolean | undefined
  readonly enforced?: boolean | undefined
  readonly git_check_enforced?: boolean | undefined
}

const record = (ctx: Context, group: GroupRow, custom_message: string) =>
  recordEvent(ctx, {
    kind: 'saml_provider.changed',
    payload: { id: group.id, name: group.full_path, details: { custom_message } },
    actorId: ctx.actor.user?.id,
    namespaceId: group.id,
  })

function assertCertificate(certificate: string): void {
  try {
    assertCertificates(certificate, 'certificate')
  } catch {
    throw invalid({ certificate: ['must be a certificate as PEM'] })
  }
}

/** Sets up the provider of a top-level group, or changes it. 400 for a subgroup or a text that is no certificate, 403 for bots. */
export async function setSamlProvider(ctx: Context, group: GroupRow, input: SamlProviderInput): Promise<SamlProviderRow> {
  if (group.parent_id !== null) throw badRequest('A SAML provider is set up for a top-level group only')
  if (ctx.actor.user?.kind !== 'human') throw forbidden()
  assertCertificate(input.certificate)
  const { db, now } = ctx
  const before = await samlProviderOf(db, group.id)
  const values = {
    issuer: input.issuer.trim(),
    sso_url: input.sso_url,
    slo_url: input.slo_url === undefined ? (before?.slo_url ?? null) : input.slo_url || null,
    certificate: input.certificate.trim(),
    default_membership_role: input.default_membership_role ?? before?.default_membership_role ?? roles.guest,
    enabled: input.enabled ?? before?.enabled ?? true,
    enforced: input.enforced ?? before?.enforced ?? false,
    git_check_enforced: input.git_check_enforced ?? before?.git_check_enforced ?? false,
    updated_at: now,
  }
  const row = await db
    .insertInto('saml_providers')
    .values({ ...values, group_id: group.id, name: `${GROUP_SAML}.${randomBytes(12).toString('hex')}`, created_at: now })
    .onConflict(conflict => conflict.column('group_id').doUpdateSet(values))
    .returningAll()
    .executeTakeFirstOrThrow()
  await record(ctx, group, before ? 'SAML provider changed' : 'SAML provider set up')
  return row
}

/** Removes the provider of a group, with the identities at it. Members who came by it leave the group. */
export async function removeSamlProvider(ctx: Context, group: GroupRow, provider: SamlProviderRow): Promise<void> {
  const { db } = ctx
  const identities = await db
    .selectFrom('identities')
    .select(['id', 'user_id', 'provider'])
    .where('saml_provider_id', '=', provider.id)
    .orderBy('id')
    .execute()
  for (const identity of identities) await removeIdentity(ctx, identity)
  await db.deleteFrom('saml_providers').where('id', '=', provider.id).returning('id').executeTakeFirstOrThrow()
  await record(ctx, group, 'SAML provider removed')
}

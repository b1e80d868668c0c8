/** Writes of integrations. */
import { changesBetween } from '../../platform/events/audit/changes.ts'
import { inPlace } from '../../platform/events/audit/entry.ts'
import { recordEvent } from '../../platform/events/events.ts'
import { isWebAddress } from '../../platform/kernel/addresses/web_address.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { type Failures, invalid, missing } from '../../platform/kernel/errors.ts'
import { hookDestinations } from '../../platform/outbound/allowed.ts'
import { isCallable } from '../../platform/outbound/callable.ts'
import { hasStars, loggedUrl, restoredUrl, shownUrl } from '../../platform/outbound/shown_url.ts'
import { Secret } from '../../platform/secret.ts'
import type { IntegrationKind, SettingField } from './kinds/field.ts'
import type { GivenSettings } from './params.ts'
import { fitsPlace, type IntegrationPlace, idsOfPlace } from './places.ts'
import { ownIntegrations } from './queries.ts'
import { type SecretSettings, sealed, secretsOf, textOfSecret } from './secrets.ts'
import { initialSwitches, integrationSwitches } from './switches.ts'

/** Settings as a row keeps them: what may be shown, and what may not. */
interface Kept {
  readonly properties: Readonly<Record<string, unknown>>
  readonly secrets: SecretSettings
}

const isAddress = ({ type }: SettingField): boolean => type === 'url' || type === 'link'

/**
 * Sets up an integration in a place, or changes the settings that the place has itself. What is not given stays. 400 where something required is
 * missing, or an address may not be called.
 */
export async function setIntegration(ctx: Context, place: IntegrationPlace, kind: IntegrationKind, given: GivenSettings): Promise<void> {
  const { db, deps, now } = ctx
  const made = await db
    .insertInto('integrations')
    .values({ ...idsOfPlace(place), slug: kind.slug, active: false, switches: [...initialSwitches], created_at: now, updated_at: now })
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  const row = await ownIntegrations(db, place).where('slug', '=', kind.slug).forUpdate().executeTakeFirstOrThrow()
  const before: Kept = { properties: { ...initialOf(kind), ...(row.properties as object) }, secrets: secretsOf(deps, row) }
  for (const { name, required, secret } of kind.fields) {
    const isKept = given.keeps_secrets && secret && before.secrets[name] !== undefined
    if (required && given[name] === undefined && !isKept) throw missing(name)
  }
  const after = merged(kind, before, given)
  await assertSettings(ctx, kind, after)
  const columns = {
    active: given.active ?? true,
    switches: integrationSwitches.filter(name => (given[name] as boolean | undefined) ?? row.switches.includes(name)),
    comment_on_event_enabled: given.comment_on_event_enabled ?? row.comment_on_event_enabled,
  }
  await db
    .updateTable('integrations')
    .set({ ...columns, properties: JSON.stringify(after.properties), secrets: sealed(deps, after.secrets), updated_at: now })
    .where('id', '=', row.id)
    .execute()
  const changes = {
    ...changesBetween(row, columns, ['active', 'switches', 'comment_on_event_enabled']),
    ...settingChanges(kind, before, after),
  }
  const named = { id: row.id, name: kind.slug }
  if (made) await recordEvent(ctx, { kind: 'integration.created', payload: named, ...inPlace(row) })
  else await recordEvent(ctx, { kind: 'integration.updated', payload: { ...named, changes }, ...inPlace(row) })
}

const initialOf = ({ fields }: IntegrationKind) =>
  Object.fromEntries(fields.flatMap(({ name, initial }) => (initial === undefined ? [] : [[name, initial]])))

/** The settings after a change. */
function merged({ fields }: IntegrationKind, before: Kept, given: GivenSettings): Kept {
  const properties: Record<string, unknown> = { ...before.properties }
  const secrets: Record<string, Secret> = { ...before.secrets }
  // Contract: the former way of naming branches is kept as the new one (services API).
  const onlyDefault = given.notify_only_default_branch
  if (onlyDefault !== undefined && given.branches_to_be_notified === undefined)
    properties.branches_to_be_notified = onlyDefault ? 'default' : 'all'
  for (const field of fields) {
    const value = given[field.name]
    if (value === undefined) continue
    if (field.secret) {
      if (value === '') delete secrets[field.name]
      else secrets[field.name] = Secret.of(value as string | Secret)
    } else if (isAddress(field)) {
      const url = String(value).trim()
      const address = restoredUrl(url, addressOf(before, field.name))
      properties[field.name] = shownUrl(address)
      if (shownUrl(address) === address) delete secrets[field.name]
      else secrets[field.name] = new Secret(address)
    } else properties[field.name] = value
  }
  const isMoved = fields.some(field => field.type === 'url' && isChangedAddress(before, { properties, secrets }, field.name))
  // A secret goes to the server that it was given for, and to no other: who does not know it could have it sent to one of theirs.
  if (isMoved)
    for (const { name, secret, required } of fields) {
      if (!secret || given[name] !== undefined || secrets[name] === undefined) continue
      if (required) throw missing(name)
      delete secrets[name]
    }
  return { properties, secrets }
}

/** An address with its credentials; empty where it was never given. */
export const addressOf = ({ properties, secrets }: Kept, name: string): string =>
  textOfSecret(secrets, name) ?? (typeof properties[name] === 'string' ? (properties[name] as string) : '')

/** An address that was not given before is another one too: of several, the new one may be where secrets go from now on. */
const isChangedAddress = (before: Kept, after: Kept, name: string): boolean => addressOf(before, name) !== addressOf(after, name)

/** 400 for what the schema cannot say. */
async function assertSettings({ db, deps }: Context, { fields, slug }: IntegrationKind, kept: Kept): Promise<void> {
  const failures: Failures = {}
  const allowed = fields.some(({ type }) => type === 'url') ? await hookDestinations(db, deps.config, { isOfInstance: false }) : []
  for (const field of fields) {
    const { name, type, required, secret } = field
    const address = isAddress(field) ? addressOf(kept, name) : ''
    const isGiven = secret ? kept.secrets[name] !== undefined : (kept.properties[name] ?? '') !== ''
    if (required && !isGiven) failures[name] = ["can't be blank"]
    else if (address === '') continue
    else if (hasStars(address)) failures[name] = ['has stars in the place of its credentials']
    else if (type === 'link' && !isWebAddress(address)) failures[name] = ['must be a valid http or https URL']
    else if (type === 'url' && !(await isCallable(address, allowed))) failures[name] = ['is blocked: it must be a public http or https URL']
  }
  if (slug === 'confluence' && !/^https:\/\/[a-z0-9-]+\.atlassian\.net\/wiki/i.test(String(kept.properties.confluence_url)))
    failures.confluence_url = ['must be the address of a workspace on atlassian.net']
  if (Object.keys(failures).length > 0) throw invalid(failures)
}

/** The changed settings, without secrets and credentials. */
function settingChanges({ fields }: IntegrationKind, before: Kept, after: Kept) {
  const changes: Record<string, { from: unknown; to: unknown }> = {}
  for (const field of fields) {
    const { name, secret } = field
    if (secret) {
      if (textOfSecret(before.secrets, name) !== textOfSecret(after.secrets, name)) changes[name] = { from: null, to: '[withheld]' }
    } else if (isAddress(field)) {
      const [from, to] = [addressOf(before, name), addressOf(after, name)]
      if (from !== to) changes[name] = { from: loggedUrl(from), to: loggedUrl(to) }
    } else Object.assign(changes, changesBetween(before.properties, after.properties, [name]))
  }
  return changes
}

/**
 * Turns an integration off in a place and forgets its settings there.
 * Contract: it is known afterwards as one that is not active (services API).
 */
export async function removeIntegration(ctx: Context, place: IntegrationPlace, kind: IntegrationKind): Promise<void> {
  const row = await ctx.db
    .updateTable('integrations')
    .set({
      active: false,
      properties: '{}',
      secrets: null,
      switches: [...initialSwitches],
      comment_on_event_enabled: true,
      updated_at: ctx.now,
    })
    .where(fitsPlace(place))
    .where('slug', '=', kind.slug)
    .returning('id')
    .executeTakeFirst()
  if (row) await recordEvent(ctx, { kind: 'integration.deleted', payload: { id: row.id, name: kind.slug }, ...inPlace(idsOfPlace(place)) })
}

/** Has a place no settings of its own any more: those of the places around it count. */
export async function inheritIntegration(ctx: Context, place: IntegrationPlace, kind: IntegrationKind): Promise<void> {
  const row = await ctx.db
    .deleteFrom('integrations')
    .where(fitsPlace(place))
    .where('slug', '=', kind.slug)
    .returning('id')
    .executeTakeFirst()
  if (row) await recordEvent(ctx, { kind: 'integration.deleted', payload: { id: row.id, name: kind.slug }, ...inPlace(idsOfPlace(place)) })
}

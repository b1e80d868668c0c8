/** The file of providers (`INGOT_PROVIDERS_FILE`), checked as a whole before the server starts. */
import Type, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import { roles } from '../../platform/access/abilities.ts'
import { type Config, ConfigError } from '../../platform/config.ts'
import { flag, text } from '../../platform/kernel/declaration/types.ts'
import { Secret } from '../../platform/secret.ts'
import { kinds } from './kinds/kinds.ts'
import type { ProvidedRole, Provider, ProviderKind } from './provider.ts'

const { none: _, ...givenRoles } = roles
const names = Object.keys(givenRoles) as (keyof typeof givenRoles)[]

const groups = (about: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { maxItems: 1000, default: [], description: about })

/** A provider of the file, without the settings of its kind. */
const Entry = Type.Object(
  {
    name: text('In addresses and identities', { pattern: '^[a-z0-9][a-z0-9_.-]{0,62}$' }),
    label: Type.Optional(text('On buttons', { minLength: 1, maxLength: 100 })),
    kind: Type.Enum(kinds.map(({ name }) => name)),
    settings: Type.Object({}),
    private_address: flag('At an address that is not public', { default: false }),
    allow_single_sign_on: flag('A first sign-in makes an account', { default: false }),
    block_auto_created_users: flag('Such an account waits for an approval', { default: true }),
    auto_link_user: flag('A verified address links an account', { default: false }),
    external: flag('Such accounts are external', { default: false }),
    trust_second_factor: flag('No second factor is asked for here', { default: false }),
    required_groups: groups('Who may sign in'),
    admin_groups: groups('Who is an administrator'),
    external_groups: groups('Who is an external user'),
    roles: Type.Array(
      Type.Object(
        {
          group: text('Group of the provider', { minLength: 1, maxLength: 255 }),
          path: text('Full path of the group here', { minLength: 1, maxLength: 255 }),
          access_level: Type.Enum(names),
        },
        { additionalProperties: false },
      ),
      { maxItems: 1000, default: [] },
    ),
  },
  { additionalProperties: false },
)

const known = new WeakMap<Config, readonly Provider[]>()

/** The providers of the configuration, in the order of the file. @throws ConfigError */
export function providersOf(config: Config): readonly Provider[] {
  const found = known.get(config) ?? parseProviders(config.providersFile)
  known.set(config, found)
  return found
}

/** The provider of this name, if there is one. */
export const providerNamed = (config: Config, name: string): Provider | undefined =>
  providersOf(config).find(provider => provider.name === name)

/** Reads the text of the file. @throws ConfigError */
export function parseProviders(file: Secret | undefined): readonly Provider[] {
  if (!file) return []
  const parsed: unknown = JSON.parse(file.reveal())
  const entries = (parsed as { providers?: unknown } | null)?.providers
  if (!Array.isArray(entries)) throw wrong('it must hold an object with a list "providers"')
  const providers = entries.map(providerOf)
  const twice = providers.find(({ name }, at) => providers.findIndex(other => other.name === name) !== at)
  if (twice) throw wrong(`two providers have the name "${twice.name}"`)
  return providers
}

const wrong = (message: string) => new ConfigError(`INGOT_PROVIDERS_FILE: ${message}`)

function providerOf(given: unknown, at: number): Provider {
  const entry = checked(Entry, given, `provider ${at + 1}`)
  const { name, label = name, settings, private_address, kind: kindName, roles: provided, ...rules } = entry
  const called = `provider "${name}"`
  const kind = kinds.find(other => other.name === kindName) as ProviderKind
  const own = checked(kind.settings, settings, `${called}: settings`) as Record<string, unknown>
  for (const address of kind.addresses) assertAddress(own[address], private_address, `${called}: settings.${address}`)
  const settingsOfKind = withSecrets(kind, own)
  try {
    kind.assertSettings?.(settingsOfKind)
  } catch (error) {
    throw wrong(`${called}: settings: ${(error as Error).message}`)
  }
  return Object.freeze({
    name,
    label,
    kind,
    private_address,
    settings: settingsOfKind,
    rules: { ...rules, roles: provided.map((role): ProvidedRole => ({ ...role, access_level: givenRoles[role.access_level] })) },
  })
}

/** The value with defaults. The message names places and never values, which may be secrets. */
function checked<S extends Type.TSchema>(schema: S, given: unknown, called: string): Static<S> {
  const value = Value.Default(schema, structuredClone(given))
  const [error] = Value.Errors(schema, value)
  if (!error) return value as Static<S>
  const place = error.instancePath.slice(1).replaceAll('/', '.')
  // Nothing is allowed at a name that the schema does not have.
  const message = error.keyword === 'boolean' ? 'is no name that is known here' : error.message
  throw wrong(`${called}${place === '' ? '' : `: ${place}`} ${message}`)
}

/** An address of a provider is `https:`; `http:` where the file says that the provider is at a private address. */
function assertAddress(value: unknown, isPrivate: boolean, called: string): void {
  if (value === undefined) return
  const url = URL.parse(String(value))
  const isFit = url !== null && (url.protocol === 'https:' || (isPrivate && url.protocol === 'http:'))
  if (!isFit || url.username !== '' || url.password !== '')
    throw wrong(
      `${called} must be an address that begins with https://${isPrivate ? ' or http://' : ' (with private_address: true also http://)'}`,
    )
}

const withSecrets = ({ settings }: ProviderKind, own: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(own).map(([name, value]) => {
      const { isSecret } = (settings.properties[name] ?? {}) as { isSecret?: boolean }
      return [name, isSecret ? new Secret(value as string) : value]
    }),
  )

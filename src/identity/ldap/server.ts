/** A directory that people sign in by, as its provider in the file of providers describes it. */
import Type, { type Static } from 'typebox'
import type { Secret } from '../../platform/secret.ts'
import { secretSetting } from '../providers/provider.ts'
import { assertFilter, LdapOptionsInvalid } from './filter.ts'

const line = (options: object = {}) => Type.String({ minLength: 1, maxLength: 1024, ...options })

/** The name of an attribute (RFC 4512 section 1.4), without options. */
const attribute = (standard: string) => Type.Optional(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9-]{0,63}$', default: standard }))

/** What the file of providers says of a directory. */
export const LdapOptions = Type.Object(
  {
    host: line(),
    /** 636 with `simple_tls`, else 389. */
    port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
    encryption: Type.Optional(Type.Enum(['simple_tls', 'start_tls', 'plain'])),
    /** Path of a file in PEM form with the authorities that the directory's certificate may come from; those of the system where it is missing. */
    ca_file: Type.Optional(line()),
    /** The account that searches; where it is missing, the search is anonymous. */
    bind_dn: Type.Optional(line()),
    password: Type.Optional(secretSetting('Of the account that searches')),
    /** Below this entry people are looked for. */
    base: line(),
    /** The attribute that people type as their name. */
    uid: attribute('uid'),
    /** Who may sign in, as a filter (RFC 4515). */
    user_filter: Type.Optional(line({ maxLength: 4096 })),
    attributes: Type.Optional(
      Type.Object({ username: attribute('uid'), name: attribute('cn'), email: attribute('mail') }, { additionalProperties: false }),
    ),
    /** Below this entry the groups of a person are looked for; their names are `cn`. Without it nobody has groups. */
    group_base: Type.Optional(line()),
    /** Are the addresses of the directory those of the people? False: an account is never found by its address. */
    email_verified: Type.Optional(Type.Boolean()),
    /** Seconds that an answer may take. */
    timeout: Type.Optional(Type.Integer({ minimum: 1, maximum: 60 })),
  },
  { additionalProperties: false },
)

export type LdapOptions = Static<typeof LdapOptions>

/** A directory with all that is known of it. */
export interface LdapServer {
  /** The name of the provider, which identities have. */
  readonly provider: string
  readonly host: string
  readonly port: number
  readonly encryption: 'simple_tls' | 'start_tls' | 'plain'
  /** Certificates in PEM form. */
  readonly ca: string | undefined
  readonly account: { readonly dn: string; readonly password: Secret } | undefined
  readonly base: string
  readonly uid: string
  readonly userFilter: string | undefined
  readonly attributes: { readonly username: string; readonly name: string; readonly email: string }
  readonly groupBase: string | undefined
  readonly isEmailVerified: boolean
  /** Milliseconds. */
  readonly timeout: number
}

/**
 * The directory of a provider.
 * @param options as `LdapOptions` checked them
 * @param read the text of a file
 */
export function ldapServer(provider: string, options: LdapOptions, read: (path: string) => string): LdapServer {
  const { host, base, encryption = 'simple_tls', bind_dn, password, user_filter, uid = 'uid', attributes = {} } = options
  if ((bind_dn === undefined) !== (password === undefined)) throw new LdapOptionsInvalid('bind_dn and password belong together')
  if (user_filter !== undefined) assertFilter(user_filter)
  const { username = uid, name = 'cn', email = 'mail' } = attributes
  return {
    provider,
    host,
    port: options.port ?? (encryption === 'simple_tls' ? 636 : 389),
    encryption,
    ca: options.ca_file === undefined ? undefined : read(options.ca_file),
    account: bind_dn === undefined || password === undefined ? undefined : { dn: bind_dn, password },
    base,
    uid,
    userFilter: user_filter,
    attributes: { username, name, email },
    groupBase: options.group_base,
    isEmailVerified: options.email_verified ?? true,
    timeout: (options.timeout ?? 10) * 1000,
  }
}

/** Directories as a kind of provider: people sign in with the name and password that they have there. */
import { readFileSync } from 'node:fs'
import type { Claims, Provider, ProviderKind } from '../providers/provider.ts'
import { ProviderFailed } from '../providers/provider.ts'
import { assertSearchable, DirectoryUnavailable } from './connection.ts'
import { normalizedDn } from './dn.ts'
import { type DirectoryPerson, peopleByDn, personByPassword } from './people.ts'
import { LdapOptions, type LdapServer, ldapServer } from './server.ts'

const readText = (path: string): string => readFileSync(path, 'utf8')

const known = new WeakMap<Provider<LdapOptions>, LdapServer>()

/** The directory of a provider of this kind. */
export function serverOf(provider: Provider<LdapOptions>): LdapServer {
  const found = known.get(provider) ?? ldapServer(provider.name, provider.settings, readText)
  known.set(provider, found)
  return found
}

const claimsOf = ({ isEmailVerified }: LdapServer, person: DirectoryPerson): Claims => ({ ...person, emailVerified: isEmailVerified })

/** Asks a directory. @throws ProviderFailed where it does not answer */
async function asked<T>({ label }: Provider<LdapOptions>, question: Promise<T>): Promise<T> {
  try {
    return await question
  } catch (error) {
    if (!(error instanceof DirectoryUnavailable)) throw error
    throw new ProviderFailed(`${label} cannot be reached at the moment.`, { cause: error })
  }
}

export const ldap: ProviderKind<typeof LdapOptions> = {
  name: 'ldap',
  settings: LdapOptions,
  addresses: [],
  async check(_using, provider) {
    const { host, port } = serverOf(provider)
    await assertSearchable(serverOf(provider))
    return { says: `${host}:${port} can be searched` }
  },
  assertSettings(settings) {
    ldapServer('', settings, readText)
  },
  directory: {
    async byPassword(provider, { login, uid }, password, filters) {
      const server = serverOf(provider)
      const person = await asked(provider, personByPassword(server, login, password, { uid, filters }))
      return person && claimsOf(server, person)
    },
    async people(provider, uids, filters) {
      const server = serverOf(provider)
      const found = await asked(provider, peopleByDn(server, uids, filters))
      return new Map([...found].map(([uid, person]) => [uid, claimsOf(server, person)]))
    },
    normalizedUid: normalizedDn,
  },
}

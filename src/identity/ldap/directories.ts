/** The directories of the instance, and the groups that they have. */
import type { Config } from '../../platform/config.ts'
import { Refusal } from '../../platform/kernel/errors.ts'
import { providersOf } from '../providers/file.ts'
import type { Provider } from '../providers/provider.ts'
import { DirectoryUnavailable } from './connection.ts'
import { ldap, serverOf } from './kind.ts'
import { groupsNamed } from './people.ts'
import type { LdapOptions } from './server.ts'

/** A directory of the file of providers. */
export type DirectoryProvider = Provider<LdapOptions>

/** The directories of the file of providers, in its order. */
export const directoriesOf = (config: Config): readonly DirectoryProvider[] =>
  providersOf(config).flatMap(provider => (provider.kind.name === ldap.name ? [provider as unknown as DirectoryProvider] : []))

/** The directory of this name, if the instance has one. */
export const directoryNamed = (config: Config, name: string): DirectoryProvider | undefined =>
  directoriesOf(config).find(provider => provider.name === name)

/** Groups of a directory whose names begin with a text. @throws Refusal 503 where it does not answer */
export async function groupsIn(provider: DirectoryProvider, beginning: string, most: number): Promise<{ readonly cn: string }[]> {
  try {
    const names = await groupsNamed(serverOf(provider), beginning, most)
    return names.map(cn => ({ cn }))
  } catch (error) {
    if (!(error instanceof DirectoryUnavailable)) throw error
    throw new Refusal('unavailable', { message: '503 Service Unavailable - the directory does not answer' })
  }
}

/** The files of the data directory that a backup keeps: the keys, without which nothing that is encrypted can be read. */
import { readFile } from 'node:fs/promises'
import { type Config, ConfigError, places } from '../../platform/config.ts'
import { loadInstanceKeys } from '../setup/instance_key.ts'
import { createPrivateFile } from '../setup/private_file.ts'

/** A file by its name in the archive. */
export interface KeptFile {
  readonly name: 'secret.key' | 'ssh_host_ed25519_key' | 'root-credentials.json'
  readonly content: string
}

/** The files as they are now, with the key of the environment where that has it. */
export async function keptFiles(config: Config): Promise<KeptFile[]> {
  const keys = await loadInstanceKeys(config)
  const { sshHostKey, rootCredentials } = places(config)
  const others = [
    { name: 'ssh_host_ed25519_key', content: await contentOf(sshHostKey) },
    { name: 'root-credentials.json', content: await contentOf(rootCredentials) },
  ] as const
  return [
    { name: 'secret.key', content: keys.map(key => `${key.toString('hex')}\n`).join('') },
    ...others.flatMap(({ name, content }) => (content === undefined ? [] : [{ name, content }])),
  ]
}

/**
 * Puts a file of an archive in its place.
 * @throws ConfigError the environment has another key than the archive
 */
export async function restoreKeptFile(config: Config, name: string, content: string): Promise<void> {
  const { secretKey, sshHostKey, rootCredentials } = places(config)
  if (name === 'secret.key') {
    if (!config.secretKey) return put(secretKey, content)
    const given = new Set(config.secretKey.reveal().toLowerCase().split(','))
    if (
      !content
        .trim()
        .split('\n')
        .every(key => given.has(key))
    )
      throw new ConfigError(
        'INGOT_SECRET_KEY is another key than that of the backup: leave it empty, and the key of the backup is restored',
      )
  } else if (name === 'ssh_host_ed25519_key') await put(sshHostKey, content)
  else if (name === 'root-credentials.json') await put(rootCredentials, content)
}

async function put(file: string, content: string): Promise<void> {
  await createPrivateFile(file, content)
}

async function contentOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

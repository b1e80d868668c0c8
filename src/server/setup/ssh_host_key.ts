/** The SSH host key: generated at the first start, kept in the data directory. */
import { readFile } from 'node:fs/promises'
import ssh2 from 'ssh2'
import { type Config, ConfigError, places } from '../../platform/config.ts'
import { createPrivateFile } from './private_file.ts'

/**
 * The private key, Ed25519 in OpenSSH's own format or any other that `ssh-keygen` writes. Processes that start concurrently on one data
 * directory get the same key.
 * @throws ConfigError when the file that should hold it does not
 */
export async function loadSshHostKey(config: Config): Promise<string> {
  const file = places(config).sshHostKey
  const key = (await readKey(file)) ?? (await makeKey(file))
  if (!isUsable(key)) throw new ConfigError(`${file} must hold a private key without passphrase: restore it from a backup, or delete it`)
  return key
}

async function readKey(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** About one in two hundred keys of the library cannot be parsed, even by itself: then another one is generated. */
function newKey(): string {
  for (;;) {
    const { private: key } = ssh2.utils.generateKeyPairSync('ed25519', { comment: 'Ingot' })
    if (isUsable(key)) return key
  }
}

const isUsable = (key: string): boolean => {
  const parsed = ssh2.utils.parseKey(key)
  return !(parsed instanceof Error) && parsed.isPrivateKey()
}

async function makeKey(file: string): Promise<string> {
  const key = newKey()
  if (await createPrivateFile(file, key)) return key
  return (await readKey(file)) as string
}

/**
 * The key that encrypts what must be read back (kernel/secrets.ts). Given by the environment, or made at the first
 * start and kept in the data directory, readable by Ingot's user alone.
 */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type Config, ConfigError, places } from '../config.ts'
import { createPrivateFile } from './private_file.ts'

const HEX_KEY = /^[0-9a-f]{64}$/i

/**
 * The instance's key, 32 bytes. Several processes that start at once on one data directory get the same.
 * @throws ConfigError when the file that should hold it does not
 */
export async function loadInstanceKey(config: Config): Promise<Buffer> {
  if (config.secretKey) return Buffer.from(config.secretKey, 'hex')
  const file = places(config).secretKey
  const stored = (await readKey(file)) ?? (await makeKey(file))
  if (!HEX_KEY.test(stored)) throw new ConfigError(`${file} must hold 64 hex digits: restore it from a backup, or set INGOT_SECRET_KEY`)
  return Buffer.from(stored, 'hex')
}

async function readKey(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function makeKey(file: string): Promise<string> {
  const key = randomBytes(32).toString('hex')
  if (await createPrivateFile(file, `${key}\n`)) return key
  return (await readKey(file)) as string
}

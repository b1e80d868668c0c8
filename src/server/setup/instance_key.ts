/**
 * The key that encrypts stored secrets (platform/kernel/secrets.ts). Given by the environment, or generated at the first start and kept in
 * the data directory, readable by Ingot's user alone.
 */
import { randomBytes } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { type Config, ConfigError, places } from '../../platform/config.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Secrets } from '../../platform/kernel/secrets.ts'
import { createPrivateFile } from './private_file.ts'

const HEX_KEY = /^[0-9a-f]{64}$/i

/**
 * The instance's keys, 32 bytes each: the one for encryption, then former ones for decryption. Processes that start concurrently on one
 * data directory get the same keys.
 * @throws ConfigError when the file that should hold them does not
 */
export async function loadInstanceKeys(config: Config): Promise<[Buffer, ...Buffer[]]> {
  if (config.secretKey) return keysIn(config.secretKey.reveal())
  const file = places(config).secretKey
  const stored = (await readKey(file)) ?? (await makeKey(file))
  const keys = keysIn(stored)
  if (keys.length !== stored.split(BETWEEN_KEYS).length)
    throw new ConfigError(`${file} must hold 64 hex digits: restore it from a backup, or set INGOT_SECRET_KEY`)
  return keys
}

/**
 * Refuses a key that reads nothing of what the database has sealed: the folder is another instance's, or a new one, or its key is lost. What is stored now
 * would be sealed by it, and what is there could not be read.
 * @param isNew was the key made by this start? It is taken back then.
 * @throws ConfigError
 */
export async function assertKeyFits(db: Db, secrets: Secrets, config: Config, isNew: boolean): Promise<void> {
  // Each instance has one from its first start on.
  const { private_key: sealed = null } =
    (await db
      .selectFrom('signing_keys')
      .select('private_key')
      .where('private_key', 'is not', null)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()) ?? {}
  if (sealed === null || opens(secrets, sealed)) return
  const file = places(config).secretKey
  if (isNew) await rm(file, { force: true })
  const key = config.secretKey ? 'INGOT_SECRET_KEY is not the key' : isNew ? `${config.dataDir} has no key` : `${file} is not the key`
  throw new ConfigError(`${key} of the instance in this database: name its data folder, or restore its secret.key, or set INGOT_SECRET_KEY`)
}

function opens(secrets: Secrets, sealed: string): boolean {
  try {
    secrets.decrypt(sealed, 'signing_keys.private_key')
    return true
  } catch {
    return false
  }
}

const BETWEEN_KEYS = /[\s,]+/

/** The keys in a text, separated by commas or line ends. */
const keysIn = (text: string) =>
  text
    .split(BETWEEN_KEYS)
    .filter(key => HEX_KEY.test(key))
    .map(key => Buffer.from(key, 'hex')) as [Buffer, ...Buffer[]]

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

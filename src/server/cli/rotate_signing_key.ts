/** `ingot admin rotate-signing-key`: after a leak, or as a routine. Works while the server runs, too. */
import { rotateSigningKey } from '../../identity/signing_keys/commands.ts'
import { openLog } from '../../platform/log.ts'
import { openInstance } from '../setup/instance.ts'
import { configFrom, type SettingOptions } from './settings.ts'

/** Replaces the key that signs id tokens, and prints the id of the new one. */
export async function rotateKey(options: SettingOptions): Promise<void> {
  const config = configFrom(options)
  const instance = await openInstance({ config, log: openLog(config.logLevel), shared: true })
  try {
    process.stdout.write(`Id tokens are signed with the new key ${await rotateSigningKey(instance.deps)}\n`)
  } finally {
    await instance.close()
  }
}

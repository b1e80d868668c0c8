/** `ingot admin renew-secrets`: after a change of the key. Works while the server runs, too. */
import { openLog } from '../../platform/log.ts'
import { openInstance } from '../setup/instance.ts'
import { renewSealed } from '../setup/sealed.ts'
import { configFrom, type SettingOptions } from './settings.ts'

/** Encrypts all secrets with the present key and prints how many were not. */
export async function renewSecrets(options: SettingOptions): Promise<void> {
  const config = configFrom(options)
  const instance = await openInstance({ config, log: openLog(config.logLevel), shared: true, existing: true })
  try {
    const renewed = await renewSealed(instance.deps.database.db, instance.deps.secrets)
    process.stdout.write(`Secrets encrypted with the present key: ${renewed}\n`)
  } finally {
    await instance.close()
  }
}

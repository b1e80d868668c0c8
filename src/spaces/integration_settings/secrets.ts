/** The secret settings of an integration: one encrypted JSON for each row. */
import type { Deps } from '../../platform/kernel/context.ts'
import { Secret } from '../../platform/secret.ts'

/** The purpose of the encryption: where the ciphertext stands. */
const PURPOSE = 'integrations.secrets'

/** Secret settings by their names. */
export type SecretSettings = Readonly<Record<string, Secret>>

/** The secret settings of a row. */
export function secretsOf({ secrets }: Pick<Deps, 'secrets'>, row: { readonly secrets: string | null } | undefined): SecretSettings {
  if (!row || row.secrets === null) return {}
  const texts = JSON.parse(secrets.decrypt(row.secrets, PURPOSE).reveal()) as Record<string, string>
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, new Secret(text)]))
}

/** The text of a secret setting, where it is compared or sent; undefined for none. */
export const textOfSecret = (settings: SecretSettings, name: string): string | undefined => settings[name]?.reveal()

/** Secret settings as a row keeps them; null for none. */
export function sealed({ secrets }: Pick<Deps, 'secrets'>, settings: SecretSettings): string | null {
  const texts = Object.keys(settings).map(name => [name, textOfSecret(settings, name)])
  return texts.length === 0 ? null : secrets.encrypt(JSON.stringify(Object.fromEntries(texts)), PURPOSE)
}

/** Which types and sizes of SSH keys the instance takes (`rsa_key_restriction` and the like). Pure. */
import type { ApplicationSettingsRow } from '../../platform/application_settings/queries.ts'
import type { KeyType, ParsedKey } from './parse.ts'

/** What a user reads of a type. */
const names: Readonly<Record<KeyType, string>> = {
  rsa: 'RSA',
  dsa: 'DSA',
  ecdsa: 'ECDSA',
  ed25519: 'ED25519',
  ecdsa_sk: 'ECDSA_SK',
  ed25519_sk: 'ED25519_SK',
}

type Restrictions = Pick<ApplicationSettingsRow, `${KeyType}_key_restriction`>

/** Why the instance does not take a key; undefined where it does. */
export function keyProblem(restrictions: Restrictions, { type, bits }: Pick<ParsedKey, 'type' | 'bits'>): string | undefined {
  const least = restrictions[`${type}_key_restriction`]
  if (least === -1) {
    const taken = (Object.keys(names) as KeyType[]).filter(one => restrictions[`${one}_key_restriction`] !== -1).map(one => names[one])
    return taken.length === 0 ? 'type is forbidden' : `type is forbidden. Must be ${taken.join(', ')}`
  }
  return bits < least ? `must be at least ${least} bits` : undefined
}

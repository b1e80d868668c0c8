/** The signature of a commit or a tag as JSON (commits API at 14.0; SSH as later releases answer it). */
import Type from 'typebox'
import { keyFields, presentKey } from '../../../identity/keys/entity.ts'
import { entity } from '../../../platform/kernel/answer/entity.ts'
import { described, integer, Nullable, text } from '../../../platform/kernel/declaration/types.ts'
import { keyIdOf } from '../../../platform/openpgp/packets.ts'
import type { JudgedSignature } from './signatures.ts'

const commonFields = {
  verification_status: text(
    '`verified`, `unverified`, `unverified_key`, `unknown_key`, `same_user_different_email`, `other_user` or `multiple_signatures`',
  ),
  commit_source: described('Where the commit was read', Type.Literal('gitaly')),
}

const kind = (name: JudgedSignature['type']) => described('Kind of the signature', Type.Literal(name))

const Pgp = Type.Object({
  signature_type: kind('PGP'),
  ...commonFields,
  gpg_key_id: Nullable(integer('ID of the key that signed; null where nobody has added it')),
  gpg_key_primary_keyid: Nullable(text('ID of its primary key, or else what the signature names; null where it names none')),
  gpg_key_user_name: Nullable(text('Name in the key; null where the key is unknown or has none')),
  gpg_key_user_email: Nullable(text('Address in the key; null where the key is unknown or has none')),
  gpg_key_subkey_id: Nullable(integer('Null: subkeys have no ids of their own')),
})

const Ssh = Type.Object({
  signature_type: kind('SSH'),
  ...commonFields,
  key: Nullable(
    Type.Object(
      { ...keyFields, usage_type: described('What the key may be used for', Type.Literal('auth_and_signing')) },
      { description: 'The key that signed; null where nobody has added it' },
    ),
  ),
})

const X509 = Type.Object({
  signature_type: kind('X509'),
  ...commonFields,
  x509_certificate: Nullable(Type.Object({}, { description: 'Null: certificates are not read' })),
})

/** A signature with what it is worth. */
export const Signature = entity({
  name: 'Signature',
  schema: Type.Union([Pgp, Ssh, X509]),
  present: (signature: JudgedSignature) => {
    const common = { verification_status: signature.status, commit_source: 'gitaly' as const }
    if (signature.type === 'X509') return { signature_type: signature.type, ...common, x509_certificate: null }
    if (signature.type === 'SSH') {
      const { sshKey } = signature
      const key = sshKey ? { ...presentKey(sshKey), usage_type: 'auth_and_signing' as const } : null
      return { signature_type: signature.type, ...common, key }
    }
    const { gpgKey, userId, keyName } = signature
    return {
      signature_type: signature.type,
      ...common,
      // Contract: subkeys have no ids of their own: `gpg_key_id` is the key that they are of, and `gpg_key_subkey_id` null (commits API, 14.0).
      gpg_key_id: gpgKey?.id ?? null,
      gpg_key_primary_keyid: gpgKey ? keyIdOf(gpgKey.fingerprint).toUpperCase() : (keyName ?? null),
      gpg_key_user_name: userId?.name || null,
      gpg_key_user_email: userId?.email || null,
      gpg_key_subkey_id: null,
    }
  },
})

/** Whom a credential stands for that was proved before: by an open connection, a token of LFS or of a registry, or the first half of a push. */
import { isCertificateTrusted } from '../../identity/keys/authorities.ts'
import { parseKey } from '../../identity/keys/parse.ts'
import { keyProblem } from '../../identity/keys/restrictions.ts'
import type { Actor } from '../../platform/access/actor.ts'
import { type CredentialName, passwordProof } from '../../platform/access/current_actor.ts'
import { type ApplicationSettingsRow, applicationSettings } from '../../platform/application_settings/queries.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { actorOfCredential } from '../../platform/kernel/request/authenticate.ts'

/**
 * Whom the credential stands for now; undefined once it has ended, or once the instance takes no credential of its kind for git any more, and so none
 * where machines sign in as for git.
 */
export async function actorOfGitCredential(name: CredentialName, deps: Deps): Promise<Actor | undefined> {
  const actor = await actorOfCredential(name, deps)
  return actor && (await isTaken(deps, name)) ? actor : undefined
}

/** Do the settings that were asked when the credential was proved still take it? */
async function isTaken({ config, database: { db } }: Deps, name: CredentialName): Promise<boolean> {
  if (name.kind === 'ssh_certificate') return isCertificateTrusted(config, name.mark)
  if (name.kind === 'password') return takesPassword(db, await applicationSettings(db), name)
  if (name.kind !== 'ssh_key' && name.kind !== 'deploy_key') return true
  const row = await db.selectFrom('keys').select('key').where('id', '=', name.id).executeTakeFirst()
  const key = row && parseKey(row.key)
  return key !== undefined && keyProblem(await applicationSettings(db), key) === undefined
}

type Password = Extract<CredentialName, { kind: 'password' }>

/** The setting is about passwords that are kept here, as at the sign-in (dialect.ts). */
async function takesPassword(db: Db, settings: ApplicationSettingsRow, { id, proof }: Password): Promise<boolean> {
  if (settings.password_authentication_enabled_for_git) return true
  const user = await db.selectFrom('users').select('password_digest').where('id', '=', id).executeTakeFirst()
  return user?.password_digest == null || passwordProof(user.password_digest) !== proof
}

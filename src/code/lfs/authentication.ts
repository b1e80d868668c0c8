/** The answer of `git-lfs-authenticate`, by which a client that came over SSH goes on over HTTP. */
import type { Actor } from '../../platform/access/actor.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { forbidden } from '../../platform/kernel/errors.ts'
import { LFS_TOKEN_LIFETIME, type LfsOperation, lfsHeader, lfsHolderOf, signLfsToken } from './tokens.ts'

/**
 * The JSON to print for `git-lfs-authenticate <path> <operation>`. Whether the caller may do it must have been asked
 * before; every request that follows asks again.
 * @param url the address of the instance, without a slash at its end
 */
export function lfsAuthentication(
  { secrets, now }: Pick<Deps, 'secrets' | 'now'>,
  url: string,
  actor: Actor,
  project: { readonly id: number; readonly full_path: string },
  operation: LfsOperation,
) {
  const caller = lfsHolderOf(actor)
  if (!caller) throw forbidden()
  const token = signLfsToken(secrets, { holder: caller.holder, projectId: project.id, operation }, now())
  return {
    href: `${url}/${project.full_path}.git/info/lfs`,
    header: lfsHeader(caller.name, token),
    expires_in: LFS_TOKEN_LIFETIME,
  }
}

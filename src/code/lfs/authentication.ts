/** The response of `git-lfs-authenticate`, with which a client that connects by SSH continues over HTTP. */
import type { Actor } from '../../platform/access/actor.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { forbidden } from '../../platform/kernel/errors.ts'
import { endOfLfsToken, type LfsOperation, lfsHeader, lfsHolderOf, signLfsToken } from './tokens.ts'

/**
 * The JSON to print for `git-lfs-authenticate <path> <operation>`. The caller must be authorized before; every following request is
 * checked again.
 * @param url URL of the instance, without a trailing slash
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
  const began = now()
  const until = endOfLfsToken(actor, began)
  const token = signLfsToken(secrets, { holder: caller.holder, projectId: project.id, operation, until })
  return {
    href: `${url}/${project.full_path}.git/info/lfs`,
    header: lfsHeader(caller.name, token),
    expires_in: until - Math.floor(began.getTime() / 1000),
  }
}

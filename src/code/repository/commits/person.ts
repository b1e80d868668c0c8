import type { Actor } from '../../../platform/access/actor.ts'
import type { Person } from '../../../platform/git/index.ts'
import { unauthenticated } from '../../../platform/kernel/errors.ts'

/** The caller as a git author. git strips punctuation around names, so a name of nothing else is replaced by the username. */
export function personOf({ user }: Actor): Person {
  if (!user) throw unauthenticated()
  return { name: /[\p{L}\p{N}]/u.test(user.name) ? user.name : user.username, email: user.commit_email || user.email }
}

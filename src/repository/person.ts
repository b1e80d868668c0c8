import type { Actor } from '../access/actor.ts'
import type { Person } from '../git/objects/commit-object.ts'
import { unauthenticated } from '../kernel/errors.ts'

/** The caller as git writes people down. git drops punctuation around names, so a name of nothing else gives way to the username. */
export function personOf({ user }: Actor): Person {
  if (!user) throw unauthenticated()
  return { name: /[\p{L}\p{N}]/u.test(user.name) ? user.name : user.username, email: user.email }
}

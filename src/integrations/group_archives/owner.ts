/** Who exports and imports groups in the background: those who own them still. */
import { allows } from '../../platform/access/abilities.ts'
import type { UserActor } from '../../platform/access/actor.ts'
import { actingAs } from '../../platform/access/credentials/credentials.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { GroupRow } from '../../spaces/groups/queries.ts'
import { visibleGroup } from '../../spaces/groups/queries.ts'
import { groupSubject } from '../../spaces/groups/scope.ts'

/** A group, and the account that owns it. */
export interface Owned {
  readonly actor: UserActor
  readonly group: GroupRow & { readonly role: number }
}

/** The account and the group, if the account is active and owns the group now. */
export async function ownedBy(db: Db, userId: number | null, groupId: number): Promise<Owned | undefined> {
  const actor = await actingAs(db, userId)
  const group = actor && (await visibleGroup(db, actor, String(groupId)))
  return actor && group && allows(actor, 'admin_group', groupSubject(group)) === 'yes' ? { actor, group } : undefined
}

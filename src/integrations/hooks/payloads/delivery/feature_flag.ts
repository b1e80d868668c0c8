/** The payload of feature flags (webhook events, 14.0). */
import type { BareFlagRow } from '../../../../delivery/feature_flags/queries.ts'
import type { UserRow } from '../../../../identity/users/queries.ts'
import type { Facts } from '../../../../platform/kernel/context.ts'
import type { ProjectRow } from '../../../../spaces/projects/queries.ts'
import { projectPart, userPart } from '../project.ts'

/** The payload of a flag that was switched on or off by a user. */
export const featureFlagPayload = (
  facts: Pick<Facts, 'url' | 'sshUrl'>,
  project: ProjectRow,
  { id, name, description, active }: BareFlagRow,
  user: UserRow | undefined,
): object => ({
  object_kind: 'feature_flag',
  project: projectPart(project, facts),
  user: userPart(user, facts),
  user_url: user ? `${facts.url}/${user.username}` : null,
  object_attributes: { id, name, description, active },
})

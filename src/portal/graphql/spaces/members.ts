/** What members of groups and of projects have in common. */

import type { Part, Resolver } from '../reading/part.ts'
import type { Thing } from '../reading/things.ts'

const levelNames: ReadonlyMap<number, string> = new Map([
  [5, 'MINIMAL_ACCESS'],
  [10, 'GUEST'],
  [20, 'REPORTER'],
  [30, 'DEVELOPER'],
  [40, 'MAINTAINER'],
  [50, 'OWNER'],
])

/** The access of a member. */
export const accessLevel: Resolver = ({ row }: Thing<{ access_level: number }>) => ({
  integerValue: row.access_level,
  stringValue: levelNames.get(row.access_level) ?? 'NO_ACCESS',
})

/** What members of groups and of projects have in common. */
export const memberFields = `"The user"
      user: UserCore!
      "The access of the member"
      accessLevel: AccessLevel
      "When the membership began"
      createdAt: Time
      "When the membership ends"
      expiresAt: Time`

export const members: Part = {
  types: `
    "A member of a group or project"
    interface MemberInterface {
      ${memberFields}
    }
    "Access of a member"
    type AccessLevel {
      "As a number"
      integerValue: Int
      "As a word"
      stringValue: AccessLevelEnum
    }
    "Access to a group or project"
    enum AccessLevelEnum {
      "No access" NO_ACCESS
      "Minimal access" MINIMAL_ACCESS
      "Guest" GUEST
      "Reporter" REPORTER
      "Developer" DEVELOPER
      "Maintainer" MAINTAINER
      "Owner" OWNER
    }
  `,
  resolvers: {},
  resolveType: {
    MemberInterface: source => ('place_project_id' in ((source as Thing).row as object) ? 'ProjectMember' : 'GroupMember'),
  },
}

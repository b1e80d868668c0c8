/** The explicit list of all pages: the map of the server for people. One line for each folder. */
import type { Endpoint } from '../platform/kernel/declaration/endpoint.ts'
import * as shared from '../platform/pages/endpoints.ts'
import * as admin from '../portal/admin/endpoints.ts'
import * as adminUsers from '../portal/admin/users.ts'
import * as explore from '../portal/explore/endpoints.ts'
import * as frame from '../portal/frame/endpoints.ts'
import * as groups from '../portal/groups/endpoints.ts'
import * as home from '../portal/home/endpoints.ts'
import * as members from '../portal/members/endpoints.ts'
import * as places from '../portal/places/endpoints.ts'
import * as profile from '../portal/profile/endpoints.ts'
import * as projects from '../portal/projects/endpoints.ts'
import * as files from '../portal/repository/files/endpoints.ts'
import * as history from '../portal/repository/history/endpoints.ts'
import * as search from '../portal/search/pages/endpoints.ts'
import { exportedBy } from './exported.ts'

export const pages: readonly Endpoint[] = [
  frame,
  home,
  explore,
  profile,
  projects,
  groups,
  members.projectMemberPages,
  members.groupMemberPages,
  files,
  history,
  search,
  admin,
  adminUsers,
  shared,
  // Last: it takes the addresses that nothing else takes.
  places,
].flatMap(exportedBy)

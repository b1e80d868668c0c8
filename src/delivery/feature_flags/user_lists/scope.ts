import { within } from '../../../platform/kernel/declaration/scope.ts'
import { integer } from '../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../platform/kernel/errors.ts'
import { inProject } from '../../../spaces/projects/scope.ts'
import { userListByIid } from './queries.ts'

/** `:iid` becomes a user list of the project, or 404. */
export const inFlagUserList = within(inProject, {
  name: 'inFlagUserList',
  path: { iid: integer('Number of a user list within the project') },
  async load({ db, project }, { iid }) {
    const userList = await userListByIid(db, project.id, iid)
    if (!userList) throw notFound('User List')
    return { userList }
  },
  modifiedAt: ({ userList }) => userList.updated_at,
})

/** What the API says of the instance as a whole: its counts, its licence, and what waits for the caller. */
import Type from 'typebox'
import { inSelf, inUser } from '../../identity/users/scope.ts'
import { plain } from '../../platform/kernel/answer/entity.ts'
import { slicesOf } from '../../platform/kernel/answer/page.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { endpoint, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance, scope } from '../../platform/kernel/declaration/scope.ts'
import { DateTime, Day, described, flag, integer, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { associationsOf, countsOfUser, instanceCounts, peopleOf } from './queries.ts'

const named = {
  forks: 'forks',
  issues: 'issues',
  merge_requests: 'merge requests',
  notes: 'comments',
  snippets: 'snippets',
  ssh_keys: 'SSH keys of users',
  milestones: 'milestones',
  users: 'accounts',
  groups: 'groups',
  projects: 'projects',
  active_users: 'active accounts',
} as const

// Contract: numbers are texts here (application statistics API).
const Statistics = plain(
  'ApplicationStatistics',
  Type.Object(
    Object.fromEntries(Object.entries(named).map(([key, what]) => [key, text(`Number of ${what}, estimated where there are many`)])) as {
      [K in keyof typeof named]: ReturnType<typeof text>
    },
  ),
)

export const getApplicationStatistics = endpoint({
  route: 'GET /application/statistics',
  summary: 'Get the counts of the instance',
  scope: inInstance,
  can: 'admin_instance',
  answers: one(Statistics),
  async run({ db }) {
    const counts = await instanceCounts(db)
    return Object.fromEntries(Object.keys(named).map(key => [key, String(counts[key as keyof typeof named])])) as {
      [K in keyof typeof named]: string
    }
  },
})

const Associations = plain(
  'AssociationsCount',
  Type.Object({
    groups_count: integer('Groups that the user is a member of'),
    projects_count: integer('Projects that the user is a member of'),
    issues_count: integer('Issues that the user has written'),
    merge_requests_count: integer('Merge requests that the user has made'),
  }),
)

export const getAssociationsCount = endpoint({
  route: 'GET /users/:user_id/associations_count',
  summary: 'Get how much belongs to a user: for themselves, and for administrators',
  scope: inUser,
  can: 'update_own',
  answers: one(Associations),
  run: ({ db, user }) => associationsOf(db, user.id),
})

const Counts = plain(
  'UserCounts',
  Type.Object({
    merge_requests: integer('Open merge requests that are assigned to one'),
    assigned_issues: integer('Open issues that are assigned to one'),
    assigned_merge_requests: integer('The same as `merge_requests`'),
    review_requested_merge_requests: integer('Open merge requests that one is asked to review'),
    todos: integer('To-do items that wait'),
  }),
)

export const getUserCounts = endpoint({
  route: 'GET /user_counts',
  summary: 'Count what waits for one',
  scope: inSelf,
  can: 'update_own',
  scopes: ['read_user'],
  answers: one(Counts),
  async run({ db, actor, user, now }) {
    const { merge_requests, assigned_issues, review_requested, todos } = await countsOfUser(db, actor, user.id, now)
    return {
      merge_requests,
      assigned_issues,
      assigned_merge_requests: merge_requests,
      review_requested_merge_requests: review_requested,
      todos,
    }
  },
})

/** The one licence that an instance has: its tier, without an end and without a limit of accounts. */
const LICENSE_ID = 1

const License = plain(
  'InstanceLicense',
  Type.Object({
    id: integer('Always 1'),
    plan: text('The tier: `premium` or `ultimate`'),
    created_at: DateTime('When the first account was made'),
    starts_at: Day('The day of that'),
    expires_at: Nullable(Day('Always null: it does not end')),
    historical_max: integer('Active people: no history is kept'),
    maximum_user_count: integer('Active people: no history is kept'),
    expired: flag('Always false'),
    overage: integer('Always 0: there is no limit'),
    user_limit: integer('Always 0: there is no limit'),
    active_users: integer('Active people'),
    licensee: described('Always empty', Type.Record(Type.String(), Type.String())),
    add_ons: described('Always empty', Type.Record(Type.String(), Type.Integer())),
  }),
)

async function licenseOf({ db, tier }: Context) {
  const { active, since } = await peopleOf(db)
  return {
    id: LICENSE_ID,
    plan: tier,
    created_at: since,
    starts_at: since.slice(0, 10),
    expires_at: null,
    historical_max: active,
    maximum_user_count: active,
    expired: false,
    overage: 0,
    user_limit: 0,
    active_users: active,
    licensee: {},
    add_ons: {},
  }
}

/** `:id` is that of the one licence, or 404. */
const inInstanceLicense = scope({
  name: 'inInstanceLicense',
  path: { id: integer('ID of a licence') },
  async load(_ctx, { id }) {
    if (id !== LICENSE_ID) throw notFound('License')
    return {}
  },
  subject: () => ({ on: 'instance' as const }),
})

// Contract: below `premium` there is no licence, and nothing at these addresses (licence API). The tier is a setting of the server: no licence is
// added or deleted.
export const getLicense = endpoint({
  route: 'GET /license',
  summary: 'Get the tier of the instance in the form of a licence',
  scope: inInstance,
  can: 'admin_instance',
  tier: 'premium',
  answers: one(License),
  run: licenseOf,
})

export const listLicenses = endpoint({
  route: 'GET /licenses',
  summary: 'List the licence of the instance',
  scope: inInstance,
  can: 'admin_instance',
  tier: 'premium',
  answers: pageOf(License),
  run: async ctx => slicesOf([await licenseOf(ctx)]),
})

export const getLicenseById = endpoint({
  route: 'GET /license/:id',
  summary: 'Get the licence of the instance by its ID',
  scope: inInstanceLicense,
  can: 'admin_instance',
  tier: 'premium',
  answers: one(License),
  run: licenseOf,
})

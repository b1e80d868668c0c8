/** The projects of a group (document 3 "Groups"). */
import Type, { type TProperties } from 'typebox'
import { withCustomAttributesParam } from '../../identity/custom_attributes/params.ts'
import { featureEnabled } from '../../platform/access/feature_flags.ts'
import { endpoint, pageOf } from '../../platform/kernel/endpoint.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import { OneOf, type Options, onTier } from '../../platform/kernel/types.ts'
import { inGroup } from '../groups/scope.ts'
import { simpleOrFull } from '../projects/entity.ts'
import { projectsOfGroup, projectsSharedWith } from './queries.ts'

const flag = (options: Options = {}) => Type.Optional(Type.Boolean(options))
const orders = ['id', 'name', 'path', 'created_at', 'updated_at', 'last_activity_at'] as const

/** The common parameters of both lists. */
const commonParams = {
  ...withCustomAttributesParam,
  archived: flag(),
  min_access_level: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
  search: Type.Optional(Type.String({ maxLength: 255 })),
  simple: flag({ description: 'Only the simple fields' }),
  sort: Type.Optional(OneOf(['asc', 'desc'])),
  starred: flag({ description: 'Only projects that one has starred' }),
  visibility: Type.Optional(OneOf(['private', 'internal', 'public'])),
  with_issues_enabled: flag(),
  with_merge_requests_enabled: flag(),
} satisfies TProperties

export const listGroupProjects = endpoint({
  route: 'GET /groups/:id/projects',
  summary: 'List the projects of a group',
  scope: inGroup,
  can: 'read_group',
  params: {
    ...commonParams,
    include_subgroups: flag({ description: 'Those of the groups below it too' }),
    order_by: Type.Optional(OneOf([...orders, 'similarity'])),
    owned: flag({ description: 'Only projects that one owns' }),
    with_security_reports: onTier('ultimate', flag({ description: 'Only projects with reports about security' })),
    with_shared: flag({ description: 'Those that are shared with it too (default)' }),
  },
  answers: pageOf(simpleOrFull),
  async run({ db, actor, group, params }) {
    // Contract: `similarity` does not exist while its flag is off (decision 49).
    if (params.order_by === 'similarity' && !(await featureEnabled(db, 'similarity_search', { user: actor.user, group })))
      throw invalid({ order_by: ['does not have a valid value'] })
    return projectsOfGroup(db, actor, group, params)
  },
})

export const listSharedProjects = endpoint({
  route: 'GET /groups/:id/projects/shared',
  summary: 'List the projects that are shared with a group',
  scope: inGroup,
  can: 'read_group',
  // Contract: `similarity` is refused here (decision 49).
  params: { ...commonParams, order_by: Type.Optional(OneOf(orders)) },
  answers: pageOf(simpleOrFull),
  run: ({ db, actor, group, params }) => projectsSharedWith(db, actor, group, params),
})

import { scope, within } from '../../platform/kernel/declaration/scope.ts'
import { integer, text } from '../../platform/kernel/declaration/types.ts'
import { badRequest, notFound } from '../../platform/kernel/errors.ts'
import { findProject, projectSubject } from '../../spaces/projects/scope.ts'
import { visibleIssuesById } from '../issues/queries.ts'
import { inIssue, isOwnIssue } from '../issues/scope.ts'
import { imageById, imageOf } from './queries.ts'

/** `:issue_iid` is resolved to an incident, or 404; 400 for other issues, which have no metric images (document 3 "Issue operations"). */
export const inIncident = within(inIssue, {
  name: 'inIncident',
  path: {},
  async load({ issue }) {
    if (issue.issue_type !== 'incident') throw badRequest('Metric images belong to incidents only')
    return {}
  },
})

/** `:image_id` is resolved to a metric image of the incident, or 404 (decision 42). */
export const inMetricImage = within(inIncident, {
  name: 'inMetricImage',
  path: { image_id: integer('ID of a metric image') },
  async load({ db, issue }, { image_id }) {
    const image = await imageOf(db, issue.id, image_id)
    if (!image) throw notFound('Metric image')
    return { image }
  },
  // An image is never changed.
  modifiedAt: ({ image }) => image.created_at,
})

/** The image at the URL where it is served, for users who may see the incident. */
export const inMetricImageFile = scope({
  name: 'inMetricImageFile',
  path: { image_id: integer('ID of a metric image'), filename: text('Name of the file') },
  async load({ db, actor }, { image_id, filename }) {
    const image = await imageById(db, image_id)
    const issue = image && (await visibleIssuesById(db, actor, [image.issue_id], null)).get(image.issue_id)
    if (!image || !issue || image.filename !== filename) throw notFound('Metric image')
    return { image, project: await findProject(db, actor, String(issue.project_id)), isOwn: isOwnIssue(issue, actor.user?.id) }
  },
  subject: ({ project, isOwn }) => ({ ...projectSubject(project), own: isOwn }),
})

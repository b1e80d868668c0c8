/** Metric images of incidents (document 3 "Issue operations", "Metric image"). */
import Type from 'typebox'
import { WebAddress } from '../../platform/kernel/addresses/web_address.ts'
import { contentDisposition } from '../../platform/kernel/answer/disposition.ts'
import { objectAnswer } from '../../platform/kernel/answer/object.ts'
import { rest, root } from '../../platform/kernel/declaration/dialect.ts'
import { endpoint, nothing, one, pageOf, ranged } from '../../platform/kernel/declaration/endpoint.ts'
import { File, Nullable } from '../../platform/kernel/declaration/types.ts'
import { atLeastOne } from '../../platform/kernel/request/params.ts'
import { addImage, removeImage, updateImage } from './commands.ts'
import { MetricImage } from './entity.ts'
import { imagesOf } from './queries.ts'
import { inIncident, inMetricImage, inMetricImageFile } from './scope.ts'

const path = '/projects/:id/issues/:issue_iid/metric_images' as const

const link = {
  url: Type.Optional(Nullable(WebAddress({ maxLength: 255, minLength: 1 }), { description: 'HTTP URL with more details' })),
  url_text: Type.Optional(Nullable(Type.String({ maxLength: 128 }), { description: 'Text of the link' })),
}

export const listMetricImages = endpoint({
  route: `GET ${path}`,
  summary: 'List the metric images of an incident',
  scope: inIncident,
  can: 'read_issue',
  answers: pageOf(MetricImage),
  run: ({ db, issue }) => imagesOf(db, issue.id),
})

export const createMetricImage = endpoint({
  route: `POST ${path}`,
  summary: 'Upload a metric image of an incident',
  scope: inIncident,
  can: 'admin_metric_image',
  params: { file: File({ description: 'An image of at most 1 MB', examples: ['@load.png'] }), ...link },
  writes: 'own',
  // Pages that send it take less otherwise.
  bodyLimit: rest.bodyLimit,
  answers: one(MetricImage),
  run: ctx => addImage(ctx, ctx.project, ctx.issue.id, ctx.params.file, ctx.params),
})

export const updateMetricImage = endpoint({
  route: `PUT ${path}/:image_id`,
  summary: 'Change the link of a metric image',
  scope: inMetricImage,
  can: 'admin_metric_image',
  params: link,
  rules: [atLeastOne('url', 'url_text')],
  answers: one(MetricImage),
  run: ctx => updateImage(ctx, ctx.image, ctx.params),
})

export const deleteMetricImage = endpoint({
  route: `DELETE ${path}/:image_id`,
  summary: 'Delete a metric image of an incident',
  scope: inMetricImage,
  can: 'admin_metric_image',
  answers: nothing,
  run: ctx => removeImage(ctx, ctx.image),
})

export const showMetricImage = endpoint({
  route: 'GET /uploads/-/system/issuable_metric_image/file/:image_id/:filename',
  summary: 'Show a metric image',
  scope: inMetricImageFile,
  can: 'read_issue',
  dialect: root,
  answers: ranged('image/*'),
  run: ctx =>
    objectAnswer(ctx, ctx.image, { mediaType: ctx.image.media_type, disposition: contentDisposition('inline', ctx.image.filename) }),
})

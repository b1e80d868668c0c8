/** The metric images of an incident: pictures of what was measured while it lasted. */
import { inIssue } from '../../planning/issues/scope.ts'
import { createMetricImage, deleteMetricImage, listMetricImages, updateMetricImage } from '../../planning/metric_images/endpoints.ts'
import type { MetricImageRow } from '../../planning/metric_images/queries.ts'
import { allows } from '../../platform/access/abilities.ts'
import { time } from '../../platform/pages/components/time.ts'
import { html } from '../../platform/pages/html.ts'
import { projectPlace } from '../../spaces/projects/pages/place.ts'
import { type InIssue, ISSUE, issuePath } from '../issues/scope.ts'
import { type Home, projectHome } from '../things/homes.ts'
import { thingPages } from '../things/things.ts'

interface Image {
  readonly id: number
  readonly created_at: string
  readonly filename: string
  readonly file_path: string
  readonly url: string | null
  readonly url_text: string | null
}

/** An incident as the place of things. */
const incidentHome: Home<InIssue> = {
  route: ISSUE,
  noun: 'an incident',
  pathOf: issuePath,
  placeOf: ({ actor, project }) => projectPlace(actor, project, 'issues'),
  may: (ctx, ability) => allows(ctx.actor, ability, inIssue.subject(ctx as never)) === 'yes',
  inPage: projectHome.inPage,
}

const link = [
  { name: 'url', label: 'Link', hint: 'Where there is more: a dashboard, a query.' },
  { name: 'url_text', label: 'Text of the link', hint: '' },
] as const

export const metricImagePages = thingPages<InIssue, Image>({
  home: incidentHome,
  path: '/metric_images',
  key: 'issues',
  title: 'Metric images',
  icon: 'graph',
  purpose: 'Pictures of what was measured during the incident help to find out later what happened.',
  list: listMetricImages,
  before: ctx => html`<p><a href="${issuePath(ctx)}">Back to #${ctx.issue.iid}</a></p>`,
  row: ({ filename, file_path, url, url_text, created_at }) =>
    html`<div class="title">${filename}</div><div class="picture"><img src="${file_path}" alt="${url_text || filename}" loading="lazy"></div><div class="facts">${url !== null && html`<a href="${url}" rel="nofollow noopener noreferrer">${url_text || url}</a>`}<span>Added ${time(created_at)}</span></div>`,
  labelOf: ({ filename }) => filename,
  idOf: ({ id }) => id,
  id: 'image_id',
  add: {
    of: createMetricImage,
    title: 'Add image',
    fields: () => [{ name: 'file', label: 'Image', control: 'file', hint: 'Of at most 1 MB.' }, ...link],
    notice: 'The image was added.',
  },
  edit: {
    of: updateMetricImage,
    named: ({ image }: { readonly image: MetricImageRow }) => image.filename,
    fields: () => link,
    values: ({ image: { url, url_text } }: { readonly image: MetricImageRow }) => ({ url, url_text }),
    instead: {
      of: [],
      params: {},
      adapt: async (_ctx, { url, url_text }) => ({ url: url || null, url_text: url_text || null }),
    },
    notice: 'The link was changed.',
  },
  remove: { of: deleteMetricImage, button: 'Remove', notice: 'The image was removed.' },
})

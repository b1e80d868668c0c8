/** The roadmap of a group: its epics over time. */
import { listEpics } from '../../../planning/epics/endpoints.ts'
import type { EpicFilters } from '../../../planning/epics/queries.ts'
import { Day, OneOf, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { readAs } from '../../../platform/pages/answers.ts'
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { page } from '../../../platform/pages/frame/document.ts'
import { html } from '../../../platform/pages/html.ts'
import { livePart } from '../../../platform/pages/live/part.ts'
import { groupPath, groupPlace } from '../../../spaces/groups/pages/place.ts'
import { inGroupPage } from '../../../spaces/groups/pages/scope.ts'
import { planningGroup } from '../../../spaces/places/places.ts'
import { labelChoices } from '../../issues/choices.ts'
import { epicsTopicOf } from '../live.ts'
import { roadmapOf } from './load.ts'
import { roadmapControls, roadmapView } from './roadmap_view.ts'
import { columnsFrom, scales } from './timeframe.ts'

export const showRoadmap = pageEndpoint({
  route: 'GET /groups/:group_path/-/roadmap',
  summary: 'Show the epics of a group over time',
  tier: 'premium',
  scope: inGroupPage,
  can: 'read_epic',
  params: {
    scale: OneOf(scales, { description: 'What a column is', default: 'months' }),
    from: optional(Day('A day of the first column')),
    state: OneOf(['opened', 'closed', 'all'], { description: 'Only epics in this state', default: 'opened' }),
    labels: optional(text('Labels that they must all have, with commas', { maxLength: 1_000 })),
    search: optional(text('Words in title and description', { maxLength: 255 })),
  },
  async run(ctx) {
    const { group, params } = ctx
    const { scale, from, state, labels = '', search = '' } = params
    const today = ctx.now.toISOString().slice(0, 10)
    const columns = columnsFrom(scale, from, today)
    const filters = readAs(ctx, listEpics, {
      state,
      ...(labels !== '' && { labels }),
      ...(search !== '' && { search }),
    }) as EpicFilters
    const [roadmap, choices] = await Promise.all([
      roadmapOf(ctx, filters, columns),
      labelChoices(ctx, planningGroup(group), labels === '' ? [] : [labels]),
    ])
    const topic = epicsTopicOf(group)
    const controls = { base: groupPath(group, '/-/roadmap'), scale, from, state, labels, search, columns, choices }
    return page(ctx, {
      title: 'Roadmap',
      place: groupPlace(ctx.actor, group, 'roadmap'),
      heading: 'own',
      live: [topic],
      body: html`<div class="heading"><h1>Roadmap</h1></div>${roadmapControls(controls)}${livePart('roadmap', topic, roadmapView(roadmap, columns, today))}`,
    })
  },
})

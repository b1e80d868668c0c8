/** The roadmap of a group: its epics over time. */
import { listEpics } from '../../../planning/epics/endpoints.ts'
import type { EpicFilters } from '../../../planning/epics/queries.ts'
import { labelsIn } from '../../../planning/labels/queries.ts'
import { preferencesOf } from '../../../platform/access/preferences.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { Day, OneOf, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { invalid } from '../../../platform/kernel/errors.ts'
import { readAs } from '../../../platform/pages/answers.ts'
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { page } from '../../../platform/pages/frame/document.ts'
import { html } from '../../../platform/pages/html.ts'
import { livePart } from '../../../platform/pages/live/part.ts'
import { groupPath, groupPlace } from '../../../spaces/groups/pages/place.ts'
import { inGroupPage } from '../../../spaces/groups/pages/scope.ts'
import { placeOfGroup } from '../../../spaces/places/places.ts'
import type { GroupWithRole } from '../../places/planning.ts'
import { epicsTopicOf } from '../live.ts'
import { roadmapOf } from './load.ts'
import { roadmapControls, roadmapView } from './roadmap_view.ts'
import { columnsFrom, EARLIEST, LATEST, scales } from './timeframe.ts'

/** Labels that can be chosen; others can be named in the address. */
const MOST_LABELS = 200

/** The names of the labels of the group and of those above it. */
async function labelNames({ db, actor, group }: Context & { readonly group: GroupWithRole }): Promise<readonly string[]> {
  const rows = await labelsIn(db, actor, placeOfGroup(group), {}).orderBy('labels.name').limit(MOST_LABELS).execute()
  return rows.map(({ name }) => name)
}

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
    if (from !== undefined && (from < EARLIEST || from > LATEST)) throw invalid({ from: [`must lie between ${EARLIEST} and ${LATEST}`] })
    const today = ctx.now.toISOString().slice(0, 10)
    const columns = columnsFrom(scale, from, today, preferencesOf(ctx.actor).first_day_of_week)
    const filters = readAs(ctx, listEpics, {
      state,
      ...(labels !== '' && { labels }),
      ...(search !== '' && { search }),
    }) as EpicFilters
    const [roadmap, names] = await Promise.all([roadmapOf(ctx, filters, columns), labelNames(ctx)])
    const topic = epicsTopicOf(group)
    const controls = {
      base: groupPath(group, '/-/roadmap'),
      scale,
      from,
      state,
      labels,
      search,
      columns,
      names: [...new Set([...(labels === '' ? [] : [labels]), ...names])],
    }
    return page(ctx, {
      title: 'Roadmap',
      place: groupPlace(ctx.actor, group, 'roadmap'),
      heading: 'own',
      live: [topic],
      body: html`<div class="heading"><h1>Roadmap</h1></div>${roadmapControls(controls)}${livePart('roadmap', topic, roadmapView(roadmap, columns, today))}`,
    })
  },
})

/** The list of the epics of a group and of those below it, and changes of several. */
import { listEpics, updateEpic } from '../../planning/epics/endpoints.ts'
import { epicProgress } from '../../planning/epics/progress.ts'
import { type EpicFilters, epicsMatching, visibleEpicsById } from '../../planning/epics/queries.ts'
import { allows } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { CommaList, integer, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { forbidden, notFound } from '../../platform/kernel/errors.ts'
import { readAs } from '../../platform/pages/answers.ts'
import { formEndpoint, pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { done } from '../../platform/pages/frame/document.ts'
import { localPath } from '../../platform/pages/frame/local_path.ts'
import { html } from '../../platform/pages/html.ts'
import { groupPath, groupPlace } from '../../spaces/groups/pages/place.ts'
import { inGroupPage } from '../../spaces/groups/pages/scope.ts'
import { visibleGroup } from '../../spaces/groups/queries.ts'
import { groupSubject } from '../../spaces/groups/scope.ts'
import type { FilterKey } from '../items/filter_text.ts'
import { type ListedKind, type Listing, listing, listingParams } from '../items/listing.ts'
import { type GroupWithRole, mayHere } from '../places/planning.ts'
import { epicList, type ListedEpic } from './list_view.ts'
import { epicsTopicOf } from './live.ts'

const keys: readonly FilterKey[] = [
  { key: 'label', param: 'labels', says: 'has the label; None, Any', many: true, negatable: true },
  { key: 'author', param: 'author_username', says: 'was opened by the account', negatable: true },
  { key: 'reaction', param: 'my_reaction_emoji', says: 'has your reaction; None, Any', negatable: true },
  { key: 'created-after', param: 'created_after', says: 'was opened on the day or later' },
  { key: 'created-before', param: 'created_before', says: 'was opened before the day' },
  { key: 'updated-after', param: 'updated_after', says: 'was changed on the day or later' },
  { key: 'updated-before', param: 'updated_before', says: 'was changed before the day' },
]

/** The kind of list. `bulk`: where changes of several are sent to. */
const kind = (bulk: string | undefined): ListedKind<ListedEpic> => ({
  keys,
  orders: [
    ['created_at:desc', 'Newest'],
    ['created_at:asc', 'Oldest'],
    ['updated_at:desc', 'Changed lately'],
    ['updated_at:asc', 'Changed long ago'],
    ['title:asc', 'Title'],
  ],
  states: [
    ['opened', 'Open'],
    ['closed', 'Closed'],
    ['all', 'All'],
  ],
  icon: 'goal',
  none: ['No epics', 'An epic holds issues of several projects, and other epics, that lead to one aim.'],
  async view(ctx, rows, { back, base }) {
    const progress = await epicProgress(
      ctx.db,
      ctx.actor,
      rows.map(({ id }) => id),
    )
    return epicList(ctx, rows, { back, base, bulk, progress })
  },
})

/** How many there are in each state: one statement. */
const countsBy =
  (ctx: Context & { readonly group: GroupWithRole }): NonNullable<Listing<ListedEpic>['counts']> =>
  async wire => {
    const { state: _state, ...filters } = readAs(ctx, listEpics, { ...wire, state: 'all' }) as EpicFilters
    const rows = await epicsMatching(ctx, ctx.group, filters)
      .clearSelect()
      .clearOrderBy()
      .select(({ fn }) => ['epics.state', fn.countAll<number>().as('count')])
      .groupBy('epics.state')
      .execute()
    const count = (state: string): number => Number(rows.find(row => row.state === state)?.count ?? 0)
    return { opened: count('opened'), closed: count('closed'), all: count('opened') + count('closed') }
  }

export const listOfGroup = pageEndpoint({
  route: 'GET /groups/:group_path/-/epics',
  summary: 'Show the epics of a group',
  tier: 'premium',
  scope: inGroupPage,
  can: 'read_epic',
  params: listingParams,
  run: ctx =>
    listing(ctx, {
      kind: kind(mayHere(ctx, 'admin_epic') ? groupPath(ctx.group, '/-/epics/bulk') : undefined),
      base: groupPath(ctx.group, '/-/epics'),
      list: listEpics,
      counts: countsBy(ctx),
      title: 'Epics',
      place: groupPlace(ctx.actor, ctx.group, 'epics'),
      topic: epicsTopicOf(ctx.group),
      completions: groupPath(ctx.group, '/-/completions'),
      ...(mayHere(ctx, 'create_epic') && {
        buttons: html`<a class="btn btn-primary" href="${groupPath(ctx.group, '/-/epics/new')}" data-hotkey="c">New epic</a>`,
      }),
    }),
})

/** Epics that are changed together at most: those of a page of a list. */
const MOST = 100

export const changeSeveral = formEndpoint({
  route: 'POST /groups/:group_path/-/epics/bulk',
  summary: 'Change several epics of a group and of those below it',
  tier: 'premium',
  scope: inGroupPage,
  can: 'admin_epic',
  params: {
    ids: CommaList(integer('ID of an epic'), { minItems: 1, maxItems: MOST, description: 'IDs of the epics', examples: [[1]] }),
    state_event: optional(OneOf(['close', 'reopen'], { description: 'Closes or reopens them' })),
    add_labels: optional(text('Names of labels to add, with commas', { maxLength: 1_000 })),
    remove_labels: optional(text('Names of labels to take away, with commas', { maxLength: 1_000 })),
    back: optional(text('The list to show again', { maxLength: 4_000 })),
  },
  errors: ['not_found'],
  async run(ctx) {
    const { db, actor, group, params } = ctx
    const { ids, back, ...attributes } = params
    const changes = Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined && value !== ''))
    const to = localPath(back, groupPath(group, '/-/epics'))
    if (Object.keys(changes).length === 0) return done(ctx, to, 'Nothing was changed: nothing was chosen to change.')
    const read = readAs(ctx, updateEpic, changes)
    const epics = await visibleEpicsById(db, actor, ids)
    // In order of their ids, so that two people who change the same epics do not wait for each other in a circle.
    const wanted = [...new Set(ids)].sort((a, b) => a - b)
    for (const id of wanted) {
      const epic = epics.get(id)
      if (!epic?.group_traversal_ids.includes(group.id)) throw notFound('Epic')
      const own = epic.namespace_id === group.id ? group : await visibleGroup(db, actor, String(epic.namespace_id))
      if (!own || allows(actor, 'admin_epic', groupSubject(own)) !== 'yes') throw forbidden()
      await updateEpic.run({ ...ctx, group: own, epic, params: read } as never)
    }
    return done(ctx, to, `${wanted.length} ${wanted.length === 1 ? 'epic was' : 'epics were'} changed.`)
  },
})
